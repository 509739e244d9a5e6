"""Who is away, for how long, what the other player may do then; who watches, and who speaks."""

import asyncio

import pytest

from gtp_engine.board.server.attendance import CLAIM, CLAIM_IN_PAUSE, Attendance
from gtp_engine.board.server.play_desk import PlayDesk
from gtp_engine.board.table.clock_kinds import Timing
from gtp_engine.board.table.messages import CannotDo
from gtp_engine.board.table.seat import PERSON, Seat
from support.seating import at_table
from support.waiting import TurnedClock, turn_loop

CLAIMED = {"kind": "claim"}
SAID = {"kind": "say", "phrase": "hello"}


def test_who_is_away_since_when():
    clock = TurnedClock()
    attendance = Attendance(clock)
    assert attendance.note({"host", "white"})
    assert not attendance.note({"host", "white"})
    clock.turn(10)
    assert attendance.note({"host"})
    clock.turn(40)
    away = attendance.message()["away"]
    assert (away["white"], away["black"], attendance.is_away("host")) == (40, 50, False)
    attendance.expect("black")
    assert attendance.message()["away"]["black"] == 0


def test_a_guest_who_has_not_come_yet_is_awaited():
    attendance = Attendance(TurnedClock())
    attendance.note({"host"})
    attendance.expect("white")
    assert attendance.message()["awaited"] == ["white"]
    attendance.note({"host", "white"})
    attendance.note({"host"})
    assert (attendance.message()["awaited"], attendance.is_away("white")) == ([], True)


def test_how_many_watch():
    attendance = Attendance()
    attendance.note(["host", "watch"])
    assert attendance.note(["host", "watch", "watch"])
    assert attendance.message()["watching"] == 2
    assert not attendance.note(["watch", "host", "watch"])
    assert attendance.note(["host"])
    assert attendance.message()["watching"] == 0


def with_guest(scene):
    """Play a scene with a host, who has black, and a guest at a desk: `scene(desk, guest)`."""

    async def played(guest):
        desk = PlayDesk(guest.table, "x", now=guest.clock)
        await guest.table.new_game("robble", 5, "off", PERSON, PERSON, Timing(600, 0))
        await desk.seat_guest("white", True)
        desk.attend({"host", "white"})
        await guest.plays("C3")
        await scene(desk, guest)

    at_table(played, "robble")


async def refused(desk, message, role="host"):
    with pytest.raises(CannotDo) as why:
        await desk.answer(message, role)
    return str(why.value)


def test_a_game_can_be_claimed_after_two_minutes_of_absence():
    async def scene(desk, guest):
        assert await refused(desk, CLAIMED) == "Your opponent is here."
        desk.attend({"host"})
        guest.clock.turn(CLAIM - 1)
        assert await refused(desk, CLAIMED) == "You can claim the game in 1 seconds."
        guest.clock.turn(1)
        await desk.answer(CLAIMED, "host")
        assert guest.state["view"]["outcome"]["winner"] == "black"
        assert await refused(desk, CLAIMED) == "The game is over."

    with_guest(scene)


def test_who_has_returned_or_is_not_to_move_loses_nothing():
    async def scene(desk, guest):
        desk.attend({"host"})
        guest.clock.turn(CLAIM + 1)
        desk.attend({"host", "white"})
        assert await refused(desk, CLAIMED) == "Your opponent is here."
        desk.attend({"white"})
        guest.clock.turn(CLAIM + 1)
        assert "after a turn of your own" in await refused(desk, CLAIMED, "white")
        assert guest.state["view"]["outcome"] is None

    with_guest(scene)


@pytest.mark.parametrize("returns", [False, True])
def test_two_claims_and_a_return_at_once_have_one_outcome(returns):
    async def scene(desk, guest):
        desk.attend({"host"})
        guest.clock.turn(CLAIM + 1)
        claims = [asyncio.create_task(desk.answer(CLAIMED, "host")) for _ in range(2)]
        if returns:
            desk.attend({"host", "white"})
        done = await asyncio.gather(*claims, return_exceptions=True)
        assert sum(isinstance(each, CannotDo) for each in done) == (2 if returns else 1)
        assert guest.line() == ["C3"] if returns else guest.line()[:1] == ["C3"]
        assert len(guest.line()) == (1 if returns else 2)

    with_guest(scene)


