"""The progress of a match: a bar on a terminal, lines elsewhere, JSON lines for scripts."""

import json
import sys
import time
from typing import TYPE_CHECKING, Any

from gtp_engine.arena.playing.match import Event, PausedTurns, Played, Runner, Voided
from gtp_engine.arena.reporting.findings import Findings
from gtp_engine.arena.reporting.json_document import pools_table, test_table
from gtp_engine.arena.reporting.sheets import ratings
from gtp_engine.arena.reporting.wording import number_of, rated
from gtp_engine.arena.setup.config import Match
from gtp_engine.arena.values import GameResult, as_table
from gtp_engine.base.statistics.statistics import elo
from gtp_engine.cli.arena_play import print_line

if TYPE_CHECKING:
    from rich.console import RenderableType


# Seconds between two updates on a terminal, and between two lines elsewhere about a trial.
_REFRESH, _BETWEEN_LINES = 0.5, 60.0


class MatchProgress:
    """Shows the progress of a match. Here it prints only problems."""

    def __init__(self, match: Match, runner: Runner, title: str = "") -> None:
        """
        title -- of a trial, which is a small match among others
        """
        self.match = match
        self.runner = runner
        self.title = title
        self.many = len(match.engines) > 2
        self._round = 2 * len(list(match.pairings())) * len(list(match.played_boards()))

    def show(self, event: Event) -> None:
        """Show an event."""
        match event:
            case Played(result) if result.fault:
                self._say(_sentence(result))
            case Voided(key, reason, given_up):
                then = "given up" if given_up else "will be played again"
                self._say(f"void: {key}: {reason}; {then}")
            case PausedTurns(key, seconds):
                self._say(f"paused: {key}: {seconds:.1f} seconds, which no clock was charged")

    def close(self) -> None:
        """Stop showing."""

    def end(self, why: str, error: str | None = None) -> None:
        """Announce the end: `complete`, `decided`, `stopped` or `failed`."""

    def _say(self, text: str) -> None:
        print_line(text)

    @property
    def findings(self) -> Findings:
        """The results of the games so far."""
        return Findings(self.runner.tally, self.match)

    @property
    def round_over(self) -> bool:
        """Whether all pairs of engines have just completed another round."""
        games = self.runner.played
        return games % self._round == 0 or games == self.runner.total

    def score(self) -> str:
        """The score of a match between two engines, in words."""
        tally = self.runner.tally
        if self.many:
            return ""
        first, second = (engine.name for engine in self.match.engines)
        losses, draws, wins = tally.games_between(first, second).numbers
        words = [f"{first} {wins} - {losses} {second}, {number_of(draws, 'draw')}"]
        pairs = tally.pairs(first, second)
        estimate = elo(pairs) if pairs.units else None
        if estimate is not None:
            between = f"{estimate.value:+.0f} [{estimate.low:+.0f}, {estimate.high:+.0f}]"
            words.append(f"Elo of {number_of(pairs.units, 'complete pair')} {between}")
        if tally.test is not None:
            bounds = tally.test.sprt.bounds
            words.append(f"LLR {tally.test.llr:.2f} [{bounds.lower:.2f}, {bounds.upper:.2f}]")
        if self.match.anchors:
            words += _rated(self.findings, without_anchors=True)
        return ", ".join(words)


class Bar(MatchProgress):
    """A bar on a terminal, with the score below it, and a line per problem."""

    def __init__(self, match: Match, runner: Runner, title: str = "") -> None:
        from rich.console import Console
        from rich.live import Live
        from rich.progress import BarColumn, MofNCompleteColumn, TimeRemainingColumn
        from rich.progress import Progress as RichProgress

        super().__init__(match, runner, title)
        columns = BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
        self._bar = RichProgress(*columns)
        self._task = self._bar.add_task("", total=runner.total, completed=runner.played)
        self._live = Live(self._picture(), console=Console(stderr=True), transient=True)
        self._live.start()
        self._old, self._shown = False, time.monotonic()

    def show(self, event: Event) -> None:
        """Move the bar, and print a line for a game with a problem."""
        super().show(event)
        if isinstance(event, Played):
            self._bar.update(self._task, completed=self.runner.played)
            self._old = True
        if self._old and time.monotonic() > self._shown + _REFRESH:
            self._live.update(self._picture())
            self._old, self._shown = False, time.monotonic()

    def close(self) -> None:
        """Remove the bar from the screen."""
        self._live.stop()

    def _picture(self) -> "RenderableType":
        from rich.console import Group
        from rich.text import Text

        from gtp_engine.arena.reporting.terminal import table

        title = [Text(self.title)] if self.title else []
        if not self.many:
            return Group(*title, self._bar, Text(self.score()))
        return Group(*title, self._bar, *map(table, ratings(self.findings)))

    def _say(self, text: str) -> None:
        self._live.console.print(text, markup=False, highlight=False)


