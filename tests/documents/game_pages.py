"""The heads of the games' pages: the rules from the package, with pictures, and a whole game."""

import re
from collections.abc import Iterator

from documents.game_pictures import GAMES, moments, record_of
from gtp_engine.engine.tasks.lessons import Picture, lessons_of
from gtp_engine.rules.game import Game
from gtp_engine.rules.notation.rule_text import IN_SHORT, rule_text

PICTURES = "../pictures"

# The head ends here; the rest of a page is written by hand.
_AFTER_RULES = "\n## Rulings\n"

# What several games have in common, and where it is explained.
_COMPARED = "cancel in pairs"
_COMPARISON = "See [how groups are compared](README.md#how-groups-are-compared)."

_TITLE = re.compile(r"\A# .+\n")
_IN_SHORT = re.compile(rf"^## {IN_SHORT}\n\n(.+?)(?=\n## )", re.MULTILINE | re.DOTALL)
_ITEM = re.compile(r"^([0-9]+)\. .+?\n(?=[0-9]|\Z)", re.MULTILINE | re.DOTALL)


def game_page(game: Game, page: str) -> str:
    """The page of a game, with the package's text of the rules at the top."""
    text = rule_text(game).markdown
    if not text:
        return page
    _, mark, rest = page.partition(_AFTER_RULES)
    lead = shown(game.name, f"A position of {game.title}")
    text = _TITLE.sub(lambda title: f"{title[0]}\n{lead}", text)
    text = _IN_SHORT.sub(lambda found: _learnt(game, found[1]), text)
    return text + mark + rest


def name_of(game: Game, picture: Picture) -> str:
    """The name of a picture of the rules in short: those of one item have a letter."""
    alike = [each for each in lessons_of(game).pictures if each.item == picture.item]
    letter = "abcdefgh"[alike.index(picture)] if len(alike) > 1 else ""
    return f"{game.name}-{picture.item}{letter}"


def shown(name: str, text: str, kind: str = "png", indent: str = "") -> str:
    """A picture of both themes on a page."""
    lines = (
        "<picture>",
        f'  <source media="(prefers-color-scheme: dark)" srcset="{PICTURES}/{name}-dark.{kind}">',
        f'  <img alt="{text}" src="{PICTURES}/{name}.{kind}">',
        "</picture>",
    )
    return "".join(f"{indent}{line}\n" for line in lines)


def _learnt(game: Game, items: str) -> str:
    """The rules in short, a whole game, and the way to the page of first strategy."""
    strategy = f"{game.name}-strategy.md"
    more = f"\n[First strategy]({strategy})\n" if (GAMES / strategy).exists() else ""
    return _short(game, items) + _whole_game(game) + more


def _short(game: Game, items: str) -> str:
    """The rules in short, each with its pictures and their words."""

    def with_pictures(item: re.Match[str]) -> str:
        indent = " " * (len(item[1]) + 2)
        pictures = [each for each in lessons_of(game).pictures if each.item == int(item[1])]
        parts = [f"{item[0]}\n"]
        if _COMPARED in item[0]:
            parts.append(f"{indent}{_COMPARISON}\n\n")
        for each in pictures:
            parts.append(shown(f"games/{name_of(game, each)}", _alt(each), "svg", indent))
            parts.append(f"\n{indent}*{each.text}*\n\n")
        return "".join(parts)

    return f"## {IN_SHORT}\n\n{_ITEM.sub(with_pictures, items)}"


def _alt(picture: Picture) -> str:
    """What a picture is, beside its words."""
    if not picture.turn:
        return "A position"
    return f"The board before and after {picture.turn}"


def _whole_game(game: Game) -> str:
    """The game that moves, its record, and the same in words."""
    size = record_of(game.name).position.size
    picture = shown(f"games/{game.name}-game", f"A whole game of {game.title}, turn by turn", "svg")
    rows = "".join(f"| {head} | {words} |\n" for head, words in _told(game))
    return (
        f"## A whole game\n\n{picture}\n"
        f"A game on {size}x{size}. This command makes a page to step through it, from "
        f"[its record]({game.name}.sgf):\n\n"
        f"    bin/gtp-engine replay protocol_specs/games/{game.name}.sgf -o {game.name}.html\n\n"
        "<details>\n<summary>The same game in words</summary>\n\n"
        f"| turn | what happens |\n| --- | --- |\n{rows}\n</details>\n"
    )


def _told(game: Game) -> Iterator[tuple[str, str]]:
    """The turns of the game and their effects."""
    words: dict[str, list[str]] = {}
    for moment in list(moments(record_of(game.name)))[1:]:
        words.setdefault(moment.head, []).extend(moment.lines)
    for head, lines in words.items():
        yield head, " ".join(lines)
