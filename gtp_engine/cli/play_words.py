"""Describes a game in words, for people at a terminal and for screen readers."""

from collections.abc import Iterator
from textwrap import wrap
from typing import Any

View = dict[str, Any]

_WIDTH = 78
_EXPLAINED = 12  # up to this many steps are listed with their meaning; more are only named


def title(view: View, color: str) -> str:
    """The game's name for a player."""
    return str(view["game"]["colors"][color]["title"])


def turn_told(view: View) -> list[str]:
    """The last turn and its effects, in sentences."""
    last = view["last"]
    if last is None or view["turn"].get("selected"):
        return []
    lines = [f"{last['number']}. {last['text']}."]
    for why in last.get("why", ()):
        lines.append(f"   {_sentence(why['text'])} ({why['rule']})")
    return lines


def next_told(view: View) -> list[str]:
    """Who is to move and what the turn needs; or how the game ended, and by which rule if any."""
    outcome = view["outcome"]
    if outcome is not None:
        rule = f" ({outcome['rule']})" if outcome["rule"] else ""
        return [f"The game is over. {outcome['title']}. {_sentence(outcome['text'])}{rule}"]
    turn = view["turn"]
    if chosen := turn.get("selected"):
        who = title(view, turn["to_move"])
        return [f"{who} has chosen {' '.join(chosen)}. Type the whole step:", *steps_told(view)]
    begun = f" The turn so far: {'/'.join(turn['steps'])}." if turn["steps"] else ""
    lines = [f"{turn['text']}.{begun}"]
    lines += [f"   {button['step']}: {_sentence(button['text'])}" for button in view["buttons"]]
    return lines


def board_told(view: View) -> list[str]:
    """All pieces by kind, the areas named in the rules, and the score."""
    game = view["game"]
    lines = [f"{game['title']}, {game['size']} by {game['size']}."]
    for text in view["listed"] or ["The board is empty"]:
        lines += _wrapped(f"{text}.")
    for area in view["areas"]:
        lines += _wrapped(f"{area['text']}.")
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


def hint_told(hint: View) -> list[str]:
    """The turn of a hint, and why."""
    word = hint["word"]
    return [*([] if word is None else [f"Play {word}."]), *(f"   {line}" for line in hint["lines"])]


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
