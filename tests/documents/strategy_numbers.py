"""Repeats the numbers of the pages of first strategy, protocol_specs/games/GAME-strategy.md.

`python tests documents.strategy_numbers play GAME KIND FROM TO FILE` plays games and appends
them to a file, one line of JSON each. KIND is

- strong: both sides search VISITS a turn. The first turn is random. Until turn 5 a turn is drawn
  in proportion to visits, among those with at least 5 % of the visits of the best one.
- month: both sides play level 6, First month, after a random first turn. A search judges each
  turn.

`python tests documents.strategy_numbers count GAME STRONG MONTH` counts what the page tells.
"""

import argparse
import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from gtp_engine.rules import find_game
from gtp_engine.rules.game import Position
from gtp_engine.rules.notation.position_text import read_position, write_position
from gtp_engine.rules.notation.turns import read_turn, write_turn
from gtp_engine.rules.points.color import BLACK, WHITE, Color
from gtp_engine.rules.points.groups import components, sizes
from gtp_engine.rules.points.points import Points, around, bit, point_set, vertices
from gtp_engine.rules.points.vertex import Vertex
from gtp_engine.rules.step import Step
from gtp_engine.search.budget import Budget
from gtp_engine.search.levels import level_of
from gtp_engine.search.named_players import make_player

VISITS = {"implo": 300, "boloa": 400, "robble": 1000, "pilo": 300}
VISITS_OF_THE_JUDGE = {"implo": 400, "boloa": 400, "robble": 1000, "pilo": 300}
LEVEL = 6
MISTAKE = 0.15
"""A turn that loses this much by the search before it and the search after it is a mistake."""

VARIED = 5
_LEAST_SHARE = 0.05

# Legal turns of a position that the counts take to stand for all.
_SAMPLE = 8


# Games ---------------------------------------------------------------------------------------


def play(name: str, kind: str, number: int) -> dict[str, Any]:
    """A game on the usual board. The same program plays the same game."""
    game = find_game(name)
    visits = (VISITS if kind == "strong" else VISITS_OF_THE_JUDGE)[name]
    rng = random.Random(f"{name} {game.default_size} {kind} {number}")
    player = make_player(game, "mcts", str(number))
    position, turns, recent = game.start(), [], 0
    while position.outcome() is None:
        legal = position.legal_steps()
        choice = player.choose(position, legal, Budget(visits))
        steps, rows = choice.steps, choice.report.rows if choice.report else ()
        if not turns:
            steps = (rng.choice(legal),)
        elif kind != "strong":
            habits = level_of(LEVEL).habits(recent)
            weak = make_player(game, "mcts", f"{number}{len(turns) + 1:03d}", habits=habits)
            steps = weak.choose(position, legal, Budget(level_of(LEVEL).visits)).steps
        elif len(turns) < VARIED and choice.proven is None and len(rows) > 1:
            known = [row for row in rows if row.visits >= _LEAST_SHARE * rows[0].visits]
            step = rng.choices(known, [row.visits for row in known])[0].step
            steps = steps if step == steps[0] else (step,)
        after, made = position, list(steps)
        for step in steps:
            after = after.play(step)
        while after.open and after.outcome() is None:
            more = player.choose(after, after.legal_steps(), Budget(visits)).steps
            made += more
            for step in more:
                after = after.play(step)
        turn = {"pos": write_position(position), "to": position.to_move.letter}
        turn |= {"turn": write_turn(position, tuple(made)), "v": choice.value}
        turn |= {"best": write_turn(position, choice.steps), "proven": choice.proven}
        turns.append(turn)
        position, recent = after, point_set(vertex for step in made for vertex in step.vertices)
    outcome = position.outcome()
    assert outcome is not None
    return {"turns": turns, "value": outcome.value, "end": write_position(position)}


