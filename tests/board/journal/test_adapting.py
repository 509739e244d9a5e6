"""The adaptive level and the mistakes that come again go on where an earlier board left them."""

import asyncio
from datetime import date, timedelta

import pytest

from gtp_engine.board.journal.journal import Journal
from gtp_engine.board.journal.keeper import keep_adaptive, kept_repetition
from gtp_engine.board.server.lobby import MAIN
from gtp_engine.board.table.adaptive import Adaptive
from gtp_engine.board.table.seat import ADAPTIVE, PERSON, Seat
from gtp_engine.cli.board import _parser, named_engines, opened_board
from support.engine_threads import engines_in_threads
from support.mistakes import mistake
from support.seating import OURS, Guest, at_table


def test_the_level_is_kept_over_boards(tmp_path):
    journal = Journal(tmp_path / "journal.db")

    async def first(guest: Guest) -> None:
        keep_adaptive(guest.table, journal)
        guest.table.adaptive.state = Adaptive(6, climbing=False)
        await guest.new("implo", 4, "off", PERSON, Seat("A", ADAPTIVE))
        await guest.table.resign("black")
        await guest.until(lambda: guest.state["adaptive"] == 5)

    async def second(guest: Guest) -> None:
        keep_adaptive(guest.table, journal)
        assert guest.table.adaptive.state == Adaptive(5, climbing=False)

    at_table(first, A=OURS)
    at_table(second, A=OURS)
    journal.close()


def test_all_tables_of_a_board_have_one_level():
    async def run() -> None:
        options = _parser("gtp-board").parse_args(["--journal", "none"])
        async with opened_board(options, named_engines([])) as (server, lobby):
            server.start()
            tables = [(await lobby.room(key))._desk._table for key in (MAIN, None)]
            tables[1].adaptive.state = Adaptive(7)
            assert [table.state()["adaptive"] for table in tables] == [7, 7]

    with engines_in_threads():
        asyncio.run(run())


@pytest.mark.parametrize("note", ["[99, true]", "[]", "{", "[true, 1]", "5"])
def test_a_note_that_makes_no_sense_is_passed_over(tmp_path, note):
    journal = Journal(tmp_path / "journal.db")
    journal.keep_note("adaptive", note)

    async def scene(guest: Guest) -> None:
        keep_adaptive(guest.table, journal)
        assert guest.table.adaptive.state == Adaptive(1)

    at_table(scene, A=OURS)
    journal.close()


def test_mistakes_come_again_at_a_later_board(tmp_path):
    journal = Journal(tmp_path / "journal.db")
    kept_repetition(journal).tried(mistake(), False)
    later = date.today() + timedelta(days=1)
    (again,) = kept_repetition(journal, lambda: later).due()
    assert again["position"] == mistake()["position"]
    journal.keep_note("returning mistakes", "{")
    assert kept_repetition(journal, lambda: later).due() == []
    kept_repetition(journal).tried(mistake(), True)
    assert len(kept_repetition(journal, lambda: later).due()) == 1
    journal.close()
    kept_repetition(journal).tried(mistake(), True)  # a journal that fails keeps nothing
