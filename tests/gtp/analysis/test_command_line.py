"""The command line of the analysis engine, and that of KataGo's, which it understands."""

import pytest

from gtp_engine.cli import analyze
from gtp_engine.gtp.analysis.pipes import FINISHED
from support.statuses import status_of


class Left(Exception):
    """Ends the program where its process would end."""


@pytest.fixture
def begun(monkeypatch, capsys):
    """Starts the engine with some words; gives what it serves and what it says before."""
    served = []

    def serve(*given) -> int:
        served.append(given)
        return FINISHED

    def leave(status: int) -> None:
        raise Left(status)

    class Standard:
        def fileno(self) -> int:
            return 0

    monkeypatch.setattr(analyze, "serve", serve)
    monkeypatch.setattr(analyze.os, "_exit", leave)

    def start(line: str):
        monkeypatch.setattr(analyze.sys, "stdin", Standard())
        told = []
        monkeypatch.setattr(analyze.stderr, "write", told.append)
        with monkeypatch.context() as patch:
            patch.setattr(analyze.sys, "stdout", Standard())
            with pytest.raises(Left):
                analyze.main(line.split())
        usual, positions, waits, *_ = served.pop()
        return usual, positions, waits, told

    return start


KATAGO = "-config a.cfg -model b.bin.gz -human-model c.bin.gz -quit-without-waiting"


def test_a_command_line_of_katago_is_understood(begun):
    usual, positions, waits, told = begun(f"{KATAGO} -analysis-threads 3")
    assert (positions, waits) == (3, False)
    assert (usual.visits, usual.perspective) == (1000, "BLACK")
    assert told[0].endswith(": without effect here: -config, -model, -human-model\n")
    assert len(told) == 2 and "ready to begin handling requests" in told[1]


def test_flags_may_have_two_dashes(begun):
    _, _, waits, told = begun("--config a.cfg --model b.bin.gz --quit-without-waiting")
    assert not waits and len(told) == 2


def test_what_means_something_here_is_taken_from_the_overridden_settings(begun):
    given = "maxVisits=7,maxTime=2.5,numAnalysisThreads=4,reportAnalysisWinratesAs=sidetomove"
    usual, positions, _, told = begun(f"-override-config {given},logDir=x -override-config b=1")
    assert (usual.visits, usual.seconds, positions) == (7, 2.5, 4)
    assert usual.perspective == "SIDETOMOVE"
    assert told[0].endswith(": -override-config logDir, -override-config b\n")


@pytest.mark.parametrize("name", ["numSearchThreads", "numSearchThreadsPerAnalysisThread"])
def test_search_threads_have_two_names(begun, name):
    assert begun(f"-override-config {name}=5")[0].settings.threads == 5


def test_an_option_counts_more_than_an_overridden_setting(begun, monkeypatch):
    monkeypatch.setenv("PATCHPIE_VISITS", "9")
    assert begun("-override-config maxVisits=7 --visits 8")[0].visits == 8
    assert begun("-override-config maxVisits=7")[0].visits == 7
    assert begun("")[0].visits == 9


def test_a_game_is_given_by_options_or_in_the_environment(begun, monkeypatch):
    monkeypatch.setenv("PATCHPIE_GAME", "pilo")
    monkeypatch.setenv("PATCHPIE_PIE", "sides")
    assert begun("--size 7")[0].game == ("pilo", 7, "sides")
    assert begun("--game implo --pie off")[0].game == ("implo", None, "off")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("-override-config maxVisits=0", "-override-config: maxVisits: expected integer 1.."),
        ("-override-config maxTime", "-override-config: maxTime: expected number 0.001.."),
        ("--game chess", "there is no game chess: "),
        ("--size 20", "argument --size: expected integer 2..19"),
        ("-model", "argument -model/--model: expected one argument"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(line, told, capsys):
    assert status_of(analyze.main, line.split()) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"gtp-engine analyze: {told}") and error.count("\n") == 1
