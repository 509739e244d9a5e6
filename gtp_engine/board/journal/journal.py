"""The journal: games, what was learned in exercises, and notes of the program, in one file."""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from gtp_engine.base.log import logger
from gtp_engine.board.journal.file import LARGEST, JournalFailed, JournalFile
from gtp_engine.board.journal.ratings import Finished
from gtp_engine.board.journal.rows import GameRow, NodeRow, kept_from
from gtp_engine.board.table.messages import CannotDo
from gtp_engine.board.table.saving import record_of
from gtp_engine.board.table.stored_game import Kept
from gtp_engine.rules.records.record import plain_text

MOST_STARS = 9
MOST_PROGRESS = 20_000
"""Most exercises whose success is kept."""

_DELETED_FOR = 30 * 86_400.0  # seconds that a deleted game can be restored

_COLUMNS = ", ".join(GameRow._fields)
_WRITTEN = f"{_COLUMNS}, picture, shown_at"
_VALUES = ", ".join("?" * (len(GameRow._fields) + 2))
_NODE = f"insert or replace into nodes values ({', '.join('?' * (len(NodeRow._fields) + 1))})"


_FINISHED = "games where deleted is null and human != '' and winner != '' and position = ''"
"""Those of a person against an engine from the usual start."""

_OVER = "select changed, id from games where deleted is null and winner != ''"

_MOST_LOOKED_AT = 200  # of them, for reviews


class GameLost(JournalFailed):
    """One game cannot be read; the others can."""


class Listed(NamedTuple):
    """A game in the list; see GameRow.

    name    -- given by the person, "" without one
    picture -- a view of the shown position, as JSON, "" without one
    """

    id: int
    changed: float
    game: str
    size: int
    black: str
    white: str
    human: str
    level: str
    result: str
    winner: str
    turns: int
    opened: bool
    name: str
    picture: str


class Added(NamedTuple):
    """A game that comes from a file: its row, the name that a person gave it, and see Listed."""

    row: GameRow
    name: str
    picture: str
    nodes: list[NodeRow]


class Played(NamedTuple):
    """The last finished game against an engine from the usual start; see GameRow.

    score    -- the person's: 1, 0.5 or 0
    reviewed -- whether it or another of the last ones of its kind was reviewed
    """

    id: int
    game: str
    size: int
    level: str
    score: float
    reviewed: bool


