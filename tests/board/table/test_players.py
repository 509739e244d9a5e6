"""Engines in the seats: whole games, and a report in words for every fault."""

import asyncio
import re
import threading

import pytest

from gtp_engine.board.table.follower import CRASH_SPAN, MOST_CRASHES
from gtp_engine.board.table.messages import CannotDo
from gtp_engine.board.table.seat import PERSON, Seat
from gtp_engine.gtp.client import process
from gtp_engine.gtp.client.process import PLAIN_TIMEOUT
from gtp_engine.rules import games
from support.engine_threads import KILLED, Dies, Hangs, fault_at, our_engine
from support.seating import OURS, Guest, at_table, steps_of
from support.starting import ENGINES, plain
from support.thorough import first_of
from support.waiting import PATIENCE, turn_loop, turned_until, until

GAMES = sorted(game.name for game in games())
LONG = [*OURS, "--seconds", "1000", "--timing", "fixed"]
FAST = [*OURS, "--visits", "20"]
RANDOM = [*OURS, "--player", "random", "--seed", "1"]
SEAT = Seat("A")


def over(guest: Guest) -> bool:
    return guest.table.view["outcome"] is not None


def words(guest: Guest) -> int:
    return len(guest.line())


@pytest.mark.parametrize("pie", first_of(["pieces", "sides"]))
@pytest.mark.parametrize("game", GAMES)
def test_engine_against_engine(game, pie):
    async def scene(guest: Guest) -> None:
        await guest.new(game, 4, pie, Seat("A", 1), Seat("B"))
        await guest.until(lambda: over(guest))
        assert guest.kinds("told") == []
        assert guest.state["thinking"] is None and not guest.state["paused"]

    at_table(scene, game, A=OURS, B=RANDOM)


def test_a_person_and_an_engine_in_turns():
    async def scene(guest: Guest) -> None:
        await guest.new("implo", 6, "off", PERSON, SEAT)
        await guest.plays("C3")
        await guest.until(lambda: words(guest) == 2)
        await guest.table.undo()  # also the engine's turn
        assert words(guest) == 0
        await guest.table.redo()
        assert words(guest) == 2
        assert guest.state["thinking"] is None

    at_table(scene, A=FAST, processes=True)


def test_looking_back_wakes_no_engine_but_an_urge_does():
    async def scene(guest: Guest) -> None:
        await guest.new("implo", 6, "off", PERSON, SEAT)
        await guest.plays("C3")
        await guest.until(lambda: words(guest) == 2)
        await guest.table.goto(1)
        assert guest.state["thinking"] is None and guest.state["resting"]
        await guest.table.pause(False)
        assert guest.state["thinking"]["engine"] == "A"
        await guest.until(lambda: words(guest) == 2)

    at_table(scene, A=FAST)


def test_a_link_wakes_no_engine_but_an_urge_does():
    async def scene(guest: Guest) -> None:
        await guest.new("implo", 6, "pieces", PERSON, SEAT)
        position = "implo 4 ..../..../.B../.... w pie=pieces"
        await guest.table.link("implo", 4, position)
        assert guest.table.view["position"] == position
        assert guest.state["thinking"] is None and guest.state["resting"]
        await guest.table.pause(False)
        assert guest.state["thinking"]["engine"] == "A"
        await guest.until(lambda: words(guest) == 1)

    at_table(scene, A=FAST)


def test_nobody_plays_while_an_engine_thinks():
    async def scene(guest: Guest) -> None:
        await guest.table.set_seats(SEAT, PERSON)
        assert guest.state["thinking"]["color"] == "black"
        with pytest.raises(CannotDo, match="A is thinking for Black"):
            await guest.table.step(guest.table.rev, "C3")

    at_table(scene, A=LONG)


