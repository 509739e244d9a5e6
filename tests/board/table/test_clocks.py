"""Clocks: whose time runs, what a turn costs, the end of the time. The test turns the clock."""

from contextlib import suppress

import pytest

from gtp_engine.board.table.clock_kinds import LONGEST_TIME, Timing
from gtp_engine.board.table.messages import CannotDo
from gtp_engine.board.table.seat import PERSON, Seat
from support.engine_threads import Dies, Hangs, fault_at, our_engine
from support.seating import OURS, at_table
from support.waiting import turn_loop, until

TIMES = ("time_settings", "kata-time_settings", "time_left")
SENT = ">"


async def timed(guest, main=60, increment=5, kind="increment", game="robble", pie="off", **seats):
    """A game with a clock; time passes when the test says so."""
    people = {"black": PERSON, "white": PERSON} | seats
    await guest.table.new_game(game, 5, pie, *people.values(), Timing(main, increment, kind))


def clocks(guest):
    shown = guest.state["clock"]
    return shown["black"], shown["white"], shown["running"]


def test_time_runs_from_the_second_turn_of_each_on():
    async def scene(guest):
        await timed(guest)
        guest.clock.turn(30)
        assert clocks(guest) == (60, 60, None)
        await guest.plays("A1")
        guest.clock.turn(10)
        assert clocks(guest) == (65, 60, None)
        await guest.plays("B1")
        guest.clock.turn(7)
        assert clocks(guest) == (58, 65, "black")
        await guest.plays("A5")
        guest.clock.turn(3)
        assert clocks(guest) == (63, 62, "white")

    at_table(scene)


def test_of_a_delay_comes_back_what_a_turn_has_used():
    async def scene(guest):
        await timed(guest, 60, 5, "delay")
        await guest.plays("A1", "B1")
        assert clocks(guest) == (65, 65, "black")
        guest.clock.turn(3)
        await guest.plays("A5")
        guest.clock.turn(20)
        await guest.plays("B5")
        assert clocks(guest) == (65, 50, "black")
        guest.clock.turn(2)
        await guest.table.pause(True)
        await guest.table.pause(False)
        guest.clock.turn(2)
        await guest.plays("C1")
        assert clocks(guest) == (65, 50, "white"), "a pause does not cost what a turn may use"
        shown = guest.state["clock"]
        assert (shown["main"], shown["delay"]) == (60, 5)
        turn_loop(50)
        await guest.until(lambda: guest.state["view"]["outcome"])
        assert guest.state["view"]["outcome"]["result"] == "B+T"

    at_table(scene)


def test_each_turn_can_have_its_own_time():
    async def scene(guest):
        day = 86400
        await timed(guest, 0, 3 * day, "turn")
        assert clocks(guest) == (3 * day, 3 * day, None)
        await guest.plays("A1", "B1")
        guest.clock.turn(2 * day)
        assert clocks(guest) == (day, 3 * day, "black")
        await guest.plays("A5")
        assert clocks(guest) == (3 * day, 3 * day, "white")
        assert guest.state["clock"]["turn"] == 3 * day
        turn_loop(3 * day)
        await guest.until(lambda: guest.state["view"]["outcome"])
        assert guest.state["view"]["outcome"]["result"] == "B+T"

    at_table(scene)


@pytest.mark.parametrize(
    "timing, written",
    [
        (Timing(600), "TM[600]"),
        (Timing(600, 5), "TM[600]OT[5 fischer]"),
        (Timing(600, 5, "delay"), "TM[600]OT[5 delay]"),
        (Timing(0, 259200, "turn"), "TM[0]OT[1x259200 byo-yomi]"),
        (Timing(0, LONGEST_TIME, "turn"), "TM[0]OT[1x1000000 byo-yomi]"),
    ],
)
def test_a_record_says_the_kind_of_clock(timing, written):
    async def scene(guest):
        await timed(guest, timing.main, timing.each, timing.kind)
        await guest.plays("A1")
        record = (await guest.table.save_record("plain"))["text"]
        assert all(f"{part}]" in record for part in written.split("]")[:-1])
        assert ("OT[" in record) == ("OT[" in written)
        before = guest.state["clock"]
        await guest.table.open_record(record)
        assert guest.state["clock"] == before

    at_table(scene)


