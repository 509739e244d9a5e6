"""Checks an engine against protocol_specs, item by item."""

from collections import Counter
from collections.abc import Iterable, Iterator
from enum import Enum
from typing import Any, NamedTuple

from gtp_engine.arena.checking import check_commands, check_games, check_lines
from gtp_engine.arena.checking.check_subject import CheckItem, Flaw, Options, Skipped, Subject
from gtp_engine.gtp.client.faults import EngineFault

ITEMS: tuple[CheckItem, ...] = (*check_lines.ITEMS, *check_commands.ITEMS, *check_games.ITEMS)
"""All items, in order."""

_MOST_FLAWS = 5


class CheckStatus(Enum):
    """The result of an item."""

    PASSED = "passed"
    FAILED = "FAILED"
    SKIPPED = "skipped"


class CheckResult(NamedTuple):
    """The result of an item, its flaws if it failed, and optionally a note on what was done."""

    item: CheckItem
    verdict: CheckStatus
    flaws: tuple[Flaw, ...] = ()
    note: str = ""

    def lines(self) -> Iterator[str]:
        """The finding for people: one line, and three more per flaw."""
        note = f" ({self.note})" if self.note else ""
        yield f"{self.verdict.value:8}{self.item.id:22}{self.item.promise}{note}"
        for flaw in self.flaws:
            yield f"{'':10}sent      {flaw.sent}"
            yield f"{'':10}expected  {flaw.expected}"
            yield f"{'':10}got       {flaw.got}"
        if self.flaws:
            yield f"{'':10}see       protocol_specs/clients/{self.item.reference}"

    def record(self) -> dict[str, Any]:
        """The finding as a JSON object."""
        return {
            "item": self.item.id,
            "verdict": self.verdict.value.lower(),
            "promise": self.item.promise,
            "reference": self.item.reference,
            "flaws": [flaw._asdict() for flaw in self.flaws],
            "note": self.note,
        }


def check(command: str, options: Options) -> Iterator[CheckResult]:
    """Check an engine; yields the result of each item as soon as it is known.

    An engine that crashes or stops responding fails the item, and is restarted for the next.
    Raises CannotStart if it never responds.
    """
    subject = Subject(command, options)
    subject.survey()
    for item in ITEMS:
        if not item.id.startswith(options.only or ("",)):
            continue
        try:
            yield _examine(subject, item)
        finally:
            subject.release()


def count(verdicts: Iterable[CheckStatus]) -> dict[str, int]:
    """The number of verdicts of each kind."""
    counts = Counter(verdicts)
    return {verdict.value.lower(): counts[verdict] for verdict in CheckStatus}


def table() -> str:
    """The items as a Markdown table, for protocol_specs/clients/compliance.md."""
    rows = [f"| [`{item.id}`]({item.reference}) | {item.promise} |" for item in ITEMS]
    return "\n".join(["| item | says |", "| --- | --- |", *rows]) + "\n"


def _examine(subject: Subject, item: CheckItem) -> CheckResult:
    flaws: list[Flaw] = []
    try:
        subject.need(*item.needs)
        for flaw in item.examine(subject):
            flaws.append(flaw)
            if len(flaws) == _MOST_FLAWS:
                return CheckResult(item, CheckStatus.FAILED, tuple(flaws), "there may be more")
    except Skipped as reason:
        if not flaws:
            return CheckResult(item, CheckStatus.SKIPPED, note=str(reason))
    except EngineFault as fault:
        flaws.append(Flaw(subject.last_line, "an answer", f"{fault.kind}: {fault}"))
    if flaws:
        return CheckResult(item, CheckStatus.FAILED, tuple(flaws))
    return CheckResult(item, CheckStatus.PASSED, note=subject.note)
