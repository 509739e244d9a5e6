"""Many people at one table, acting all at once, with engines that fail."""

import asyncio
import itertools
import random
import sys
from collections.abc import Callable, Coroutine

import pytest

from gtp_engine.board.table.messages import CannotDo
from gtp_engine.board.table.seat import PERSON, Seat
from gtp_engine.rules import games
from support.engine_threads import KILLED, Dies, our_engine
from support.leftovers import marked, new_mark, open_files, opened_since, zombies
from support.seating import (
    OURS,
    Guest,
    at_table,
    direct_view,
    path_of,
    steps_of,
    without_rev,
)
from support.thorough import first_of
from support.waiting import until, waiting_for

GAMES = sorted(game.name for game in games())
SEATS = (PERSON, Seat("A"), Seat("A", 1), Seat("B"), Seat("B", 3))


def actions(guest: Guest, chance: random.Random) -> list[Callable[[], Coroutine]]:
    """What somebody might do now."""
    table = guest.table
    some_node = chance.choice(table.nodes()["set"])["id"]
    word = chance.choice([*steps_of(table.view), "A1", "nonsense"])
    seats = chance.choice(SEATS), chance.choice(SEATS)
    often = [lambda: table.step(table.rev, word)] * 6
    return [
        *often,
        table.undo,
        table.redo,
        table.interrupt,
        lambda: table.goto(some_node),
        lambda: table.preview(table.rev, word),
        lambda: table.why(table.rev, word),
        lambda: table.set_seats(*seats),
        lambda: table.pause(chance.random() < 0.3),
        lambda: table.comment(some_node, "?!"),
        lambda: table.promote(some_node),
        lambda: table.drop(some_node),
        lambda: table.hint(0.1),
        lambda: table.analyse(chance.random() < 0.7),
        lambda: table.restart(chance.choice(("A", "B", "analyst", "board"))),
        lambda: table.resign(chance.choice(("black", "white"))),
        lambda: table.console(chance.choice(("A", "B", "analyst", "board")), "undo"),
        lambda: table.save_record("plain"),
    ]


async def a_little(guest: Guest, chance: random.Random, running: set[asyncio.Task]) -> None:
    """Wait until some messages have come, or all that was asked for is done."""
    enough = len(guest.heard) + chance.randrange(12)
    await until(lambda: len(guest.heard) >= enough or all(task.done() for task in running))


@pytest.mark.parametrize("game", first_of(GAMES))
def test_a_storm(game):
    chance, turns = random.Random(game), itertools.count(1)

    def dies(line: str) -> None:
        if "genmove" in line and next(turns) % 3 == 0:
            raise Dies(KILLED, "= C")

    async def scene(guest: Guest) -> None:
        await guest.new(game, 4, "sides")
        running: set[asyncio.Task] = set()
        for _ in range(150):
            action = chance.choice(actions(guest, chance))
            running.add(asyncio.create_task(action()))
            await a_little(guest, chance, running)
        done = await asyncio.gather(*running, return_exceptions=True)
        wrong = [each for each in done if isinstance(each, BaseException)]
        assert {type(each) for each in wrong} <= {CannotDo}, wrong
        await guest.table.set_seats(PERSON, PERSON)
        assert guest.state["thinking"] is None
        plays = path_of(guest)
        assert without_rev(guest.table.view) == direct_view(game, 4, "sides", plays)
        # And an engine that works plays on to the end.
        await guest.table.restart("A")
        await guest.table.set_seats(Seat("A", 1), Seat("A", 1))
        # It rests again where the tree of the storm continues.
        while guest.table.view["outcome"] is None:
            await guest.table.pause(False)
            await guest.until(lambda: guest.table.view["outcome"] or guest.state["resting"])
        assert len(path_of(guest)) >= len(plays)

    mortal = our_engine("--player", "random", "--seed", "1", manner=dies)
    at_table(scene, game, A=[*OURS, "--visits", "30"], B=mortal)


@pytest.mark.skipif(sys.platform != "linux", reason="counts in /proc")
@pytest.mark.parametrize("rounds", first_of([1, 10]))
def test_restarts_without_a_pause_leave_nothing(rounds):
    """Ten at a time: of engines that run, that start, and that are ended by another restart."""
    rng, mark = random.Random(rounds), new_mark()
    ours = [*OURS, "--seed", mark]
    before = open_files()

    async def scene(guest: Guest) -> None:
        table = guest.table
        await guest.new("robble", 3, white=Seat("A"))
        await table.analyse(True)
        for _ in range(rounds):
            names = [rng.choice(("board", "analyst", "A")) for _ in range(10)]
            async with waiting_for(f"restarts of {names}"):
                restarts = [table.restart(name) for name in names]
                done = await asyncio.gather(*restarts, return_exceptions=True)
            assert all(each is None or isinstance(each, CannotDo) for each in done)
            enough = len(guest.heard) + rng.randrange(12)  # the analysis always tells something
            await until(lambda enough=enough: len(guest.heard) >= enough)
            assert len(marked(mark)) <= 6  # three engines, each with its guard
        async with waiting_for("a picture after the restarts"):
            assert (await table.picture()).startswith("Robble")

    at_table(scene, A=ours, board=ours, processes=True)
    assert marked(mark) == []
    assert zombies() == []
    assert opened_since(before) == []
