"""protocol_specs/clients/conformance: what it holds follows from the rules, and covers them."""

import json
import re

import pytest

from documents.conformance import (
    LISTED,
    RANDOM_GAMES,
    SPECS,
    WITHOUT_CASE,
    cases,
    covered,
    files,
    rulings,
)
from documents.reference import documented_games
from gtp_engine.rules import find_game
from gtp_engine.rules.notation.position_text import read_position, write_position
from gtp_engine.rules.notation.rule_text import rule_text
from gtp_engine.rules.notation.turns import Unreadable, read_turn
from gtp_engine.rules.step import IllegalStep, Pie, UnplayablePosition
from support.thorough import thorough

FOLDER = SPECS / "clients" / "conformance"
LARGEST = 2_000_000  # bytes of all files together


@thorough
def test_the_files_are_up_to_date():
    """If not: python tests documents.conformance protocol_specs/clients/conformance."""
    expected = files()
    written = {path.name: path.read_text() for path in FOLDER.iterdir() if path.name != "README.md"}
    assert written.keys() == expected.keys()
    assert [name for name, text in expected.items() if written[name] != text] == []
    assert sum(map(len, expected.values())) < LARGEST


def test_the_numbers_on_the_page_are_those_of_the_script():
    page = (FOLDER / "README.md").read_text()
    assert f"{RANDOM_GAMES} random games" in page
    assert f"where there are at most {LISTED} |" in page


def test_every_sentence_and_ruling_has_a_case_or_a_reason_why_not(documented):
    counts = covered(documented)
    wanted = {*rulings(documented), *(each.rule for each in rule_text(documented).sentences)}
    assert len(rulings(documented)) > 8
    assert {each for each in wanted if not counts[each]} == wanted & WITHOUT_CASE.keys()


def test_every_reason_is_about_a_sentence_or_a_ruling():
    known = {ruling for game in documented_games() for ruling in rulings(game)}
    known |= {each.rule for game in documented_games() for each in rule_text(game).sentences}
    assert WITHOUT_CASE.keys() <= known


def test_rulings_are_those_of_the_page(documented):
    shown = {ruling for case in cases(documented) for ruling in case.get("rulings", ())}
    assert shown <= set(rulings(documented))


def test_a_case_made_for_the_sentence_that_decides_is_decided_by_it(documented):
    """Who reads I21 looks for a game that is won by stones, not by markers."""
    ends = [case["turns"][-1] | case for case in cases(documented) if case["turns"]]
    deciding = {end["decided_by"][-1] for end in ends if "result" in end}
    assert deciding
    for end in ends:
        if "result" in end and (wanted := deciding & {*end.get("shows", ())}):
            assert end["decided_by"][-1] in wanted, end["id"]


def test_ids_are_unique():
    ids = [case["id"] for game in documented_games() for case in cases(game)]
    assert len(set(ids)) == len(ids)


def test_no_two_cases_are_the_same(documented):
    """Another name, or another sentence to look at, makes no other case."""
    known: dict[str, str] = {}
    for case in cases(documented):
        content = {key: case[key] for key in case.keys() - {"id", "about", "shows", "rulings"}}
        other = known.setdefault(json.dumps(content, sort_keys=True), case["id"])
        assert other == case["id"]


class Ours:
    """Our rules in the place of somebody's implementation."""

    def start(self, game, size, pie, text):
        if text is None:
            return find_game(game).start(size, Pie(pie))
        try:
            return read_position(text)
        except UnplayablePosition:
            return None

    def play(self, position, steps):
        reading = read_turn(position, (), "/".join(steps))
        assert [str(step) for step in reading.steps] == steps
        return reading.position

    def told(self, position):
        board = write_position(position).split()[2]
        if outcome := position.outcome():
            return {"board": board, "result": str(outcome)}
        legal = sorted(map(str, position.legal_steps()))
        to_move = position.to_move.letter
        return {"board": board, "to_move": to_move, "count": len(legal), "legal": legal}

    def accepts(self, position, steps):
        accepted = played(position, "/".join(steps)) is not None
        assert accepted == self.accepts_one_by_one(position, steps)
        return accepted

    def accepts_one_by_one(self, position, steps):
        """As an implementation does that knows single steps, and whose turn it is."""
        color, at = position.to_move, position
        for step in steps:
            if at.to_move is not color or (at := played(at, step)) is None:
                return False
        return True


def played(position, word):
    """The position after a word, None if it is illegal."""
    try:
        return read_turn(position, (), word).position
    except (IllegalStep, Unreadable):
        return None


def reader():
    """The function on the page."""
    (code,) = re.findall("```python\n(.*?)```", (FOLDER / "README.md").read_text(), re.DOTALL)
    assert len(code.splitlines()) < 20
    defined = {}
    exec(code, defined)
    return defined["check"]


def test_the_reader_on_the_page_finds_our_rules_right(documented):
    reader()(FOLDER / f"{documented.name}.jsonl", Ours())


@pytest.mark.parametrize(
    "key, wrong", [("board", ""), ("count", 0), ("result", "B+R"), ("legal", [])]
)
def test_the_reader_on_the_page_finds_what_is_wrong(key, wrong):
    class Mistaken(Ours):
        def told(self, position):
            told = super().told(position)
            return told | {key: wrong} if key in told else told

    with pytest.raises(AssertionError):
        reader()(FOLDER / "robble.jsonl", Mistaken())
