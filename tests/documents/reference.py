"""`python tests documents.reference protocol_specs`: writes the pages generated from the code."""

import argparse
import re
from collections.abc import Iterable
from importlib import import_module
from inspect import getdoc
from pathlib import Path

from documents.analysis_tables import with_tables
from documents.game_pages import game_page
from gtp_engine.base.files import write_file
from gtp_engine.base.option import options, shown
from gtp_engine.gtp.commands import registry
from gtp_engine.gtp.wire.registry import Command
from gtp_engine.rules import games
from gtp_engine.rules.game import Game
from gtp_engine.rules.step import SWAPS, StepKind
from gtp_engine.rules.tuning import Tuning
from gtp_engine.search.options import DEFAULT_OPTIONS, SearchOptions, tuned

_HOW_TO_READ = """\
## How to read a page

A page tells of each command the arguments, the effect, the reply, the failures, and an example.
What it leaves out, a command does not have: it takes no arguments, changes nothing, gives an empty
reply, or never fails. [The protocol](../protocol.md#responses) explains the errors of all commands;
`syntax: ...` shows the arguments. A reply in JSON is one line of ASCII. Later versions may add keys
to it: ignore those that you do not know."""

_FIELD = re.compile(r"^(Arguments|Effect|Reply|Fails|Example):[ \n]", re.MULTILINE)


def fields(doc: str) -> dict[str, str]:
    """The fields of a command's docstring by name; its first line is `Summary`."""
    summary, *rest = _FIELD.split(doc)
    texts = dict(zip(rest[::2], rest[1::2]))
    return {"Summary": summary.strip(), **texts}


def family_page(family: str) -> str:
    """The reference page of a family of commands, in Markdown."""
    title = getdoc(import_module(f"gtp_engine.gtp.commands.{family}")) or ""
    parts = [f"# {family}", title, "[How to read this page](README.md#how-to-read-a-page)."]
    sections = [_section(names) for names in _named(family)]
    return "\n\n".join(parts + sections) + "\n"


def _named(family: str) -> list[list[Command]]:
    """The commands of a family, each by all its names."""
    found: dict[str, list[Command]] = {}
    for command in registry().family(family):
        found.setdefault(command.first, []).append(command)
    return list(found.values())


def commands_page() -> str:
    """The families and their commands, in Markdown."""
    lines = ["| family | what for | commands |", "| --- | --- | --- |"]
    for family in registry().families():
        names = ", ".join(
            f"[`{command.name}`]({family}.md#{command.first})"
            for command in registry().family(family)
        )
        about = getdoc(import_module(f"gtp_engine.gtp.commands.{family}")) or ""
        first = re.split(r"\.(?:\s|$)", about)[0]
        lines.append(f"| [{family}]({family}.md) | {first} | {names} |")
    title = (
        "# Commands\n\nAll commands, by family. In a terminal `game-help` lists them, and "
        "`game-help COMMAND` explains one."
    )
    return "\n\n".join([title, "\n".join(lines), _HOW_TO_READ]) + "\n"


def _section(names: list[Command]) -> str:
    command, *others = names
    texts = fields(command.doc)
    summary = texts.pop("Summary")
    example = texts.pop("Example", None)
    parts = [f"## {command.name}"]
    if command.arguments:
        parts.append(f"`{command.syntax}`")
    parts.append(summary)
    if others:
        told = " and ".join(f"`{each.name}`" for each in others)
        parts.append(f"Its other name{'s are' if others[1:] else ' is'} {told}.")
    items = [f"- {name}: {_in_one_line(text)}" for name, text in texts.items()]
    if items:
        parts.append("\n".join(items))
    if example is not None:
        lines = [line[4:] for line in example.rstrip().split("\n")]
        parts.append("```\n" + "\n".join(lines) + "\n```")
    return "\n\n".join(parts)


def _in_one_line(text: str) -> str:
    """A field in one line, but for the items of a list in it."""
    first, *items = re.split(r"\n *- ", text)
    return "".join(
        [" ".join(first.split()), *(f"\n  - {' '.join(each.split())}" for each in items)]
    )