class Lines(MatchProgress):
    """One line per game, and with many engines the standings after each round."""

    def show(self, event: Event) -> None:
        """Print the game, and with many engines the standings after a round."""
        if not isinstance(event, Played):
            super().show(event)
            return
        done, score = f"{self.runner.played}/{self.runner.total}", self.score()
        self._say(f"{done} {_sentence(event.result)}{score and f'; {score}'}")
        if self.many and self.round_over:
            self._say(_standings(self.findings))


class TrialLines(MatchProgress):
    """A line now and then about the games of a trial, which has a line of its own at its end."""

    def __init__(self, match: Match, runner: Runner, title: str = "") -> None:
        super().__init__(match, runner, title)
        self._told = time.monotonic()

    def show(self, event: Event) -> None:
        """Print a problem, and how far the trial is if that was not told for a while."""
        super().show(event)
        now, played = time.monotonic(), self.runner.played
        going_on = isinstance(event, Played) and played < self.runner.total
        if going_on and now - self._told > _BETWEEN_LINES:
            self._told = now
            counts = self.runner.tally.games_of(self.match.engines[0].name)
            score = f"{counts.mean * counts.games:g}/{counts.games}"
            self._say(f"{self.title}: {played} of {self.runner.total} games, score {score}")


class JsonLines(MatchProgress):
    """One JSON object per event, for scripts; keys may be added but never change."""

    def __init__(self, match: Match, runner: Runner, title: str = "") -> None:
        super().__init__(match, runner, title)
        self._tested = 0
        self._decided = False

    def show(self, event: Event) -> None:
        """Print the game, and the test or the ratings after it."""
        match event:
            case Played(result):
                self._write({"event": "game"} | self._done() | as_table(result))
                self._tell_state()
            case Voided(key, reason, given_up):
                self._write(
                    {"event": "void", "game": str(key), "reason": reason, "given_up": given_up}
                )
            case PausedTurns(key, seconds):
                self._write({"event": "pause", "game": str(key), "seconds": round(seconds, 3)})

    def end(self, why: str, error: str | None = None) -> None:
        """Print how the match ended."""
        self._tell_decision()
        self._write({"event": "end", "why": why, "error": error} | self._done())

    def _done(self) -> dict[str, int]:
        return {"played": self.runner.played, "total": self.runner.total}

    def _tell_state(self) -> None:
        """Print the ratings after a round, and the test after a pair of games."""
        if self.findings.rated_pools and self.round_over:
            pools = pools_table(self.findings)
            self._write({"event": "ratings"} | self._done() | {"pools": pools})
        if self.many:
            return
        test = self.findings.test
        if test is not None and test.counts.units != self._tested:
            self._tested = test.counts.units
            self._write({"event": "test"} | test_table(test))
        self._tell_decision()

    def _tell_decision(self) -> None:
        """Print the decision of the test, once."""
        if self.runner.tally.decision is not None and not self._decided:
            self._decided = True
            assert self.findings.test is not None
            self._write({"event": "decision"} | test_table(self.findings.test))

    def _write(self, table: dict[str, Any]) -> None:
        self._say(json.dumps(table))


def progress(match: Match, runner: Runner, as_json: bool, trial: str = "") -> MatchProgress:
    """The kind of progress that suits the output.

    trial -- the title of a trial
    """
    if as_json:
        kind: type[MatchProgress] = JsonLines
    elif sys.stderr.isatty() and sys.stdout.isatty():
        kind = Bar
    else:
        kind = TrialLines if trial else Lines
    return kind(match, runner, trial)


def _sentence(result: GameResult) -> str:
    """A game in one line."""
    return f"{result.key}: {result.result}, {result.reason}"


def _standings(findings: Findings) -> str:
    """The standings of many engines in one line."""
    return f"standings: {', '.join(_rated(findings))}"


def _rated(findings: Findings, without_anchors: bool = False) -> list[str]:
    """The engines with their ratings, the best first."""
    return [
        f"{rating.engine} {rated(rating, pool.anchored)}"
        for pool in findings.pools
        for rating in pool.ratings
        if not (rating.anchor and without_anchors)
    ]
