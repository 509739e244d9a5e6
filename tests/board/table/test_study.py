"""The swap map, the editor, games of the past and marks at a table."""

import asyncio
from collections.abc import Sequence

import pytest

from gtp_engine.board.table.explorer import Explorer
from gtp_engine.board.table.messages import CannotDo
from support.engine_threads import engines_in_threads
from support.seating import OURS, Guest, at_table
from support.waiting import waiting_for

CIRCLE = {"kind": "circle", "at": "B2"}
ARROW = {"kind": "arrow", "at": "A1", "to": "C3"}


def test_the_swap_map_of_the_first_turn():
    async def scene(guest: Guest) -> None:
        study = guest.table.study
        told = await study.openings()
        assert told["rev"] == guest.table.rev
        assert {each["swap"] for each in told["openings"]} == {"yes"}
        await guest.plays("A1")
        assert (await study.openings())["text"].startswith("The game has begun")

    at_table(scene, "implo", 4)


def test_a_board_of_pieces_is_refused_with_a_reason_or_set_up():
    async def scene(guest: Guest) -> None:
        study = guest.table.study
        told = await study.pieces()
        assert (told["cells"], told["to_move"]) == ({}, "black")
        refused = await study.edit(1, "black", {"B2": "B"})
        assert (refused["draft"], refused["position"]) == (1, None)
        assert refused["flaw"].endswith("(R8).")
        made = await study.edit(2, "white", {"B2": "B", "C3": "W"})
        assert made["flaw"] is None
        await guest.table.set_position(made["position"])
        assert (await study.pieces())["cells"] == {"B2": "B", "C3": "W"}
        with pytest.raises(CannotDo, match="it answered `a point is not on the board"):
            await study.edit(3, "white", {"T9": "B"})

    at_table(scene, "robble", 3)


def test_marks_are_kept_with_the_record():
    async def scene(guest: Guest) -> None:
        table = guest.table
        await guest.plays("B2")
        await table.study.mark(1, [CIRCLE, ARROW, CIRCLE])
        assert guest.kinds("nodes")[-1]["set"][0]["marks"] == [CIRCLE | {}, ARROW]
        text = (await table.save_record("plain"))["text"]
        assert "AR[ac:ca]" in text
        assert "CR[bb]" in text
        # Properties of the file that are no marks, or not shown, stay as they are.
        await table.open_record(text.replace("CR[bb]", "CR[bb][zz]XX[1]"))
        node = table.nodes()["set"][1]
        assert node["marks"] == [CIRCLE, ARROW]
        await table.study.mark(node["id"], [ARROW])
        assert "CR[zz]" in (text := (await table.save_record("plain"))["text"])
        assert "XX[1]" in text
        await table.study.mark(node["id"], [])
        assert "AR" not in (await table.save_record("plain"))["text"]

    at_table(scene, "robble", 3)


def test_marks_inside_a_turn_stay_in_their_place():
    """A turn that is written in one word is written in parts if one of them has a mark."""

    async def scene(guest: Guest) -> None:
        await guest.table.set_position("implo 3 .B./BBb/ww. b open=yes")
        await guest.plays("A3", "A2")
        node = guest.table.nodes()["set"][1]
        assert node["open"]
        await guest.table.study.mark(node["id"], [CIRCLE])
        text = (await guest.table.save_record("plain"))["text"]
        assert ";B[A3]CR[bb];B[A2" in text

    at_table(scene, "implo", 3)


@pytest.mark.parametrize("marks", [[{"kind": "star", "at": "A1"}], [{**ARROW, "to": "A1"}]])
def test_what_is_no_mark_changes_nothing(marks):
    async def scene(guest: Guest) -> None:
        await guest.table.study.mark(0, [CIRCLE])
        with pytest.raises(CannotDo):
            await guest.table.study.mark(0, marks)
        assert guest.table.nodes()["set"][0]["marks"] == [CIRCLE]

    at_table(scene, "robble", 3)


def test_marks_of_a_game_are_bounded(monkeypatch):
    monkeypatch.setattr("gtp_engine.board.table.study.MOST_MARKS_IN_ALL", 3)

    async def scene(guest: Guest) -> None:
        await guest.plays("B2")
        await guest.table.study.mark(0, [CIRCLE, ARROW])
        with pytest.raises(CannotDo, match="too many marks"):
            await guest.table.study.mark(1, [CIRCLE, ARROW])
        await guest.table.study.mark(0, [])
        await guest.table.study.mark(1, [CIRCLE, ARROW])

    at_table(scene, "robble", 3)


def test_a_file_of_many_marks_is_shown_in_part(monkeypatch):
    monkeypatch.setattr("gtp_engine.board.table.shown_game.MOST_MARKS_IN_ALL", 12)

    async def scene(guest: Guest) -> None:
        await guest.table.open_record("(;GAME[robble]SZ[3];B[B2]CR[aa:cc];W[A1]CR[aa:cc])")
        assert [len(node["marks"]) for node in guest.table.nodes()["set"]] == [0, 9, 3]

    at_table(scene, "robble", 3)


class Games:
    """A source: so many games that begin alike; more may come."""

    def __init__(self, count: int) -> None:
        self.count, self.read, self.closed = count, 0, False

    def more(self, most: int) -> Sequence[bytes]:
        new = min(most, self.count - self.read)
        self.read += new
        return [b"(;GAME[robble]SZ[3]RE[B+];B[B2];W[A1])"] * new

    def restart(self) -> None:
        self.read = 0

    def close(self) -> None:
        self.closed = True


class Broken(Games):
    def more(self, most: int) -> Sequence[bytes]:
        raise CannotDo("The file is gone.")


async def played(explorer: Explorer, position: str) -> dict:
    """The answer when all games have been counted."""
    async with waiting_for("the count of all games"):
        while (told := await explorer.played(position))["filling"]:
            pass
        return told


async def counted(explorer: Explorer, games: int) -> dict:
    """The answer when so many games have been counted, and no more."""
    async with waiting_for(f"the count of {games} games"):
        while (told := await played(explorer, START))["games"] < games:
            pass
    assert told["games"] == games
    return told


START = "robble 3 .../.../... b"


def test_games_of_the_past_are_counted_as_they_come():
    async def run() -> None:
        games = Games(45)
        explorer = Explorer(OURS, [Broken(0), games])
        try:
            told = await played(explorer, START)
            assert told["games"] == 45
            assert told["turns"][0] | {"last": ""} == {
                **{"turn": "B2", "games": 45, "black": 45, "white": 0, "draws": 0, "last": ""}
            }
            assert told["fault"] == "The file is gone."
            games.count = 50
            assert (await counted(explorer, 50))["turns"][0]["games"] == 50
            # After a crash of its engine everything is counted again.
            explorer._engine.kill()
            await counted(explorer, 50)
            with pytest.raises(CannotDo):
                await explorer.played("chess 8 x b")
        finally:
            await explorer.close()
        assert games.closed

    with engines_in_threads():
        asyncio.run(run())


def test_nothing_is_started_before_somebody_asks():
    async def run() -> None:
        explorer = Explorer(["no-such-program"], [games := Games(1)])
        await explorer.close()
        assert not games.read

    asyncio.run(run())


def test_an_engine_that_cannot_count_is_named():
    async def run() -> None:
        explorer = Explorer(["no-such-program"], [])
        try:
            with pytest.raises(CannotDo, match="The engine for past games"):
                await explorer.played(START)
        finally:
            await explorer.close()

    asyncio.run(run())
