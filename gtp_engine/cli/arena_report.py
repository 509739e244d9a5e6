"""`gtp-arena report`: prints the results of a match, or writes them as a page."""

import argparse
import sys
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from gtp_engine.arena.reporting.document import document
from gtp_engine.arena.reporting.findings import Findings
from gtp_engine.arena.reporting.page import page
from gtp_engine.arena.reporting.report import show
from gtp_engine.arena.stats.ratings import NO_ANCHORS
from gtp_engine.arena.stats.tally import Tally
from gtp_engine.arena.storage.joined import Joined, opened
from gtp_engine.arena.storage.store import Store
from gtp_engine.arena.values import GameKey
from gtp_engine.base.files import write_file
from gtp_engine.cli.arena_games import file_name, game_page
from gtp_engine.cli.arena_options import anchors
from gtp_engine.cli.game_files import write


def main(options: argparse.Namespace) -> int:
    """Write the report. Returns 0. Raises ArenaError or OSError."""
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
        replays = _write_replays(store, found.tally, options.html, options.replays)
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


def _write_replays(
    store: Store | Joined, tally: Tally, path: Path, most: int
) -> dict[GameKey, str]:
    """Write pages of the last games into a folder named like the report; returns the links."""
    recent = list(tally.recent)[-most:] if most > 0 else []
    folder = path.with_name(f"{path.stem}-games")
    if recent:
        folder.mkdir(exist_ok=True)
    addresses = {}
    for number, result in recent:
        name = file_name(number, result, "html")
        replay = game_page(result, store.turns(number))
        write_file(folder / name, replay.encode(), durable=False)
        addresses[result.key] = quote(f"{folder.name}/{name}")
    return addresses
