"""A finite search of a position, for people: what each step is worth."""

import random
import time
from typing import NamedTuple

from gtp_engine.rules.game import Position
from gtp_engine.rules.step import Step
from gtp_engine.search.backends.choose import backend_for
from gtp_engine.search.budget import Budget
from gtp_engine.search.options import SearchOptions
from gtp_engine.search.root import Root
from gtp_engine.search.tree import Row


class SearchSetup(NamedTuple):
    """What searches, how, and how long; without a seed chance has its part."""

    backend: str
    options: SearchOptions
    seed: str | None
    budget: Budget


class PositionAnalysis(NamedTuple):
    """What a search of a position found out.

    position   -- where the rows begin
    rows       -- the steps, the most visited first
    value      -- the chance that BLACK wins
    proven     -- the exact value, if it is known
    nodes      -- of the tree, which takes used_bytes (0 where that is not known)
    """

    position: Position
    rows: tuple[Row, ...]
    value: float
    visits: int
    nodes: int
    used_bytes: int
    seconds: float
    proven: float | None


def analyze_position(
    position: Position, among: tuple[Step, ...], setup: SearchSetup
) -> PositionAnalysis:
    """Search some legal steps of a position; swaps are left out, and do not come later.

    Where the first step is forced, the search begins after it. Raises ValueError where no step
    is left.
    """
    root = Root.of(position, among)
    if not root.others:
        raise ValueError("no steps to look at")
    position = root.unswapped
    rng = random.Random(setup.seed)
    backend = backend_for(position.game, setup.backend)
    tree = backend.trees(setup.options, rng, keep=False)(position, root.others)
    began = time.perf_counter()
    tree.search(setup.budget.begin())
    seconds = time.perf_counter() - began
    rows = sorted(tree.rows(), key=lambda row: -row.visits)
    return PositionAnalysis(
        position,
        tuple(rows),
        tree.value,
        tree.visits,
        tree.nodes,
        tree.used_bytes,
        seconds,
        tree.proven,
    )
