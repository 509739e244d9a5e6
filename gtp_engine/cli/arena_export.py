"""`gtp-arena export`: writes the games of a match for other programs."""

import argparse
import csv
import json
import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing, contextmanager
from functools import partial
from io import TextIOWrapper
from pathlib import Path
from typing import Any, TextIO

from gtp_engine.arena.storage.store import Store
from gtp_engine.arena.values import as_table
from gtp_engine.base.files import replacing, write_file
from gtp_engine.cli.arena_games import file_name, sgf_of
from gtp_engine.cli.game_files import STDOUT, check_outputs

# Games that one process writes per task.
_PART = 500


def main(options: argparse.Namespace) -> int:
    """Write the requested files. Returns 0. Raises StoreFailed or OSError."""
    check_outputs(filter(None, (options.jsonl, options.json, options.csv)), [options.db])
    with closing(Store(options.db, to_read=True)) as store:
        _export(store, options)
    return 0


def _export(store: Store, options: argparse.Namespace) -> None:
    if options.sgf:
        options.sgf.mkdir(parents=True, exist_ok=True)
        _write_records(options.db, options.sgf, store.numbers())
    if options.jsonl:
        with _opened(options.jsonl) as file:
            for table in _tables(store):
                print(json.dumps(table), file=file)
    if options.json:
        with _opened(options.json) as file:
            for number, table in enumerate(_tables(store)):
                file.write(("[\n" if number == 0 else ",\n") + json.dumps(table))
            file.write("\n]\n" if store.numbers() else "[]\n")
    if options.csv:
        with _opened(options.csv) as file:
            writer: Any = None
            for number, result in store.games():
                row = {"id": number, **as_table(result)}
                if writer is None:
                    writer = csv.DictWriter(file, row.keys(), lineterminator="\n")
                    writer.writeheader()
                writer.writerow(row)


def _write_records(db: Path, folder: Path, numbers: Sequence[int]) -> None:
    """Write the games with these numbers; many games are written by several processes."""
    firsts = range(0, len(numbers), _PART)
    parts = [(numbers[n], numbers[n : n + _PART][-1]) for n in firsts]
    write = partial(_write_part, db, folder)
    if len(parts) == 1:
        write(parts[0])
    elif parts:
        with ProcessPoolExecutor(min(len(parts), os.cpu_count() or 1)) as pool:
            for _ in pool.map(write, parts):
                pass


def _write_part(db: Path, folder: Path, part: tuple[int, int]) -> None:
    """Write the games from the first to the last of two numbers."""
    first, last = part
    with closing(Store(db, to_read=True)) as store:
        for number, result in store.games(after=first - 1):
            if number > last:
                break
            path = folder / file_name(number, result, "sgf")
            write_file(path, sgf_of(result, store.turns(number)).encode(), durable=False)


def _tables(store: Store) -> Iterator[dict[str, Any]]:
    """The games with their turns, and after a fault the lines that were exchanged."""
    for number, result in store.games():
        turns = [turn._asdict() | {"color": str(turn.color)} for turn in store.turns(number)]
        evidence = {each.engine: each.lines for each in store.evidence(number)}
        yield {"id": number, **as_table(result), "turns": turns, "evidence": evidence}


@contextmanager
def _opened(path: str) -> Iterator[TextIO]:
    if path == STDOUT:
        yield sys.stdout
    else:
        with replacing(path, streams=True) as file:
            text = TextIOWrapper(file, encoding="utf-8", newline="\n", write_through=True)
            yield text
            text.detach()
