"""`python tests documents.conformance protocol_specs/clients/conformance`: cases for others.

Each case is a line of JSON; protocol_specs/clients/conformance/README.md describes it. The cases of
a game are the tables of tests/rules/*.cases, swaps on a small board, and random games.
`coverage.md` counts them for each sentence of the rules and each ruling.
"""

import argparse
import json
import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from textwrap import fill
from typing import Any

from documents.reference import documented_games
from gtp_engine.base.files import write_file
from gtp_engine.rules.game import Game, Position
from gtp_engine.rules.notation.position_text import write_position
from gtp_engine.rules.notation.rule_text import rule_text
from gtp_engine.rules.notation.turns import read_turn
from gtp_engine.rules.points.points import vertices
from gtp_engine.rules.step import PASS, SWAPS, IllegalStep, Pie, Step
from gtp_engine.rules.turns import settle
from support.cases import Case as Table
from support.cases import cases_of, flaw_of

Case = dict[str, Any]

LISTED = 20  # the most legal steps that are listed; of more only the number is given
RANDOM_GAMES = 75  # of each game
RANDOM_SIZES = (2, 3, 4, 4, 5, 5, 6, 6)
ILLEGAL_TRIALS = 5  # random steps at each position of a random game; one that is illegal is kept

SPECS = Path(__file__).parents[2] / "protocol_specs"

# The ruling that all swaps show; tables name theirs.
CHANGING_SIDES = "How do players change sides?"

# What no case can show, and why.
WITHOUT_CASE = {
    "B1": "It says what the game is about.",
    "I1": "It says what the game is about; every random game comes to its end.",
    "P1": "It names the players; every random game comes to its end.",
    "R1": "It says what the game is about.",
    "Can both have a chain at once?": "It follows from B3 and B16; no position shows it.",
    "Does the empty board count as an appearance (R16)?": "The empty board never comes back.",
}


