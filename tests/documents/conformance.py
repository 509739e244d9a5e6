"""`python tests documents.conformance protocol_specs/clients/conformance`: cases for others.

Each case is a line of JSON; protocol_specs/clients/conformance/README.md describes it. The cases of
a game are the boards of tests/rules, swaps on a small board, and random games. `coverage.md` counts
them for each sentence of the rules and each ruling.
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

from documents.recorded import Reached, flaw_of, recordings
from documents.reference import documented_games
from gtp_engine.board.points import vertices
from gtp_engine.files import write_file
from gtp_engine.notation.position_text import write_position
from gtp_engine.notation.rule_text import rule_text
from gtp_engine.notation.turns import read_turn
from gtp_engine.rules.game import Game
from gtp_engine.rules.step import PASS, SWAPS, IllegalStep, Pie, Step
from gtp_engine.rules.turns import settle

Case = dict[str, Any]

LISTED = 20  # the most legal steps that are listed; of more only the number is given
RANDOM_GAMES = 75  # of each game
RANDOM_SIZES = (2, 3, 4, 4, 5, 5, 6, 6)
ILLEGAL_TRIALS = 5  # random steps at each position of a random game; one that is illegal is kept

SPECS = Path(__file__).parents[2] / "protocol_specs"

# Each ruling of a page in protocol_specs/games/, by its question, and how the names of the cases
# begin that show it.
RULINGS: dict[str, dict[str, str | tuple[str, ...]]] = {
    "implo": {
        "How do players change sides?": "swap-",
        "What if there is no patch (I17)?": "i18-without-a-patch",
        "May a player stop while patches remain?": "i18-the-turn-lasts",
        'What does "no stones" mean in I10 and I13?': "i10-without-adjacent-stones-too",
        "Who placed the last stone (I10)?": "i18-a-chain-of-new-patches",
        "Is the group removed before or after the markers are placed?": "i11-markers-on-every",
        "What are the points that a removed group leaves?": "i18-a-removal-may",
        "What does I20 compare?": "i20-",
        "Is the swap (I23) a placed stone?": "i23-",
        "Set-up positions": "set-up-",
    },
    "boloa": {
        "How do players change sides?": "swap-",
        "When does a chain count?": "b16-the-turn-of-the-opponent",
        "Whose stones does B15 restrict?": "b15-",
        "Which points are adjacent to both (B15)?": "b15-a-third-stone",
        "Who gets a tie (B14)?": "b14-",
        "May a player put a pawn where it is smothered at once?": "b9-a-pawn-may-be-smothered",
        "May the moved pawn replace a pawn of the mover (B12)?": "b11-b12-",
        "Who owns a corner?": "b3-a-corner",
        "Does the swap change the edges?": "b17-swap-pieces-keeps",
        "Set-up positions": "refused-set-ups",
    },
    "pilo": {
        "How do players change sides?": "swap-",
        "May a stack move without a capture?": "p12-other-moves",
        "May a stack pass over empty squares?": "p12-captures-in-four",
        "Which own stacks may it pass over (P15)?": "p15-",
        "Do heights matter for groups and their size?": "p9-",
        "Do the squares of canceled groups count for the size of the patch?": "p23-",
        "Do equal groups in different patches cancel?": "p19-groups-in-different",
        "Is a pass or the swap a board play (P24)?": "p24-",
        "Does the game go on after one pass?": "p18-after-a-pass",
        "Set-up positions": "set-up-",
    },
    "robble": {
        "How do players change sides?": "swap-",
        "Do R9 to R11 happen at once or one after the other?": "r9-r10-r11-together",
        'What is the "other" color in R11?': "r11-stones-before",
        "Do R9 to R11 apply to own stones, too?": "r9-stones-move",
        "Does a pushed stone push the next one?": "r9-a-moved-stone",
        "Is the swap an appearance (R16)?": "r16-a-swap",
        'Who is "the same player" in R16?': "r16-appearances-with",
        "Set-up positions": ("r12-nothing-is-legal", "refused-appearances", "a-position-seen"),
    },
}

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
    found = (*shown_in_tests(game), *swaps(game), *random_games(game))
    return tuple(_numbered(found))


def _numbered(cases: Iterable[Case]) -> Iterator[Case]:
    """The cases with ids of their own."""
    times: Counter[str] = Counter()
    for case in cases:
        times[case["id"]] += 1
        if times[case["id"]] > 1:
            case = {**case, "id": f"{case['id']}-{times[case['id']]}"}
        yield case


# Where cases come from -------------------------------------------------------------------------


def shown_in_tests(game: Game) -> Iterator[Case]:
    """The boards of tests/rules."""
    for each in recordings(game.name):
        for start in each.starts:
            for path in start.paths():
                yield case(each.name, each.about, each.sentences, path)
        for text, reason in each.refused.items():
            cited = re.findall(r"[A-Z]\d+", reason.rpartition("(")[2])
            yield _head(game, each.name, each.about, (*each.sentences, *cited)) | {
                "size": int(text.split()[1]),
                "pie": "off",
                "start": text,
                "impossible": reason,
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
                    _refuse(path[-1], str(other))
                _go_on(path, step)
            yield case(f"swap-{pie.value}-{first}", "", (game.citations.pie,), path)
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
        yield case(f"random-{number + 1}", "", (), path)


def _go_on(path: list[Reached], step: Step) -> None:
    """Play a step, and the forced ones after it."""
    forced, _ = settle(path[-1].position.play_unchecked(step))
    path.append(path[-1].go_on((step, *forced)))


def _refuse(at: Reached, word: str) -> None:
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
        _refuse(illegal, kind.template.format(*rng.sample(places, kind.template.count("{}"))))
    if illegal.refused:
        word, rule = min(illegal.refused.items(), key=lambda found: (refusals[found[1]], found[0]))
        refusals[rule] += 1
        at.refused[word] = rule


# What a case says ------------------------------------------------------------------------------


def case(name: str, about: str, sentences: tuple[str, ...], path: list[Reached]) -> Case:
    """The case of a start and the positions after it."""
    start = path[0].position
    found = _head(start.game, name, about, sentences)
    found |= {"size": start.size, "pie": start.pie.value}
    if start != start.game.start(start.size, start.pie):
        found["start"] = write_position(start)
        if reason := flaw_of(found["start"]):
            found["impossible"] = reason
    return found | {"turns": [_shown(reached) for reached in path]}


def _head(game: Game, name: str, about: str, sentences: tuple[str, ...]) -> Case:
    known = _sentences(game)
    found: Case = {"id": f"{game.name}/{name}", "game": game.name}
    if about:
        found["about"] = about
    if shows := [rule for rule in dict.fromkeys(sentences) if rule in known]:
        found["shows"] = shows
    questions = [
        question
        for question, beginning in RULINGS.get(game.name, {}).items()
        if name.startswith(beginning)
    ]
    if questions:
        found["rulings"] = questions
    return found


def _sentences(game: Game) -> dict[str, str]:
    """The numbers of the rules, with their words."""
    return {each.rule: each.text for each in rule_text(game).sentences}


def _shown(reached: Reached) -> dict[str, Any]:
    """A position, and how it was reached."""
    position, refused = reached.position, dict(sorted(reached.refused.items()))
    shown: dict[str, Any] = {"play": reached.play, "rules": reached.rules} if reached.play else {}
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
