"""`python -m gtp_engine.cli.reference FOLDER`: write the command reference from the docstrings."""

import argparse
import re
from importlib import import_module
from inspect import getdoc
from pathlib import Path

from gtp_engine.commands import registry
from gtp_engine.files import write_file
from gtp_engine.gtp.registry import Command

_FIELD = re.compile(r"^(Arguments|Effect|Reply|Fails|Example):[ \n]", re.MULTILINE)


def fields(doc: str) -> dict[str, str]:
    """The fields of a command's documentation, by name, and its first line as `Summary`."""
    summary, *rest = _FIELD.split(doc)
    texts = dict(zip(rest[::2], rest[1::2]))
    return {"Summary": summary.strip(), **texts}


def family_page(family: str) -> str:
    """The reference of a family, as Markdown."""
    commands = registry().family(family)
    title = getdoc(import_module(f"gtp_engine.commands.{family}"))
    table = [f"| `{_in_table(command.syntax)}` | {command.summary} |" for command in commands]
    parts = [
        f"# {family}",
        title or "",
        "\n".join(["| command | purpose |", "| --- | --- |", *table]),
    ]
    return "\n\n".join(parts + [_section(command) for command in commands]) + "\n"


def _in_table(text: str) -> str:
    """A text for a cell of a table: a bar would end it."""
    return text.replace("|", "\\|")


def _section(command: Command) -> str:
    parts = [f"## {command.name}"]
    texts = fields(command.doc)
    parts.append(texts.pop("Summary"))
    example = texts.pop("Example", None)
    items = [f"- {name}: {' '.join(text.split())}" for name, text in texts.items()]
    parts.append("\n".join(items))
    if example is not None:
        lines = [line[4:] for line in example.rstrip().split("\n")]
        parts.append("```\n" + "\n".join(lines) + "\n```")
    return "\n\n".join(parts)


def main() -> int:
    """Write one page a family into the folder named by the argument."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition(": ")[2])
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    folder = parser.parse_args().folder
    for family in registry().families():
        write_file(folder / f"{family}.md", family_page(family).encode())
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
