"""All games of a file come into the journal, each once, or none."""

import asyncio
import base64

import pytest

from gtp_engine.board.journal import incoming
from gtp_engine.board.journal.file import JournalFailed
from gtp_engine.board.journal.incoming import imported
from gtp_engine.board.journal.journal import Journal
from gtp_engine.board.journal.keeper import Keeper
from gtp_engine.board.server.journal_answers import JournalAnswers
from gtp_engine.board.table.seat import PERSON, Seat
from support.seating import Guest, at_table

ROBBLE = "(;GAME[robble]SZ[4]PB[Ann]DT[2026-11-01];B[A1];W[B2](;B[C3]C[why])(;B[D4]))"
IMPLO = "(;GAME[implo]SZ[5]PW[Patchpie]WR[level 3]DT[2026-11-02]RE[W+R];B[C3];W[D3];B[resign])"
ILLEGAL = "(;GAME[robble]SZ[4];B[A1];B[B2])"


def answers(guest: Guest, journal: Journal) -> JournalAnswers:
    return JournalAnswers(journal, None, guest.table.reading)


async def added(answers: JournalAnswers, text: str | bytes, part: int = 60) -> dict:
    """What is answered in the end, when a page sends a file in parts of so many bytes."""
    content, place = text.encode() if isinstance(text, str) else text, 0
    while True:
        data = base64.b64encode(content[place : place + part]).decode()
        sent = {"kind": "keep_import", "from": place, "size": len(content), "data": data}
        answer = await answers.answers["keep_import"](sent)
        if answer["kind"] == "imported":
            return answer
        assert answer["kind"] == "importing" and answer["done"] <= (answer["total"] or 0)
        place = answer["next"]


def all_of(journal: Journal) -> tuple:
    """What the list shows of the games, and their record; see `take_players` for `opened`."""
    usual = {"id": 0, "changed": 0, "picture": "", "opened": False}
    _, games = journal.listed(0, 99)
    return [game._replace(**usual) for game in games], journal.exported(0, 10**6)


def test_what_one_journal_has_saved_another_one_has_then():
    first, second = Journal(), Journal()

    async def scene(guest: Guest) -> None:
        keeper = Keeper(guest.table, first, "1")
        await guest.new("robble", 4)
        await guest.plays("A1", "B2")
        await guest.table.comment(guest.state["node"], "why?")
        await guest.new("implo", 5, "pieces", PERSON, Seat("Engine", 3))
        await guest.table.pause(True)
        await guest.table.keeping.name_people({"black": "Ann"})
        await guest.plays("C3", "swap", "B2")
        await guest.table.undo()
        await guest.plays("D4")
        await guest.table.undo()
        await guest.plays("B2")
        await guest.table.resign("white")
        keeper.close()
        first.rename(1, "The best")
        text, _ = first.exported(0, 10**6)

        assert await added(answers(guest, second), text) == imported(2, 0)
        assert all_of(second) == all_of(first)
        assert [game.name for game in second.listed(0, 9)[1]] == ["", "The best"]
        (finished,) = second.finished()
        assert (finished.game, finished.level, finished.score) == ("implo", "3", 1.0)
        for journal in (first, second):
            before = all_of(journal)
            assert await added(answers(guest, journal), text) == imported(0, 2)
            assert all_of(journal) == before

    at_table(scene, Engine="unused")


