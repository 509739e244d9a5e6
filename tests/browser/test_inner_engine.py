"""Engines in one interpreter take turns; here greenlets stand in for the stacks of a browser."""

import asyncio
import gc
from collections.abc import Callable
from itertools import count

import pytest

from gtp_engine.browser import inner_engine
from gtp_engine.browser.host import HeardLines, Host
from gtp_engine.browser.inner_engine import InnerEngine, Turns
from gtp_engine.gtp.client.faults import EngineDied
from gtp_engine.gtp.client.process import EngineProcess, EngineState
from support.waiting import TurnedLoop, turn_loop, until

greenlet = pytest.importorskip("greenlet")


class Stacks:
    """The stacks of inner_engine.py, as greenlets."""

    def __init__(self, suspends: bool = True) -> None:
        self.suspends, self.called_back = suspends, 0

    def start(self, work: Callable[[], None]) -> None:
        asyncio.get_running_loop().call_soon(greenlet.greenlet(work).switch)

    def rest(self, until: asyncio.Future | None) -> None:
        back = greenlet.getcurrent().switch
        if until is None:
            asyncio.get_running_loop().call_soon(back)
        else:
            until.add_done_callback(lambda done: back())
        greenlet.getcurrent().parent.switch()

    def call_back(self) -> None:
        self.called_back += 1


class Kernel:
    """A kernel whose solver rests until it is called back."""

    def __init__(self, stacks: Stacks) -> None:
        self.stacks, self.now, self.most = stacks, 0, 0

    def call(self, request: bytes) -> bytes:
        return request

    def solve(self, request: bytes) -> None:
        self.now += 1
        self.most = max(self.most, self.now)
        before = self.stacks.called_back
        while self.stacks.called_back == before:
            self.stacks.rest(None)
        self.now -= 1


class Program:
    """Answers each line with the line; see inner_engine.Program.

    A line `search` searches until another line comes, `solve` does it in the kernel.
    """

    def __init__(self, host: Host, turns: Turns) -> None:
        self.host, self.turns = host, turns
        self.lines = HeardLines(host)
        self.analyzes = False

    def listen(self) -> None:
        self.lines.listen()

    def turn(self, rests: bool) -> bool:
        self.lines.listen()
        return self._answer_all() or self.lines.over

    def _answer_all(self) -> bool:
        for line in self.lines:
            word = line.lstrip("0123456789 ")
            number = line.removesuffix(word).strip()
            if word == "fail":
                raise RuntimeError("of a test")
            while word == "search" and not self.lines.pending.is_set():
                self.turns.listen()
            if word == "solve":
                self.turns.solve(b"")
                self.turns.listen()
            self.host.say(f"={number} {word}\n\n")
            if word == "quit":
                return True
        return False


@pytest.fixture(autouse=True)
def collecting():
    """Python collects garbage by itself again after each test."""
    yield
    gc.enable()


class LoopOfPyodide(TurnedLoop):
    """It refuses what is past; and it is busy: each look at its clock takes a millisecond."""

    def time(self):
        self.turn(0.001)
        return super().time()

    def call_at(self, when, callback, *args, context=None):
        return self.call_later(when - self.time(), callback, *args, context=context)

    def call_later(self, delay, callback, *args, context=None):
        if delay < 0:
            raise ValueError("Can't schedule in the past")
        return super().call_at(super().time() + delay, callback, *args, context=context)


def in_loop(work, suspends: bool = True, loop=TurnedLoop) -> None:
    """Run `work(start, stacks, kernel)`; `start(name)` starts an engine, `start.turns` has them."""

    async def run() -> None:
        stacks = Stacks(suspends)
        kernel = Kernel(stacks)
        turns = Turns(stacks, kernel)

        def start(name: str) -> EngineProcess:
            return EngineProcess(
                lambda hooks: InnerEngine(turns, lambda host: Program(host, turns), hooks), name
            )

        start.turns = turns
        await work(start, stacks, kernel)

    with asyncio.Runner(loop_factory=loop) as runner:
        runner.run(run())


