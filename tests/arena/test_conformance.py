"""The cases tried on engines: ours passes, and a rule played wrongly is named by its sentence."""

import json
from pathlib import Path

import pytest
from conftest import Driver
from starting import PLAIN, RANDOM, python_command, rogue_command
from thorough import first_of

from gtp_engine.arena.checking.cases import Case, UnreadableCases, read_cases
from gtp_engine.arena.checking.check import CheckStatus
from gtp_engine.arena.checking.conformance import CaseResult, conform, shares
from gtp_engine.board.color import BLACK, WHITE
from gtp_engine.cli.arena import main
from gtp_engine.gtp.response import Response
from gtp_engine.rules import boloa, implo, pilo, robble
from gtp_engine.rules.game import Position

FOLDER = Path(__file__).parents[2] / "protocol_specs" / "conformance"
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


Robble, Implo = robble.RobblePosition, implo.ImploPosition
Boloa, Pilo = boloa.BoloaPosition, pilo.PiloPosition

WRONG = [
    ("robble", "R9", Robble, "_effects", without("R9")),
    ("robble", "R10", Robble, "_effects", without("R10")),
    ("robble", "R11", Robble, "_effects", without("R11")),
    ("robble", "R15", Robble, "outcome", other_winner(Robble, "R15")),
    ("robble", "R16", robble, "APPEARANCES_THAT_DRAW", 2),
    ("robble", "R17", Position, "swaps", lambda self: ()),
    ("implo", "I8", implo, "LARGEST_PATCH", 3),
    ("implo", "I10", Implo, "owner", owner_after_tie),
    ("implo", "I12", Implo, "removable", lambda self, patch: removable(self, patch)[:1]),
    ("implo", "I21", Implo, "outcome", other_winner(Implo, "I21")),
    ("implo", "I22", Implo, "outcome", other_winner(Implo, "I22")),
    ("boloa", "B14", Boloa, "_smothered", majority_of_tie(Boloa._smothered)),
    ("boloa", "B15", Boloa, "permits", lambda self, step: True),
    ("pilo", "P15", Pilo, "_captures", without_jumps(Pilo._captures)),
    ("pilo", "P24", Pilo, "outcome", other_winner(Pilo, "P24")),
]
removable = Implo.removable


@pytest.mark.parametrize("game, sentence, place, name, fault", WRONG, ids=[row[1] for row in WRONG])
def test_the_sentence_that_is_played_wrongly_is_named_first(
    game, sentence, place, name, fault, monkeypatch
):
    monkeypatch.setattr(place, name, fault)
    results = examine(game)
    print([s for s in shares(results)[:5]])
    first = shares(results)[0]
    assert (first.game, first.sentence) == (game, sentence)
    assert first.wrong > 0
    print(first)