def test_a_seat_is_taken_from_an_engine_that_thinks():
    """It is interrupted, and its answer is dropped."""

    async def scene(guest: Guest) -> None:
        await guest.table.set_seats(SEAT, PERSON)
        await asked(guest)
        await guest.table.set_seats(PERSON, PERSON)
        assert guest.state["thinking"] is None
        await guest.plays("C3")
        await guest.table.set_seats(PERSON, SEAT)  # the same engine, in another position
        await asked(guest, "genmove white")
        await guest.table.interrupt()
        await guest.until(lambda: words(guest) == 2)
        assert guest.line()[0] == "C3"
        assert guest.kinds("told") == []

    at_table(scene, A=LONG)


def test_an_engine_that_answers_a_dropped_question_too_late_is_ended():
    async def scene(guest: Guest) -> None:
        await guest.table.set_seats(SEAT, PERSON)
        await until(hangs.begun.is_set)
        await guest.table.set_seats(PERSON, PERSON)
        assert guest.table.engines()[-1]["running"]
        turn_loop(PLAIN_TIMEOUT)
        await until(lambda: not guest.table.engines()[-1]["running"])
        await guest.table.set_seats(SEAT, PERSON)
        await guest.until(lambda: words(guest) == 1)
        assert guest.told() == []

    hangs = Hangs()
    at_table(scene, A=our_engine("--visits", "20", manner=fault_at("genmove", hangs)))


def test_people_can_follow_engines_that_play_each_other():
    async def scene(guest: Guest) -> None:
        guest.table.keep_pace(1000)
        await guest.table.set_seats(SEAT, SEAT)
        for number in (1, 2):
            await guest.until(lambda number=number: len(turns_of_a(guest)) == number)
            for _ in range(3):  # there would be time for its turn
                await guest.table.rules()
            assert words(guest) == number - 1

            def played_later(number: int = number) -> bool:
                played = words(guest) == number
                if not played:
                    turn_loop(1000)
                return played

            await until(played_later)
        await guest.table.set_seats(PERSON, SEAT)
        await guest.plays(steps_of(guest.table.view)[0])
        await guest.until(lambda: words(guest) == 4)  # nobody waits where a person plays

    def turns_of_a(guest: Guest) -> list[str]:
        told = [said["text"] for said in said_lines(guest) if said["engine"] == "A"]
        return [text for text in told if re.fullmatch(r"=\d+ [A-E][1-5]", text)]

    at_table(scene, "robble", A=RANDOM)


async def asked(guest: Guest, line: str = "genmove black") -> None:
    """Wait until an engine was asked for a turn."""
    await guest.until(
        lambda: any(said["text"] == line and said["direction"] == ">" for said in said_lines(guest))
    )


def said_lines(guest: Guest) -> list[dict]:
    return guest.kinds("console")


def test_pause_and_play_on():
    async def scene(guest: Guest) -> None:
        await guest.table.set_seats(SEAT, SEAT)
        await asked(guest)
        await guest.table.pause(True)
        assert guest.state["paused"] and guest.state["thinking"] is None
        await guest.plays("C3")
        assert guest.state["thinking"] is None
        await guest.table.pause(False)
        assert guest.state["thinking"]["color"] == "white"

    at_table(scene, A=LONG)


def test_resigning_while_the_engine_thinks():
    async def scene(guest: Guest) -> None:
        await guest.table.set_seats(PERSON, SEAT)
        await guest.plays("C3")
        await asked(guest, "genmove white")
        await guest.table.resign("black")
        await guest.until(lambda: over(guest))
        assert guest.table.view["outcome"]["result"] == "W+R"
        assert words(guest) == 3

    at_table(scene, A=LONG)


def test_who_resigns_while_the_engine_swaps_sides_has_lost():
    resigned = threading.Event()

    def swaps(line: str) -> str | None:
        if "genmove white" not in line:
            return None
        resigned.wait(PATIENCE)
        return "swap-sides"

    async def scene(guest: Guest) -> None:
        await guest.new("implo", 5, "sides", PERSON, SEAT)
        await guest.plays("C3")
        await asked(guest, "genmove white")
        await guest.table.resign("black")
        resigned.set()
        await guest.until(lambda: over(guest))
        assert guest.line() == ["C3", "swap-sides", "resign"]
        assert guest.state["seats"]["white"]["kind"] == "human"
        assert guest.table.view["outcome"]["result"] == "B+R"

    at_table(scene, A=our_engine(manner=swaps))