@pytest.mark.parametrize("word", ["claim first", "flag first"])
def test_a_claim_and_a_flag_at_once_have_one_outcome(word):
    async def scene(desk, guest):
        await guest.table.new_game("robble", 5, "off", *seats(guest), Timing(CLAIM, 0))
        await guest.plays("C3", "C4", "D4")
        desk.attend({"host"})
        assert guest.state["clock"]["running"] == "white"
        guest.clock.turn(CLAIM)
        if word == "claim first":
            claim = asyncio.create_task(desk.answer(CLAIMED, "host"))
            turn_loop(CLAIM)
        else:
            turn_loop(CLAIM)
            await asyncio.sleep(0)
            claim = asyncio.create_task(desk.answer(CLAIMED, "host"))
        await asyncio.gather(claim, return_exceptions=True)
        await guest.until(lambda: guest.state["view"]["outcome"])
        assert guest.state["view"]["outcome"]["winner"] == "black"
        assert guest.line() == ["C3", "C4", "D4", "timeout"]

    with_guest(scene)


def test_in_a_slow_game_nobody_need_be_there():
    async def scene(desk, guest):
        await guest.table.new_game("robble", 5, "off", *seats(guest), Timing(0, 86400, "turn"))
        await guest.plays("C3", "C4", "D4")
        desk.attend({"host"})
        guest.clock.turn(CLAIM_IN_PAUSE + 1)
        assert "Each turn has its own time here" in await refused(desk, CLAIMED)
        assert guest.state["clock"]["running"] == "white"
        await guest.table.pause(True)
        await desk.answer({"kind": "pause", "on": False}, "host")
        assert guest.state["clock"]["running"] == "white"

    with_guest(scene)


def seats(guest):
    shown = guest.state["seats"]
    return Seat.read(shown["black"]), Seat.read(shown["white"])


def test_the_clocks_stop_by_consent_and_go_on_when_both_are_here():
    async def scene(desk, guest):
        await guest.plays("C4", "D4", "B3")
        assert guest.state["clock"]["running"] == "black"
        await desk.answer({"kind": "pause", "on": True}, "white")
        assert guest.state["clock"]["running"] == "black"
        await desk.answer({"kind": "agree", "number": 1, "yes": True}, "host")
        assert (guest.state["clock"]["running"], guest.state["paused"]) == (None, True)
        desk.attend({"white"})
        resume = {"kind": "pause", "on": False}
        assert "Your opponent is away" in await refused(desk, resume, "white")
        guest.clock.turn(CLAIM + 1)
        assert "You can claim" in await refused(desk, CLAIMED, "white")
        desk.attend({"host", "white"})
        await desk.answer(resume, "white")
        assert guest.state["clock"]["running"] == "black"
        await desk.answer({"kind": "pause", "on": True}, "white")
        await desk.answer({"kind": "agree", "number": 2, "yes": True}, "host")
        desk.attend({"white"})
        guest.clock.turn(CLAIM_IN_PAUSE)
        await desk.answer(CLAIMED, "white")
        assert guest.state["view"]["outcome"]["winner"] == "white"

    with_guest(scene)


def test_lessons_and_puzzles_are_listed_while_a_guest_plays():
    async def scene(desk, guest):
        listed = await desk.answer({"kind": "exercises", "set": "lessons", "game": "robble"})
        assert listed["list"]
        puzzle = await desk.answer({"kind": "daily", "date": "2026-11-28"})
        assert puzzle["kind"] == "daily"
        assert (await desk.answer({"kind": "samples"}))["list"]

    with_guest(scene)


def test_who_watches_a_game_against_an_engine_is_counted():
    async def played(guest):
        desk = PlayDesk(guest.table, "x")
        heard = []
        desk.listen(heard.append)
        desk.attend(["host"])
        assert heard == []
        desk.attend(["host", "watch"])
        desk.attend(["host"])
        assert [each["watching"] for each in heard] == [1, 0]

    at_table(played, "robble")


def test_players_say_phrases_but_not_often_and_nobody_keeps_them():
    async def scene(desk, guest):
        heard = []
        desk.listen(heard.append)
        for role in ("host", "white", "white", "white"):
            await desk.answer({"kind": "say", "phrase": "thanks"}, role)
        said = [each["color"] for each in heard if each["kind"] == "said"]
        assert said == ["black", "white", "white", "white"]
        assert await refused(desk, SAID, "white") == (
            "You have said much. You can speak again in a few seconds."
        )
        await desk.answer(SAID, "host")
        guest.clock.turn(4)
        await desk.answer(SAID, "white")
        assert not any(each["kind"] == "said" for each in desk.anew())

    with_guest(scene)


def test_nobody_speaks_to_an_engine_or_alone():
    async def played(guest):
        desk = PlayDesk(guest.table, "x")
        assert "against another person" in await refused(desk, SAID)

    at_table(played, "robble")
