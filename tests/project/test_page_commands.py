"""The command lines in the documents use existing options. No test runs them."""

import re
import shlex
from pathlib import Path

from gtp_engine.cli import arena, board, engine, regress
from gtp_engine.cli.parser import Parser

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md",
    ROOT / ".github" / "CONTRIBUTING.md",
    *sorted((ROOT / "protocol_specs").rglob("*.md")),
]
PROGRAMS = {
    "gtp-engine": engine.main,
    "gtp-board": board.main,
    "gtp-arena": arena.main,
    "gtp-regress": regress.main,
}


def command_lines(text: str) -> list[str]:
    """The commands in the indented blocks and the code of tables, without what explains them."""
    joined = re.sub(r" *\\\n +", " ", text)
    blocks = [line.strip() for line in re.findall(r"^ {4}(\S.*)$", joined, re.MULTILINE)]
    told = re.findall(r"^\|.*?`((?:bin/)?gtp-[^` ]+ [^`]*)`", joined, re.MULTILINE)
    lines = [re.split(r"  +|\s#\s", line)[0] for line in blocks] + told
    return [line for line in lines if re.match(r"(\$ |[A-Z_]+=\S+ )?(bin/)?gtp-[a-z]+( |$)", line)]


LINES = sorted({(page, line) for page in PAGES for line in command_lines(page.read_text())})


class Understood(BaseException):
    """The arguments were read; nothing need be done with them."""


def status_of(line: str) -> object:
    """The exit status of a command line, 0 where its arguments are understood."""
    command, *_ = re.split(r" [<>|] ", re.sub(r"^(\$ |[A-Z_]+=\S+ )", "", line))
    words = shlex.split(command)
    try:
        return PROGRAMS[Path(words[0]).name](words[1:])
    except Understood:
        return 0
    except SystemExit as end:
        return end.code


def test_the_commands_in_the_documents_are_understood(monkeypatch, capsys):
    def understood(parser, options):
        raise Understood

    monkeypatch.setattr(Parser, "accept", understood)
    wrong = []
    for page, line in LINES:
        if status_of(line) != 0:
            wrong.append(f"{page.name}: {line}: {capsys.readouterr().err}")
    assert not wrong, "\n".join(wrong)


def test_there_are_commands_of_every_program():
    found = {re.search(r"gtp-[a-z]+", line)[0] for _, line in LINES}
    assert PROGRAMS.keys() <= found