@pytest.mark.parametrize(
    "each, sent",
    [
        (10, ["time_settings 0 10 1", "time_left w 10 1"]),
        (259200, ["time_settings 0 60 1", "time_left w 60 1"]),
    ],
)
def test_an_engine_lets_nobody_wait_for_days(each, sent):
    async def scene(guest):
        await timed(guest, 0, each, "turn", white=Seat("A", 1))
        await guest.plays("A1")
        await guest.until(lambda: len(guest.line()) == 2)
        told = [
            line["text"]
            for line in guest.kinds("console")
            if (line["engine"], line["direction"]) == ("A", SENT)
        ]
        assert [line for line in told if line.split()[0] in TIMES] == sent

    at_table(scene, A=OURS)


@pytest.mark.parametrize("kind", ["increment", "delay"])
def test_a_turn_of_several_steps_is_charged_as_one(kind):
    async def scene(guest):
        await timed(guest, 60, 10, kind, game="implo")
        await guest.plays("A4", "D1")
        await guest.table.analyse(False)
        assert clocks(guest) == (70, 70, "black")
        guest.clock.turn(20)
        await guest.plays("B5")
        guest.clock.turn(5)
        assert clocks(guest) == (45, 70, "black")
        await guest.plays("A5xA4")
        assert clocks(guest) == (55, 70, "white")

    at_table(scene)


def test_who_runs_out_of_time_has_lost_and_the_record_says_so():
    async def scene(guest):
        await timed(guest, increment=0)
        await guest.plays("A1", "B1")
        assert guest.state["clock"]["running"] == "black"
        turn_loop(60)
        await guest.until(lambda: guest.state["view"]["outcome"])
        assert guest.state["view"]["outcome"]["result"] == "W+T"
        assert guest.state["view"]["outcome"]["text"] == "Black lost on time"
        assert clocks(guest)[2] is None
        record = (await guest.table.save_record("plain"))["text"]
        assert "RE[W+T]" in record
        await guest.table.open_record(record)
        assert guest.line() == ["A1", "B1", "timeout"]
        assert guest.state["view"]["outcome"]["result"] == "W+T"

    at_table(scene)


def test_an_engine_that_does_not_answer_loses_on_time_too():
    async def scene(guest):
        await timed(guest, increment=0, white=Seat("mute"))
        await guest.plays("A1")
        await guest.until(lambda: len(guest.line()) == 2)
        await guest.plays(guest.state["view"]["options"][0]["step"])
        await until(hangs.begun.is_set)
        turn_loop(60)
        await guest.until(lambda: guest.state["view"]["outcome"])
        assert guest.state["view"]["outcome"]["result"] == "B+T"
        assert guest.state["thinking"] is None

    hangs = Hangs()
    at_table(scene, mute=our_engine("--visits", "5", manner=fault_at("genmove", hangs, 2)))


def test_an_engine_is_told_the_time():
    async def scene(guest):
        await timed(guest, white=Seat("A", 1))
        await guest.plays("A1")
        await guest.until(lambda: len(guest.line()) == 2)
        guest.clock.turn(10)
        await guest.plays(guest.state["view"]["options"][0]["step"])
        await guest.until(lambda: len(guest.line()) == 4)
        told = [
            line["text"]
            for line in guest.kinds("console")
            if (line["engine"], line["direction"]) == ("A", SENT)
        ]
        about_time = [line for line in told if line.split()[0] in TIMES]
        assert about_time == [
            "kata-time_settings fischer 60 5",
            "time_left w 60 0",
            "time_left w 65 0",
        ]
        await guest.new("robble", 5, white=Seat("A", 1))
        await guest.plays("A1")
        await guest.until(lambda: len(guest.line()) == 2)
        told = [
            line["text"]
            for line in guest.kinds("console")
            if (line["engine"], line["direction"]) == ("A", SENT)
        ]
        assert [line for line in told if line.split()[0] in TIMES][3:] == ["time_settings 0 1 0"]

    at_table(scene, A=OURS)


