"""Transcripts with expectations: .tst files, in the format of GNU Go and gogui-regress.

    # a comment
    play b c4
    10 game-to_move
    #? [white]

A line is sent unchanged. A numbered command is a test. `#? [REGEX]` after it requires a match of
the whole text of the response, `#? [!REGEX]` forbids it. A `*` at the end expects the test to fail.
A failure response fails a test; if a failure is expected, its text must match, so that a transcript
can require a certain error.
"""

import re
from collections.abc import Callable, Iterator
from enum import Enum
from typing import NamedTuple

from gtp_engine.gtp.wire.line import parse_line
from gtp_engine.gtp.wire.response import Response

_EXPECTATION = re.compile(r"#\?\s*(?:\[(?P<not>!?)(?P<pattern>.*)\](?P<fails>\*?))?\s*")


class Verdict(Enum):
    """The result of a test; results in capitals are unexpected."""

    PASSED = "passed"
    SURPRISINGLY_PASSED = "PASSED"
    FAILED = "failed"
    SURPRISINGLY_FAILED = "FAILED"

    @property
    def surprising(self) -> bool:
        """Whether the result differs from the expected one."""
        return self.value.isupper()


class Expectation(NamedTuple):
    """The requirement of a `#?` line."""

    pattern: str = ".*"
    negated: bool = False
    fails: bool = False

    def __str__(self) -> str:
        return f"[{'!' * self.negated}{self.pattern}]{'*' * self.fails}"

    @classmethod
    def parse(cls, line: str) -> "Expectation":
        """The expectation of a line. Raises ValueError for a malformed one."""
        match = _EXPECTATION.fullmatch(line)
        if not match:
            raise ValueError(f"malformed expectation: {line}")
        if match["pattern"] is None:
            return cls()
        pattern = match["pattern"].strip()
        re.compile(pattern)
        return cls(pattern, bool(match["not"]), bool(match["fails"]))

    def verdict(self, response: Response) -> Verdict:
        """The result of the test, from its response."""
        text = response.text.strip()
        found = re.fullmatch(self.pattern, text, re.DOTALL | re.MULTILINE) is not None
        if response.success:
            good = found != self.negated
            if self.fails:
                return Verdict.SURPRISINGLY_PASSED if good else Verdict.FAILED
            return Verdict.PASSED if good else Verdict.SURPRISINGLY_FAILED
        return Verdict.FAILED if self.fails and found else Verdict.SURPRISINGLY_FAILED


class TranscriptCommand(NamedTuple):
    """A command with its expectation."""

    line: str
    expectation: Expectation | None

    @property
    def number(self) -> int | None:
        """The id of the command, None without one."""
        command = parse_line(self.line)
        return command.id if command else None


class TranscriptResult(NamedTuple):
    """The result of a test; `verdict` is None for a command without number that succeeded."""

    trial: TranscriptCommand
    response: Response | None
    verdict: Verdict | None


def parse(text: str) -> list[TranscriptCommand]:
    """The commands of a transcript. Raises ValueError with the number of a malformed line."""
    tests: list[TranscriptCommand] = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("#?"):
            if not tests or tests[-1].expectation is not None:
                raise ValueError(f"line {number}: no command before {line}")
            try:
                tests[-1] = TranscriptCommand(tests[-1].line, Expectation.parse(line))
            except (ValueError, re.error) as error:
                raise ValueError(f"line {number}: {error}") from None
        elif line.strip() and not line.startswith("#"):
            tests.append(TranscriptCommand(line, None))
    return tests


def run(
    trials: list[TranscriptCommand], send: Callable[[str], Response | None]
) -> Iterator[TranscriptResult]:
    """Send the commands one by one, and compare the responses. Raises what `send` raises.

    send -- sends a line; returns the response, or None for a line without a command
    """
    for trial in trials:
        response = send(trial.line)
        expectation = trial.expectation or Expectation()
        silent = trial.expectation is None and trial.number is None
        if response is None or (silent and response.success):
            yield TranscriptResult(trial, response, None)
        else:
            yield TranscriptResult(trial, response, expectation.verdict(response))
