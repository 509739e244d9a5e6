"""Tuning: settings are proposed and tried in games; the results lead to the next proposal.

All state is in the store: the next trial follows from the stored trials and games. So a tuning can
continue after an interruption, and several processes can share it. Formulas and reasons:
protocol_specs/matches/tuning.md and protocol_specs/matches/simulations.md.
"""

import itertools
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from gtp_engine.arena.playing.match import MatchFailed
from gtp_engine.arena.playing.running_engine import Forfeit, RunningEngine
from gtp_engine.arena.setup.config import Engine, Match, SequentialTest, TuneConfig, WrongMatch
from gtp_engine.arena.setup.schedule import count_games
from gtp_engine.arena.setup.setting_values import Space, parse_values, written
from gtp_engine.arena.stats.tally import Tally
from gtp_engine.arena.storage.store import Store
from gtp_engine.arena.values import Trial
from gtp_engine.base.statistics.statistics import Counts, Estimate, score, student

TrialSettings = dict[str, str | int | float]

# The first trials are random. Later, every few trials repeat the best settings: the best result of
# many trials is partly luck, and repetition reveals that.
_RANDOM_TRIALS = 10
_REPEAT_EVERY = 4

# The difference that the confirming match detects, in normalized Elo, and its longest length.
_GAIN = 10.0
_MOST_GAMES = 20_000


# True scores deviate from their mean by at most 1/2; the number of steps of the integration.
_WIDEST = 0.5
_STEPS = 201


class Standing(NamedTuple):
    """The results of settings, possibly from several trials.

    trials   -- the numbers of these trials
    counts   -- the complete pairs of games
    score    -- their mean score, 0 to 1, with its interval, from these games alone
    expected -- the score that many games would show, estimated from all trials; it allows for the
                luck of the best one
    """

    settings: TrialSettings
    trials: tuple[int, ...]
    counts: Counts
    score: Estimate
    expected: Estimate


class Tuner:
    """Chooses the trials and evaluates their results."""

    def __init__(self, match: Match, store: Store) -> None:
        """Continue a tuning in the store, or begin it.

        Raises WrongMatch if the match has no tuned settings.
        """
        if match.tune is None:
            raise WrongMatch("tune: no setting is given")
        self._match = match
        self._tuning: TuneConfig = match.tune
        self._space = {key: parse_values(text) for key, text in match.tune.settings.items()}
        self._store = store
        self._tally = Tally()
        self._last = 0  # the number of the game that was read last

    def trials(self) -> Iterator[Trial]:
        """The unfinished trials, then new ones; play each before requesting the next.

        Raises MatchFailed if a trial has no complete pair, or if the engine lost all games by
        faults.
        """
        for number in itertools.count():
            trials = self._store.trials()
            if number == len(trials):
                if number >= self._tuning.trials:
                    return
                self._store.add_trial(self._next(trials))
                trials = self._store.trials()  # another process may have added one
            trial = trials[number]
            if self._played(trial) < count_games(trial_match(self._match, trial)):
                yield trial
            self._check(trial)

    def counts(self, trial: Trial) -> Counts:
        """The complete pairs of a trial, against all opponents."""
        self._read_news()
        name = _name(self._match, trial)
        return _sum(self._tally.pairs(name, engine.name) for engine in opponents(self._match))

    def standings(self) -> list[Standing]:
        """All settings with complete pairs, the best first."""
        return ranked([(trial, self.counts(trial)) for trial in self._store.trials()])

    def confirmation(self, best: TrialSettings) -> Match:
        """A match of the best against the original settings, with openings that no trial used."""
        engine = self._match.engines[0]
        return replace(
            self._match,
            engines=(_changed(engine, f"{engine.name} tuned", best), engine),
            games=_MOST_GAMES,
            start=_unused(self._match, self._store.trials()),
            sprt=SequentialTest(0.0, _GAIN),
            tune=None,
        )

    def _next(self, trials: Sequence[Trial]) -> Trial:
        number, match = len(trials) + 1, self._match
        settings = next_settings(self._space, self.standings(), number, match.seed)
        return Trial(number, settings, _unused(match, trials), match.games)

    def _played(self, trial: Trial) -> int:
        """The number of stored games of a trial."""
        self._read_news()
        return self._tally.games_of(_name(self._match, trial)).games

    def _read_news(self) -> None:
        for number, result in self._store.games(self._last):
            self._last = number
            self._tally.add(result, number)

    def _check(self, trial: Trial) -> None:
        """Check after a trial that continuing makes sense. Raises MatchFailed."""
        name = _name(self._match, trial)
        if not self.counts(trial).units:
            raise MatchFailed(f"{name}: no pair of games was completed")
        names = {_name(self._match, each) for each in self._store.trials()}
        lost = sum(self._tally.faults[key] for key in self._tally.faults if key[0] in names)
        if lost == self._tally.games:
            reason = self._tally.recent[-1].result.reason
            raise MatchFailed(f"all {lost} games so far were lost by faults: {reason}")


