"""The engine on a host without threads, here one of Python: what it hears, and what it says."""

import json
from collections import deque
from pathlib import Path

import pytest

from gtp_engine.base import files
from gtp_engine.cli.hosted import Program
from gtp_engine.cli.hosted_analyze import Analyzer
from gtp_engine.gtp.wire.line import LONGEST_LINE
from gtp_engine.search.openings.swap_maps import stored_map


class ToldHost:
    """A host whose client has sent some pieces; `later` arrives at the next rests, one at each.

    said -- what went to the client, in pieces
    """

    has_files = True

    def __init__(self, *pieces: bytes, later: tuple[bytes, ...] = (), waits: bool = True) -> None:
        self.pieces, self.later, self.waits = deque(pieces), deque(later), waits
        self.said: list[str] = []
        self.rests = 0

    def say(self, text: str) -> None:
        self.said.append(text)

    def rest(self, seconds: float) -> None:
        self.rests += 1
        if not self.pieces and self.later:
            self.pieces.append(self.later.popleft())

    def heard(self) -> bytes | None:
        return self.pieces.popleft() if self.pieces else None

    @property
    def text(self) -> str:
        return "".join(self.said)


def program(host: ToldHost, *options: str) -> Program:
    return Program(host, ["--game", "robble", "--size", "4", "--seed", "1", *options])


def test_lines_are_answered_until_quit():
    host = ToldHost(b"1 name\nnon", b"sense\n", later=(b"# nothing\n3 quit\n4 name\n",))
    assert program(host).run() == 0
    assert host.said == ["=1 Patchpie\n\n", "? unknown command\n\n", "=3\n\n"]


def test_the_end_of_input_ends_it_after_the_last_line_without_an_end():
    host = ToldHost(b"1 name", b"")
    assert program(host).run() == 0
    assert host.text == "=1 Patchpie\n\n"


def test_a_line_that_is_too_long_is_refused():
    host = ToldHost(b"7 name " + b"x" * LONGEST_LINE, b"\n", b"")
    assert program(host).run() == 0
    assert host.text == "?7 line too long\n\n"


def test_an_analysis_with_nothing_left_to_search_hears_the_next_line():
    host = ToldHost(b"play b a1\nplay w a2\nkata-analyze 1\n", later=(b"2 name\n", b""))
    assert program(host).run() == 0
    head, report, *rest = host.said[2:]
    assert head == "=\n" and report.startswith("info") and rest == ["\n", "=2 Patchpie\n\n"]


@pytest.mark.parametrize("command", ["kata-analyze 1", "lz-analyze 1", "game-analyze 1"])
def test_without_waiting_an_analysis_gets_a_line_in_each_turn(command):
    host = ToldHost(command.encode() + b"\n", waits=False)
    ours = program(host)
    lines = []
    for _ in range(3):
        assert not ours.turn()
        assert ours.analyzes
        lines.append(len(host.said))
    assert host.said[0] == "=\n" and lines == [2, 3, 4]
    assert all(not each.startswith("=") for each in host.said[1:])
    host.pieces.append(b"5 name\n")
    assert not ours.turn()
    assert not ours.analyzes
    assert host.said[lines[-1] :] == ["\n", "=5 Patchpie\n\n"]
    host.pieces.append(b"quit\n")
    assert ours.turn()


def test_without_waiting_any_line_ends_an_analysis():
    host = ToldHost(b"kata-analyze 1\n", waits=False)
    ours = program(host)
    ours.turn()
    host.pieces.append(b"\n")
    ours.turn()
    assert not ours.analyzes
    assert host.said[-1] == "\n"


def test_without_waiting_the_end_of_a_game_has_one_report():
    host = ToldHost(b"boardsize 2\nresign b\n", waits=False)
    ours = program(host)
    ours.turn()
    assert not ours.analyzes


def test_a_page_has_no_files(monkeypatch):
    monkeypatch.setattr(files, "_refusal", None)
    host = ToldHost(b"loadsgf x.sgf\ngame-record_report\nprintsgf x.sgf\nprintsgf\n", b"")
    host.has_files = False
    assert program(host).run() == 0
    answers = host.text.split("\n\n")
    assert answers[0] == "? cannot load file"
    assert "a web page has no files" in answers[1]
    assert answers[2] == "? cannot write file"
    assert answers[3].startswith("= (;")


def test_what_ships_is_read_where_a_page_has_no_files(monkeypatch):
    monkeypatch.setattr(files, "_refusal", None)
    stored_map.cache_clear()
    host = ToldHost(b"game-opening_values\n", b"")
    host.has_files = False
    assert program(host).run() == 0
    assert json.loads(host.text.removeprefix("= "))["openings"], "those of the map that ships"
    package = Path(files.__file__).parents[1]
    for outside in (package / ".." / "README.md", f"{package}.txt"):
        with pytest.raises(files.CannotRead, match="a web page has no files"):
            files.read_file(outside, 10**6)


REQUEST = '{"id": "%s", "game": "robble", "boardXSize": 6, "boardYSize": 6, "maxVisits": %d}\n'


def answers(*lines: str) -> list[dict[str, object]]:
    host = ToldHost(*map(str.encode, lines), b"")
    assert Analyzer(host, ["--backend", "python"]).run() == 0
    return [json.loads(line) for line in host.said]


def test_requests_are_answered_in_turn():
    found = answers(REQUEST % ("a", 3), REQUEST % ("b", 3), "{\n")
    assert [each.get("id") for each in found] == [None, "a", "b"]
    assert "error" in found[0] and "rootInfo" in found[1] and "rootInfo" in found[2]


def test_a_request_that_waits_can_be_ended():
    end = '{"id": "t", "action": "terminate", "terminateId": "a"}\n'
    found = {each["id"]: each for each in answers(REQUEST % ("a", 10**6), end)}
    assert found["a"]["noResults"] is True and found["t"]["terminated"] == 1
