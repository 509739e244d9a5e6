"""Describes a game in words, for people at a terminal and for screen readers."""

import re
from collections.abc import Iterator
from textwrap import wrap
from typing import Any

View = dict[str, Any]

_WIDTH = 78
_DEEDS = {"pass": "passes", "resign": "resigns", "swap": "swaps", "swap-sides": "swaps"}
_CHANCE = re.compile(r"(?P<who>.+?) wins (?P<chance>[0-9.]+)%")
_EXPLAINED = 12  # up to this many steps are listed with their meaning; more are only named


def title(view: View, color: str) -> str:
    """The game's name for a player."""
    return str(view["game"]["colors"][color]["title"])


def turn_told(view: View) -> list[str]:
    """The last turn and its effects, in sentences."""
    last = view["last"]
    if last is None or view["turn"].get("selected"):
        return []
    who, word = title(view, last["color"]), last["turn"]
    lines = [f"{last['number']}. {who} {_DEEDS.get(word, f'plays {word}')}."]
    for why in last.get("why", ()):
        lines.append(f"   {_sentence(why['text'])} ({why['rule']})")
    return lines


def next_told(view: View) -> list[str]:
    """Who is to move and what the turn needs; or how the game ended, and by which rule if any."""
    outcome = view["outcome"]
    if outcome is not None:
        winner = outcome["winner"]
        how = "A draw" if winner is None else f"{title(view, winner)} wins"
        reason = _sentence(outcome["text"])
        rule = f" ({outcome['rule']})" if outcome["rule"] else ""
        return [f"The game is over. {how}, {outcome['result']}. {reason}{rule}"]
    turn = view["turn"]
    if chosen := turn.get("selected"):
        who = title(view, turn["to_move"])
        return [f"{who} has chosen {' '.join(chosen)}. Type the whole step:", *steps_told(view)]
    begun = f" The turn so far: {'/'.join(turn['steps'])}." if turn["steps"] else ""
    lines = [f"{title(view, turn['to_move'])} is to move. {_sentence(turn['wants'])}{begun}"]
    lines += [f"   {button['step']}: {_sentence(button['text'])}" for button in view["buttons"]]
    return lines


def board_told(view: View) -> list[str]:
    """All pieces by kind, the areas named in the rules, and the score."""
    game = view["game"]
    found: dict[str, list[str]] = {}
    for piece in view["pieces"]:
        found.setdefault(piece["text"], []).append(piece["at"])
    lines = [f"{game['title']}, {game['size']} by {game['size']}."]
    if not found:
        lines.append("The board is empty.")
    for text, vertices in sorted(found.items()):
        count = f"{len(vertices)} times " if len(vertices) > 1 else ""
        lines += _wrapped(f"{count}{text}: {', '.join(sorted(vertices, key=_place))}.")
    for area in view["areas"]:
        lines += _wrapped(f"{area['kind'].capitalize()} {area['text']}.")
    score = view["score"]
    if score is not None:
        black, white = (f"{title(view, color)} {score[color]}" for color in ("black", "white"))
        lines.append(f"Score now: {black}, {white} {score['unit']}.")
    return lines


def steps_told(view: View) -> list[str]:
    """The legal steps."""
    steps = list(leaves(view))
    if not steps:
        return ["No step is legal: the game is over."]
    if len(steps) <= _EXPLAINED:
        return [f"   {step}: {_sentence(text)}" for step, text in steps]
    return [f"{len(steps)} steps are legal:", *_wrapped(" ".join(step for step, _ in steps))]


def leaves(view: View) -> Iterator[tuple[str, str]]:
    """Each legal step and its meaning."""
    waiting = list(reversed(view["options"]))
    while waiting:
        option = waiting.pop()
        waiting.extend(reversed(option.get("then", ())))
        if "step" in option:
            yield option["step"], option["text"]
    for button in view["buttons"]:
        yield button["step"], button["text"]


def refusal_told(refused: View) -> list[str]:
    """Why a turn is refused, and what can be played there instead."""
    rule = f" ({refused['rule']})" if refused["rule"] else ""
    lines = [f"{_sentence(refused['text'])}{rule}"]
    for instead in refused["instead"]:
        lines.append(f"   Instead {instead['step']}: {_sentence(instead['text'])}")
    return lines


def hint_told(view: View, hint: View) -> list[str]:
    """The turn of a hint, and why, with the chance of the color to move."""
    word, lines = hint["word"], list(hint["lines"])
    mover = title(view, view["turn"]["to_move"])
    found = _CHANCE.match(lines[0]) if lines else None
    if found is not None and found["who"] != mover:
        own = 100 - float(found["chance"])
        lines[0] = f"{mover} wins {own:.1f}%{lines[0][found.end() :]}"
    return [*([] if word is None else [f"Play {word}."]), *(f"   {line}" for line in lines)]


def example(view: View) -> str:
    """A legal step, from the middle of the list; "" after the end."""
    steps = [step for step, _ in leaves(view)]
    return steps[len(steps) // 2] if steps else ""


def rules_told(rules: View) -> list[str]:
    """The rules in short, then every rule with its number.

    An item of the rules in short is a text, or has pictures beside its text.
    """
    short = [item["text"] if isinstance(item, dict) else item for item in rules["summary"]]
    lines = [line for text in short for line in _wrapped(text)]
    heading = ""
    for sentence in rules["sentences"]:
        if sentence["heading"] != heading:
            heading = sentence["heading"]
            lines += ["", heading]
        lines += _wrapped(f"{sentence['rule']}. {sentence['text']}")
    return lines


def _sentence(text: str) -> str:
    """A text with a capital letter at the start and a full stop at the end."""
    text = text.strip()
    # A text that begins with a vertex or a step keeps its case.
    if text[:1].islower() and not any(letter.isdigit() for letter in text.split()[0]):
        text = text[0].upper() + text[1:]
    return text if text.endswith((".", "!", "?", ":")) else f"{text}."


def _wrapped(text: str) -> list[str]:
    return wrap(text, _WIDTH, subsequent_indent="   ", break_long_words=False) or [""]


def _place(vertex: str) -> tuple[str, int]:
    return vertex[:1], int(vertex[1:]) if vertex[1:].isdigit() else 0
