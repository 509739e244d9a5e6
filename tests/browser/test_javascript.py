"""The event loop where JavaScript runs Python: its callbacks share calls of JavaScript."""

import asyncio
import importlib
import sys
from types import ModuleType

import pytest


class PlainLoop(asyncio.SelectorEventLoop):
    """In place of Pyodide's loop: each of its callbacks counts as a call of JavaScript."""

    def __init__(self) -> None:
        super().__init__()
        self.calls = 0

    def call_soon(self, callback, *given, context=None):
        self.calls += 1
        return super().call_soon(callback, *given, context=context)


@pytest.fixture
def javascript(monkeypatch):
    """The module, which imports what only Pyodide has."""
    pyodide, ffi, webloop = map(ModuleType, ("pyodide", "pyodide.ffi", "pyodide.webloop"))
    ffi.JsException, ffi.create_proxy, ffi.run_sync, ffi.to_js = Exception, None, None, None
    webloop.WebLoop = PlainLoop
    for module in (pyodide, ffi, webloop):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.delitem(sys.modules, "gtp_engine.browser.javascript", raising=False)
    yield importlib.import_module("gtp_engine.browser.javascript")
    del sys.modules["gtp_engine.browser.javascript"]


@pytest.fixture
def loop(javascript):
    loop = javascript.Loop()
    yield loop
    loop.close()


def test_a_chain_of_callbacks_takes_one_call(loop):
    async def chain():
        for _ in range(20):
            await asyncio.sleep(0)
        return loop.calls

    before = loop.calls
    assert loop.run_until_complete(chain()) == before + 1


def test_callbacks_run_in_their_order_and_not_when_they_are_cancelled(loop):
    ran, faults = [], []

    def last():
        ran.append("f")
        loop.stop()

    loop.set_exception_handler(lambda _, context: faults.append(context))
    for name in "abc":
        handle = loop.call_soon(ran.append, name)
        if name == "b":
            handle.cancel()
    loop.call_soon(lambda: (ran.append("d"), loop.call_soon(last)))
    loop.call_soon(ran.append, "e")
    loop.run_forever()
    assert "".join(ran) == "acdef" and faults == []


def test_a_callback_that_fails_is_reported_and_the_others_run(loop):
    told, ran = [], []
    loop.set_exception_handler(lambda _, context: told.append(str(context["exception"])))
    loop.call_soon(lambda: [].pop())
    loop.call_soon(ran.append, "next")
    loop.call_soon(loop.stop)
    loop.run_forever()
    assert told == ["pop from empty list"] and ran == ["next"]


def test_callbacks_without_an_end_let_javascript_run_in_between(loop):
    ran = []

    def go_on():
        ran.append("callback")
        loop.call_soon(go_on)

    loop.call_soon(go_on)
    PlainLoop.call_soon(loop, lambda: (ran.append("JavaScript"), loop.stop()))
    loop.run_forever()
    assert ran[0] == "callback" and ran[-1] == "JavaScript"