def documented_games() -> list[Game]:
    """The games with a page: they are documented whole. Other games need no documents."""
    pages = Path(__file__).parents[2] / "protocol_specs" / "games"
    return [game for game in games() if (pages / f"{game.name}.md").exists()]


def options_page() -> str:
    """The reference page of the search options, in Markdown."""
    parts = [
        "# Search options",
        "How the engine searches. Set an option by `game-set NAME VALUE`, on the command line "
        "(`--NAME VALUE`, with `-` for `_`) or in the environment (`PATCHPIE_NAME`).",
        _own_numbers(),
        "At `auto` an option has the number of its game in this table, found by matches "
        "([strength](strength.md)). `300 / 0` means 300 without a learned evaluation, 0 with one.",
    ]
    for option in options(SearchOptions):
        meaning = f"{option.meaning[0].upper()}{option.meaning[1:]}."
        values = f"Values: {option.values.name}. Default: {shown(option.default)}."
        parts += [f"## {option.name}", f"{meaning} {option.detail}".strip(), values]
    return "\n\n".join(parts) + "\n"


def _own_numbers() -> str:
    """A table of each game's own numbers, without and with a learned evaluation."""
    games = documented_games()
    rows = [
        f"| option | {' | '.join(game.title for game in games)} |",
        "| --- " * (len(games) + 1) + "|",
    ]
    for option in options(SearchOptions):
        if option.name in Tuning._fields:
            link = f"[{option.name}](#{option.name})"
            cells = [_own_number(option.name, game) for game in games]
            rows.append(f"| {' | '.join([link, *cells])} |")
    return "\n".join(rows)


def _own_number(name: str, game: Game) -> str:
    """A game's own number of an option, and behind a `/` that with a learned evaluation."""
    without, learned = (
        f"{getattr(tuned(DEFAULT_OPTIONS, game, learned), name):g}" for learned in (False, True)
    )
    return without if without == learned else f"{without} / {learned}"


def steps_page() -> str:
    """The steps of the games with a page, in Markdown."""
    parts = [
        "# Steps",
        "How each decision is written, and which clicks choose it in a GUI. "
        "[notation.md](notation.md) says how steps form turns.",
    ]
    for game in documented_games():
        parts += [f"## {game.title}", _steps_table(game.kinds)]
    swaps = [swap.kind for swap in SWAPS.values()]
    parts += ["## In all games", "On its first turn White may swap, in games with a pie rule."]
    parts.append(_steps_table(swaps))
    return "\n\n".join(parts) + "\n"


def _steps_table(kinds: Iterable[StepKind]) -> str:
    rows = ["| step | means | clicks |", "| --- | --- | --- |"]
    before = ""
    for kind in kinds:
        holes = kind.template.count("{}")
        named = ("C4", "C5")[:holes]
        words = " or ".join(f"`{each.format(*named)}`" for each in (kind.template, *kind.aliases))
        clicked = kind.clicked.format(*named) or ", ".join(named) or "none; type the word"
        before, clicked = (
            clicked,
            "the same" if len(clicked) > 40 and clicked == before else clicked,
        )
        rows.append(f"| {words} | {kind.meaning.format(*named)} | {clicked} |")
    return "\n".join(rows)


def pages() -> dict[str, str]:
    """All generated pages, by their paths in protocol_specs/."""
    commands = {
        f"clients/commands/{family}.md": family_page(family) for family in registry().families()
    }
    commands["clients/commands/README.md"] = commands_page()
    return commands | {"engine/search-options.md": options_page(), "clients/steps.md": steps_page()}


def main() -> int:
    """Write the pages into the given folder."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition(": ")[2])
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    folder = parser.parse_args().folder
    for name, text in pages().items():
        write_file(folder / name, text.encode())
    for game in documented_games():
        path = folder / "games" / f"{game.name}.md"
        write_file(path, game_page(game, path.read_text()).encode())
    path = folder / "clients" / "analysis-engine.md"
    write_file(path, with_tables(path.read_text()).encode())
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
