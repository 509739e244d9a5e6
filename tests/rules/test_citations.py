"""The rules that texts cite by their numbers: citations.txt has each text below the cited rule.

Texts are collected from the positions of the cases. In them `@` stands for points, `#` for numbers
and `Black` for either color. Whoever adds one to the table reads the rule above it.
"""

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from documents.reference import documented_games
from gtp_engine.engine.reasons import without_choice
from gtp_engine.engine.view.choices import buttons
from gtp_engine.rules.game import Game, Position
from gtp_engine.rules.notation.rule_text import sentence
from gtp_engine.rules.points.points import vertices
from gtp_engine.rules.points.vertex import Vertex
from gtp_engine.rules.step import COMMON_KINDS, Step
from support.cases import Case, cases_of

TABLE = Path(__file__).with_name("citations.txt")

# Every step is tried on boards up to this size; larger boards have too many.
SMALL = 4

POINT = r"[spw]?[A-HJ-T]1?[0-9]"
POINTS = rf"\b{POINT}(([- x]| and | or ){POINT})*(-\.\.\.)?(?![0-9])"

Cited = dict[str, set[str]]
"""The texts beside which a rule is cited, by the rule's number and words."""


def table_of(game: Game) -> Cited:
    """The rows of the table for a game."""
    found: Cited = {}
    texts: set[str] = set()
    for line in TABLE.read_text().splitlines():
        if line.startswith(" "):
            texts.add(line.strip())
        elif line.startswith(game.citations.turns[0]):
            texts = found.setdefault(line, set())
        else:
            texts = set()
    return found


def shape_of(game: Game, text: str) -> str:
    """A text without its points, numbers and colors."""
    text = re.sub(POINTS, "@", text)
    for name in game.color_names:
        text = text.replace(name, "Black").replace(name.lower(), "black")
    return re.sub("[0-9]+", "#", text)


def cited_at(at: Position) -> Iterator[tuple[str, str]]:
    """The rules that are cited in a position, each with the text that it stands beside."""
    end, legal = at.outcome(), at.legal_steps()
    if end is not None:
        yield end.rule, f"end: {end.reason}"
        yield end.reason_rule, f"winner: {end.reason}"
    for patch, owner in at.owned_patches():
        yield at.patch_rule(patch), f"patch of {'nobody' if owner is None else 'a color'}"
    for told in without_choice(at):
        rule, _, text = told.partition(": ")
        yield rule, f"forced: {text}"
    for button in buttons(at, legal):
        yield button["rule"], f"button: {button['text']}"
    for step in legal:
        for event in at.events(step):
            yield event.saying.rule, event.saying.text
    for step in conceivable_steps(at):
        objection = None if end else at.objection(at.canonical(step))
        if objection is not None:
            yield objection.rule, f"refused: {objection.text}"


def conceivable_steps(at: Position) -> Iterator[Step]:
    """Every step of every kind on the points of a small board, and on one beside it."""
    points = [*vertices(at.board), Vertex.at(at.size, 0)] if at.size <= SMALL else []
    for kind in (*at.game.kinds, *COMMON_KINDS):
        yield from (
            Step(kind, named) for named in product(points, repeat=kind.template.count("{}"))
        )


def cited_by_flaws(case: Case) -> Iterator[tuple[str, str]]:
    """The rules behind the reason why a position cannot be set up, each with the reason."""
    reason, _, rules = case.flaw.removesuffix(")").partition(" (")
    for rule in filter(None, rules.split(", ")):
        yield rule, f"impossible: {reason}"


@pytest.mark.parametrize("game", documented_games(), ids=lambda game: game.name)
def test_the_table_has_all_texts_that_cite_a_rule_below_the_words_of_the_rule(game):
    cases = cases_of(game)
    positions = {at for case in cases if not case.flaw for _, at, _ in case.played()}
    cited = {each for at in positions for each in cited_at(at)}
    cited |= {each for case in cases for each in cited_by_flaws(case)}
    found: Cited = {}
    for rule, text in cited:
        found.setdefault(f"{rule}. {sentence(game, rule)}", set()).add(shape_of(game, text))
    assert found == table_of(game)
