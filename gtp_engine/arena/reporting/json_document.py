"""The findings of a match as JSON: protocol_specs/matches/statistics.md, last section."""

import json
import math
from dataclasses import replace
from typing import Any

from gtp_engine.arena.reporting.findings import Findings, Test
from gtp_engine.arena.setup.config import Match
from gtp_engine.arena.setup.tables import write_match
from gtp_engine.arena.stats.tally import BoardTally, Meeting
from gtp_engine.arena.values import as_table
from gtp_engine.base.statistics.statistics import (
    Counts,
    Estimate,
    draw_ratio,
    elo,
    normalised_elo,
    pair_ratio,
    score,
    superiority,
)


def document(findings: Findings) -> str:
    """The document; an infinite or unknown number is null."""
    return json.dumps(_clean(contents(findings)), indent=2, allow_nan=False)


def contents(findings: Findings) -> dict[str, Any]:
    """The contents of the document."""
    tally = findings.tally
    return {
        "title": findings.title,
        "headline": findings.headline,
        "sentences": findings.sentences,
        "match": _match(findings.match),
        "identities": dict(findings.identities),
        "uses": {name: told.splitlines() for name, told in findings.uses.items()},
        "games": tally.games,
        "planned": findings.planned,
        "complete_pairs": tally.complete_pairs,
        "voids": findings.voids,
        "started": tally.started,
        "ended": tally.ended,
        "test": None if findings.test is None else test_table(findings.test),
        "pools": pools_table(findings),
        "meetings": [
            {"first": first, "second": second, **_meeting(meeting)}
            for (first, second), meeting in tally.meetings.items()
        ],
        "by_board": [
            {**board._asdict(), "first": first, "second": second, **_meeting(meeting)}
            for (board, first, second), meeting in tally.on_board.items()
        ],
        "engines": [_engine(findings, engine) for engine in findings.engines],
        "boards": [{**board._asdict(), **_board(games)} for board, games in tally.boards.items()],
        "openings": [
            {**board._asdict(), "opening": " ".join(words), "black": _games(Counts(tuple(numbers)))}
            for (board, words), numbers in tally.openings.items()
        ],
        "workers": [
            {
                "worker": name,
                "games": played.games,
                "lost_on_time": played.on_time,
                "other_faults": played.others,
            }
            for name, played in sorted(tally.workers.items())
        ],
        "faults": [
            {"engine": engine, "fault": fault.value, "games": count}
            for engine, fault, count in findings.faults
        ],
        "faulty_games": [{"id": game.number, **as_table(game.result)} for game in tally.faulty],
    }


def _match(match: Match) -> Any:
    """The configuration; of the environment only the names, because reports are passed on."""
    engines = tuple(
        replace(engine, environment=dict.fromkeys(engine.environment, "..."))
        for engine in match.engines
    )
    return json.loads(write_match(replace(match, engines=engines)))


def test_table(test: Test) -> dict[str, Any]:
    """The state of a sequential test."""
    sprt, counts, llr, accepted = test
    return {
        "model": sprt.model,
        "elo0": sprt.elo0,
        "elo1": sprt.elo1,
        "alpha": sprt.alpha,
        "beta": sprt.beta,
        "pairs": counts.units,
        "llr": llr,
        "lower": sprt.bounds.lower,
        "upper": sprt.bounds.upper,
        "accepted": accepted,
    }


def pools_table(findings: Findings) -> list[dict[str, Any]]:
    """The ratings; an infinite end is null."""
    return [
        {
            "first_turn": _estimate(pool.first_turn),
            "ratings": [
                {**rating._asdict(), "elo": _clean(_estimate(rating.elo))}
                for rating in pool.ratings
            ],
        }
        for pool in findings.pools
    ]


def _meeting(meeting: Meeting) -> dict[str, Any]:
    counts = meeting.counts
    return {
        **_games(meeting.games),
        "as_black": _games(Counts(tuple(meeting.halves[0]))),
        "as_white": _games(Counts(tuple(meeting.halves[1]))),
        "pairs": list(meeting.pairs),
        "unfinished_pairs": len(meeting.unfinished),
        "score": _estimate(score(counts)),
        "elo": _estimate(elo(counts)),
        "normalised_elo": _estimate(normalised_elo(counts)),
        "superiority": superiority(counts),
        "draw_ratio": draw_ratio(meeting.games),
        "pair_ratio": pair_ratio(counts),
    }


def _engine(findings: Findings, engine: str) -> dict[str, Any]:
    as_black, as_white = findings.tally.halves_of(engine)
    use = findings.times.get(engine)
    return {
        "engine": engine,
        **_games(findings.tally.games_of(engine)),
        "as_black": _games(as_black),
        "as_white": _games(as_white),
        "time": None if use is None else use._asdict(),
    }


def _board(games: BoardTally) -> dict[str, Any]:
    return {
        "black": _games(Counts(tuple(games.first))),
        "swap_rate": games.swap_rate,
        "swapper": _games(Counts(tuple(games.swapped))),
        "lengths": {str(length): games.lengths[length] for length in sorted(games.lengths)},
        "seconds": games.seconds,
    }


def _games(counts: Counts) -> dict[str, int]:
    losses, draws, wins = counts.numbers
    return {"games": counts.units, "wins": wins, "draws": draws, "losses": losses}


def _estimate(estimate: Estimate | None) -> dict[str, float] | None:
    return None if estimate is None else estimate._asdict()


def _clean(value: Any) -> Any:
    """The value with null for numbers that JSON cannot represent."""
    if isinstance(value, dict):
        return {key: _clean(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_clean(inner) for inner in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
