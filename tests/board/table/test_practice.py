"""Exercises at a table: tasks, tries, verdicts, with the real board engine."""

from typing import Any

import pytest

from gtp_engine.board.server.play_desk import PlayDesk
from gtp_engine.board.table.messages import CannotDo
from gtp_engine.board.table.practice import Practice
from gtp_engine.board.table.seat import Seat
from support.seating import Guest, at_table


class Learner:
    """Somebody who does exercises at a table, and hears what is said about them."""

    def __init__(self, guest: Guest) -> None:
        self.table = guest.table
        self.told: list[dict[str, Any]] = []
        self.exercise = Practice(guest.table, self.told.append)

    async def tries(self, word: str) -> dict[str, Any]:
        """Play a word; the message `exercise` after it."""
        await self.exercise.step(self.table.rev, word)
        return self.told[-1]


def test_a_wrong_try_is_explained_and_taken_back_by_beginning_again():
    async def scene(guest: Guest) -> None:
        learner = Learner(guest)
        await learner.exercise.begin("lessons", "robble.push.1")
        begun = learner.told[-1]
        assert (begun["status"], begun["number"], begun["words"]) == ("open", 1, [])
        wrong = await learner.tries("A1")
        assert wrong["status"] == "wrong" and wrong["words"][0] == "Black puts a stone on A1."
        with pytest.raises(CannotDo, match="Try again"):
            await learner.tries("B1")
        await learner.exercise.begin("lessons", "robble.push.1")
        assert learner.told[-1] == begun
        assert guest.table.view["last"] is None

    at_table(scene)


def test_an_illegal_try_changes_nothing_and_the_learner_goes_on():
    async def scene(guest: Guest) -> None:
        learner = Learner(guest)
        await learner.exercise.begin("lessons", "robble.push.1")
        told = await learner.tries("C3")
        assert told["status"] == "open" and told["words"] == ["C3 is not empty."]
        assert [rule["rule"] for rule in told["rules"]] == ["R8"]
        refused = await learner.exercise.why(guest.table.rev, "C3")
        assert refused["kind"] == "refused"
        right = await learner.tries("B3")
        assert right["status"] == "right" and right["rules"][0]["text"]

    at_table(scene)


def test_a_legal_step_of_an_open_turn_ends_the_refusal_before_it():
    async def scene(guest: Guest) -> None:
        learner = Learner(guest)
        await learner.exercise.begin("lessons", "implo.choose.1")
        await learner.tries("B1")
        refused = await learner.tries("B1")
        assert refused["refused"] and "Click the marked corner A1 first" in refused["words"][1]
        await learner.exercise.begin("lessons", "implo.order.2")
        await learner.tries("B1")
        assert learner.told[-1]["refused"]
        begun = await learner.tries("A2")
        assert guest.table.view["turn"]["open"]
        assert (begun["status"], begun["refused"], begun["words"]) == ("open", False, [])

    at_table(scene)


def test_a_turn_that_cannot_be_judged_is_taken_back():
    async def scene(guest: Guest) -> None:
        async def fails(line: str, timeout: float | None = None) -> None:
            raise CannotDo("The board engine does not answer.")

        learner = Learner(guest)
        await learner.exercise.begin("lessons", "robble.push.1")
        before = guest.table.view["position"]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(guest.table, "read", fails)
            with pytest.raises(CannotDo, match="does not answer"):
                await learner.tries("A1")
        assert guest.table.view["position"] == before
        assert (await learner.tries("B3"))["status"] == "right"
        with pytest.raises(CannotDo, match="This task is done. Go on, or press Again."):
            await learner.tries("A1")

    at_table(scene)


def test_a_task_can_ask_for_an_illegal_turn():
    async def scene(guest: Guest) -> None:
        learner = Learner(guest)
        await learner.exercise.begin("lessons", "robble.place.2")
        await learner.exercise.why(guest.table.rev, "C4")
        assert learner.told[-1]["status"] == "right"

    at_table(scene)


def test_the_solution_is_shown_also_after_a_wrong_try():
    async def scene(guest: Guest) -> None:
        learner = Learner(guest)
        await learner.exercise.begin("lessons", "robble.push.1")
        await learner.tries("A1")
        await learner.exercise.show()
        assert learner.told[-1]["status"] == "over" and learner.told[-1]["words"]
        assert guest.table.view["last"]["turn"] == "B3"
        told = [each["status"] for each in learner.told]
        assert "right" not in told, "a page takes that for solved"

    at_table(scene)


