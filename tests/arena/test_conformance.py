"""The cases tried on engines: ours passes, and a rule played wrongly is named by its sentence."""

import json
import re
from pathlib import Path

import pytest

from gtp_engine.arena.checking.cases import Case, read_cases
from gtp_engine.arena.checking.check import CheckStatus, count
from gtp_engine.arena.checking.conformance import CaseResult, conform, shares
from gtp_engine.cli.arena import main
from gtp_engine.gtp.client.faults import EngineDied
from gtp_engine.gtp.wire.response import Response
from gtp_engine.rules import boloa, implo, pilo, robble
from gtp_engine.rules.game import Position
from gtp_engine.rules.points.color import BLACK, WHITE
from support.driver import Driver
from support.starting import PLAIN, RANDOM, robble_command, rogue_command
from support.thorough import first_of

FOLDER = Path(__file__).parents[2] / "protocol_specs" / "clients" / "conformance"
GAMES = [path.stem for path in sorted(FOLDER.glob("*.jsonl"))]


class Ours:
    """Our engine in this process."""

    def __init__(self, *without: str) -> None:
        self.driver = Driver()
        self.commands = frozenset(self.driver("list_commands").split()) - {*without}
        self.released = 0

    def ask(self, line: str) -> Response:
        response = self.driver.send(line)
        assert response is not None
        return response

    def release(self) -> None:
        self.released += 1


def cases_of(game: str, every: int = 1) -> list[Case]:
    """All cases of a game, of the random games only some."""
    found = list(read_cases(FOLDER / f"{game}.jsonl"))
    some = [case for case in found if "/random-" in case.id][::every]
    return [case for case in found if "/random-" not in case.id] + some


def examine(game: str, every: int = 25, engine: Ours | None = None) -> list[CaseResult]:
    return list(conform(engine or Ours(), cases_of(game, every)))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("every", first_of([25, 1]))
def test_our_engine_passes_every_case(game, every):
    results = examine(game, every)
    assert len(results) > 70
    assert [result for result in results if result.verdict is not CheckStatus.PASSED] == []
    assert shares(results) == []
    assert all(result.kept for result in results)


# Rules played wrongly ----------------------------------------------------------------------------


def without(rule: str):
    """Robble in which a new stone lacks an effect."""
    effects = robble.RobblePosition._effects
    return lambda self, placed: (each for each in effects(self, placed) if each[0] != rule)


def other_winner(kind: type[Position], rule: str):
    """A game whose winner is wrong where a sentence decides."""
    right = kind.outcome

    def outcome(self):
        end = right(self)
        wrong = end is not None and end.winner_rule == rule
        return end._replace(winner=end.winner.opponent) if wrong else end

    return outcome


def owner_after_tie(self, patch):
    black, white = self._biggest_beside(patch)
    return self.to_move if black == white else BLACK if black > white else WHITE


def majority_of_tie(smothered):
    """Boloa in which a tie goes to the color to move."""

    def wrong(self, pawns, *others):
        for party, color in smothered(self, pawns, *others):
            black, white = ((each & party).bit_count() for each in pawns)
            yield party, self.to_move if black == white else color

    return wrong


def without_jumps(captures):
    """Pilo in which own stacks are obstacles."""

    def wrong(self, color):
        for start, goal in captures(self, color):
            if not self._between(start, goal) & self.squares_of(color):
                yield start, goal

    return wrong


def one_group(removable):
    """Implo in which nobody chooses between tied groups."""
    return lambda self, patch: removable(self, patch)[:1]


Robble, Implo = robble.RobblePosition, implo.ImploPosition
Boloa, Pilo = boloa.BoloaPosition, pilo.PiloPosition

WRONG = [
    ("robble", "R9", Robble, "_effects", without("R9")),
    ("robble", "R10", Robble, "_effects", without("R10")),
    ("robble", "R11", Robble, "_effects", without("R11")),
    ("robble", "R15", Robble, "outcome", other_winner(Robble, "R15")),
    ("robble", "R16", robble, "APPEARANCES_THAT_DRAW", 2),
    ("robble", "R17", Position, "swaps", lambda self: ()),
    ("implo", "I10", Implo, "owner", owner_after_tie),
    ("implo", "I12", Implo, "removable", one_group(Implo.removable)),
    ("implo", "I21", Implo, "outcome", other_winner(Implo, "I21")),
    ("implo", "I22", Implo, "outcome", other_winner(Implo, "I22")),
    ("boloa", "B14", Boloa, "_smothered", majority_of_tie(Boloa._smothered)),
    ("boloa", "B15", Boloa, "permits", lambda self, step: True),
    ("pilo", "P15", Pilo, "_captures", without_jumps(Pilo._captures)),
    ("pilo", "P24", Pilo, "outcome", other_winner(Pilo, "P24")),
]