class Journal:
    """The journal in a file, or in memory if `path` is None: then it ends with the process.

    Every method raises JournalFailed.

    trouble -- sentences about why it is in memory only, "" if that was asked for
    """

    def __init__(
        self,
        path: Path | None = None,
        largest: int = LARGEST,
        trouble: str = "",
        second: bool = False,
        before_write: Callable[[], object] = lambda: None,
    ) -> None:
        """Open a file, or create it; `second`: see JournalFile.

        before_write -- called before each change, for whoever keeps a copy of the file; prevents it
                        by JournalFailed
        """
        self.trouble = trouble
        self._file = JournalFile(path, largest, second, before_write)
        self._claimed: set[int] = set()
        with self._file.writing() as db:
            db.execute("delete from games where deleted < ?", (time.time() - _DELETED_FOR,))

    @property
    def path(self) -> Path | None:
        """Its file; None in memory."""
        return self._file.path

    @property
    def lasts(self) -> bool:
        """Whether it lasts longer than this process."""
        return self._file.path is not None

    def gather(self) -> None:
        """Have all in the one file, and nothing beside it."""
        self._file.gather()

    def close(self) -> None:
        """Close the file. Other boards may take its games now."""
        self._claimed.clear()
        self._file.close()

    # The game at a table.

    def write(
        self,
        game: int | None,
        row: GameRow,
        picture: str,
        nodes: Iterable[NodeRow],
        dropped: Iterable[int] | None,
        *,
        table: str,
    ) -> int:
        """Write what has changed of a game; None for a new one, which is claimed. Returns its id.

        picture -- a view of the shown position, as JSON, "" without one
        dropped -- the ids of removed nodes; None if `nodes` are all that there are
        table   -- the key of the table that shows it
        """
        shown = (*row, picture, table)
        with self._file.writing() as db:
            if game is None:
                added = db.execute(f"insert into games ({_WRITTEN}) values ({_VALUES})", shown)
                game = int(added.lastrowid or 0)
            else:
                db.execute(
                    f"update games set ({_WRITTEN}) = ({_VALUES}) where id = ?", (*shown, game)
                )
            if dropped is None:
                db.execute("delete from nodes where game = ?", (game,))
            gone = ((game, node) for node in dropped or ())
            db.executemany("delete from nodes where game = ? and id = ?", gone)
            db.executemany(_NODE, ((game, *node) for node in nodes))
        self.claim(game)
        return game

    def add(self, games: Iterable[Added]) -> None:
        """Add games that are at no table: all, or none."""
        with self._file.writing() as db:
            for row, name, picture, nodes in games:
                added = db.execute(
                    f"insert into games ({_WRITTEN}, name) values ({_VALUES}, ?)",
                    (*row, picture, None, name),
                )
                db.executemany(_NODE, ((added.lastrowid, *node) for node in nodes))

    def like(self, row: GameRow) -> Iterator[Kept]:
        """The games with the same start, result and number of turns."""
        found = self._file.rows(
            "select id from games where deleted is null "
            "and (game, size, pie, position, result, turns) = (?, ?, ?, ?, ?, ?)",
            *(row.game, row.size, row.pie, row.position, row.result, row.turns),
        )
        for (game,) in found:
            with suppress(GameLost):
                yield self.load(game)

    def write_node(self, game: int, node: NodeRow) -> None:
        """Write a node of a game that has it already."""
        self._change(_NODE, game, *node)

    def claim(self, game: int) -> bool:
        """Take a game for one table; False if another table or another board has it."""
        if game in self._claimed or not self._file.claim(game):
            return False
        self._claimed.add(game)
        return True

    def release(self, game: int) -> None:
        """Give a game back that was claimed."""
        self._claimed.discard(game)
        self._file.release(game)

    def hide(self, game: int) -> None:
        """Note that a game is at no table any more."""
        self._change("update games set shown_at = null where id = ?", game)

    def shown_at(self, table: str) -> list[int]:
        """The games that boards showed at a table when they ended, the newest first."""
        found = self._file.rows(
            "select id from games where shown_at = ? and deleted is null order by changed desc",
            table,
        )
        return [game for (game,) in found]

    def tables(self) -> list[str]:
        """The keys of the tables that showed a game when a board ended, which no other has now."""
        found = self._file.rows(
            "select shown_at, id from games where shown_at is not null and deleted is null"
        )
        free = set()
        for table, game in found:
            if self.claim(game):
                self.release(game)
                free.add(str(table))
        return sorted(free)

    def load(self, game: int, ids: Iterator[int] | None = None) -> Kept:
        """A game that is not deleted. `ids` gives its nodes new ids."""
        found = self._file.rows(f"select deleted, {_COLUMNS} from games where id = ?", game)
        if not found:
            raise GameLost("That game is not in the journal any more")
        deleted, *columns = found[0]
        if deleted is not None:
            raise GameLost("That game was deleted")
        nodes = self._file.rows(
            "select id, parent, place, color, word, facts from nodes where game = ? "
            "order by place, id",
            game,
        )
        try:
            return kept_from(GameRow(*columns), [NodeRow(*node) for node in nodes], ids)
        except (ValueError, KeyError, TypeError, AttributeError):
            raise GameLost("That game is damaged in the journal") from None

    # The list of all games.

    def listed(self, first: int, most: int, game: str = "") -> tuple[int, list[Listed]]:
        """The number of games, and some of them, the newest first.

        game -- only those of one game; "" for all
        """
        where = "where deleted is null and (? = '' or game = ?)"
        ((number,),) = self._file.rows(f"select count(*) from games {where}", game, game)
        rows = self._file.rows(
            f"select {', '.join(Listed._fields)} from games {where} "
            "order by changed desc, id desc limit ? offset ?",
            *(game, game, most, first),
        )
        return number, [Listed(*row) for row in rows]

    def games(self) -> list[str]:
        """The games of which at least one was kept."""
        found = self._file.rows("select distinct game from games where deleted is null")
        return sorted(str(game) for (game,) in found)

    def rename(self, game: int, name: str) -> None:
        """Give a game a name; "" takes it away."""
        self._change("update games set name = ? where id = ?", name, game)

    def delete(self, game: int, on: bool = True) -> None:
        """Delete a game, or restore it: for a month it stays in the file."""
        deleted = time.time() if on else None
        self._change("update games set deleted = ? where id = ?", deleted, game)

    def exported(self, first: int, most: int) -> tuple[str, int | None]:
        """Games as an SGF collection, from an id on; and the id to go on with, None at the end.

        Damaged games are left out.

        most -- characters; the last game may exceed them
        """
        text, next_game = "", first
        games = self._file.rows(
            "select id, name from games where deleted is null and id >= ? order by id", first
        )
        for game, name in games:
            next_game = game
            if len(text) >= most:
                return text, next_game
            text += self.record(game, name)
        return text, None

    def over(self, after: tuple[float, int], most: int) -> list[tuple[float, int]]:
        """Games that are over: of each the time of its last change, and its id.

        after -- such a time and id; only later ones, in that order
        """
        return self._file.rows(
            f"{_OVER} and (changed, id) > (?, ?) order by changed, id limit ?", *after, most
        )

    def added(self, after: int, most: int) -> list[tuple[float, int]]:
        """The same of games that came after one, by its id, and in this order."""
        return self._file.rows(f"{_OVER} and id > ? order by id limit ?", after, most)

    def record(self, game: int, name: str = "") -> str:
        """A game as SGF, with the name that a person gave it; "" if it is damaged."""
        try:
            kept = self.load(game)
        except GameLost as error:
            logger().warning("{}; it is left out: number {}.", error, game)
            return ""
        record = record_of(kept.start, kept.tree)
        if name:
            record.root.put("GN", name)
        return plain_text(record)

    def finished(self) -> list[Finished]:
        """All games against engines that are over, the oldest first."""
        rows = self._file.rows(
            f"select began, game, size, level, human, winner from {_FINISHED} order by began, id"
        )
        return [
            Finished(when, game, size, level, _score(human, winner))
            for when, game, size, level, human, winner in rows
        ]

    def played(self) -> list[Played]:
        """For each game the last one that `finished` has."""
        rows = self._file.rows(
            "select id, game, size, level, human, winner, exists (select 1 from nodes "
            f"where nodes.game = games.id and facts like '%\"loss\":%') from {_FINISHED} "
            "order by began desc, id desc limit ?",
            _MOST_LOOKED_AT,
        )
        found: dict[str, Played] = {}
        for number, game, size, level, human, winner, reviewed in rows:
            last = Played(number, game, size, level, _score(human, winner), bool(reviewed))
            last = found.setdefault(game, last)
            found[game] = last._replace(reviewed=last.reviewed or bool(reviewed))
        return list(found.values())

    # Exercises, and notes of the program.

    def progress(self) -> dict[str, dict[str, int]]:
        """The stars of each exercise, by kind and id."""
        found: dict[str, dict[str, int]] = {}
        for kind, one, stars in self._file.rows("select kind, id, stars from progress"):
            found.setdefault(kind, {})[one] = stars
        return found

    def succeed(self, kind: str, one: str, stars: int) -> None:
        """Keep the success in an exercise; the best one counts."""
        with self._file.writing() as db:
            (others,) = db.execute(
                "select count(*) from progress where (kind, id) != (?, ?)", (kind, one)
            ).fetchone()
            if others >= MOST_PROGRESS:
                raise JournalFailed("The journal keeps no more exercises")
            db.execute(
                "insert into progress values (?, ?, ?) on conflict (kind, id) "
                "do update set stars = max(stars, excluded.stars)",
                (kind, one, stars),
            )

    def note(self, key: str) -> str:
        """A text that the program has noted; "" without one."""
        found = self._file.rows("select value from notes where key = ?", key)
        return str(found[0][0]) if found else ""

    def keep_note(self, key: str, value: str) -> None:
        """Note a text for later runs; each key is a word of the program, never of a page."""
        self._change("insert or replace into notes values (?, ?)", key, value)

    def _change(self, statement: str, *given: Any) -> None:
        with self._file.writing() as db:
            db.execute(statement, given)


