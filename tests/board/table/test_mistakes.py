"""Puzzles, endgames and mistakes of a reviewed game as exercises, with the real engines."""

import asyncio
import re
from datetime import date
from types import SimpleNamespace
from typing import Any

import pytest

from gtp_engine.board.table.gathered import Gathered
from gtp_engine.board.table.messages import CannotDo
from gtp_engine.board.table.mistakes import Mistakes
from gtp_engine.board.table.practice import Practice
from gtp_engine.board.table.repetition import Repetition
from gtp_engine.board.table.variations import GameTree
from gtp_engine.engine.tasks.puzzle import ENDGAME, PROVEN, shipped
from gtp_engine.rules import find_game
from gtp_engine.search.backends.kernel import kernel_built
from support.mistakes import ONE_TURN_WINS
from support.seating import Guest, at_table

# Only B4 wins for Black.
VISITS = 500


class Learner:
    """Somebody who does exercises at a table, and hears what is said about them."""

    def __init__(self, guest: Guest, mistakes: Gathered | None = None) -> None:
        self.table = guest.table
        self.told: list[dict[str, Any]] = []
        self.exercise = Practice(guest.table, self.told.append, mistakes)

    async def begins(self, collection: str, name: str) -> dict[str, Any]:
        await self.exercise.begin(collection, name)
        return self.told[-1]

    async def tries(self, word: str) -> dict[str, Any]:
        await self.exercise.step(self.table.rev, word)
        return self.told[-1]


def a_puzzle(kind: str) -> tuple[str, str, Any]:
    """The id, the first right turn, and the position of a shipped puzzle of a game."""
    puzzle = next(each for each in shipped(find_game("robble")) if each.kind == kind)
    return f"robble.{puzzle.id}", puzzle.turns[0], puzzle.position


async def begins_a_mistake(guest: Guest, shared: Gathered) -> tuple[Learner, dict[str, Any]]:
    """Somebody who begins with the only mistake of a game, and that mistake."""
    await guest.table.set_position(ONE_TURN_WINS)
    await guest.plays("A5")
    await guest.table.review(VISITS)
    learner = Learner(guest, shared)
    (asked,) = (await learner.exercise.gather("mistakes", "black"))["list"]
    await learner.begins("mistakes", asked["id"])
    return learner, asked


def test_a_mistake_of_a_reviewed_game_is_asked_again():
    async def scene(guest: Guest) -> None:
        learner = Learner(guest)
        await guest.table.set_position(ONE_TURN_WINS)
        await guest.plays("A5")
        assert (await learner.exercise.gather("mistakes", "black"))["list"] == []
        await guest.table.review(VISITS)
        assert (await learner.exercise.gather("mistakes", "white"))["list"] == []
        (asked,) = (await learner.exercise.gather("mistakes", "black"))["list"]
        assert asked["position"] == ONE_TURN_WINS and asked["solution"] == ["B4"]
        assert re.match(r"Black played A5 here, which lost \d\d+ % of the", asked["text"])
        assert (await learner.begins("mistakes", asked["id"]))["color"] == "black"
        refused = await learner.tries("C4")
        assert refused["status"] == "open" and refused["words"] == ["C4 is not empty."]
        wrong = await learner.tries("A5")
        assert wrong["status"] == "wrong" and wrong["words"][-1].startswith("This turn loses")
        assert re.match("R1[01]: White plays B4; ", wrong["words"][0]), "how White answers it"
        await learner.begins("mistakes", asked["id"])
        right = await learner.tries("B4")
        assert right["status"] == "right" and right["words"][-1] == "This is a good turn."

    at_table(scene)


def test_a_mistake_comes_again_tomorrow_at_any_table():
    days = [date(2026, 11, 28)]
    shared = Gathered(Repetition(today=lambda: days[-1]))

    async def scene(guest: Guest) -> None:
        learner, asked = await begins_a_mistake(guest, shared)
        assert (await learner.tries("A5"))["status"] == "wrong"
        assert (await learner.exercise.listed("returning", "robble"))["list"] == []
        days.append(date(2026, 11, 29))
        learner = Learner(guest, shared)
        (again,) = (await learner.exercise.listed("returning", "robble"))["list"]
        assert again["text"] == asked["text"]
        await learner.begins("returning", again["id"])
        assert (await learner.tries("A5"))["status"] == "wrong"
        await learner.begins("returning", again["id"])  # though it waits for tomorrow now
        await learner.exercise.show()
        assert learner.told[-1]["status"] == "over"
        assert (await learner.exercise.listed("returning", "robble"))["list"] == []
        with pytest.raises(CannotDo, match="There is no exercise"):
            await Learner(guest, shared).begins("returning", again["id"])

    at_table(scene)