def test_a_turn_that_is_taken_back_gives_its_time_back():
    async def scene(guest):
        await timed(guest, increment=0)
        await guest.plays("A1", "B1")
        guest.clock.turn(10)
        await guest.plays("A5")
        guest.clock.turn(20)
        assert clocks(guest) == (50, 40, "white")
        await guest.table.undo()
        assert clocks(guest) == (60, 60, "black")
        guest.clock.turn(3)
        assert clocks(guest) == (57, 60, "black")
        await guest.plays("A5")
        assert clocks(guest) == (57, 60, "white")

    at_table(scene)


def test_a_step_of_a_turn_that_is_taken_back_gives_no_time_back():
    async def scene(guest):
        await timed(guest, 60, 10, game="implo")
        await guest.plays("A4", "D1")
        for left in (50, 30):
            guest.clock.turn(15)
            await guest.plays("B5")
            guest.clock.turn(5)
            await guest.table.undo()
            assert clocks(guest) == (left, 70, "black")
        await guest.plays("B5", "A5xA4")
        assert clocks(guest) == (40, 70, "white")

    at_table(scene)


def test_a_turn_that_is_played_again_hands_the_clock_over():
    async def scene(guest):
        await timed(guest, increment=0)
        await guest.plays("A1", "B1", "A5", "B5")
        for _ in range(2):
            await guest.table.undo()
        await guest.plays("A5")
        guest.clock.turn(7)
        assert clocks(guest) == (60, 53, "white")

    at_table(scene)


def test_no_clock_runs_beside_a_game_that_is_over():
    async def scene(guest):
        await timed(guest, increment=0)
        await guest.plays("A1", "B1", "A5")
        guest.clock.turn(55)
        await guest.plays("resign")
        await guest.table.goto(2)
        await guest.plays("C5", "D5", "E5")
        assert clocks(guest)[2] is None

    at_table(scene)


def test_whoever_only_looks_back_loses_no_time():
    async def scene(guest):
        await timed(guest, increment=0)
        await guest.plays("A1", "B1", "A5")
        node = guest.state["node"]
        await guest.table.goto(0)
        guest.clock.turn(20)
        assert clocks(guest) == (60, 60, None)
        await guest.table.goto(node)
        assert clocks(guest) == (60, 60, "white")

    at_table(scene)


def test_a_look_back_gives_no_time_back():
    """Neither by a jump nor by a turn taken back and played again by itself."""

    async def scene(guest):
        await timed(guest, increment=0)
        await guest.plays("A1", "B1", "A5")
        node = guest.state["node"]
        guest.clock.turn(40)
        await guest.table.goto(0)
        guest.clock.turn(100)
        await guest.table.goto(node)
        assert clocks(guest) == (60, 20, "white")
        guest.clock.turn(5)
        await guest.table.undo()
        assert clocks(guest) == (60, 60, "black")
        await guest.table.redo()
        assert clocks(guest) == (60, 15, "white")
        guest.clock.turn(5)
        await guest.plays("C5")
        assert clocks(guest) == (60, 10, "black")
        record = (await guest.table.save_record("plain"))["text"]
        assert "BL[60]" in record and "WL[10]" in record

    at_table(scene)


def test_a_record_without_times_gets_none_but_for_turns_played_here():
    async def scene(guest):
        record = "(;GAME[robble]SZ[5]PIE[off]TM[60];B[A1];W[B1];B[C1](;W[D1];B[E1])(;W[E1]))"
        await guest.table.open_record(record)
        for node in [each["id"] for each in guest.table.nodes()["set"]]:
            await guest.table.goto(node)
            guest.clock.turn(1)
            await guest.table.pause(True)
            await guest.table.pause(False)
            with suppress(CannotDo):
                await guest.table.undo()
                await guest.table.redo()
        saved = (await guest.table.save_record("plain"))["text"]
        assert "TM[60]" in saved and "BL[" not in saved and "WL[" not in saved
        guest.clock.turn(4)
        await guest.plays("A3")
        saved = (await guest.table.save_record("plain"))["text"]
        assert (saved.count("BL["), saved.count("WL[")) == (1, 0)
        assert "B[A3]BL[55]" in saved

    at_table(scene)