def _score(human: str, winner: str) -> float:
    return 0.5 if winner == "draw" else float(winner == human)


class JournalGames:
    """The games of the journal that are over. See table.explorer.PastGames.

    A game that is changed after its end, or deleted, counts as it was until the board ends.
    """

    def __init__(self, path: Path) -> None:
        """Nothing is opened yet."""
        self._path = path
        self._journal: Journal | None = None
        self.restart()

    def more(self, most: int) -> list[bytes]:
        """The next games as SGF."""
        try:
            if self._journal is None:
                self._journal = Journal(self._path, second=True)
            games: list[bytes] = []
            while not games and (read := self._next(self._journal, most)):
                new = [game for _, game in read if game not in self._known]
                games = [text.encode() for game in new if (text := self._journal.record(game))]
                self._known.update(new)
            return games
        except JournalFailed as error:
            raise CannotDo(f"{error}.") from None

    def restart(self) -> None:
        """Go back to the first game."""
        self._last = (0.0, 0)
        self._newest = 0
        self._known: set[int] = set()

    def close(self) -> None:
        """Close the file."""
        if self._journal is not None:
            self._journal.close()
            self._journal = None

    def _next(self, journal: Journal, most: int) -> list[tuple[float, int]]:
        """Games that have ended; then those that were added from a file, and are older."""
        if read := journal.over(self._last, most):
            self._last = read[-1]
        elif read := journal.added(self._newest, most):
            self._newest = read[-1][1]
        return read
