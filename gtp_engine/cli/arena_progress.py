"""A match as it goes: a bar on a terminal, lines elsewhere, JSON lines for scripts."""

import json
import sys
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from gtp_engine.arena.config import Match
from gtp_engine.arena.match import Event, Played, Runner, Voided
from gtp_engine.arena.records import GameResult, as_table
from gtp_engine.arena.statistics import elo

if TYPE_CHECKING:
    from rich.console import RenderableType


class Progress(ABC):
    """Shows a match."""

    def __init__(self, match: Match, runner: Runner) -> None:
        self.match = match
        self.runner = runner

    @abstractmethod
    def show(self, event: Event) -> None:
        """Show what has happened."""

    def close(self) -> None:  # noqa: B027
        """Show no more."""

    def score(self) -> str:
        """The state of a match between two engines, in words."""
        tally, test = self.runner.tally, self.match.sprt
        if len(self.match.engines) != 2:
            return ""
        first, second = (engine.name for engine in self.match.engines)
        losses, draws, wins = tally.games_between(first, second).numbers
        words = [f"{first} {wins} - {losses} {second}, {draws} draws"]
        pairs = tally.pairs(first, second)
        estimate = elo(pairs) if pairs.units else None
        if estimate is not None:
            words.append(f"Elo {estimate.value:+.0f} [{estimate.low:+.0f}, {estimate.high:+.0f}]")
        if test is not None:
            bounds = test.test().bounds
            llr = test.test().llr(pairs)
            words.append(f"LLR {llr:.2f} [{bounds.lower:.2f}, {bounds.upper:.2f}]")
        return ", ".join(words)


class Bar(Progress):
    """A bar on a terminal, with the score below it, and a line for what went wrong."""

    def __init__(self, match: Match, runner: Runner) -> None:
        from rich.console import Console
        from rich.live import Live
        from rich.progress import BarColumn, MofNCompleteColumn, TimeRemainingColumn
        from rich.progress import Progress as RichProgress

        super().__init__(match, runner)
        columns = BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
        self._bar = RichProgress(*columns)
        self._task = self._bar.add_task("", total=runner.total, completed=runner.tally.games)
        self._live = Live(self._picture(), console=Console(stderr=True), transient=True)
        self._live.start()

    def show(self, event: Event) -> None:
        match event:
            case Played(result) if result.fault:
                self._say(sentence(result))
            case Voided():
                self._say(void_sentence(event))
        if isinstance(event, Played):
            self._bar.update(self._task, completed=self.runner.tally.games)
            self._live.update(self._picture())

    def close(self) -> None:
        self._live.stop()

    def _picture(self) -> "RenderableType":
        from rich.console import Group
        from rich.text import Text

        return Group(self._bar, Text(self.score()))

    def _say(self, text: str) -> None:
        self._live.console.print(text, markup=False, highlight=False)


class Lines(Progress):
    """One line a game."""

    def show(self, event: Event) -> None:
        match event:
            case Played(result):
                done = f"{self.runner.tally.games}/{self.runner.total}"
                score = self.score()
                print(f"{done} {sentence(result)}{score and f'; {score}'}", flush=True)
            case Voided():
                print(void_sentence(event), flush=True)


class JsonLines(Progress):
    """One JSON object an event, for scripts; keys may be added, but not change."""

    def show(self, event: Event) -> None:
        match event:
            case Played(result):
                done = {"played": self.runner.tally.games, "total": self.runner.total}
                self._write({"event": "game"} | done | as_table(result))
            case Voided(key, reason, given_up):
                self._write(
                    {"event": "void", "game": str(key), "reason": reason, "given_up": given_up}
                )

    def _write(self, table: dict[str, Any]) -> None:
        print(json.dumps(table), flush=True)


def progress(match: Match, runner: Runner, as_json: bool) -> Progress:
    """What suits the place that the output goes to."""
    if as_json:
        return JsonLines(match, runner)
    return (Bar if sys.stderr.isatty() and sys.stdout.isatty() else Lines)(match, runner)


def sentence(result: GameResult) -> str:
    """A game in one line."""
    return f"{result.key}: {result.result}, {result.reason}"


def void_sentence(event: Voided) -> str:
    """A game that came to nothing, in one line."""
    then = "given up" if event.given_up else "to be played again"
    return f"void: {event.key}: {event.reason}; {then}"