def test_the_flag_of_a_game_whose_board_engine_fails_falls_when_that_is_there_again():
    async def scene(guest):
        await timed(guest, increment=0)
        await guest.plays("A1", "B1")
        turn_loop(60)
        await until(lambda: len(deaths) == 2)
        await guest.table.restart("board")
        await guest.until(lambda: guest.state["view"]["outcome"])
        assert guest.state["view"]["outcome"]["result"] == "W+T"

    deaths = []

    def dies_twice(line):
        if "timeout" in line and len(deaths) < 2:
            deaths.append(line)
            raise Dies(1)

    at_table(scene, board=our_engine(manner=dies_twice))


def test_a_flag_that_has_fallen_is_not_raised_by_a_pause():
    """The engine that ran out of time fails before the game has ended: that pauses the game."""

    async def scene(guest):
        await timed(guest, increment=0)
        await guest.plays("A1", "B1")
        async with guest.table._game.lock:
            turn_loop(60)
            await until(lambda: guest.table._clocks._losing, "the end of the time")
            await guest.table.pause(True)
        await guest.until(lambda: guest.state["view"]["outcome"])
        assert guest.state["view"]["outcome"]["result"] == "W+T"

    at_table(scene)


def test_a_pause_stops_the_clock():
    async def scene(guest):
        await timed(guest, increment=0)
        await guest.plays("A1", "B1")
        guest.clock.turn(10)
        await guest.table.pause(True)
        guest.clock.turn(80)
        assert clocks(guest) == (50, 60, None)
        await guest.table.pause(False)
        guest.clock.turn(5)
        assert clocks(guest) == (45, 60, "black")

    at_table(scene)


def test_a_record_keeps_the_times_and_its_clock_waits_for_a_turn():
    async def scene(guest):
        await timed(guest, main=90.5, increment=2)
        await guest.plays("A1", "B1")
        guest.clock.turn(10.25)
        await guest.plays("A5")
        record = (await guest.table.save_record("plain"))["text"]
        assert "TM[90.5]" in record and "OT[2 fischer]" in record
        assert "BL[84.25]" in record
        await guest.new("robble", 5)
        assert guest.state["clock"] is None
        await guest.table.open_record(record)
        guest.clock.turn(88.75)
        assert clocks(guest) == (84.25, 92.5, None)
        await guest.plays("C5")
        assert clocks(guest) == (84.25, 94.5, "black")

    at_table(scene)


@pytest.mark.parametrize(
    "control",
    [
        "TM[x]",
        "TM[60]OT[5x30 byo-yomi]",
        "TM[60]OT[1x30 byo-yomi]",
        "TM[0]OT[5 delay]",
        "TM[-1]",
        "TM[1e99]",
        "",
    ],
)
def test_a_control_that_we_do_not_have_is_kept_and_not_played(control):
    async def scene(guest):
        await guest.table.open_record(f"(;GAME[robble]SZ[5]{control};B[A1]BL[3])")
        assert guest.state["clock"] is None
        saved = (await guest.table.save_record("plain"))["text"]
        assert "BL[3]" in saved and all(f"{part}]" in saved for part in control.split("]")[:-1])

    at_table(scene)


def test_a_new_game_that_cannot_begin_leaves_the_clock():
    async def scene(guest):
        await timed(guest)
        before = guest.state["clock"]
        with pytest.raises(CannotDo, match="size"):
            await guest.table.new_game("robble", 99, "off", PERSON, PERSON)
        assert guest.state["clock"] == before

    at_table(scene)
