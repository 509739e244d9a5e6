"""Many people at one table, acting all at once, with engines that fail."""

import asyncio
import gc
import random
import sys
from collections.abc import Callable, Coroutine

import pytest

from gtp_engine.rules import games
from gtp_engine.table.messages import PERSON, CannotDo, Seat
from support.leftovers import descriptors, marked, new_mark, zombies
from support.seating import (
    OURS,
    PATIENCE,
    Guest,
    at_table,
    direct_view,
    path_of,
    steps_of,
    without_rev,
)
from support.starting import rogue
from support.thorough import first_of

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


@pytest.mark.parametrize("game", first_of(GAMES))
def test_a_storm(game, tmp_path):
    chance = random.Random(game)

    async def scene(guest: Guest) -> None:
        await guest.new(game, 4, "sides")
        running: set[asyncio.Task] = set()
        for _ in range(150):
            action = chance.choice(actions(guest, chance))
            running.add(asyncio.create_task(action()))
            await asyncio.sleep(0.01 * chance.random())
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

    at_table(scene, game, A=[*OURS, "--visits", "30"], B=rogue("die-mid-word", "--at", "3"))


@pytest.mark.skipif(sys.platform != "linux", reason="counts in /proc")
@pytest.mark.parametrize("rounds", first_of([3, 10]))
def test_restarts_without_a_pause_leave_nothing(rounds):
    """Ten at a time: of engines that run, that start, and that are ended by another restart."""
    rng, mark = random.Random(rounds), new_mark()
    ours = [*OURS, "--seed", mark]
    gc.collect()  # closes what earlier tests have left
    before = descriptors()

    async def scene(guest: Guest) -> None:
        table = guest.table
        await guest.new("robble", 3, white=Seat("A"))
        await table.analyse(True)
        for _ in range(rounds):
            names = [rng.choice(("board", "analyst", "A")) for _ in range(10)]
            async with asyncio.timeout(PATIENCE):
                restarts = [table.restart(name) for name in names]
                done = await asyncio.gather(*restarts, return_exceptions=True)
            assert all(each is None or isinstance(each, CannotDo) for each in done)
            await asyncio.sleep(rng.random() ** 2 * 0.3)
            assert len(marked(mark)) <= 6  # three engines, each with its guard
        async with asyncio.timeout(PATIENCE):
            assert (await table.picture()).startswith("Robble")

    at_table(scene, A=ours, board=ours)
    assert marked(mark) == []
    assert zombies() == []
    assert descriptors() == before