def test_a_turn_that_nobody_has_judged_changes_nothing_for_a_mistake_that_comes_again():
    days = [date(2026, 11, 28)]
    shared = Gathered(Repetition(today=lambda: days[-1]))

    async def nobody(visits: int | None) -> tuple[None, tuple[str, ...]]:
        return None, ("The analysis engine could not judge this turn.",)

    async def scene(guest: Guest) -> None:
        learner, _ = await begins_a_mistake(guest, shared)
        await learner.tries("A5")
        days.append(date(2026, 11, 29))
        (again,) = shared.returning.due()
        guest.table.mistakes.judged = nobody
        await learner.begins("returning", again["id"])
        assert (await learner.tries("B4"))["status"] == "wrong"
        assert shared.returning.due() == [again]

    at_table(scene)


def test_mistakes_of_another_table_are_known():
    async def scene(guest: Guest) -> None:
        shared = Gathered()
        await guest.table.set_position(ONE_TURN_WINS)
        await guest.plays("A5")
        await guest.table.review(VISITS)
        here = Practice(guest.table, lambda message: None, shared)
        (asked,) = (await here.gather("mistakes", "both"))["list"]
        assert (await here.gather("mistakes", "white"))["list"] == []
        other = Practice(guest.table, lambda message: None, shared)
        await other.begin("mistakes", asked["id"])
        assert other.is_open
        with pytest.raises(CannotDo, match="There is no exercise"):
            await other.begin("mistakes", "mistakes.2.1")

    at_table(scene)


def test_each_page_goes_on_with_the_mistakes_that_it_asked_for():
    gathered = Gathered()
    first = gathered.keep("mistakes", [{"number": 1}, {"number": 2}])
    assert [each["id"] for each in first] == ["mistakes.1.1", "mistakes.1.2"]
    for _ in range(7):
        gathered.keep("mistakes", [{"number": 1}])
    assert gathered.all("mistakes")[:2] == first
    gathered.keep("mistakes", [{"number": 1}])
    assert len({each["id"] for each in gathered.all("mistakes")}) == 8
    assert gathered.all("mistakes")[0]["id"] == "mistakes.2.1"


def test_the_tries_of_a_list_are_counted_as_long_as_it_is_kept():
    gathered = Gathered()
    gathered.keep("guesses", [{"number": 1}, {"number": 2}])
    assert gathered.tried("guesses.1.1", False) == (0, 1)
    gathered.keep("mistakes", [{"number": 1}])
    assert gathered.tried("guesses.1.1", True) == (0, 1), "the first try counts"
    assert gathered.tried("guesses.1.2", True) == (1, 2)
    for _ in range(8):
        gathered.keep("guesses", [{"number": 1}])
    assert gathered.tried("guesses.1.1", True) == (1, 1)


async def a_game_to_guess(guest: Guest, learner: Learner, of: str = "black") -> list[dict]:
    """The list for a short reviewed game: Black finds the only turn that wins."""
    await guest.table.set_position(ONE_TURN_WINS)
    await guest.plays("B4", "A4", "A5")
    await guest.table.review(VISITS)
    return (await learner.exercise.gather("guesses", of))["list"]


def test_the_turns_of_a_player_are_guessed_one_after_the_other():
    async def scene(guest: Guest) -> None:
        learner = Learner(guest)
        first, last = await a_game_to_guess(guest, learner)
        assert (first["solution"], last["solution"]) == (["B4"], ["A5"])
        assert first["text"] == "What did Black play here?"
        assert last["text"].startswith("White played A4. ")
        await learner.begins("guesses", first["id"])
        refused = await learner.tries("C4")
        assert refused["status"] == "open" and refused["words"] == ["C4 is not empty."]
        right = await learner.tries("B4")
        assert right["status"] == "right" and right["words"][-1] == "Black played B4."
        assert re.match(r"Black's chance to win: \d+ % after B4\.", right["words"][0])
        await learner.begins("guesses", last["id"])
        shown = await learner.tries("A5")
        assert shown["words"][1] == "That was the last one. You found 2 of 2."

    at_table(scene)


def test_a_worse_guess_gives_way_to_the_turn_that_was_played():
    async def scene(guest: Guest) -> None:
        learner = Learner(guest)
        first, _ = await a_game_to_guess(guest, learner)
        await learner.begins("guesses", first["id"])
        wrong = await learner.tries("A5")
        assert wrong["status"] == "over" and wrong["words"][-1] == "Black played B4, not A5."
        assert re.search(r"\d+ % after B4, \d+ % after A5\.$", wrong["words"][0])
        assert guest.table.view["last"]["turn"] == "B4"
        await learner.begins("guesses", first["id"])
        again = await learner.tries("B4")
        assert again["words"][1] == "You have found 0 of 1 so far.", "the first try counts"

    at_table(scene)


