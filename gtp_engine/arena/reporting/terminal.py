"""The findings of a match as tables: styled on a terminal, plain text elsewhere."""

from collections.abc import Iterator
from io import TextIOWrapper
from typing import TYPE_CHECKING, TextIO

from gtp_engine.arena.reporting.findings import Findings
from gtp_engine.arena.reporting.sheets import Sheet, sheets

if TYPE_CHECKING:
    from rich.console import RenderableType

# The width if no terminal reports one: enough for every table.
_WIDTH = 160


def show(findings: Findings, file: TextIO) -> None:
    """Write the report, with colors only on a terminal. Needs rich."""
    from rich.console import Console

    if isinstance(file, TextIOWrapper):
        # A sign that the encoding lacks, such as ±, becomes a question mark.
        file.reconfigure(errors="replace")
    width = None if file.isatty() else _WIDTH
    console = Console(file=file, width=width, highlight=False, emoji=False, markup=False)
    for part in tables(findings):
        console.print(part)


def tables(findings: Findings) -> "Iterator[RenderableType]":
    """The parts of the report: the verdict, the remarks, then all tables."""
    from rich.text import Text

    yield Text(findings.title, style="bold")
    yield Text(findings.headline, style="bold green")
    for sentence in findings.sentences:
        yield Text(sentence)
    for sheet in sheets(findings):
        yield Text(f"\n{sheet.title}", style="bold")
        yield table(sheet)


def table(sheet: Sheet) -> "RenderableType":
    """A table in the form of rich."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    shown = Table(
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        show_edge=False,
    )
    for name in sheet.words:
        shown.add_column(name, overflow="fold")
    for name in sheet.numbers:
        shown.add_column(name, justify="right", overflow="fold")
    for row in sheet.rows:
        shown.add_row(*map(Text, row))
    return shown
