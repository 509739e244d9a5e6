"""Input ends an analysis at once, even during a report that takes long."""

import json

import pytest

from gtp_engine.engine import forecasts
from gtp_engine.gtp.commands import registry
from support.driver import Driver


@pytest.fixture
def reports(monkeypatch):
    """The reports of an analysis with leads; input comes while the second is being made.

    `asked` tells for each lead how many reports there were before it. An analysis before leaves a
    tree, so there are many turns from the first report on, however little time there is for it.
    """
    session = Driver("pilo", 4).session
    found, asked = [], []

    def ended_with_many_turns(report):
        if len(json.loads(report)["turns"]) > 10:
            session.pending.set()

    def analyzed(name, emit):
        registry().get(name).call(session, ("1",))(emit)

    def lead(*_):
        asked.append(len(found))
        if found:
            session.pending.set()
        return 0.0

    monkeypatch.setattr(forecasts, "leads", lambda *_: lambda *_: 0.0)
    session.pending.clear()
    analyzed("game-analyze", ended_with_many_turns)
    monkeypatch.setattr(forecasts, "leads", lambda *_: lead)

    def run(name: str, *, pending: bool) -> tuple[list[str], list[int]]:
        session.pending.set() if pending else session.pending.clear()
        analyzed(name, found.append)
        return found, asked

    return run


@pytest.mark.parametrize("name", ["game-analyze", "kata-analyze"])
def test_a_report_that_input_overtakes_is_not_made_to_its_end(reports, name):
    found, asked = reports(name, pending=False)
    assert len(found) == 1
    assert asked.count(0) > 10
    assert asked.count(1) == 1


def test_the_one_report_that_must_come_is_whole(reports):
    found, asked = reports("game-analyze", pending=True)
    (report,) = found
    assert len(json.loads(report)["turns"]) == len(asked) > 10