def test_an_engine_finishes_the_turn_that_a_person_began():
    async def scene(guest: Guest) -> None:
        await guest.table.set_position("implo 3 .B./BBb/ww. b pie=off open=yes")
        assert guest.table.view["turn"]["open"]
        await guest.table.set_seats(SEAT, PERSON)
        await guest.until(lambda: not guest.table.view["turn"]["open"])
        assert guest.kinds("told") == []

    at_table(scene, A=FAST)


def test_a_swap_of_sides_moves_the_players():
    async def scene(guest: Guest) -> None:
        await guest.new("implo", 5, "sides", PERSON, Seat("A"))
        await guest.table.pause(True)
        await guest.plays("C3", "swap-sides")
        assert guest.state["seats"]["black"]["kind"] == "engine"
        assert "exchanged" in guest.state["swap_note"]
        await guest.table.undo()  # to where the person was to move
        assert guest.line() == []
        assert guest.state["seats"]["white"]["kind"] == "engine"

    at_table(scene, A=FAST)


@pytest.mark.parametrize(
    "fault, words",
    [
        ("die", "A exited with status 7"),
        ("garbage", "A sent an invalid response to `genmove black`: `thinking"),
        ("close-output", "A closed its output"),
    ],
)
def test_an_engine_that_fails_again_and_again_stays_down(fault, words, monkeypatch):
    # Its output ends before its status is known.
    monkeypatch.setattr(process, "_LAST_WORDS", PATIENCE if fault == "die" else 0.1)

    async def scene(guest: Guest) -> None:
        await guest.table.set_seats(SEAT, PERSON)
        await guest.hears(words)
        await guest.hears("stays down")
        await guest.until(lambda: guest.state["paused"])
        assert len([text for text in guest.told() if words in text]) == 3
        assert guest.state["thinking"] is None
        down = {each["name"]: each["down"] for each in guest.table.engines()}
        assert down == {"board": False, "analyst": False, "A": True}
        await guest.table.set_seats(PERSON, PERSON)
        await guest.plays("C3")  # the game goes on without it

    at_table(scene, A=[OURS[0], "-S", str(ENGINES / "failing.py"), fault])


def test_an_engine_that_fails_only_now_and_then_is_started_again():
    async def scene(guest: Guest) -> None:
        await guest.table.set_seats(SEAT, PERSON)
        for number in range(1, MOST_CRASHES + 2):
            await guest.until(lambda number=number: len(guest.told()) == number)
            guest.clock.turn(CRASH_SPAN / (MOST_CRASHES - 1))
        assert not any("stays down" in text for text in guest.told())

    def manner(line: str) -> None:
        if "genmove" in line:
            raise Dies(7)

    at_table(scene, A=our_engine(manner=manner))


def test_an_engine_that_fails_once_goes_on_by_itself():
    async def scene(guest: Guest) -> None:
        await guest.new("implo", 5, "off", PERSON, SEAT)
        await guest.plays("C3")
        text = await guest.hears("A was ended by the system or another program (SIGKILL)")
        assert text.endswith(". It starts again when it is needed.")
        assert guest.kinds("told")[0]["engine"] == "A"
        await guest.until(lambda: words(guest) == 2)
        assert {"name": "A", "running": True}.items() <= guest.state["engines"][-1].items()

    at_table(scene, A=our_engine(manner=fault_at("genmove", Dies(KILLED, "= C"))))


def test_an_engine_that_hangs_at_a_plain_command_is_started_anew():
    async def scene(guest: Guest) -> None:
        await guest.new("implo", 3, "off", PERSON, SEAT)
        await guest.plays("C3")
        await until(hangs.begun.is_set)
        await turned_until(guest.told)
        assert "did not respond in time to `play black C3`" in guest.told()[0]
        await guest.until(lambda: words(guest) == 2)

    hangs = Hangs()
    at_table(scene, A=our_engine("--visits", "20", manner=fault_at("play", hangs)))


