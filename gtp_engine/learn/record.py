"""The record of a training: what each generation played, learned and won, one line of JSON each."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from gtp_engine.base.files import append_line
from gtp_engine.learn.gate_match import told as gate_told

Generation = Mapping[str, Any]
"""A line of the record. The page on training explains its keys."""

_COLUMNS = (
    "generation",
    "games",
    "positions",
    "steps",
    "loss of steps",
    "of value",
    "of owners",
    "best step",
    "winner",
    "hours",
    "processor min",
    "plays",
    "gate",
)


def add_generation(path: Path, facts: Generation) -> None:
    """Append the line of a generation. Raises OSError."""
    append_line(path, json.dumps(facts))


def read_record(path: Path) -> list[dict[str, Any]]:
    """The generations in the record, by number; empty if there is no file. Raises OSError.

    A generation whose end was interrupted may have two lines; the last one counts. Damaged lines
    are left out.
    """
    found: dict[int, dict[str, Any]] = {}
    if path.exists():
        for line in path.read_bytes().splitlines():
            try:
                facts = json.loads(line)
                found[facts["generation"]] = facts
            except (ValueError, TypeError, KeyError):
                continue
    return [found[number] for number in sorted(found)]


def table(record: Sequence[Generation]) -> list[str]:
    """The record as lines of text, the names of the columns first."""
    rows = [_COLUMNS, *(_row(each) for each in record)]
    widths = [max(map(len, column)) for column in zip(*rows)]
    last = len(_COLUMNS) - 1
    return [
        "  ".join(
            text.ljust(width) if number == last else text.rjust(width)
            for number, (text, width) in enumerate(zip(row, widths))
        ).rstrip()
        for row in rows
    ]


def _row(each: Generation) -> tuple[str, ...]:
    losses, accuracy = each["losses"] or {}, each["accuracy"] or {}
    return (
        str(each["generation"]),
        f"{each['games']:,}",
        f"{each['positions']:,}",
        f"{each['steps']:,}",
        *(_number(losses.get(name)) for name in ("steps", "value", "owners")),
        *(_percent(accuracy.get(name)) for name in ("steps", "value")),
        f"{each['hours']:.2f}",
        f"{each['processor_seconds'] / 60:.1f}",
        "yes" if each["plays"] else "no",
        "-" if each["gate"] is None else gate_told(each["gate"]),
    )


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.1f} %"
