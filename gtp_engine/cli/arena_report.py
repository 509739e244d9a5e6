"""`gtp-arena report`: prints the results of a match, or writes them as a page."""

import argparse
import sys
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from gtp_engine.arena.reporting.findings import Findings
from gtp_engine.arena.reporting.json_document import document
from gtp_engine.arena.reporting.page import page
from gtp_engine.arena.reporting.terminal import show
from gtp_engine.arena.reporting.wording import number_of
from gtp_engine.arena.stats.ratings import NO_ANCHORS
from gtp_engine.arena.stats.tally import Tally
from gtp_engine.arena.storage.joined import Joined, opened
from gtp_engine.arena.storage.store import Store
from gtp_engine.arena.values import GameKey
from gtp_engine.base.files import check_apart, write_file
from gtp_engine.cli.arena_games import add_to_page
from gtp_engine.cli.arena_options import anchors
from gtp_engine.cli.game_files import write
from gtp_engine.engine.replay_page import GamesPage


def main(options: argparse.Namespace) -> int:
    """Write the report. Returns 0. Raises ArenaError or OSError."""
    if options.html:
        check_apart([options.html, _beside(options.html)], options.db)
    if len(options.db) > 1:
        with opened(options.db) as joined:
            _report(joined, options)
    else:
        with closing(Store(options.db[0], to_read=True)) as store:
            _report(store, options)
    return 0


def _report(store: Store | Joined, options: argparse.Namespace) -> None:
    found = findings(store, anchors(options))
    if options.json:
        print(document(found))
    elif not options.html:
        show(found, sys.stdout)
    if options.html:
        replays = _write_games(store, found, options.html, options.replays)
        write(page(found, replays, store.evidence).encode(), options.html)


def findings(store: Store | Joined, anchors: Mapping[str, float] = NO_ANCHORS) -> Findings:
    """All results in a store. Raises StoreFailed, and WrongMatch for an anchor that it lacks.

    anchors -- given ratings, beside those of the match
    """
    match = store.match().anchored(anchors)
    tally = Tally(match.pair_test())
    if tally.test is not None:
        tally.test.see_voids(store.voids())
    for number, result in store.games():
        tally.add(result, number)
    engines = store.engines()
    told = {name: known.told for name, known in engines.items()}
    uses = {name: known.uses for name, known in engines.items() if known.uses}
    return Findings(tally, match, told, uses, store.time_use(), len(store.voids()))


def _beside(path: Path) -> Path:
    """The page of the games of a report."""
    return path.with_name(f"{path.stem}-games.html")


def _write_games(
    store: Store | Joined, found: Findings, path: Path, most: int
) -> dict[GameKey, str]:
    """Write the last games as one page, beside the report and named like it. Returns the links."""
    recent = list(found.tally.recent)[-most:] if most > 0 else []
    if not recent:
        return {}
    target = _beside(path)
    page, addresses = GamesPage(found.title), dict[GameKey, str]()
    for number, result in reversed(recent):
        if not add_to_page(page, number, result, store.turns(number)):
            games = f"the last {len(addresses):,} of {number_of(len(recent), 'game')}"
            print(f"gtp-arena report: {target} has room for {games}", file=sys.stderr)
            break
        addresses[result.key] = f"{quote(target.name)}#game={number}"
    write_file(target, page.html().encode(), durable=False)
    return addresses
