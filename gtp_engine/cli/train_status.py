"""`gtp-engine train --status FOLDER`: what a training has learned so far."""

import json
from collections.abc import Sequence
from pathlib import Path

from gtp_engine.base.files import write_file
from gtp_engine.base.numbers import number_of
from gtp_engine.cli.interrupts import DONE
from gtp_engine.cli.parser import Parser
from gtp_engine.learn.game_records import GamesFile
from gtp_engine.learn.plan import Folder
from gtp_engine.learn.record import Generation, read_record, table

_LEGEND = """\
loss, best step and winner are measured on the same positions in all generations, held-out games of
the first; best step: the most probable step has the most visits of the search; winner: the later
winner has the better chance; gate: points against the player of before, with their 95 % interval"""


def status_wanted(arguments: Sequence[str]) -> bool:
    """Whether the arguments of `train` ask for the status of a training."""
    return any(each.partition("=")[0] == "--status" for each in arguments)


def show_status(program: str, arguments: Sequence[str]) -> int:
    """Print the record of a training. Returns the exit status. Raises Unfit and OSError."""
    options = _parser(program).parse_args(arguments)
    folder = Folder(options.status)
    plan, progress = folder.opened()
    record = read_record(folder.record)
    if options.picture is not None:
        title = f"Training of {plan.game}, {plan.channels}x{plan.blocks}"
        write_file(options.picture, _picture(title, record).encode())
    if options.json:
        for each in record:
            print(json.dumps(each))
        return DONE
    for line in table(record):
        print(line)
    if any(each["held_out"] for each in record):
        print(_LEGEND)
    print(_present(folder, progress.generation, progress.played, progress.fitted))
    return DONE


def _parser(program: str) -> Parser:
    parser = Parser(
        prog=program,
        description="Shows what a training has learned, also while it runs: a line for each "
        "generation.",
        extras=lambda options: ("report",) if options.picture else (),
    )
    parser.add_argument(
        "--status", type=Path, required=True, metavar="FOLDER", help="folder of the training"
    )
    parser.add_argument(
        "--json", action="store_true", help="print a line of JSON for each generation"
    )
    parser.add_argument(
        "--picture", type=Path, metavar="FILE", help="also write the charts to this SVG file"
    )
    return parser


def _present(folder: Folder, generation: int, played: bool, fitted: bool) -> str:
    """What the training does, or will do when it goes on."""
    begun = f"generation {generation}"
    if fitted:
        return f"{begun} is at its gate"
    path = folder.games(generation)
    games = number_of(GamesFile.counted(path), "game")
    return f"{begun} learns from {games}" if played else f"{begun} has {games} so far"


def _picture(title: str, record: Sequence[Generation]) -> str:
    from gtp_engine.arena.reporting.curves import Interval, Panel, curves_picture

    def curve(part: str, name: str) -> list[tuple[float, float]]:
        return [(each["generation"], each[part][name]) for each in record if each[part]]

    gated = [each for each in record if each["gate"] and each["gate"]["score"]]
    scores = [(each["generation"], each["gate"]["score"][0]) for each in gated]
    intervals = [Interval(each["generation"], *each["gate"]["score"][1:]) for each in gated]
    losses = {name: curve("losses", name) for name in ("steps", "value", "owners")}
    accuracy = {
        "best step": curve("accuracy", "steps"),
        "winner": curve("accuracy", "value"),
    }
    panels = [Panel("loss", losses), Panel("share that is right", accuracy)]
    if gated:
        panels.append(Panel("score at the gate", {"score": scores}, intervals, 0.5))
    return curves_picture(title, "generation", panels)