@pytest.mark.parametrize("suspends", [True, False])
def test_several_engines_answer_and_end(suspends):
    async def talk(start, stacks, kernel):
        engines = [start(name) for name in ("one", "two")]
        pids = [await each.start() for each in engines]
        assert len(set(pids)) == 2
        for number in range(3):
            answers = [each.send(f"line {number}") for each in engines]
            assert [(await each).text for each in answers] == [f"line {number}"] * 2
        for each in engines:
            await each.close()
            assert each.state is EngineState.DEAD
            assert each.child.status == 0

    in_loop(talk, suspends)


def test_a_search_lets_others_answer_and_ends_at_the_next_line():
    async def talk(start, stacks, kernel):
        one, two = start("one"), start("two")
        searched = one.send("search")
        assert (await two.ask("name")).text == "name"
        assert not searched.done()
        assert (await one.ask("name")).text == "name" and searched.done()
        await asyncio.gather(one.close(), two.close())

    in_loop(talk)


def test_a_search_makes_way_while_the_page_waits_for_an_answer(monkeypatch):
    monkeypatch.setattr(inner_engine, "_WAY", 1000.0)  # seconds of a clock that the test turns

    async def talk(start, stacks, kernel):
        slices = count()
        listen, start.turns.listen = start.turns.listen, lambda: (next(slices), listen())
        one, two = start("one"), start("two")
        searched = one.send("search")
        await two.ask("name")
        start.turns.make_way()  # the search rests behind a slice
        begun = next(slices)
        for _ in range(3):
            await two.ask("name")
        assert next(slices) == begun + 1, "not one more"
        turn_loop(1000.0)
        await until(lambda: next(slices) > begun + 100, "the search goes on")
        await one.ask("name")
        assert searched.done()
        await asyncio.gather(one.close(), two.close())

    in_loop(talk)


def test_a_moment_that_is_over_at_once_does_not_end_a_search(monkeypatch):
    """Pyodide's loop refuses a time that has passed before it is told of it."""

    async def talk(start, stacks, kernel):
        one, two = start("one"), start("two")
        searched = one.send("search")
        for looks in range(100):
            monkeypatch.setattr(inner_engine, "_WAY", 0.001 * (looks + 0.5))
            start.turns.make_way()
            await two.ask("name")
        assert not searched.done()
        await one.ask("name")
        assert (await searched).text == "search"
        await asyncio.gather(one.close(), two.close())

    in_loop(talk, loop=LoopOfPyodide)


def test_an_engine_that_searches_is_killed_and_the_others_go_on():
    async def talk(start, stacks, kernel):
        one, two = start("one"), start("two")
        searched = one.send("search")
        await two.ask("name")
        one.kill()
        with pytest.raises(EngineDied, match="was killed"):
            await searched
        await one.child.gone
        assert one.child.status == -9
        assert (await two.ask("name")).text == "name"
        await two.close()

    in_loop(talk)


def test_one_solver_runs_at_a_time_and_hears_and_makes_way():
    async def talk(start, stacks, kernel):
        one, two = start("one"), start("two")
        solved = [one.send("solve"), two.send("solve")]
        await solved[0]  # called back for the other one
        one.tell("# nothing")
        assert not solved[1].done()
        two.tell("# interrupt")
        await solved[1]
        assert kernel.most == 1 and kernel.now == 0
        await asyncio.gather(one.close(), two.close())

    in_loop(talk)


@pytest.mark.parametrize("suspends", [True, False])
def test_an_engine_that_fails_is_reported_with_its_status(suspends):
    async def talk(start, stacks, kernel):
        engine = start("one")
        assert (await engine.ask("name")).text == "name"
        with pytest.raises(EngineDied, match="exited with status 1 at `fail`"):
            await engine.ask("fail")
        await engine.close()

    in_loop(talk, suspends)