def opponents(match: Match) -> tuple[Engine, ...]:
    """The opponents of the tuned engine: the others, or its own unchanged copy if it is alone."""
    return match.engines[1:] or match.engines[:1]


def trial_match(match: Match, trial: Trial) -> Match:
    """A trial as a match."""
    tried = _changed(match.engines[0], _name(match, trial), trial.settings)
    return replace(
        match,
        engines=(tried, *opponents(match)),
        format="gauntlet",
        games=trial.games,
        start=trial.start,
        tune=None,
    )


def probe(match: Match) -> None:
    """Check that the engine accepts the limits of each range, and each word.

    Raises WrongMatch if it does not, or cannot be started.
    """
    engine = match.engines[0]
    tuning = match.tune or TuneConfig({})
    try:
        player = RunningEngine(engine, match.terms)
        try:
            for key, text in tuning.settings.items():
                for value in parse_values(text).ends:
                    player.tell(f"game-set {key} {written(value)}")
        finally:
            player.close()
    except Forfeit as error:
        raise WrongMatch(f"tune: {engine.name}: {error}") from None


def ranked(tried: Iterable[tuple[Trial, Counts]]) -> list[Standing]:
    """All settings with complete pairs, the best first."""
    groups: dict[tuple[Any, ...], list[tuple[Trial, Counts]]] = {}
    for trial, counts in tried:
        groups.setdefault(tuple(sorted(trial.settings.items())), []).append((trial, counts))
    pools = [
        ([trial for trial, _ in group], _sum(counts for _, counts in group))
        for group in groups.values()
    ]
    pools = [(trials, counts) for trials, counts in pools if counts.units]
    found = [
        Standing(
            trials[0].settings,
            tuple(trial.number for trial in trials),
            counts,
            score(counts) or expected,
            expected,
        )
        for (trials, counts), expected in zip(pools, shrunk([pool for _, pool in pools]))
    ]
    return sorted(found, key=lambda each: (-each.expected.value, -each.score.value))


def next_settings(
    space: dict[str, Space], standings: Sequence[Standing], number: int, seed: int
) -> TrialSettings:
    """The settings of a trial: sometimes the best ones again, otherwise a proposal."""
    if standings and number > _RANDOM_TRIALS and number % _REPEAT_EVERY == 0:
        return standings[0].settings
    in_order = sorted(standings, key=lambda each: each.trials[0])
    tried = [(each.settings, each.expected.value) for each in in_order]
    return propose(space, tried, seed=seed * 1_000_003 + number)


def propose(
    space: dict[str, Space], tried: Sequence[tuple[TrialSettings, float]], seed: int
) -> TrialSettings:
    """The next values, proposed by Optuna's tree-structured Parzen estimator.

    tried -- the tried settings with their scores, 0 to 1, in order
    """
    optuna = _optuna()
    distributions = {key: _distribution(optuna, values) for key, values in space.items()}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
        sampler = optuna.samplers.TPESampler(
            n_startup_trials=_RANDOM_TRIALS,
            multivariate=True,
            seed=seed % 2**32,
        )
        study = optuna.create_study(direction="maximize", sampler=sampler)
    for settings, value in tried:
        study.add_trial(
            optuna.trial.create_trial(params=settings, distributions=distributions, value=value)
        )
    found = study.ask(distributions).params
    return {key: _rounded(values, found[key]) for key, values in space.items()}


