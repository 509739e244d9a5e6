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
from gtp_engine.search.tree import Row, best, in_order


class SearchSetup(NamedTuple):
    """What searches, how, and for how long. Without a seed each search is different."""

    backend: str
    options: SearchOptions
    seed: str | None
    budget: Budget


class PositionAnalysis(NamedTuple):
    """The result of searching a position.

    position   -- where the rows begin
    rows       -- the steps: the one to play, then the most visited
    value      -- the chance that BLACK wins
    proven     -- the exact value, if it is known
    nodes      -- nodes in the tree
    used_bytes -- memory of the tree, 0 if unknown
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
    """Search some legal steps of a position, without swaps there and later.

    Where the first step is forced, the search begins after it. Raises ValueError without
    a step.
    """
    root = Root.of(position, among)
    if setup.options.swap_maps:
        root = root.certified()
    if not root.others:
        raise ValueError("no steps to look at")
    position = root.unswapped
    rng = random.Random(setup.seed)
    backend = backend_for(position.game, setup.backend)
    tree = backend.trees(setup.options, rng, keep=False)(position, root.others)
    began = time.perf_counter()
    tree.search(setup.budget.begin())
    seconds = time.perf_counter() - began
    rows = tree.rows()
    if rows:
        rows = in_order(rows, best(rows, position.to_move, tree.trusted_visits))
    proven = tree.proven if root.proven is None else root.proven
    return PositionAnalysis(
        position,
        tuple(root.with_win(rows)),
        tree.value if root.proven is None else root.proven,
        tree.visits,
        tree.nodes,
        tree.used_bytes,
        seconds,
        proven,
    )
