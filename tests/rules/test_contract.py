"""The contract of a game: these tests apply to every module that defines a GAME."""

import random
from dataclasses import replace
from itertools import product

import pytest

from gtp_engine.rules import find_game
from gtp_engine.rules.game import Position, declare
from gtp_engine.rules.notation.turns import (
    canonical_clicks,
    next_clicks,
    read_turn,
    steps_clicked,
    write_turn,
)
from gtp_engine.rules.points.color import BLACK
from gtp_engine.rules.points.points import Points, bit, vertices
from gtp_engine.rules.points.symmetry import Image
from gtp_engine.rules.points.vertex import MIN_SIZE, Vertex
from gtp_engine.rules.step import (
    COMMON_KINDS,
    IllegalStep,
    Pie,
    Step,
    UnplayablePosition,
)
from gtp_engine.rules.turns import TooMany, legal_turns, perft, perft_turns
from support.playing import every_position, random_game
from support.thorough import first_of


@pytest.fixture
def game(any_game):
    """Also one that no header of the kernel has."""
    return any_game


@pytest.fixture(params=first_of(range(5)))
def rng(request):
    """Other games in each part of five."""
    return random.Random(f"contract {request.param}")


SMALL = range(2, 5)
MIDDLE = range(2, 8)


def conceivable_steps(position: Position) -> list[Step]:
    """Every step of every kind on the points of the board."""
    points = list(vertices(position.board))
    steps = []
    for kind in (*position.game.kinds, *COMMON_KINDS):
        for named in product(points, repeat=kind.template.count("{}")):
            steps.append(Step(kind, named))
    return steps


def test_a_game_starts_with_its_first_pieces_and_black_to_move(game):
    smallest, largest = game.sizes
    for size in range(smallest, largest + 1):
        start = game.start(size)
        assert (start.size, start.to_move) == (size, BLACK)
        assert start.layers() == game.position_type.first_layers(size)
        assert start == game.set_up(start.content)
        assert not start.open
        assert start.outcome() is None


def test_without_a_pie_rule_it_is_always_off(game):
    for pie in Pie:
        start = game.start(5, pie)
        assert start.pie is (pie if game.has_pie else Pie.OFF)


@pytest.mark.parametrize("size", [-1, 0, 1, 20, 10**9])
def test_other_sizes_are_refused(game, size):
    smallest, largest = game.sizes
    assert MIN_SIZE <= smallest <= 3 <= 19 == largest, "these tests play on 3x3"
    for wrong in {size, smallest - 1}:
        with pytest.raises(ValueError, match=f"{smallest} to {largest}"):
            game.start(wrong)


def test_a_step_is_legal_exactly_when_nothing_objects_to_it(game, rng):
    for position in every_position(game, SMALL, 2, rng):
        legal = set(position.legal_steps())
        for step in conceivable_steps(position):
            canonical = position.canonical(step)
            assert (canonical in legal) == (position.objection(canonical) is None), step


def test_nobody_holds_a_point_of_the_others(game, rng):
    for position in every_position(game, MIDDLE, 2, rng):
        black, white = position.held()
        assert not black & white
        assert not (black | white) & ~position.board
        outcome = position.outcome()
        if outcome is not None and outcome.margin is not None:
            assert abs(black.bit_count() - white.bit_count()) == outcome.margin


def test_only_a_game_that_is_scored_has_margins(game, rng):
    ends = [at.outcome() for at in every_position(game, MIDDLE, 3, rng)]
    margins = [end.margin for end in ends if end is not None]
    assert any(margin is not None for margin in margins) == game.scored


def test_objections_cite_a_sentence_of_the_specification(game, rng):
    letter = game.citations.turns[0]
    for position in every_position(game, SMALL, 1, rng):
        for step in conceivable_steps(position):
            objection = position.objection(step)
            assert objection is None or objection.rule.startswith(letter)


def test_illegal_steps_are_refused_with_the_objection(game, rng):
    for position in every_position(game, SMALL, 1, rng):
        for step in conceivable_steps(position):
            objection = position.objection(position.canonical(step))
            if objection is not None:
                with pytest.raises(IllegalStep) as refusal:
                    position.play(step)
                assert refusal.value.objection == objection


def test_a_game_goes_on_exactly_while_there_are_legal_steps(game, rng):
    for position in every_position(game, MIDDLE, 3, rng):
        assert bool(position.legal_steps()) == (position.outcome() is None)


def test_legal_steps_are_distinct_and_canonical(game, rng):
    for position in every_position(game, MIDDLE, 3, rng):
        steps = position.legal_steps()
        assert len(set(steps)) == len(steps)
        assert all(position.canonical(step) == step for step in steps)


def test_positions_are_values(game, rng):
    """Playing changes nothing, and equal content means equal positions."""
    for position, step in random_game(game.start(5, Pie.PIECES), rng):
        before = repr(position)
        assert position.play(step) == position.play(step)
        assert hash(position.play(step)) == hash(position.play(step))
        assert repr(position) == before