@pytest.mark.parametrize(
    "game, sentence, place, name, fault", first_of(WRONG, 5), ids=(row[1] for row in WRONG)
)
def test_the_sentence_that_is_played_wrongly_is_named_first(
    game, sentence, place, name, fault, monkeypatch
):
    monkeypatch.setattr(place, name, fault)
    first = shares(examine(game))[0]
    assert (first.game, first.sentence) == (game, sentence)
    assert 0 < first.wrong <= first.all


def test_the_example_on_the_page(monkeypatch):
    monkeypatch.setattr(Robble, "_effects", without("R9"))
    example = re.findall("```text\n(.*?)\n```", (FOLDER / "README.md").read_text(), re.DOTALL)
    results = examine("robble")
    assert example == [
        "\n".join(each.lines()) for each in results if "does-not-push-on" in each.case.id
    ]


def test_a_word_with_another_meaning_is_among_the_named(monkeypatch):
    """I8 acts in every turn that makes a patch: no turn is about it alone."""
    monkeypatch.setattr(implo, "LARGEST_PATCH", 3)
    assert "I8" in [share.sentence for share in shares(examine("implo"))]


# Engines with fewer commands, and without luck ---------------------------------------------------


def verdicts(results: list[CaseResult]) -> dict[str, int]:
    return count(result.verdict for result in results)


def test_without_a_command_what_needs_it_is_left_out():
    results = examine("pilo", engine=Ours("game-pie", "game-position"))
    notes = {result.note for result in results if result.note}
    assert notes == {f"the engine does not list {name}" for name in ("game-pie", "game-position")}
    assert verdicts(results)["failed"] == 0
    assert verdicts(results)["passed"] > 5


def test_an_engine_of_one_game_is_only_told_the_size():
    ours = Ours("game-select")
    ours.ask("game-select robble")
    found = verdicts(examine("robble", engine=ours))
    assert found.keys() == {"passed", "failed", "skipped"}
    assert found["passed"] > 70
    assert verdicts(examine("implo", 1, Ours("game-select", "game-position")))["failed"] == 0


def test_an_engine_that_takes_every_set_up_fails_those_that_must_be_refused():
    class Lenient(Ours):
        def ask(self, line: str) -> Response:
            response = super().ask(line)
            return Response(True) if line.startswith("game-position ") else response

    results = [
        result
        for result in examine("boloa", engine=Lenient())
        if result.case.impossible and not result.case.turns
    ]
    assert len(results) > 10
    assert {result.verdict for result in results} == {CheckStatus.FAILED}


def test_what_an_engine_writes_is_shown_on_one_line():
    class Rude(Ours):
        def ask(self, line: str) -> Response:
            response = super().ask(line)
            return Response(True, "\x1b[2J\nx") if line == "final_score" else response

    first = examine("robble", engine=Rude())[0]
    assert first.flaw is not None
    assert first.flaw.got == r"= \x1b[2J\nx"


def test_after_five_crashes_no_more_cases_are_tried():
    class Dying(Ours):
        def ask(self, line: str) -> Response:
            raise EngineDied("the engine exited with status 7")

    engine = Dying()
    results = examine("robble", engine=engine)
    assert [result.verdict for result in results[:5]] == [CheckStatus.FAILED] * 5
    assert {result.verdict for result in results[5:]} == {CheckStatus.SKIPPED}
    assert engine.released == 5
    assert results[0].flaw == ("turn 0", "an answer", "crash: the engine exited with status 7")


# The program -------------------------------------------------------------------------------------


def arena(*arguments: str | Path) -> int:
    return main(["conformance", *map(str, arguments)])


FILE = FOLDER / "robble.jsonl"


@pytest.mark.parametrize(
    ("engine", "status", "shown"),
    [
        (RANDOM, 0, "total: 6 passed, 0 failed, 0 skipped\n"),
        (PLAIN, 0, "total: 0 passed, 0 failed, 6 skipped\n"),
    ],
)
def test_the_program(engine, status, shown, capsys):
    assert arena(engine, FILE, "--only", "robble/r9", "robble/r16-on") == status
    out, err = capsys.readouterr()
    assert out.endswith(shown) and err == ""
    assert "list_commands" not in out
    if engine is PLAIN:
        assert "not compared: boards, because the engine does not list game-position\n" in out
        assert "skipped 5: the engine does not list game-position\n" in out