def test_a_turn_of_several_steps_is_judged_when_it_is_complete():
    async def scene(guest: Guest) -> None:
        learner = Learner(guest)
        await learner.exercise.begin("lessons", "implo.order.1")
        begun = learner.told[-1]
        await learner.exercise.step(guest.table.rev, "C3")
        assert guest.table.view["turn"]["open"] and learner.told[-1] is begun
        assert (await learner.tries("A1"))["words"] != []
        assert (await learner.tries("C1"))["status"] == "right"

    at_table(scene)


def test_turns_that_nobody_can_choose_are_played_on_the_board():
    async def scene(guest: Guest) -> None:
        learner = Learner(guest)
        await learner.exercise.begin("lessons", "robble.end.3")
        assert (await learner.tries("A4"))["status"] == "right"
        assert guest.table.view["outcome"]["winner"] == "black"

    at_table(scene)


def test_the_engines_leave_their_seats_and_an_exercise_ends():
    async def scene(guest: Guest) -> None:
        learner = Learner(guest)
        await guest.table.set_seats(Seat(), Seat())
        await learner.exercise.begin("lessons", "robble.push.1")
        assert {seat["kind"] for seat in guest.state["seats"].values()} == {"human"}
        await learner.exercise.begin("lessons", None)
        assert learner.told[-1]["id"] is None and not learner.exercise.is_open

    at_table(scene)


def test_unknown_exercises_and_games_are_refused_in_words():
    async def scene(guest: Guest) -> None:
        learner = Learner(guest)
        for name in ("robble.push.99", "chess.1", ".", "x" * 64):
            with pytest.raises(CannotDo, match="There is no exercise"):
                await learner.exercise.begin("lessons", name)
        with pytest.raises(CannotDo, match="No exercise is open"):
            await learner.exercise.show()
        assert (await learner.exercise.listed("lessons", "chess"))["list"] == []
        listed = await learner.exercise.listed("lessons", "robble")
        assert listed["list"][0]["id"] == "robble.place.1"

    at_table(scene)


def test_only_a_step_of_an_open_turn_is_taken_back():
    async def scene(guest: Guest) -> None:
        learner = Learner(guest)
        await learner.exercise.begin("lessons", "implo.order.1")
        with pytest.raises(CannotDo, match="Try again"):
            await learner.exercise.undo()
        await learner.exercise.step(guest.table.rev, "C3")
        await learner.exercise.undo()
        assert guest.table.view["pieces"][-1]["at"] != "C3"
        assert (await learner.tries("C3/C1"))["status"] == "right"

    at_table(scene)


def test_no_message_puts_another_game_in_the_place_of_an_exercise():
    async def scene(guest: Guest) -> None:
        desk = PlayDesk(guest.table, "Board", exercises=True)
        await desk.answer({"kind": "exercise", "set": "lessons", "id": "robble.push.1"})
        people = {color: {"kind": "human"} for color in ("black", "white")}
        for kind in ("redo", "goto", "new", "resign", "position"):
            with pytest.raises(CannotDo, match="End the exercise first"):
                await desk.answer({"kind": kind, **people})
        (told,) = [message for message in desk.anew() if message["kind"] == "exercise"]
        assert told["id"] == "robble.push.1"
        await desk.answer({"kind": "exercise", "set": "lessons", "id": None})
        await desk.answer({"kind": "goto", "node": 0})
        (told,) = [message for message in desk.anew() if message["kind"] == "exercise"]
        assert told["id"] is None  # a page may still show a task from before a restart

    at_table(scene)


def test_an_exercise_does_not_replace_the_game_of_another_table():
    async def scene(guest: Guest) -> None:
        desk = PlayDesk(guest.table, "Board")
        before = guest.table.state()
        with pytest.raises(CannotDo, match="needs a table for exercises"):
            await desk.answer({"kind": "exercise", "set": "lessons", "id": "robble.push.1"})
        assert guest.table.state() == before
        assert all(message["kind"] != "exercise" for message in desk.anew())

    at_table(scene)
