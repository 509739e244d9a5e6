"""What an analyst says of a turn, as messages: hints, and warnings before a mistake.

The analyst may be anybody's engine, so everything it says is checked and limited.
"""

from typing import Any

from gtp_engine.board.table.messages import Message
from gtp_engine.board.table.shown_game import read_json

LONGEST_REMARK, MOST_REMARKS = 400, 10
"""Characters of a sentence for people, and sentences of one answer."""

_MOST_POINTS = 400
_MOST_TURNS = 10


def hint_of(text: str) -> Message | None:
    """The message `hint` from a response to `game-hint`; None if it cannot be read."""
    match read_json(text):
        case {"turn": str() | None as turn, "where": {"text": str(look), "points": points}} as told:
            where = {"text": look[:LONGEST_REMARK], "points": _words(points, _MOST_POINTS)}
            advice = {"kind": "hint", "word": turn and turn[:LONGEST_REMARK], "where": where}
            reasons = _reasons(told)
            lines = [each["text"] for each in reasons["why"]]
            return advice | reasons | {"lines": lines or [look[:LONGEST_REMARK]]}
    return None


def warning_of(text: str) -> tuple[float, Message] | None:
    """The loss, 0 to 1, and the message `sure`, from a response to `game-warning`."""
    told = read_json(text)
    loss = share(told.get("loss")) if isinstance(told, dict) else None
    return None if loss is None else (loss, {"kind": "sure", "loss": loss} | _reasons(told))


def sentence_of(reason: Message) -> str:
    """A reason of a hint or a warning, after its rule."""
    rule = f"{reason['rule']}: " if reason["rule"] else ""
    return f"{rule}{reason['text']}."


def _reasons(told: Any) -> Message:
    """The expected line in words and as it is drawn; and the reasons, see `_reason`."""
    why = told.get("why")
    found = [each for each in why if isinstance(each, dict)] if isinstance(why, list) else []
    return {
        "line": _words(told.get("line"), _MOST_TURNS),
        "drawn": _drawn(told.get("drawn")),
        "why": [_reason(each) for each in found[:MOST_REMARKS]],
    }


def _reason(told: Any) -> Message:
    """A text, a rule or None, and points."""
    text, rule = told.get("text"), told.get("rule")
    return {
        "text": text[:LONGEST_REMARK] if isinstance(text, str) else "",
        "rule": rule[:LONGEST_REMARK] if isinstance(rule, str) else None,
        "points": _words(told.get("points"), _MOST_POINTS),
    }


def _drawn(value: Any) -> list[list[Message]]:
    """How the turns of a line are drawn: the texts of each step, limited in number and length."""
    turns = value if isinstance(value, list) else []
    return [
        [texts for step in turn[:_MOST_POINTS] if "at" in (texts := _texts(step))]
        for turn in turns[:_MOST_TURNS]
        if isinstance(turn, list)
    ]


def _texts(told: Any) -> Message:
    found = (
        [(key, told.get(key)) for key in ("at", "to", "shape")] if isinstance(told, dict) else []
    )
    return {key: text[:LONGEST_REMARK] for key, text in found if isinstance(text, str)}


def _words(value: Any, most: int) -> list[str]:
    """Words of a list, limited in number and length."""
    if not isinstance(value, list):
        return []
    return [word[:LONGEST_REMARK] for word in value if isinstance(word, str)][:most]


def sentences(value: Any) -> tuple[str, ...]:
    """Sentences for people, limited in number and length."""
    return tuple(_words(value, MOST_REMARKS))


def share(value: Any) -> float | None:
    """A number from 0 to 1, else None."""
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1:
        return float(value)
    return None
