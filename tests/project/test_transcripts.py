"""Every transcript of the specifications in process, and some through a pipe.

`.ci/run` has all of them through the pipe of an installed engine, with the kernel and without one.
"""

from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from gtp_engine.cli.regress import main as regress
from gtp_engine.gtp.client.transcript import parse, run
from gtp_engine.gtp.commands import measuring, playing
from gtp_engine.gtp.wire.response import Response
from support.driver import Driver
from support.starting import engine_command

MOST_LOOKS = 1000
"""More than the counts of the transcripts need, but for the one that must fail."""

FOLDER = Path(__file__).parents[2] / "protocol_specs" / "clients" / "transcripts"
TRANSCRIPTS = sorted(FOLDER.glob("*.tst"))


def as_gogui_reads(response: Response) -> Response:
    """The response of which gogui-regress sees only what stands behind the first blank.

    Of a stream, whose first line is bare, that cuts off the first word.
    """
    return response._replace(text=str(response).partition(" ")[2])


def stop_after_looks(session: object) -> Callable[[], bool]:
    """Stands for `counting_stop`: ends a count when it has looked so often."""
    looks = count()
    return lambda: next(looks) > MOST_LOOKS


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_in_process(path, monkeypatch):
    monkeypatch.chdir(FOLDER)
    for module in (playing, measuring):
        monkeypatch.setattr(module, "counting_stop", stop_after_looks)
    for result in run(parse(path.read_text()), Driver().over_the_wire):
        surprising = result.verdict is not None and result.verdict.surprising
        assert not surprising, f"{result.trial}: {result.response}"
        expectation = result.trial.expectation
        if expectation is not None:
            seen = as_gogui_reads(result.response)
            assert expectation.verdict(seen) == result.verdict, f"{result.trial}, in gogui-regress"
        if expectation is not None and expectation.fails:
            assert not result.response.success, f"{result.trial} should be refused"


def test_through_a_pipe(capsys):
    assert regress([engine_command(), *map(str, TRANSCRIPTS[:2])]) == 0
    assert "FAILED" not in capsys.readouterr().out
