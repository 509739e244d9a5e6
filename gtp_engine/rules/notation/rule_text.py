"""The rules of a game in words, from `texts/NAME.md` beside the game's file.

The file is the head of protocol_specs/games/NAME.md: title and designer, a section `In short` with
a numbered list, then sections of numbered sentences, as in `**I16.** Put a stone ...`.
"""

import re
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from gtp_engine.rules.game import Game

IN_SHORT = "In short"

_SECTION = re.compile(r"^## (.+)\n", re.MULTILINE)
_SENTENCE = re.compile(r"^\*\*([A-Z]+[0-9]+)\.\*\* (.+?)(?=\n\n|\Z)", re.MULTILINE | re.DOTALL)
_ITEM = re.compile(r"^[0-9]+\. (.+?)(?=\n[0-9]+\. |\n\n|\Z)", re.MULTILINE | re.DOTALL)
_FULL_STOP = re.compile(r"(?<=\.) ")


class Sentence(NamedTuple):
    """A numbered rule.

    rule    -- its number, as cited by objections and outcomes
    heading -- its section
    text    -- its words, without Markdown
    """

    rule: str
    heading: str
    text: str


class RuleText(NamedTuple):
    """The rules of a game in words.

    markdown  -- the whole text
    short     -- the rules in about ten lines
    sentences -- all rules
    """

    markdown: str
    short: tuple[str, ...]
    sentences: tuple[Sentence, ...]


@cache
def rule_text(game: Game) -> RuleText:
    """The text of a game. Without a file it has no rules, and the lines of its summary."""
    path = folder_of(game) / "texts" / f"{game.name}.md"
    if not path.exists():
        return RuleText("", tuple(filter(None, _FULL_STOP.split(_plain(game.summary)))), ())
    markdown = path.read_text(encoding="utf-8")
    sections = _SECTION.split(markdown)[1:]
    short: list[str] = []
    sentences: list[Sentence] = []
    for heading, body in zip(sections[::2], sections[1::2]):
        if heading == IN_SHORT:
            short += map(_plain, _ITEM.findall(body))
        sentences += (
            Sentence(rule, heading, _plain(text)) for rule, text in _SENTENCE.findall(body)
        )
    return RuleText(markdown, tuple(short), tuple(sentences))


def folder_of(game: Game) -> Path:
    """The folder with the game's own file; its texts and lessons are in folders there."""
    return Path(import_module(game.position_type.__module__).__file__ or "").parent


def sentence(game: Game, rule: str) -> str:
    """The words of a rule by its number, "" if the game's text lacks it."""
    return next((each.text for each in rule_text(game).sentences if each.rule == rule), "")


def _plain(text: str) -> str:
    """A text on one line, without emphasis and code marks."""
    return " ".join(re.sub("[*`]", "", text).split())