class Turn:
    """A turn of a stored game.

    third -- the third of the game that it is in, from 0
    loss  -- what it lost by the searches before and after it
    """

    def __init__(self, game: dict[str, Any], number: int) -> None:
        turns = game["turns"]
        told = turns[number]
        following = turns[number + 1]["v"] if number + 1 < len(turns) else game["value"]
        sign = 1 if told["to"] == "b" else -1
        self.number, self.third = number + 1, min(2, 3 * number // len(turns))
        self.word, self.best, self.proven = told["turn"], told["best"], told["proven"]
        self.position = read_position(told["pos"].split(" seen=")[0])
        self.loss = 0.0 if self.word == self.best else sign * (told["v"] - following)
        self.answer = turns[number + 1]["best"] if number + 1 < len(turns) else ""
        self.wins = game["value"] == (told["to"] == "b")

    def step(self, word: str) -> Step:
        """The first step of a turn here."""
        return read_turn(self.position, (), word).steps[0]


def turns_of(games: list[dict[str, Any]]) -> Iterator[Turn]:
    """All turns of some games."""
    for game in games:
        for number in range(len(game["turns"])):
            yield Turn(game, number)


# Properties of turns -------------------------------------------------------------------------


def at(position: Position, column: int, row: int) -> Points:
    """A point, or the empty set outside of the board."""
    inside = 0 <= column < position.size and 0 <= row < position.size
    return bit(Vertex.at(column, row)) if inside else 0


def on_edge(position: Position, vertex: Vertex) -> bool:
    """Whether a point lies on the edge."""
    return not {vertex.column, vertex.row}.isdisjoint((0, position.size - 1))


def gained(position: Position, step: Step, word: str) -> int:
    """How many more pieces of a kind the board has after a step."""
    before, after = position.layers(), position.play(step).layers()
    return after.get(word, 0).bit_count() - before.get(word, 0).bit_count()


def letters(position: Position) -> tuple[str, str]:
    """The letters of the pieces of the color to move, and of the other color."""
    return ("B", "W") if position.to_move is BLACK else ("W", "B")


def boloa(position: Position, step: Step) -> set[str]:
    """What a turn of Boloa does."""
    own, enemy = letters(position)
    layers, vertex = position.layers(), step.vertices[0]
    pawn = step.kind.name == "pawn"
    found = {"a pawn" if pawn else "a stone"}
    if not pawn and around(bit(vertex)) & layers.get(enemy, 0):
        found.add("a stone beside an enemy stone")
    if not pawn and on_edge(position, vertex):
        found.add("a stone on an edge")
    if len(step.vertices) == 2 and bit(step.vertices[1]) & layers.get(enemy.lower(), 0):
        found.add("a pawn takes an enemy pawn")
    if gained(position, step, own) > (not pawn):
        found.add("smothers for its player")
    if gained(position, step, enemy) > 0:
        found.add("smothers for the opponent")
    return found


def implo(position: Any, step: Step) -> set[str]:
    """What a turn of Implo does."""
    after, found = position.play(step), set()
    vertex, own = step.vertices[0], position.to_move
    if on_edge(position, vertex):
        found.add("on the edge")
    if around(bit(vertex)) & position.markers[own]:
        found.add("beside an own marker")
    if after.placed:
        found.add("completes a patch")
        owners = {after.owner(patch) for patch in after.patches}
        found |= {"a patch for its player"} if own in owners else set()
        found |= {"a patch for the opponent"} if own.opponent in owners else set()
    return found


def robble(position: Position, step: Step) -> set[str]:
    """What a turn of Robble does."""
    own, enemy = letters(position)
    found = set()
    if on_edge(position, step.vertices[0]):
        found.add("on the edge")
    if (
        min(min(v, position.size - 1 - v) for v in (step.vertices[0].column, step.vertices[0].row))
        == 2
    ):
        found.add("two from the edge")
    net = gained(position, step, own) - 1 - gained(position, step, enemy)
    if net >= 1:
        found.add("wins the balance of stones, beside the new one")
    if net >= 3:
        found.add("wins it by 3 or more")
    if net < 0:
        found.add("loses the balance of stones, beside the new one")
    if biggest(position.play(step), own) > biggest(position, own):
        found.add("the biggest own group grows")
    return found


def biggest(position: Position, letter: str) -> int:
    """The size of the biggest group of some pieces."""
    return max(sizes(components(position.layers().get(letter, 0))), default=0)


def pilo(position: Any, step: Step) -> set[str]:
    """What a turn of Pilo does."""
    if not step.vertices:
        return {"a pass"}
    after, goal = position.play(step), step.vertices[-1]
    if len(step.vertices) == 1:
        return {"a new disk"} | ({"a new disk on the edge"} if on_edge(position, goal) else set())
    start, found = step.vertices[0], {"a capture"}
    if abs(start.column - goal.column) + abs(start.row - goal.row) == 1:
        found.add("a capture of a neighbor")
    if on_edge(position, start):
        found.add("a capture that puts its block on the edge")
    if len(after.patches()) > len(position.patches()):
        found.add("a capture that closes an area")
    if any(goal == target for _, target in after._captures(position.to_move.opponent)):
        found.add("a capture that can be recaptured")
    return found


PROPERTIES: dict[str, Callable[[Any, Step], set[str]]] = {
    "implo": implo,
    "boloa": boloa,
    "robble": robble,
    "pilo": pilo,
}


# Counts --------------------------------------------------------------------------------------


def count_best(name: str, games: list[dict[str, Any]]) -> None:
    """How often the best turns and all legal turns have a property, by thirds of the game."""
    best, legal, seen = Counter[Any](), Counter[Any](), Counter[int]()
    rng = random.Random(1)
    for turn in turns_of(games):
        if turn.number <= 2 or turn.proven is not None:
            continue
        seen[turn.third] += 1
        for each in PROPERTIES[name](turn.position, turn.step(turn.best)):
            best[each, turn.third] += 1
        steps = turn.position.legal_steps()
        some = rng.sample(steps, min(_SAMPLE, len(steps)))
        for step in some:
            for each in PROPERTIES[name](turn.position, step):
                legal[each, turn.third] += 1 / len(some)
    print(f"best turns and legal turns in each third ({', '.join(map(str, seen.values()))} turns)")
    for each in sorted({each for each, _ in legal}):
        parts = (f"{best[each, n] / seen[n]:.1%} {legal[each, n] / seen[n]:.1%}" for n in range(3))
        print(f"  {each}: {'; '.join(parts)}")


def count_mistakes(name: str, games: list[dict[str, Any]]) -> None:
    """What mistakes have in common."""
    played, best, when = Counter[str](), Counter[str](), Counter[int]()
    total = mistakes = same = 0
    for turn in turns_of(games):
        total += 1
        if turn.loss < MISTAKE:
            continue
        mistakes += 1
        when[(turn.number - 1) // 10 * 10 + 1] += 1
        played.update(PROPERTIES[name](turn.position, turn.step(turn.word)))
        best.update(PROPERTIES[name](turn.position, turn.step(turn.best)))
        same += named(name, turn.best) == named(name, turn.answer)
    print(f"{mistakes} mistakes in {total} turns of {len(games)} games; {same} on the same point")
    print(f"  by turns: {dict(sorted(when.items()))}")
    for each in sorted(played | best):
        print(f"  {each}: {played[each] / mistakes:.0%}, best {best[each] / mistakes:.0%}")


def named(name: str, word: str) -> set[str]:
    """The points of the first step of a turn; in Boloa only that of the new piece."""
    points = re.findall(r"[A-Z][0-9]+", word.split("/")[0])
    return set(points[:1] if name == "boloa" else points)


def more_or_fewer(pairs: list[tuple[float, float]]) -> str:
    """How often the winner, who comes first, has more, fewer or as many."""
    found = Counter("more" if a > b else "fewer" if a < b else "same" for a, b in pairs)
    means = [sum(pair[side] for pair in pairs) / len(pairs) for side in (0, 1)]
    return f"winner {means[0]:.1f}, loser {means[1]:.1f}: {dict(found)}"


def winner_first(game: dict[str, Any], both: Any) -> tuple[float, float]:
    """Two numbers of BLACK and WHITE, the winner's first."""
    return tuple(both) if game["value"] == 1 else (both[1], both[0])


def count_boloa(games: list[dict[str, Any]]) -> None:
    """Smothering, gaps and diagonals."""
    smothered, who, gaps, refused = [], Counter[str](), Counter[bool](), Counter[Any]()
    for game in games:
        won = [0, 0]
        for turn in turns_of([game]):
            position, step = turn.position, turn.step(turn.word)
            own, enemy = letters(position)
            pawn = step.kind.name == "pawn"
            mine = gained(position, step, own) - (not pawn)
            theirs = gained(position, step, enemy)
            who["mover"] += mine > 0
            who["opponent"] += theirs > 0
            won[position.to_move] += mine
            won[position.to_move.opponent] += theirs
            legal = {str(each) for each in position.legal_steps()}
            if turn.number in (10, 20, 30, 40):
                empty = list(vertices(position.board & ~position.occupied()))
                refused[turn.number, "empty"] += len(empty)
                refused[turn.number, "refused"] += sum(f"s{v}" not in legal for v in empty)
            if turn.proven is None and turn.best.startswith("s"):
                left = straight_gaps(position, turn.step(turn.best))
                after = position.play(turn.step(turn.best))
                if left and after.outcome() is None:
                    answers = {str(each) for each in after.legal_steps()}
                    gaps[any(f"s{vertex}" not in answers for vertex in left)] += 1
        smothered.append(winner_first(game, won))
    print(
        f"stones from smothering: {more_or_fewer(smothered)}; turns that smother for: {dict(who)}"
    )
    print(f"best stones that leave a gap of one point: {dict(gaps)} (True: B15 closes it)")
    print(f"empty points where B15 refuses a stone, by turn: {dict(refused)}")


def straight_gaps(position: Position, step: Step) -> list[Vertex]:
    """The empty points between a new stone and own stones two points away in a line."""
    own, vertex = position.layers().get(letters(position)[0], 0), step.vertices[0]
    found = []
    for across, up in ((0, 1), (0, -1), (1, 0), (-1, 0)):
        there = at(position, vertex.column + 2 * across, vertex.row + 2 * up)
        between = at(position, vertex.column + across, vertex.row + up)
        if there & own and between & ~position.occupied():
            found.append(Vertex.at(vertex.column + across, vertex.row + up))
    return found


def count_implo(games: list[dict[str, Any]]) -> None:
    """Patches and what they cost, and what wins."""
    patches, firsts, largest, markers = [], [], [], []
    resolved = Counter[int]()
    for game in games:
        first = None
        for turn in turns_of([game]):
            position: Any = turn.position
            steps = read_turn(position, (), turn.word).steps
            resolved[len(steps) - 1] += 1
            for step in steps:
                if position.placed:
                    patch, group = position._resolution(step)
                    given = position.owner(patch) is not turn.position.to_move
                    found = given, patch.bit_count(), group.bit_count()
                    patches.append(found)
                    first = first or (turn.number, *found)
                position = position.play(step)
        firsts.append(first)
        end: Any = read_position(game["end"])
        groups = [sizes(components(end.markers[color])) for color in (BLACK, WHITE)]
        largest.append(winner_first(game, [max(each, default=0) for each in groups]))
        markers.append(winner_first(game, [sum(each) for each in groups]))
    print(f"biggest group of markers: {more_or_fewer(largest)}")
    print(f"all markers: {more_or_fewer(markers)}")
    print(f"turns by the patches that they resolve: {dict(sorted(resolved.items()))}")
    for given in (False, True):
        some = [each for each in patches if each[0] == given]
        print(
            f"{'given' if given else 'own'} patches: {len(some)}, "
            f"sizes {sorted(Counter(each[1] for each in some).items())}, "
            f"groups removed {sorted(Counter(each[2] for each in some).items())}"
        )
        for group in range(5):
            taken = [each[1] for each in some if each[2] == group]
            if taken:
                print(f"  group of {group}: {len(taken)}, mean patch {sum(taken) / len(taken):.2f}")
    given_first = [each for each in firsts if each and each[1]]
    print(
        f"first patch: turn {sum(each[0] for each in firsts if each) / len(firsts):.1f}; "
        f"given {len(given_first)}, of one point {sum(e[2] == 1 for e in given_first)}, "
        f"mean group {sum(e[3] for e in given_first) / len(given_first):.1f}"
    )


def count_robble(games: list[dict[str, Any]]) -> None:
    """Leads and results."""
    for number in (20, 30, 40, 50):
        some = [game for game in games if len(game["turns"]) >= number]
        pairs = [(g, Turn(g, number - 1).position) for g in some]
        lead = [winner_first(g, [biggest(p, letter) for letter in "BW"]) for g, p in pairs]
        stones = [
            winner_first(g, [p.layers().get(c, 0).bit_count() for c in "BW"]) for g, p in pairs
        ]
        print(f"turn {number}: biggest group {more_or_fewer(lead)}; stones {more_or_fewer(stones)}")
    ends = [read_position(game["end"].split(" seen=")[0]) for game in games]
    lead = [winner_first(g, [biggest(p, c) for c in "BW"]) for g, p in zip(games, ends)]
    print(f"end: biggest group {more_or_fewer(lead)}")
    stones = [
        winner_first(g, [p.layers().get(c, 0).bit_count() for c in "BW"])
        for g, p in zip(games, ends)
    ]
    print(f"end: stones {more_or_fewer(stones)}")


def count_pilo(games: list[dict[str, Any]]) -> None:
    """Captures, patches and results."""
    captures, owners, patches, heights, margins = (
        [],
        Counter[str](),
        [],
        Counter[int](),
        Counter[str](),
    )
    for game in games:
        made = [0, 0]
        for turn in turns_of([game]):
            if "-" in turn.word:
                position: Any = turn.position
                made[position.to_move] += 1
                start = turn.step(turn.word).vertices[0]
                stacks = enumerate(position.stacks[position.to_move], 1)
                heights[next(height for height, points in stacks if points & bit(start))] += 1
        captures.append(winner_first(game, made))
        end: Any = read_position(game["end"])
        found = end.patches()
        patches.append((len(found), max(sizes(found))))
        owner = end.owner(max(found, key=lambda patch: patch.bit_count()))
        winner: Color = BLACK if game["value"] == 1 else WHITE
        owners["winner" if owner is winner else "nobody" if owner is None else "loser"] += 1
        blue, orange = (squares.bit_count() for squares in end.held())
        lead = abs(blue - orange)
        margins["0" if not lead else "1 to 5" if lead < 6 else "6 and more"] += 1
    print(f"captures: {more_or_fewer(captures)}; heights {dict(heights)}")
    number, largest = (sum(each[n] for each in patches) / len(games) for n in (0, 1))
    print(f"patches {number:.1f}, largest {largest:.1f}, owned by {dict(owners)}; {dict(margins)}")


COUNTS = {"implo": count_implo, "boloa": count_boloa, "robble": count_robble, "pilo": count_pilo}


def stored(path: Path) -> list[dict[str, Any]]:
    """The games of a file."""
    lines = path.read_text().split("\n")[:-1]
    return [json.loads(line) for line in lines]


def main() -> None:
    """Play or count."""
    parser = argparse.ArgumentParser(description="numbers of first strategy")
    what = parser.add_subparsers(dest="what", required=True)
    playing, counting = what.add_parser("play"), what.add_parser("count")
    for each in (playing, counting):
        each.add_argument("game", choices=VISITS)
    playing.add_argument("kind", choices=("strong", "month"))
    playing.add_argument("first", type=int)
    playing.add_argument("end", type=int)
    playing.add_argument("file", type=Path)
    counting.add_argument("strong", type=Path)
    counting.add_argument("month", type=Path)
    options = parser.parse_args()
    if options.what == "play":
        for number in range(options.first, options.end):
            with options.file.open("a") as file:
                file.write(json.dumps(play(options.game, options.kind, number)) + "\n")
        return
    games = stored(options.strong)
    print(
        f"{options.game}: {len(games)} games, Black won {sum(g['value'] for g in games):g}, "
        f"{sum(len(g['turns']) for g in games) / len(games):.0f} turns on average"
    )
    COUNTS[options.game](games)
    count_best(options.game, games)
    count_mistakes(options.game, stored(options.month))


if __name__ == "__main__":
    main()