def test_the_color_changes_with_the_turn_only(game, rng):
    for position, step in random_game(game.start(6), rng):
        after = position.play(step)
        assert after.to_move is (position.to_move if after.open else position.to_move.opponent)


def test_set_up_restores_every_position_of_a_game(game, rng):
    for position in every_position(game, MIDDLE, 2, rng):
        again = game.set_up(position.content)
        assert again == position
        assert again.legal_steps() == position.legal_steps()
        assert again.patch_lines() == position.patch_lines()


def test_every_turn_can_be_read_as_it_is_written(game, rng):
    for position in every_position(game, range(2, 4), 2, rng):
        for turn in legal_turns(position, 10**4) if not position.open else ():
            assert (
                read_turn(position, (), write_turn(position, turn.steps)).position == turn.position
            )


@pytest.mark.parametrize("name", ["hedge2", "Hedge", "two words", "", "\N{SUPERSCRIPT TWO}"])
def test_a_name_that_position_texts_cannot_have_is_refused(name):
    with pytest.raises(ValueError, match="one word of small letters"):
        declare(replace(find_game("robble"), name=name))


@pytest.mark.parametrize(
    "template", ["#{}", "h {}", "{}/", "", "{}:{}", "{", "\N{LATIN SMALL LETTER E WITH ACUTE}"]
)
def test_a_template_that_cannot_be_read_again_is_refused(template):
    robble = find_game("robble")
    kind = robble.kinds[0]._replace(template=template)
    with pytest.raises(ValueError, match="the template"):
        declare(replace(robble, kinds=(kind, *robble.kinds[1:])))


def test_fields_that_a_game_does_not_know_are_refused(game):
    with pytest.raises(UnplayablePosition, match="no field nonsense"):
        game.set_up(game.start(5).content._replace(fields={"nonsense": "1"}))


def test_clicks_say_each_step_and_no_other(game, rng):
    for position in every_position(game, SMALL, 2, rng):
        for step in position.legal_steps():
            clicks = canonical_clicks(position, step)
            if not clicks:
                continue
            for made in range(len(clicks)):
                assert next_clicks(position, clicks[:made]) >> clicks[made] & 1
            complete = steps_clicked(position, clicks)
            assert [s for s in complete if len(position.clicks(s)) == len(clicks)] == [step]


def test_a_kind_of_step_says_when_clicks_are_other_vertices_than_it_names(game, rng):
    others = set()
    for position in every_position(game, MIDDLE, 5, rng):
        for step in position.legal_steps():
            named = tuple(bit(vertex) for vertex in step.vertices)
            if step.kind in game.kinds and position.clicks(step) != named:
                others.add(step.kind)
    assert others == {kind for kind in game.kinds if kind.clicked}


def test_no_clicks_say_two_steps(game, rng):
    for position in every_position(game, SMALL, 1, rng):
        said: dict[tuple[Vertex, ...], Step] = {}
        for step in position.legal_steps():
            for clicks in product(*map(vertices, position.clicks(step))):
                assert said.setdefault(clicks, step) == step, clicks
        for clicks in said:
            assert clicks == () or not any(clicks[:made] in said for made in range(1, len(clicks)))


def test_turns_are_distinct_and_complete(game, rng):
    """Every way to play a turn step by step ends where one of the legal turns ends."""
    for position in every_position(game, SMALL, 1, rng):
        if position.open:
            continue
        try:
            turns = legal_turns(position, 300)
        except TooMany:
            continue
        ends = {(turn.steps[0], turn.position) for turn in turns}
        assert len(ends) == len(turns)
        waiting = [(step, position.play(step)) for step in position.legal_steps()][:40]
        for first, after in waiting:
            while after.open:
                after = after.play(rng.choice(after.legal_steps()))
            assert (first, after) in ends


def image_of(step: Step, image: Image, position: Position) -> Step:
    """A step in an image of the board, where that is the position's."""
    there = tuple(image.of_vertex(vertex, position.size) for vertex in step.vertices)
    return position.canonical(Step(step.kind, there))


def test_the_symmetry_is_a_group(game):
    """Two images after each other are another one, and the identity is first."""
    points = game.start(3).board
    assert game.symmetry[0] == Image()
    effects = {tuple(image.of_vertex(v, 3) for v in vertices(points)) for image in game.symmetry}
    for first, second in product(game.symmetry, repeat=2):
        both = (second.of_vertex(first.of_vertex(v, 3), 3) for v in vertices(points))
        assert tuple(both) in effects


def image_of_layers(position: Position, image: Image) -> dict[str, Points]:
    """The pieces in an image of the board."""
    layers = position.layers().items()
    return {word: image.of_points(points, position.size) for word, points in layers}