def main() -> int:
    """Write the files into the given folder."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition(": ")[2])
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    folder = parser.parse_args().folder
    for name, text in files().items():
        write_file(folder / name, text.encode())
    return 0


def files() -> dict[str, str]:
    """The text of each file, by its name."""
    texts = {f"{game.name}.jsonl": _lines(cases(game)) for game in documented_games()}
    return texts | {"coverage.md": coverage_page()}


def _lines(cases: Iterable[Case]) -> str:
    return "".join(json.dumps(case, separators=(",", ":")) + "\n" for case in cases)


@cache
def cases(game: Game) -> tuple[Case, ...]:
    """All cases of a game."""
    found = (*drawn(game), *swaps(game), *random_games(game))
    return tuple(_numbered(found))


def _numbered(cases: Iterable[Case]) -> Iterator[Case]:
    """The cases with ids of their own."""
    times: Counter[str] = Counter()
    for case in cases:
        times[case["id"]] += 1
        if times[case["id"]] > 1:
            case = {**case, "id": f"{case['id']}-{times[case['id']]}"}
        yield case


class Reached:
    """A position of a case.

    play    -- the steps that lead here from the position before, with the forced ones; none at the
               start
    rules   -- the sentences that act in these steps
    refused -- illegal words, each with the sentence that refuses it
    """

    def __init__(
        self, position: Position, play: tuple[Step, ...] = (), rules: Iterable[str] = ()
    ) -> None:
        self.position = position
        self.play = play
        self.rules = list(dict.fromkeys(rules))
        self.refused: dict[str, str] = {}

    def go_on(self, steps: Iterable[Step]) -> "Reached":
        """The position after steps."""
        position, rules, play = self.position, list[str](), tuple(steps)
        for step in play:
            rules += (event.saying.rule for event in position.events(step))
            position = position.play_unchecked(step)
        return Reached(position, play, rules)


# Where cases come from -------------------------------------------------------------------------


def drawn(game: Game) -> Iterator[Case]:
    """The tables of tests/rules."""
    for table in cases_of(game):
        cited = re.findall(r"[A-Z]\d+", table.flaw.rpartition("(")[2])
        head = _head(game, table.name, table.about, (*table.sentences, *cited), table.rulings)
        yield _refused(head, table) if table.flaw else _case(head, _path(table))


def _path(table: Table) -> list[Reached]:
    """The positions of a table."""
    path = list[Reached]()
    for shown, position, reading in table.played():
        path.append(path[-1].go_on(reading.steps) if path else Reached(position))
        path[-1].refused = {refusal.word: refusal.rule for refusal in shown.refusals}
    return path


def _refused(head: Case, table: Table) -> Case:
    """The case of a position that must be refused."""
    start = table.start()
    return head | {
        "size": start.size,
        "pie": start.pie.value,
        "start": write_position(start),
        "impossible": table.flaw,
        "turns": [],
    }


def swaps(game: Game) -> Iterator[Case]:
    """Each first turn on a small board, with and without the swap after it."""
    for pie in Pie if game.has_pie else ():
        start = game.start(3, pie)
        for first in start.legal_steps():
            path = [Reached(start)]
            _go_on(path, first)
            swap = path[-1].position.swaps()
            for step in (*swap, path[-1].position.legal_steps()[0]):
                for other in SWAPS.values():
                    _try(path[-1], str(other))
                _go_on(path, step)
            name = f"swap-{pie.value}-{first}"
            yield _case(_head(game, name, "", (game.citations.pie,), (CHANGING_SIDES,)), path)
            if pie is Pie.OFF:
                break


def random_games(game: Game) -> Iterator[Case]:
    """Games of random steps, with one illegal step at each position."""
    for number in range(RANDOM_GAMES):
        rng = random.Random(f"{game.name} {number}")
        size, pie = RANDOM_SIZES[number % len(RANDOM_SIZES)], rng.choice(list(Pie))
        path, refusals = [Reached(game.start(size, pie))], Counter[str]()
        while steps := path[-1].position.legal_steps():
            _refuse_any(path[-1], refusals, rng)
            swap = path[-1].position.swaps()
            _go_on(path, swap[0] if swap and rng.random() < 0.5 else rng.choice(steps))
        _refuse_any(path[-1], refusals, rng)
        yield _case(_head(game, f"random-{number + 1}"), path)


def _go_on(path: list[Reached], step: Step) -> None:
    """Play a step, and the forced ones after it."""
    forced, _ = settle(path[-1].position.play_unchecked(step))
    path.append(path[-1].go_on((step, *forced)))


def _try(at: Reached, word: str) -> None:
    """Note a word as refused, if it is illegal."""
    try:
        read_turn(at.position, (), word)
    except IllegalStep as error:
        at.refused[word] = error.objection.rule


def _refuse_any(at: Reached, refusals: Counter[str], rng: random.Random) -> None:
    """Of some illegal steps, note the one whose rule has refused least so far."""
    illegal = Reached(at.position)
    places = list(vertices(at.position.board))
    kinds = (*at.position.game.kinds, PASS.kind, *(step.kind for step in SWAPS.values()))
    for _ in range(ILLEGAL_TRIALS):
        kind = rng.choice(kinds)
        _try(illegal, kind.template.format(*rng.sample(places, kind.template.count("{}"))))
    if illegal.refused:
        word, rule = min(illegal.refused.items(), key=lambda found: (refusals[found[1]], found[0]))
        refusals[rule] += 1
        at.refused[word] = rule


# What a case says ------------------------------------------------------------------------------


def _head(
    game: Game,
    name: str,
    about: str = "",
    sentences: Iterable[str] = (),
    rulings: Iterable[str] = (),
) -> Case:
    """The keys that say what a case is about."""
    found: Case = {"id": f"{game.name}/{name}", "game": game.name}
    if about:
        found["about"] = about
    if shows := [rule for rule in dict.fromkeys(sentences) if rule in _sentences(game)]:
        found["shows"] = shows
    if questions := list(rulings):
        found["rulings"] = questions
    return found


def _case(head: Case, path: list[Reached]) -> Case:
    """The case of a start and the positions after it."""
    start = path[0].position
    found = head | {"size": start.size, "pie": start.pie.value}
    if start != start.game.start(start.size, start.pie):
        found["start"] = write_position(start)
        if reason := flaw_of(start):
            found["impossible"] = reason
    return found | {"turns": [_shown(reached) for reached in path]}


def _sentences(game: Game) -> dict[str, str]:
    """The numbers of the rules, with their words."""
    return {each.rule: each.text for each in rule_text(game).sentences}


def _shown(reached: Reached) -> dict[str, Any]:
    """A position, and how it was reached."""
    position, refused = reached.position, dict(sorted(reached.refused.items()))
    shown: dict[str, Any] = {}
    if reached.play:
        shown |= {"play": "/".join(map(str, reached.play)), "rules": reached.rules}
    shown["board"] = write_position(position).split()[2]
    outcome = position.outcome()
    if outcome is None:
        legal = sorted(map(str, position.legal_steps()))
        shown["to_move"] = position.to_move.letter
        shown["count"] = len(legal)
        if len(legal) <= LISTED:
            shown["legal"] = legal
    else:
        refused.pop(str(PASS), None)  # runners may pass when the game is over
        shown["result"] = str(outcome)
        shown["decided_by"] = list(filter(None, (outcome.rule, outcome.winner_rule)))
    if refused:
        shown["refused"] = refused
    return shown


# What the cases cover --------------------------------------------------------------------------


def sentences_of(case: Case) -> set[str]:
    """The sentences that a case shows anywhere."""
    found = set(case.get("shows", ()))
    for turn in case["turns"]:
        found.update(turn.get("rules", ()), turn.get("decided_by", ()))
        found.update(turn.get("refused", {}).values())
    return found


def covered(game: Game) -> Counter[str]:
    """How many cases show each sentence and each ruling, in positions that a game can reach."""
    counts = Counter[str]()
    for case in cases(game):
        if not (case.get("impossible") and case["turns"]):
            counts.update((*sentences_of(case), *case.get("rulings", ())))
    return counts


def rulings(game: Game) -> list[str]:
    """The questions on the page of a game."""
    page = (SPECS / "games" / f"{game.name}.md").read_text()
    table = page.partition("\n## Rulings\n")[2].partition("\n## ")[0]
    return re.findall(r"^\| (?!question|---)(.+?) \|", table, re.MULTILINE)


def coverage_page() -> str:
    """The number of cases for each sentence and each ruling, in Markdown."""
    parts = [
        "# Coverage",
        "How many [cases](README.md) show each sentence of the rules, as in `B2: 2`, and each "
        "ruling.",
    ]
    for game in documented_games():
        counts = covered(game)
        numbers = [f"{name}:~{counts[name]}" for name in _sentences(game) if counts[name]]
        parts += [
            f"## {game.title}",
            f"{len(cases(game))} cases, {sum(len(case['turns']) for case in cases(game))} "
            f"positions of [{game.title}](../../games/{game.name}.md).",
            fill(", ".join(numbers), 120).replace("~", " "),
            "\n".join(f"- {why}" for why in _without_case(_sentences(game), counts)),
            "\n".join(_ruling_rows(rulings(game), counts)),
        ]
    return "\n\n".join(filter(None, parts)) + "\n"


def _without_case(names: Iterable[str], counts: Counter[str]) -> Iterator[str]:
    """The names that no case shows, and why."""
    for name in names:
        if not counts[name]:
            yield f"{name}: 0. {WITHOUT_CASE.get(name, '')}".strip()


def _ruling_rows(questions: list[str], counts: Counter[str]) -> Iterator[str]:
    yield "| ruling | cases |"
    yield "| --- | --- |"
    for name in questions:
        yield f"| {name} | {counts[name] or WITHOUT_CASE.get(name, 0)} |"


if __name__ == "__main__":
    raise SystemExit(main())
