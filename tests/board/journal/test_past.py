"""The finished games of the journal for the explorer, as they come."""

from contextlib import closing

import pytest

from board.journal.test_journal import kept, write
from gtp_engine.board.journal.journal import Journal, JournalGames
from gtp_engine.board.table.messages import CannotDo


def test_games_that_are_over_are_read_once(tmp_path):
    path = tmp_path / "journal.db"
    games = JournalGames(path)
    with closing(Journal(path)) as journal:
        first = write(journal, kept("ab", "B+"))
        write(journal, kept("cd"))
        (text,) = games.more(5)
        assert text.startswith(b"(;") and b"RE[B+]" in text and b";B[a];W[b]" in text
        assert games.more(5) == []
        deleted = write(journal, kept("ef", "W+"))
        journal.delete(deleted)
        assert games.more(5) == []
        # A comment after the end changes a game that is counted already.
        write(journal, kept("ab", "B+"), first)
        assert games.more(5) == []
        write(journal, kept("ij", "0"))
        with journal._file.writing() as db:
            db.execute("update nodes set facts = '{' where word = 'i'")
        for _ in range(3):
            write(journal, kept("gh", "0"))
        assert [len(games.more(2)) for _ in range(3)] == [1, 2, 0]
        games.restart()
        assert len(games.more(9)) == 4
        games.close()


def test_games_that_were_added_from_a_file_come_too_although_they_are_older(tmp_path):
    games = JournalGames(tmp_path / "journal.db")
    with closing(Journal(tmp_path / "journal.db")) as journal:
        write(journal, kept("ab", "B+"))
        assert len(games.more(5)) == 1
        for moves in ("cd", "ef", "gh"):
            older = kept(moves, "W+")
            older.tree.changed = 1e9
            write(journal, older)
        assert sum(len(games.more(2)) for _ in range(3)) == 3
        assert games.more(2) == []
        games.close()


def test_a_file_that_is_no_journal_is_named(tmp_path):
    path = tmp_path / "journal.db"
    path.write_text("no database, but long enough to be looked at as if it were one")
    with pytest.raises(CannotDo, match="journal.db"):
        JournalGames(path).more(1)