def test_a_restart_brings_back_the_position():
    """An engine that hangs is left waiting, until somebody starts it anew."""

    async def scene(guest: Guest) -> None:
        await guest.new("implo", 5, "off", PERSON, SEAT)
        await guest.plays("C3")
        await asked(guest, "genmove white")
        assert guest.state["thinking"]["engine"] == "A"
        await until(hangs.begun.is_set)
        await turned_until(asyncio.create_task(guest.table.restart("A")).done)
        await guest.until(lambda: words(guest) == 2)
        assert guest.told() == []

    hangs = Hangs()
    at_table(scene, A=our_engine("--visits", "20", manner=fault_at("genmove", hangs)))


def test_an_illegal_turn_stops_the_game_with_both_lines():
    async def scene(guest: Guest) -> None:
        await guest.new("implo", 5, "off", PERSON, SEAT)
        await guest.plays("C3")
        text = await guest.hears("illegal")
        assert "to `genmove white` it answered `= Z25`" in text and "Nothing was played" in text
        await guest.until(lambda: guest.state["paused"])
        assert guest.line() == ["C3"] and guest.state["thinking"] is None
        await guest.table.set_seats(PERSON, PERSON)
        await guest.plays("D3")

    at_table(scene, A=our_engine(manner=lambda line: "Z25" if "genmove" in line else None))


def test_an_engine_that_plays_by_other_rules_is_told():
    async def scene(guest: Guest) -> None:
        await guest.new("boloa", 5, "off", PERSON, SEAT)
        await guest.plays("pC3")
        text = await guest.hears("cannot follow the game")
        assert "`play black pC3`" in text
        assert any("has no command game-select" in text for text in guest.told())
        await guest.until(lambda: guest.state["paused"])

    at_table(scene, "boloa", A=plain())


def test_an_engine_that_cannot_start_is_told_once():
    async def scene(guest: Guest) -> None:
        await guest.table.set_seats(SEAT, PERSON)
        await guest.hears("cannot be started")
        await guest.until(lambda: guest.state["paused"])
        assert len(guest.told()) == 1

    at_table(scene, A=["/no/such/engine"])


def test_an_engine_that_lacks_commands_is_told(tmp_path):
    script = tmp_path / "poor.py"
    script.write_text(
        "import sys\n"
        "for line in sys.stdin:\n"
        "    number, _, command = line.strip().partition(' ')\n"
        "    print(f'={number} play\\nboardsize\\n', flush=True)\n"
    )

    async def scene(guest: Guest) -> None:
        await guest.table.set_seats(SEAT, PERSON)
        text = await guest.hears("lacks the commands")
        assert text == "A cannot play: it lacks the commands genmove and clear_board."
        assert guest.table.engines()[-1]["missing"] == [text]

    at_table(scene, A=[OURS[0], str(script)])


def test_a_level_that_there_is_not():
    async def scene(guest: Guest) -> None:
        await guest.new("implo", 5, "off", Seat("A", 99), PERSON)
        await guest.until(lambda: words(guest) == 1)
        assert guest.told() == ["A does not accept level 99 and keeps its own."]

    at_table(scene, A=FAST)


def test_a_person_is_faster_than_a_slow_engine():
    """A click takes one round trip on the board engine, whatever the others do."""

    async def scene(guest: Guest) -> None:
        await guest.table.set_seats(PERSON, SEAT)
        await guest.plays("C3")
        await asked(guest, "genmove white")
        await guest.table.set_seats(PERSON, PERSON)
        before = len([1 for line in said_lines(guest) if line["engine"] == "board"])
        await guest.plays("D3")
        lines = [line for line in said_lines(guest) if line["engine"] == "board"][before:]
        assert [line["text"] for line in lines if line["direction"] == ">"] == [
            "play white D3",
            "game-view",
        ]

        assert len(guest.line()) == 2 and guest.told() == []

    at_table(scene, A=LONG)  # it would think a thousand seconds
