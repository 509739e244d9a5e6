"""RefusedLine lines: one object each, with a code for programs and a sentence for people."""

from typing import Any

CODES = {
    "bad-json": "the line is not a JSON object in UTF-8",
    "bad-field": "a field is missing, has an unfit value, or does not go with another; `field`",
    "illegal-turn": "a turn of `moves` is illegal; `turn` is its place in `moves`, from 1, and "
    "`rule` the rule that forbids it, if a rule does",
    "bad-sgf": "`sgf` is not a game of ours",
    "too-long": "the line is too long; its rest is skipped",
    "too-many": "too many positions wait already",
    "internal": "a fault of the engine; the position has a final line with `noResults`",
}
"""The codes of errors and what they mean, in Markdown."""


class RefusedLine(Exception):
    """A line that cannot be answered, or only with an error.

    code  -- a key of CODES
    field -- the field at fault
    turn  -- the place of an illegal turn in `moves`, from 1
    rule  -- the rule that it breaks
    """

    def __init__(
        self, code: str, text: str, field: str = "", turn: int | None = None, rule: str = ""
    ) -> None:
        super().__init__(text)
        self.code, self.text, self.field, self.turn, self.rule = code, text, field, turn, rule

    def told(self) -> dict[str, Any]:
        """The error as an object, without an id."""
        more = {"field": self.field, "turn": self.turn, "rule": self.rule}
        return {"error": self.text, "code": self.code} | {
            key: more[key] for key in more if more[key]
        }
