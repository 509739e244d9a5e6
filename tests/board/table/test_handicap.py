"""A game with a handicap at a table, and in its record."""

import pytest

from gtp_engine.board.table.messages import CannotDo
from gtp_engine.board.table.seat import PERSON
from support.seating import Guest, at_table


def test_white_moves_first_and_the_record_keeps_the_handicap():
    async def scene(guest: Guest) -> None:
        table = guest.table
        games = {game["name"]: game["handicap"] for game in table.catalog["games"]}
        assert games["pilo"] == 4 and games["robble"] == 0
        await table.new_game("pilo", 6, "pieces", PERSON, PERSON, handicap=3)
        assert table.view["turn"]["to_move"] == "white"
        assert len(table.view["pieces"]) == 4
        assert table.state()["handicap"] == 3
        await guest.plays("A1", "A2")
        text = (await table.save_record("plain"))["text"]
        assert "HA[4]" in text
        await guest.new("implo", 6)
        assert table.state()["handicap"] == 0
        await table.open_record(text)
        assert len(table.view["pieces"]) == 4 + 2 * (guest.line() == ["A1", "A2"])
        assert (await table.save_record("plain"))["text"] == text
        assert table.state()["handicap"] == 3

    at_table(scene)


@pytest.mark.parametrize(
    ("game", "size", "handicap", "told"),
    [
        ("robble", 7, 1, "Robble has no handicap."),
        ("pilo", 4, 1, "Pilo has a handicap of 1 to 4 turns, from size 5 on."),
        ("pilo", 8, 10**15, "Pilo has a handicap of 1 to 4 turns"),
    ],
)
def test_what_is_no_handicap_changes_nothing(game, size, handicap, told):
    async def scene(guest: Guest) -> None:
        await guest.plays("C3")
        before = guest.state
        with pytest.raises(CannotDo, match=told):
            await guest.table.new_game(game, size, "off", PERSON, PERSON, handicap=handicap)
        assert guest.state == before

    at_table(scene)
