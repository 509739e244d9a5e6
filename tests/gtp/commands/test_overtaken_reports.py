"""Input ends an analysis at once, even during a report that takes long."""

import json

import pytest

from gtp_engine.engine import forecasts
from gtp_engine.gtp.commands import registry
from support.driver import Driver


@pytest.fixture
def reports(monkeypatch):
    """The reports of an analysis with leads; input comes while the second is being made.

    `asked` tells for each lead how many reports there were before it. The tree of the search has
    many turns from the first report on, however little time there is for it.
    """
    driver = Driver("pilo", 4)
    driver("game-set visits 500")
    driver("reg_genmove b")
    session = driver.session
    found, asked = [], []

    def lead(*_):
        asked.append(len(found))
        if found:
            session.pending.set()
        return 0.0

    monkeypatch.setattr(forecasts, "leads", lambda *_: lead)

    def run(name: str, *, pending: bool) -> tuple[list[str], list[int]]:
        session.pending.set() if pending else session.pending.clear()
        registry().get(name).call(session, ("1",))(found.append)
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
