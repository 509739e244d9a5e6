"""`gtp-arena tune`: searches for better settings of an engine, or continues a search."""

import argparse
import json
import re
from collections.abc import Mapping, Sequence
from contextlib import closing
from typing import Any

from gtp_engine.arena import ArenaError
from gtp_engine.arena.playing.match import Runner, Workers
from gtp_engine.arena.playing.openings import Book, book
from gtp_engine.arena.playing.stopping import StopRequest
from gtp_engine.arena.setup.config import Match
from gtp_engine.arena.setup.setting_values import written
from gtp_engine.arena.setup.tables import tables_of
from gtp_engine.arena.storage.store import Store
from gtp_engine.arena.tuning.tune import (
    Standing,
    TrialSettings,
    Tuner,
    chance_alone,
    opponents,
    probe,
    trial_match,
)
from gtp_engine.arena.values import Identity, Trial
from gtp_engine.base.files import write_file
from gtp_engine.base.kernel_build import wait_telling
from gtp_engine.base.log import log_to_stderr, on_first_use
from gtp_engine.base.numbers import number_of
from gtp_engine.base.own_commands import own_command
from gtp_engine.base.retrying import Outlasted
from gtp_engine.base.statistics.statistics import Estimate
from gtp_engine.cli.arena_play import (
    check_openings,
    check_programs,
    identities,
    interrupts,
    open_workers,
    patience,
    print_line,
    say,
)
from gtp_engine.cli.arena_progress import progress
from gtp_engine.cli.interrupts import INTERRUPTED

PROGRAM = "gtp-arena tune"

# Settings in the final table.
_LISTED = 10


def main(options: argparse.Namespace) -> int:
    """Tune. Returns 0, or 130 if interrupted. Raises ArenaError or OSError."""
    on_first_use(log_to_stderr)
    return _run(options)


def _run(options: argparse.Namespace) -> int:
    match: Match
    (match,) = options.matches
    wait_telling(PROGRAM)
    openings = book(match.openings, match.seed)
    if not options.cluster:
        check_programs(match)
        probe(match)
    stop = StopRequest()
    with interrupts(stop, PROGRAM), closing(openings):
        check_openings(match, openings, _pairs(match), PROGRAM, stop)
        if options.cluster:  # one that cannot be reached leaves no file
            with open_workers(match, options.cluster, stop, PROGRAM):
                pass
        with closing(Store(options.db, patience=patience(match, PROGRAM, stop))) as store:
            known = {} if options.cluster else identities(match, PROGRAM, stop)
            store.begin(match, known, options.accept_changed_engines)
            whole = _Tuning(match, store, openings, options, stop, known).play()
    if not whole:
        say(PROGRAM, "stopped; run the same command to continue")
    return 0 if whole else INTERRUPTED