def test_a_game_is_there_once_also_if_more_was_said_about_it_or_the_file_has_it_twice():
    journal = Journal()

    async def scene(guest: Guest) -> None:
        mine = answers(guest, journal)
        said = ROBBLE.replace("C[why]", "C[so]SBKV[60]")
        longer = ROBBLE.replace("C[why]", ";W[D2]")
        again = IMPLO.replace("11-02", "11-03")
        assert await added(mine, ROBBLE + IMPLO + ROBBLE) == imported(2, 1)
        assert await added(mine, said) == imported(0, 1)
        assert await added(mine, longer + again + IMPLO) == imported(2, 1)
        days = [
            (game.game, game.turns, game.human, game.winner) for game in journal.listed(0, 9)[1]
        ]
        implo = ("implo", 3, "black", "white")
        assert days == [implo, implo, ("robble", 4, "", ""), ("robble", 3, "", "")]

    at_table(scene)


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ("", "The file cannot be read: that is not an SGF file: there is no `(;` in it."),
        (b"\x89PNG\r\n\x1a\n\0\0\0", "The file cannot be read: that is not an SGF file"),
        (
            ROBBLE + "\n" + ILLEGAL,
            "Game 2 of the file: Turn 2 of the file (line 1, column 26) breaks a rule: Black B2.",
        ),
        (ROBBLE + "(;GAME[chess]SZ[8];B[A1])", "Game 2 of the file: "),
        (ROBBLE + IMPLO[:-3], "Game 2 of the file: The file cannot be opened: "),
    ],
)
def test_a_bad_file_is_one_sentence_and_changes_nothing(content, fault):
    journal = Journal()

    async def scene(guest: Guest) -> None:
        mine = answers(guest, journal)
        answer = await added(mine, content)
        assert answer["fault"].startswith(fault) and answer["fault"].endswith(".")
        assert "\n" not in answer["fault"]
        assert answer == incoming.imported(0, 0, answer["fault"])
        assert journal.listed(0, 9) == (0, [])
        assert await added(mine, ROBBLE) == imported(1, 0)

    at_table(scene)


def test_what_is_too_large_is_refused_with_the_limit(monkeypatch):
    journal = Journal()

    async def scene(guest: Guest) -> None:
        mine = answers(guest, journal)
        sent = {"kind": "keep_import", "from": 0, "size": incoming.LARGEST_FILE + 1, "data": ""}
        answer = await mine.answers["keep_import"](sent)
        assert answer["fault"] == ("The file is too large: a file of games may have at most 8 MB.")
        monkeypatch.setattr(incoming, "MOST_GAMES", 2)
        assert await added(mine, ROBBLE + IMPLO) == imported(2, 0)
        answer = await added(mine, ROBBLE * 3)
        assert answer["fault"] == "The file is too large: it may have at most 2 games."

    at_table(scene)


def test_parts_of_two_files_are_not_mixed():
    journal = Journal()

    async def scene(guest: Guest) -> None:
        mine = answers(guest, journal)
        send = mine.answers["keep_import"]
        part = {"kind": "keep_import", "from": 0, "size": 50, "data": "KDs="}
        await send(part)
        answer = await send(part | {"from": 3, "size": 60})
        assert answer["fault"] == "Its parts do not follow each other."
        assert (await send(part | {"from": 3}))["kind"] == "imported"
        assert (await send(part | {"from": 2}))["next"] == 4
        assert await added(mine, ROBBLE) == imported(1, 0)

    at_table(scene)


def test_games_that_cannot_be_written_are_all_left_out():
    journal = Journal()

    def refuse() -> None:
        raise JournalFailed("There is no room")

    async def scene(guest: Guest) -> None:
        mine = answers(guest, journal)
        journal._file._before_write = refuse
        answer = await added(mine, ROBBLE + IMPLO)
        assert answer["fault"] == "There is no room."
        journal._file._before_write = lambda: None
        assert journal.listed(0, 9) == (0, [])
        assert await added(mine, ROBBLE + IMPLO) == imported(2, 0)

    at_table(scene)


def test_two_requests_at_a_time_add_the_games_once():
    journal = Journal()

    async def scene(guest: Guest) -> None:
        mine = answers(guest, journal)
        data = base64.b64encode(ROBBLE.encode()).decode()
        whole = {"kind": "keep_import", "from": 0, "size": len(ROBBLE), "data": data}
        await mine.answers["keep_import"](whole)
        further = whole | {"from": len(ROBBLE), "data": ""}
        both = await asyncio.gather(*(mine.answers["keep_import"](further) for _ in range(2)))
        assert both == [imported(1, 0), imported(0, 0)]
        assert journal.listed(0, 9)[0] == 1

    at_table(scene)