def shrunk(pools: Sequence[Counts]) -> list[Estimate]:
    """The scores of many settings, each shrunk toward the common mean as far as chance explains it.

    True scores are modelled as normal around a mean; mean and variance have flat priors (Morris
    and Tang, 2011), so that the intervals reflect how little few trials reveal about them. Needs
    numpy.
    """
    import numpy as np

    if not pools:
        return []
    means = np.array([pool.mean for pool in pools])
    errors = _variance_of_pair(pools) / np.array([pool.units for pool in pools])
    if len(pools) == 1:
        values, variances = means, errors
    else:
        deviations = np.linspace(0, _WIDEST, _STEPS)[1:, None]
        totals = deviations**2 + errors
        weights = 1 / totals
        weight = weights.sum(axis=1, keepdims=True)
        middles = (weights * means).sum(axis=1, keepdims=True) / weight
        logs = np.log(totals) + weights * (means - middles) ** 2
        likelihoods = -0.5 * (logs.sum(axis=1, keepdims=True) + np.log(weight))
        # A flat prior of the variance is a prior of the deviation in proportion to the deviation.
        chances = np.exp(likelihoods - likelihoods.max()) * deviations
        chances /= chances.sum()
        shares = errors / totals  # weight of the mean; the rest is the pool's own weight
        each = middles + (1 - shares) * (means - middles)
        values = (chances * each).sum(axis=0)
        within = (1 - shares) * errors + shares**2 / weight
        variances = (chances * (within + (each - values) ** 2)).sum(axis=0)
    bars = student(sum(pool.units - 1 for pool in pools) + 2) * np.sqrt(variances)
    return [
        Estimate(float(value), max(0.0, float(value - bar)), min(1.0, float(value + bar)))
        for value, bar in zip(values, bars)
    ]


def chance_alone(pools: Sequence[Counts]) -> bool:
    """Whether scores differ no more than by chance on average."""
    of_pair = _variance_of_pair(pools)
    mean = sum(pool.units * pool.mean for pool in pools) / sum(pool.units for pool in pools)
    excess = sum(pool.units / of_pair * (pool.mean - mean) ** 2 for pool in pools)
    return excess <= len(pools) - 1


def _changed(engine: Engine, name: str, settings: TrialSettings) -> Engine:
    """An engine with other settings, under another name."""
    texts: TrialSettings = {key: written(value) for key, value in settings.items()}
    return replace(engine, name=name, settings=engine.settings | texts)


def _sum(counts: Iterable[Counts]) -> Counts:
    return Counts(tuple(map(sum, zip(*(each.numbers for each in counts)))))


def _variance_of_pair(pools: Sequence[Counts]) -> float:
    """The variance of the score of one pair, with one lost and one won pair added."""
    squares = sum(pool.units * pool.variance for pool in pools)
    return (squares + 0.5) / (sum(pool.units - 1 for pool in pools) + 2)


def _name(match: Match, trial: Trial) -> str:
    """The name of the engine of a trial."""
    return f"{match.engines[0].name}#{trial.number}"


def _unused(match: Match, trials: Sequence[Trial]) -> int:
    """The number of the first pair of games after those of all trials."""
    return max([match.start, *(trial.start + trial.games // 2 for trial in trials)])


def _optuna() -> Any:
    """The library, which takes a second to import."""
    import optuna

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    return optuna


def _distribution(optuna: Any, space: Space) -> Any:
    kinds = optuna.distributions
    if space.values.convert is str:
        return kinds.CategoricalDistribution(space.ends)
    whole = space.values.convert is int
    return (kinds.IntDistribution if whole else kinds.FloatDistribution)(*space.ends, log=space.log)


def _rounded(space: Space, value: Any) -> str | int | float:
    return space.rounded(value) if space.values.convert is float else space.values.convert(value)
