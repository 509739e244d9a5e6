"""The cases of the rules: each holds, position by position; and a table that is wrong fails."""

import re
from textwrap import dedent

import pytest

from documents.reference import documented_games
from gtp_engine.rules import implo, pilo, robble
from gtp_engine.rules.game import Position
from gtp_engine.rules.points.points import bit
from gtp_engine.rules.points.vertex import Vertex
from support import cases
from support.boards import picture, same, steps
from support.cases import Case, Shown, cases_of, flaw_of, read_cases, refusal_of

CASES = [case for game in documented_games() for case in cases_of(game)]


def named(case: Case) -> str:
    return f"{case.game.name}/{case.name}"


@pytest.mark.parametrize("case", [case for case in CASES if not case.flaw], ids=named)
def test_every_position_of_a_case_is_as_shown(case):
    movers = [shown.mover for shown in case.positions[1:]]
    for (shown, at, reading), mover in zip(case.played(), [*movers, None]):
        assert not reading.clicks, "half a step"
        if shown.rows:
            assert picture(at) == same("\n".join(shown.rows))
        assert mover in (None, at.to_move)
        check(shown, at)


@pytest.mark.parametrize("case", [case for case in CASES if case.flaw], ids=named)
def test_what_cannot_occur_is_refused(case):
    assert flaw_of(case.start()) == case.flaw


def check(shown: Shown, at: Position) -> None:
    """Whether a position is as a table shows it."""
    legal, outcome = steps(at), at.outcome()
    assert shown.words("legal") in (None, legal)
    assert shown.words("moves") in (None, {step for step in legal if "-" in step})
    assert (shown.words("may play") or set()) <= legal
    for refusal in shown.refusals:
        objection = refusal_of(at, refusal.word)
        assert objection.rule == refusal.rule, refusal.word
        assert refusal.reason in ("", objection.text), refusal.word
    end = [(str(outcome), outcome.winner_rule or outcome.rule)] if outcome else []
    assert shown.said("result") == end
    for (color,) in shown.said("to move"):
        assert color == at.game.color_names[at.to_move].lower()
    for word, point in shown.said("only"):
        assert at.layers() == {word: bit(Vertex.parse(point))}
    if patches := [line for (line,) in shown.said("patch")]:
        assert patches == at.patch_lines()
    if shown.said("may occur"):
        assert flaw_of(at) == ""


# Tables that are wrong, and texts that are none ---------------------------------------------------

ROBBLE = """
R8 A stone, and one beside it
    What to look at.
    Ruling: Set-up positions

    black to move size=3 | black A1                    | white A2
                         | . . .                       | . . .
                         | . . .                       | W . .
                         | B . .                       | . . .
                         | may play C3                 | only W A2
                         | refused A1 (R8: A1 is not empty)
                         | white to move

    black to move || white to move || black to move seen=b2g
    B W           || . .           || . W
    W B           || B .           || . .
    B+ (R15)      || legal A2 B1   || may occur
                  || legal B2
"""
PILO = """
P12 Only an enemy stack of the same height
    blue to move
    B1 W2 .
    #  W1 B1
    .  #  #
    moves C2-B2
    patch A1: size 1, owner nobody
    patch A3 B2 B3 C2 C3: size 5, owner Orange
"""


def hold(shown: list[Case]) -> None:
    for case in shown:
        test_every_position_of_a_case_is_as_shown(case)


def test_tables_are_read():
    first, *others = read_cases(robble.GAME, ROBBLE)
    assert (first.name, first.sentences) == ("r8-a-stone-and-one-beside-it", ("R8",))
    assert (first.about, first.rulings) == ("What to look at.", ("Set-up positions",))
    assert [shown.word for shown in first.positions] == ["", "A1", "A2"]
    assert first.expected == {"R8"}
    assert [case.expected for case in others] == [{"R15"}, set(), set()]
    hold([first, *others, *read_cases(pilo.GAME, PILO)])


def test_the_example_of_the_reader_holds():
    example = re.search(r"\n    I17 .*?(?=\n\S)", cases.__doc__, re.DOTALL)
    (case,) = read_cases(implo.GAME, dedent(example[0]))
    assert len(case.positions) == 3
    hold([case])


@pytest.mark.parametrize(
    "right, wrong",
    [
        ("| black A1", "| white A1"),
        ("| white A2", "| black A2"),
        ("| B . .  ", "| W . .  "),
        ("only W A2", "only W A1"),
        ("only W A2", "only B A2"),
        ("may play C3", "may play A1"),
        ("refused A1 (R8", "refused A1 (R9"),
        ("refused A1", "refused A1 C3"),
        ("A1 is not empty", "A1 is empty"),
        ("white to move\n\n", "black to move\n\n"),
        ("(R15)", "(R14)"),
        ("B+ (R15)", "W+ (R15)"),
        ("B+ (R15)", "        "),
        ("may occur", "0 (R16) "),
        ("legal B2", "        "),
        ("legal B2", "legal A1"),
        ("B W  ", "B .  "),
        (". W\n", ". B\n"),
    ],
)
def test_a_table_that_is_wrong_fails(right, wrong):
    assert right in ROBBLE
    with pytest.raises(AssertionError):
        hold(read_cases(robble.GAME, ROBBLE.replace(right, wrong)))


@pytest.mark.parametrize(
    "right, wrong", [("moves C2-B2", "moves none"), ("size 5", "size 4"), ("nobody", "Blue")]
)
def test_a_table_of_pilo_that_is_wrong_fails(right, wrong):
    assert right in PILO
    with pytest.raises(AssertionError):
        hold(read_cases(pilo.GAME, PILO.replace(right, wrong)))


@pytest.mark.parametrize(
    "text",
    [
        "R8 No table\n    only words",
        "R8 A turn first\n    black A1\n    B .\n    . .",
        "R8 No square\n    black to move\n    . .",
        "R8 Two boards\n    black to move\n    . .\n    . .\n    legal A1\n    . .",
        "R8 No head\n    black to move |\n    . . | . .\n    . . | . .",
        "R8 No fact\n    black to move\n    . .\n    . .\n    legally A1",
    ],
)
def test_what_is_no_table_is_told(text):
    with pytest.raises(ValueError, match="robble|this says nothing"):
        read_cases(robble.GAME, text)
