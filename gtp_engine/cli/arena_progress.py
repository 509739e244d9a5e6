"""A match as it goes: a bar on a terminal, lines elsewhere, JSON lines for scripts."""

import json
import sys
from abc import ABC, abstractmethod
from typing import Any

from gtp_engine.arena.config import Match
from gtp_engine.arena.match import Event, Played, Runner, Voided
from gtp_engine.arena.records import GameResult, as_table
from gtp_engine.arena.statistics import elo


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
    """A bar on a terminal, with the score, and a line for what went wrong."""

    def __init__(self, match: Match, runner: Runner, transient: bool = False) -> None:
        """`transient` takes it away at the end."""
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as RichProgress

        super().__init__(match, runner)
        self._bar = RichProgress(
            BarColumn(24),
            MofNCompleteColumn(),
            TimeRemainingColumn(elapsed_when_finished=True),
            TextColumn("{task.description}", markup=False),
            console=Console(stderr=True),
            transient=transient,
        )
        self._task = self._bar.add_task(self.score(), total=runner.total)
        self._bar.start()
        self._bar.update(self._task, completed=runner.tally.games)

    def show(self, event: Event) -> None:
        match event:
            case Played(result) if result.fault:
                self._bar.console.print(sentence(result), markup=False, highlight=False)
            case Voided():
                self._bar.console.print(void_sentence(event), markup=False, highlight=False)
        if isinstance(event, Played):
            done = self.runner.tally.games
            self._bar.update(self._task, completed=done, description=self.score())

    def close(self) -> None:
        self._bar.stop()


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