def test_a_better_guess_than_the_played_turn_counts():
    async def scene(guest: Guest) -> None:
        learner = Learner(guest)
        await guest.table.set_position(ONE_TURN_WINS)
        await guest.plays("A5")
        await guest.table.review(VISITS)
        (asked,) = (await learner.exercise.gather("guesses", "black"))["list"]
        await learner.begins("guesses", asked["id"])
        better = await learner.tries("B4")
        assert better["status"] == "right"
        assert better["words"][-1] == "Black played A5, yours is better."
        assert guest.table.view["last"]["turn"] == "B4"

    at_table(scene)


def test_a_shown_turn_is_not_found_and_a_resignation_not_guessed():
    async def scene(guest: Guest) -> None:
        learner = Learner(guest)
        await guest.table.set_position(ONE_TURN_WINS)
        assert (await learner.exercise.gather("guesses", "both"))["list"] == []
        await guest.plays("B4")
        await guest.table.resign("white")
        await guest.table.review(VISITS)
        (asked,) = (await learner.exercise.gather("guesses", "both"))["list"]
        await learner.begins("guesses", asked["id"])
        await learner.exercise.show()
        told = learner.told[-1]
        assert told["status"] == "over" and told["words"][-1] == "Black played B4."
        assert told["words"][1] == "That was the last one. You found 0 of 1."

    at_table(scene)


def test_a_puzzle_is_answered_and_solved_by_turns_that_keep_the_win():
    async def scene(guest: Guest) -> None:
        learner = Learner(guest)
        name, turn, position = a_puzzle(PROVEN)
        begun = await learner.begins("puzzles", name)
        assert begun["number"] == 1 and "only with one turn" in begun["text"]
        assert guest.table.view["position"] == position
        told = await learner.tries(turn)
        assert told["status"] in ("open", "right")
        if told["status"] == "open":
            assert guest.table.view["turn"]["to_move"] == begun["color"]
            assert "answers" in told["words"][-1]

    at_table(scene)


@pytest.mark.skipif(not kernel_built(), reason="the solver in Python is slow")
def test_an_endgame_that_is_let_go_is_lost_to_the_best_answer():
    async def scene(guest: Guest) -> None:
        learner = Learner(guest)
        puzzle = next(each for each in shipped(find_game("implo")) if each.kind == ENDGAME)
        begun = await learner.begins("endgames", f"implo.{puzzle.id}")
        options = [each["step"] for each in guest.table.view["options"]]
        bad = next(word for word in options if word not in puzzle.turns)
        told = await learner.tries(bad)
        assert told["status"] == "wrong" and "gives the win away" in told["words"][-1]
        assert guest.table.view["turn"]["to_move"] == begun["color"]
        await learner.begins("endgames", f"implo.{puzzle.id}")
        assert (await learner.tries(puzzle.turns[0]))["status"] == "open"

    at_table(scene)


def test_the_puzzle_of_a_day_is_told():
    async def scene(guest: Guest) -> None:
        learner = Learner(guest)
        told = await learner.exercise.daily("2026-11-26")
        assert told["date"] == "2026-11-26"
        await learner.exercise.begin("puzzles", told["puzzle"]["id"])
        assert (await learner.exercise.daily("2026-02-30"))["puzzle"] is None

    at_table(scene)


class Listed(Mistakes):
    """Lists words in place of exercises."""

    async def _exercise(self, node, number, total):
        return {"word": node.word, "number": number, "total": total}


@pytest.mark.parametrize(
    ("of", "words"),
    [("both", "H C E B M K I A F L"), ("black", "C E M K I A"), ("white", "H B F L N")],
)
def test_the_costliest_mistakes_come_first_and_there_are_ten_at_most(of, words):
    """Turns that lost less than a mistake are none, nor those without a better turn."""
    losses = (0.1, 0.3, 0.5, 0.04, 0.4, 0.09, 0.9, 0.6, 0.11, 0.0, 0.12, 0.08, 0.2, 0.06)
    tree, node = GameTree(), None
    for number, (word, loss) in enumerate(zip("ABCDEFGHIJKLMN", losses, strict=True)):
        node = tree.add(node or tree.root, ("black", "white")[number % 2], word)
        node.loss, node.best = loss, "" if word == "G" else "X"
    game = SimpleNamespace(lock=asyncio.Lock(), node=tree.root.children[0])
    mistakes = Listed(game, None, lambda: {"mistake": 0.05})
    found = asyncio.run(mistakes.listed(of))
    assert [each["word"] for each in found] == words.split()
    assert [each["number"] for each in found] == list(range(1, len(found) + 1))
    assert {each["total"] for each in found} == {len(found)}