def test_the_start_is_the_same_in_each_image_of_the_symmetry(game):
    """Otherwise first turns that are images of each other would not lead to images of a game."""
    smallest, largest = game.sizes
    for size, image in product(range(smallest, largest + 1), game.symmetry):
        start = game.start(size)
        assert image_of_layers(start, image) == start.layers(), (
            f"{game.title} begins on {size}x{size} with another board in {image}: its `symmetry` "
            "may hold only images in which the start is the same"
        )


@pytest.mark.parametrize("size", first_of(MIDDLE, 2))
def test_what_the_symmetry_says_is_so(game, size, rng):
    """A game played in an image of the board has the same steps, boards and end."""
    size = max(size, game.smallest_size)
    for image in game.symmetry:
        here = there = game.start(size, Pie.OFF)
        while True:
            steps = [image_of(step, image, there) for step in here.legal_steps()]
            assert sorted(steps) == sorted(there.legal_steps()), f"other steps in {image}"
            assert there.layers() == image_of_layers(here, image), f"another board in {image}"
            assert there.outcome() == here.outcome()
            if here.outcome() is not None:
                break
            step = rng.choice(here.legal_steps())
            here, there = here.play(step), there.play(image_of(step, image, there))


@pytest.mark.parametrize("size", first_of(MIDDLE, 3))
def test_what_the_color_mirror_says_is_so(game, size, rng):
    """A game with exchanged colors has the same steps in the mirror, and ends the same way."""
    image, size = game.color_mirror, max(size, game.smallest_size)
    here = game.start(size, Pie.OFF)
    there = here.mirrored()
    while True:
        assert there == here.mirrored()
        assert there.flaw() is None, "what a swap leads to is possible in a game"
        assert there.mirrored().layers() == {
            word: image.of_points(image.of_points(points, size), size)
            for word, points in here.layers().items()
        }
        steps = [image_of(step, image, there) for step in here.legal_steps()]
        assert sorted(steps) == sorted(there.legal_steps()), f"other steps in {image}"
        ends = here.outcome(), there.outcome()
        if ends[0] is not None or ends[1] is not None:
            break
        step = rng.choice(here.legal_steps())
        here, there = here.play(step), there.play(image_of(step, image, there))
    winners = [end and end.winner for end in ends]
    assert winners[1] == (None if winners[0] is None else winners[0].opponent)
    assert ends[0].margin == ends[1].margin


@pytest.mark.parametrize("depth", first_of(range(4), 3))
def test_perft_counts_the_sequences_one_by_one(game, depth):
    def count(position: Position, depth: int) -> int:
        if depth == 0:
            return 1
        return sum(count(position.play(step), depth - 1) for step in position.legal_steps())

    start = game.start(3)
    assert perft(start, depth) == count(start, depth)


# Steps to depth 4 and turns to depth 3 from the empty board, without the pie rule; agreed with
# an independent implementation. A number changes only when a rule does.
PERFT = {
    ("boloa", 2): ([8, 56, 288, 956], [8, 56, 288]),
    ("boloa", 3): ([18, 312, 4860, 70432], [18, 312, 4860]),
    ("implo", 2): ([4, 4, 4, 0], [4, 0, 0]),
    ("implo", 3): ([9, 72, 456, 2032], [9, 72, 712]),
    ("implo", 4): ([16, 240, 3256, 38504], [16, 240, 3464]),
    ("pilo", 2): ([4, 12, 32, 72], [4, 12, 32]),
    ("pilo", 3): ([9, 72, 540, 3756], [9, 72, 540]),
    ("pilo", 4): ([16, 240, 3456, 47584], [16, 240, 3456]),
    ("robble", 2): ([4, 12, 32, 88], [4, 12, 32]),
    ("robble", 3): ([9, 72, 516, 3376], [9, 72, 516]),
    ("robble", 4): ([16, 240, 3376, 44600], [16, 240, 3376]),
}


@pytest.mark.parametrize("depth", first_of([3, 4]))
@pytest.mark.parametrize(("name", "size"), PERFT)
def test_perft(name, size, depth):
    start = find_game(name).start(size)
    steps, turns = PERFT[name, size]
    assert [perft(start, each) for each in range(1, depth + 1)] == steps[:depth]
    assert [perft_turns(start, each) for each in range(1, depth)] == turns[: depth - 1]


def test_perft_gives_up_when_told_to(game):
    for count in (perft, perft_turns):
        asked = iter([False] * 10 + [True])
        with pytest.raises(TooMany):
            count(game.start(8), 10, lambda asked=asked: next(asked))


def test_every_game_ends(game, rng):
    """A potential that only grows in Implo, Boloa and Pilo; repetition in Robble."""
    for size in (game.smallest_size, 3, 6, 9):
        length = sum(1 for _ in random_game(game.start(size), rng))
        assert length <= 4 * size * size + 400


def test_points_off_the_board_are_refused(game):
    start = game.start(3)
    for step in game.start(19).legal_steps():
        if any(not start.board >> vertex & 1 for vertex in step.vertices):
            assert start.objection(step).rule == game.citations.board