def _pairs(match: Match) -> range:
    """The numbers of the pairs of games in a new tuning."""
    trials = match.tune.trials if match.tune else 1
    return range(match.start, match.start + trials * (match.games // 2))


class _Tuning:
    """A tuning in progress."""

    def __init__(
        self,
        match: Match,
        store: Store,
        openings: Book,
        options: argparse.Namespace,
        stop: StopRequest,
        known: Mapping[str, Identity],
    ) -> None:
        """
        known -- the identities of the engines
        """
        self._match = match
        self._known = known
        self._store = store
        self._openings = openings
        self._tuner = Tuner(match, store)
        self._options = options
        self._workers: Workers | None = None
        self._begun = False
        self._stop = stop
        stop.on_abandon(self._abandon)

    def play(self) -> bool:
        """Play all trials, print each and the result; False if somebody stopped it."""
        try:
            self._play_all()
        except (ArenaError, Outlasted) as error:
            self._tell_end("failed", str(error))
            raise
        standings = self._tuner.standings()
        self._tell_standings(standings)
        if standings and not self._stop.asked:
            self._tell_best(standings)
        self._tell_end("stopped" if self._stop.asked else "complete")
        return not self._stop.asked

    def _play_all(self) -> None:
        for trial in self._tuner.trials():
            self._play(trial)
            if self._stop.asked:
                return
            self._tell_trial(trial)

    def _play(self, trial: Trial) -> None:
        """Play the missing games of a trial. Its engines end with it: the next one has others."""
        match = trial_match(self._match, trial)
        tried, original = match.engines[0].name, self._match.engines[0].name
        known = dict(self._known)
        if original in known:
            known[tried] = known[original]  # else each trial could try another build
        with open_workers(
            match, self._options.cluster, self._stop, PROGRAM, known, begun=self._begun
        ) as workers:
            self._workers, self._begun = workers, True
            store, openings, stop = self._store, self._openings, self._stop
            runner = Runner(match, store, openings, workers, stop, tried, original)
            title = f"{self._numbered(trial)}: {_words(trial.settings)}"
            with closing(progress(match, runner, self._options.json, title)) as shown:
                for event in runner.run():
                    shown.show(event)
        self._workers = None

    def _abandon(self) -> None:
        if self._workers is not None:
            self._workers.abandon()

    @property
    def _trials(self) -> int:
        """The number of trials of the whole tuning."""
        return self._match.tune.trials if self._match.tune else 0

    def _numbered(self, trial: Trial) -> str:
        return f"trial {trial.number}/{self._trials}"

    def _tell_trial(self, trial: Trial) -> None:
        counts = self._tuner.counts(trial)
        if not counts.units:  # the tuner ends the search with a sentence
            return
        best = self._tuner.standings()[0]
        if self._options.json:
            told = {"trial": trial.number, "trials": self._trials, "settings": trial.settings}
            told |= {"pairs": counts.numbers, "score": round(counts.mean, 4)}
            self._write("trial", told | {"best": _as_table(best)})
            return
        score = f"{counts.mean * counts.games:g}/{counts.games}"
        leader = f"best: {_words(best.settings)}, {_percent(best.expected)} expected"
        said = f"{self._numbered(trial)}: {_words(trial.settings)}: {score}; {leader}"
        print_line(said)

    def _tell_standings(self, standings: Sequence[Standing]) -> None:
        if self._options.json:
            self._write("standings", {"standings": [_as_table(each) for each in standings]})
            return
        against = ", ".join(engine.name for engine in opponents(self._match))
        print(f"\nScores against {against}, with intervals of 95 %; the best {_LISTED}:")
        print(f"{'trials':<14}{'games':>6}  {'score':<18}{'expected':<18}settings")
        for each in standings[:_LISTED]:
            numbers = _numbers(each.trials)
            score, expected = _percent(each.score), _percent(each.expected)
            head = f"{numbers:<14}{each.counts.games:>6}  {score:<18}{expected:<18}"
            print(f"{head}{_words(each.settings)}")

    def _tell_best(self, standings: Sequence[Standing]) -> None:
        """Print the best settings, and write the match that confirms them."""
        best = standings[0].settings
        path = self._options.db.with_suffix(".best.toml")
        write_file(path, _toml(self._tuner.confirmation(best)).encode())
        words = ["run", str(path), "--db", str(path.with_suffix(".db"))]
        command = own_command("gtp-arena", words)
        if self._options.json:
            self._write("best", {"settings": best, "confirmation": command})
        else:
            chance = chance_alone([each.counts for each in standings])
            lucky = "The best of many trials was also lucky"
            why = "Chance explains all differences" if chance else lucky
            print(f"\nBest: {_words(best)}\n{why}. Confirm it: {command}")

    def _tell_end(self, why: str, error: str | None = None) -> None:
        """Print the last line: see the event `end` of a match. Other ends are told on stderr."""
        games, trials = len(self._store.numbers()), len(self._store.trials())
        if self._options.json:
            told = {"why": why, "error": error, "trials": trials, "played": games}
            self._write("end", told)
        elif why == "complete":
            played = f"{number_of(trials, 'trial')}, {number_of(games, 'game')}"
            print_line(f"\nThe tuning is complete: {played}.")

    def _write(self, event: str, told: dict[str, Any]) -> None:
        print_line(json.dumps({"event": event} | told))


def _as_table(standing: Standing) -> dict[str, Any]:
    """Settings with their results, for JSON."""
    return {
        "settings": standing.settings,
        "trials": standing.trials,
        "pairs": standing.counts.numbers,
        "score": [round(number, 4) for number in standing.score],
        "expected": [round(number, 4) for number in standing.expected],
    }


def _words(settings: TrialSettings) -> str:
    return " ".join(f"{key}={written(value)}" for key, value in settings.items())


def _numbers(trials: Sequence[int]) -> str:
    """The numbers of the first few trials."""
    few = " ".join(map(str, trials[:3]))
    return f"{few} ..." if len(trials) > 3 else few


def _percent(estimate: Estimate) -> str:
    value, low, high = (100 * number for number in estimate)
    return f"{value:.1f} % [{low:.0f}, {high:.0f}]"


def _toml(match: Match) -> str:
    """A match in the format of `read_match`: one line per value, inner tables in braces."""
    return "".join(f"{key} = {_value(value)}\n" for key, value in tables_of(match).items())


def _value(value: Any) -> str:
    if isinstance(value, dict):
        inner = (f"{_key(key)} = {_value(each)}" for key, each in value.items())
        return f"{{ {', '.join(inner)} }}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else _value(key)
