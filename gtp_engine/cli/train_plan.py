"""The plan of a training and its nets, from the options of `gtp-engine train`."""

import argparse
from pathlib import Path
from typing import NamedTuple

from gtp_engine.base.option import options as options_of
from gtp_engine.cli.flags import given
from gtp_engine.learn.plan import PLAYER, Folder, Plan, Unfit
from gtp_engine.rules import find_game
from gtp_engine.search.data_file import UnusableFile
from gtp_engine.search.weights import NONE, OWN, Weights, shipped, weights_of

PLANNED = options_of(Plan)
"""The options that are part of the plan."""


class Planned(NamedTuple):
    """What the options ask for: the plan, the initial weights, and the teacher."""

    plan: Plan
    weights: Weights | None
    teacher: Weights | None


def planned(options: argparse.Namespace) -> Planned:
    """The plan and the nets. Raises ValueError or Unfit.

    It looks at all files that the options name, and writes none.
    """
    game = find_game(options.game)
    size = game.start(options.size).size
    for each in options.sizes or ():
        game.start(each)
    if options.sizes and size not in options.sizes:
        raise ValueError(f"--sizes must include {size}, the size of the training")
    weights = _given(game.name, options.weights)
    word = options.teacher in (None, PLAYER)
    teacher = None if word else _given(game.name, options.teacher)
    taught_by = options.teacher if word else _mark(teacher)
    sources = tuple(str(path.resolve()) for path in options.learn_from)
    wanted = given(options, PLANNED) | _shape(options, weights)
    learned = _mark(weights), taught_by, sources
    plan = Plan(game.name, size, options.sizes, *learned, **wanted)
    Folder(options.output).check(plan)
    return Planned(plan, weights, teacher)


def _given(game: str, which: str) -> Weights | None:
    """The weights of a choice: a file, those of the package, or none. Raises Unfit."""
    if which == NONE:
        return None
    path = shipped(game) if which == OWN else Path(which)
    if which == OWN and not path.exists():
        raise Unfit(f"the package has no weights for {game}")
    try:
        return weights_of(game, path)
    except UnusableFile as problem:
        raise Unfit(str(problem)) from None


def _shape(options: argparse.Namespace, weights: Weights | None) -> dict[str, int]:
    """The channels and blocks of the net. Raises ValueError or Unfit."""
    known: Weights | type[Plan] = Plan if weights is None else weights
    wanted = given(options, PLANNED)
    shape = {name: wanted.get(name, getattr(known, name)) for name in ("channels", "blocks")}
    if weights is not None and (
        shape["channels"] != weights.channels or shape["blocks"] < weights.blocks
    ):
        raise Unfit(
            f"the initial weights have {weights.channels} channels and {weights.blocks} blocks: "
            "--channels must be the same, and --blocks not less"
        )
    return shape


def _mark(weights: Weights | None) -> str:
    return NONE if weights is None else weights.mark
