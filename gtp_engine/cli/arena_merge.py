"""`gtp-arena merge`: one file for a match that was played in several."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from gtp_engine.arena.joined import Joined
from gtp_engine.arena.store import Store, StoreFailed
from gtp_engine.arena.wording import number_of
from gtp_engine.cli.options import Parser


def main(arguments: Sequence[str]) -> int:
    """Merge. Returns 0. Raises ArenaError or OSError."""
    parser = Parser(
        prog="gtp-arena merge",
        description="Joins the files of one match that was played in several parts, or on several "
        "machines, to a new one, with which `run` goes on. They may differ in --start, --games "
        "and in engines that were added.",
    )
    parser.add_argument("db", type=Path, nargs="+", metavar="DB", help="a file of the match")
    parser.add_argument("--into", type=Path, required=True, metavar="DB", help="the new file")
    options = parser.parse_args(arguments)
    with opened(options.db) as joined:
        games = _write(joined, options.into)
    twice = f"; {number_of(joined.twice, 'game')} were there twice" if joined.twice else ""
    print(f"{options.into}: {number_of(games, 'game')} of {len(options.db)} files{twice}")
    return 0


@contextmanager
def opened(paths: Sequence[Path]) -> Iterator[Joined]:
    """Several files of a match, to be read. Raises StoreFailed, and WrongMatch where they do not
    go together."""
    with ExitStack() as stack:
        yield Joined([stack.enter_context(closing(Store(path, to_read=True))) for path in paths])


def _write(joined: Joined, path: Path) -> int:
    """Write the new file; returns the number of games. A file that is there is not touched."""
    if path.exists():
        raise StoreFailed(f"{path} is there already")
    draft = path.with_name(f"{path.name}.draft")
    if draft.exists():
        raise StoreFailed(f"{draft} is there: another merge writes it, or was killed")
    try:
        with closing(Store(draft)) as store:
            known = joined.engines(), joined.openings(), joined.records(), joined.all_voids()
            store.fill(joined.match(), *known)
            games = len(store.numbers())
        draft.rename(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    return games
