"""`python tests documents.evaluations_page protocol_specs`: the pages of learned evaluations.

The command writes the results of `engine/evaluations.md`, with the nets that ship, those of
`engine/all-nets.md`, with all nets, and `pictures/evaluations.svg` in that folder. It reads the
records in `engine/evaluations.jsonl`, which are the output of `gtp-engine bench --what evaluations
--json` for each net.
"""

import argparse
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from documents.evaluation_chart import ChartPoint, ChartRow, chart
from gtp_engine.base.files import read_file, write_file
from gtp_engine.rules import find_game
from gtp_engine.search.weights import NONE, OWN, names_of_nets

RECORDS, PICTURE = "engine/evaluations.jsonl", "pictures/evaluations.svg"
OURS, ALL = "engine/evaluations.md", "engine/all-nets.md"

_MOST_BYTES = 2**22

Measured = dict[str, Any]

# The chart shows a net on the first of these instruction sets that its records contain.
_ISAS = ("v4_vnni", "v3_vnni", "v4", "v3", "v4_amx", "native", "plain")

# People write the text before this heading, and from the next one of its level on.
_RESULTS = "\n## Results\n"


def main() -> int:
    """Write the pages and the picture into the folder that the argument names."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition(": ")[2])
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    folder = parser.parse_args().folder
    records = read_records(folder / RECORDS)
    for name, shown in ((OURS, of_ours(records)), (ALL, records)):
        write_file(folder / name, page((folder / name).read_text(), shown).encode())
    write_file(folder / PICTURE, picture(records).encode())
    return 0


def read_records(path: Path) -> list[Measured]:
    """The records with an accuracy in a file of JSON lines. Raises CannotRead."""
    lines = read_file(path, _MOST_BYTES).decode().splitlines()
    return [record for record in map(json.loads, lines) if "positions" in record]


def of_ours(records: Iterable[Measured]) -> list[Measured]:
    """The records of the nets that ship."""
    names = names_of_nets(OWN)
    return [record for record in records if record["weights"] == names.get(record["game"])]


def page(old: str, records: Iterable[Measured]) -> str:
    """The page with new results, as Markdown."""
    head, mark, rest = old.partition(_RESULTS)
    _, after, tail = rest.partition("\n## ")
    parts = [
        f"\n### {find_game(game).title}\n\n{_table(found)}"
        for game, found in _by(records, "game").items()
    ]
    return head + mark + "".join(parts) + after + tail


def _table(records: Sequence[Measured]) -> str:
    """A row for each net and instruction set. A cell of three numbers has one for each size."""
    sizes = sorted({record["size"] for record in records})
    first = {record["size"]: record for record in reversed(records)}
    named = ", ".join(str(size) for size in sizes)
    lines = [
        f"Sizes {named}. Positions: {_three(first, sizes, 'positions', ',')}. "
        f"Steps: least {_three(first, sizes, 'least_of_steps', '.3f')}, "
        f"uniform {_three(first, sizes, 'uniform_steps', '.3f')}. "
        f"Value: constant {_three(first, sizes, 'constant_value', '.3f')}.",
        "",
        "| net | instruction set | microseconds | visits a second | steps | value |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for (name, isa), own in _nets(records).items():
        cells = [
            name,
            f"`{isa}`",
            _three(own, sizes, _COST, ".1f"),
            _three(own, sizes, "visits_per_processor_second", ",.0f"),
            _three(own, sizes, "cross_entropy_of_steps", ".3f"),
            _three(own, sizes, "cross_entropy_of_value", ".3f"),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


_COST = "processor_us_per_evaluation"


def _three(records: dict[int, Measured], sizes: Sequence[int], key: str, form: str) -> str:
    """The number of each size; a dash if it is missing."""
    found = [records.get(size, {}).get(key) for size in sizes]
    return " / ".join("-" if each is None else format(each, form) for each in found)


def _nets(records: Iterable[Measured]) -> dict[tuple[str, str], dict[int, Measured]]:
    """The records of each net and instruction set by size; later ones replace earlier ones."""
    found: dict[tuple[str, str], dict[int, Measured]] = {}
    for record in records:
        found.setdefault((net_name(record), record["isa"]), {})[record["size"]] = record
    return found


def net_name(record: Measured) -> str:
    """The name of a net. Older records have the name of its file, which began with the game."""
    name = str(record["weights"]).removesuffix(".weights").removeprefix(f"{record['game']}-")
    return "none" if name == NONE else name


def picture(records: Iterable[Measured]) -> str:
    """The chart, as SVG."""
    rows = []
    for name, found in _by(records, "game").items():
        game = find_game(name)
        points: dict[str, ChartPoint] = {}
        for isa in reversed(_ISAS):
            for (net, its_isa), own in _nets(found).items():
                cost = own.get(game.default_size, {}).get(_COST)
                if its_isa == isa and cost is not None:
                    steps, value = (_mean(own, f"cross_entropy_of_{key}") for key in _ACCURACIES)
                    points[net] = ChartPoint(net, cost, steps, value)
        if points:
            sizes = {record["size"]: record for record in found}
            without = _mean(sizes, "uniform_steps"), _mean(sizes, "constant_value")
            rows.append(ChartRow(game.title, list(points.values()), *without))
    return chart(rows)


_ACCURACIES = ("steps", "value")


def _mean(records: dict[int, Measured], key: str) -> float:
    return sum(float(record[key]) for record in records.values()) / len(records)


def _by(records: Iterable[Measured], key: str) -> dict[str, list[Measured]]:
    """The records grouped by a field; groups are in the order of their first record."""
    found: dict[str, list[Measured]] = {}
    for record in records:
        found.setdefault(record[key], []).append(record)
    return found


if __name__ == "__main__":
    raise SystemExit(main())
