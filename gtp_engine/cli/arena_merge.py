"""`gtp-arena merge`: joins the files of a match played in parts."""

import argparse
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from glob import escape
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

from gtp_engine.arena.reporting.wording import number_of
from gtp_engine.arena.storage.joined import Joined, opened
from gtp_engine.arena.storage.store import Store, StoreFailed
from gtp_engine.base.platforms import locked_folder

_DRAFT = ".draft"


def main(options: argparse.Namespace) -> int:
    """Merge the files. Returns 0. Raises ArenaError or OSError."""
    with opened(options.db) as joined:
        games = _write(joined, options.into)
    twice = f"; {number_of(joined.twice, 'game')} occurred twice" if joined.twice else ""
    print(f"{options.into}: {number_of(games, 'game')} from {len(options.db)} files{twice}")
    return 0


def _write(joined: Joined, path: Path) -> int:
    """Write the new file; returns the number of games. An existing file is never changed."""
    _check_new(path)
    with _draft_folder(path) as folder:
        draft = folder / path.name
        with closing(Store(draft)) as store:
            known = joined.engines(), joined.openings(), joined.records(), joined.voids()
            store.fill(joined.match(), *known)
            games = len(store.numbers())
        _check_new(path)
        draft.rename(path)
    return games


def _check_new(path: Path) -> None:
    if path.exists():
        raise StoreFailed(f"{path} exists already")
    if not path.parent.is_dir():
        raise StoreFailed(f"{path}: its folder does not exist; make it first")


@contextmanager
def _draft_folder(path: Path) -> Iterator[Path]:
    """A folder beside a file, to write the file in. It is locked while this process lives.

    Unlocked folders are left from killed merges, and are removed.
    """
    for left in path.parent.glob(f".{escape(path.name)}.*{_DRAFT}"):
        with suppress(OSError), locked_folder(left):
            rmtree(left)
    folder = Path(mkdtemp(_DRAFT, f".{path.name}.", path.parent))
    try:
        with locked_folder(folder):
            yield folder
    finally:
        rmtree(folder, ignore_errors=True)