def test_a_failed_case_says_what_was_sent_expected_and_got(capsys):
    assert arena(rogue_command("wrong-score"), FILE, "--only", "robble/r15-played") == 1
    out = capsys.readouterr().out.splitlines()
    assert out[:6] == [
        "FAILED  robble/r15-played-to-the-end R15",
        "          about     The last stone, at A1, makes it 8 against 8.",
        "          start     robble 4 BBWW/BBWW/WBWW/.WWW b pie=off",
        "          sent      turn 1, play b A1, final_score",
        "          expected  = W+",
        "          got       = B+",
    ]
    assert out[-2].startswith("R15  2 of 2 positions wrong ")
    assert out[-2].endswith(" If no group remains, the player who placed the last stone loses.")
    assert out[-1] == "total: 0 passed, 2 failed, 0 skipped"


def test_a_list_of_commands_with_an_empty_line_is_told(capsys):
    """Only the commands before it are listed."""
    engine, case = robble_command("empty-lines"), ["--only", "robble/r9"]
    told = "the response ends with an empty line behind '= protocol_version'"
    assert arena(engine, FILE, *case) == 0
    assert f"list_commands: {told}; what follows was not read\n" in capsys.readouterr().out
    assert arena(engine, FILE, *case, "--json") == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["torn"].startswith(told)


def test_lines_for_programs(capsys):
    assert arena(rogue_command("wrong-score"), FILE, "--only", "robble/r15-played", "--json") == 1
    first, _, last = map(json.loads, capsys.readouterr().out.splitlines())
    assert first == {
        "case": "robble/r15-played-to-the-end",
        "verdict": "failed",
        "sentences": ["R15"],
        "flaw": {"sent": "turn 1, play b A1, final_score", "expected": "= W+", "got": "= B+"},
        "note": "",
    }
    assert last == {
        "passed": 0, "failed": 2, "skipped": 0, "without": [], "torn": "",
        "sentences": [{"game": "robble", "sentence": "R15", "wrong": 2, "all": 2}],
    }  # fmt: skip


def test_only_the_first_failed_cases_are_shown_unless_all_are_asked_for(capsys):
    assert arena(rogue_command("wrong-score"), FILE, "--only", "robble/r1") == 1
    few = capsys.readouterr().out
    assert arena(rogue_command("wrong-score"), FILE, "--only", "robble/r1", "--long") == 1
    many = capsys.readouterr().out
    assert few.count("FAILED") == 5 < many.count("FAILED")
    assert f"... and {many.count('FAILED') - 5} more; --long shows all\n" in few


@pytest.mark.parametrize(
    "content",
    ["", "x", "[]", "null", "{}", "[" * 100_000, '{"id": 1}',
     '{"id": "a", "game": "robble", "size": 3, "pie": "off", "turns": [{"count": "many"}]}',
     '{"id": "a", "game": "robble", "size": 3, "pie": "off", "turns": [{"refused": []}]}',
     "\udcff",
     '{"id": "a", "game": "robble\\nquit", "size": 3, "pie": "off", "turns": []}',
     '{"id": "a\\u001b[2J", "game": "robble", "size": 3, "pie": "off", "turns": []}'],
)  # fmt: skip
def test_a_file_of_something_else_is_refused_in_one_line(content, tmp_path, capsys):
    path = tmp_path / "cases.jsonl"
    path.write_bytes(b"\n" + content.encode(errors="surrogateescape"))
    assert arena(RANDOM, path) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1
    assert err.startswith(f"gtp-arena conformance: {path}, line 1 is not a case: ")


def test_what_cannot_be_tried_is_told(tmp_path, capsys):
    assert arena(RANDOM, tmp_path / "none.jsonl") == 2
    assert arena(RANDOM, FILE, "--only", "robble/x") == 2
    assert arena("no-such-program", FILE) == 2
    (tmp_path / "empty.jsonl").touch()
    assert arena(RANDOM, tmp_path / "empty.jsonl") == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines() == [
        f"gtp-arena conformance: {tmp_path / 'none.jsonl'} does not exist",
        "gtp-arena conformance: there is no case with an id that begins with robble/x",
        "gtp-arena conformance: the engine cannot be started: no-such-program: "
        "No such file or directory",
        "gtp-arena conformance: there is no case",
    ]
