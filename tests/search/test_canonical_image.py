"""The image of a position that a solver is asked for."""

import pytest

from gtp_engine.rules import find_game
from gtp_engine.rules.game import Position
from gtp_engine.rules.points.color import BLACK
from gtp_engine.rules.step import Pie
from gtp_engine.rules.turns import legal_turns, played, settle
from gtp_engine.search import endgames
from gtp_engine.search.backends.kernel import kernel_built
from gtp_engine.search.budget import Budget
from gtp_engine.search.canonical_image import CanonicalImage
from gtp_engine.search.endgames import EndgameSolver, solved_by
from gtp_engine.search.options import SearchOptions
from gtp_engine.search.solver import make_solver
from support.thorough import first_of

pytestmark = pytest.mark.skipif(not kernel_built(), reason="needs the kernel")

GAMES = ["implo", "boloa", "pilo"]


def late_positions(name, rng, count) -> list[Position]:
    """Positions of 4x4 with six to eight empty points, a turn ahead of nobody's win."""
    found: list[Position] = []
    while len(found) < count:
        at = find_game(name).start(4, Pie.OFF)
        while at.outcome() is None and 16 - at.occupied().bit_count() > 8:
            at = rng.choice(legal_turns(at, 1000)).position
        if at.outcome() is None and 16 - at.occupied().bit_count() >= 6:
            found.append(at)
    return found


def images_of(position: Position) -> list[Position]:
    """All images of a position, in both colors."""
    return [
        each.assemble(
            each.content._replace(
                layers={word: image.of_points(points, 4) for word, points in each.layers().items()}
            )
        )
        for each in (position, position.mirrored())
        for image in position.game.symmetry
    ]


@pytest.mark.parametrize("name", first_of(GAMES))
def test_all_images_are_solved_alike_and_the_line_is_played_in_each(name, rng, monkeypatch):
    monkeypatch.setattr(endgames, "has_book", lambda game, size: True)
    for position in late_positions(name, rng, 3):
        taken = set()
        for image in images_of(position):
            solver = make_solver(image, "kernel", SearchOptions(hash_mb=1, threads=1))
            found = solved_by(solver, image, Budget(30_000))
            taken.add((found.positions, len(found.line)))
            if found.value is None:
                continue
            plain = make_solver(image, "kernel", SearchOptions(hash_mb=4, threads=1))
            assert plain.solve(image, Budget()).value == found.value
            at = image
            for step in found.line:
                at = settle(at.play(step))[1]
            if at.outcome() is not None:
                assert at.outcome().value == found.value
        assert len(taken) == 1


@pytest.mark.parametrize("name", GAMES)
def test_the_image_stands_for_itself(name, rng):
    for position in late_positions(name, rng, 5):
        (canonical,) = {CanonicalImage.of(image).position for image in images_of(position)}
        assert canonical.to_move is BLACK
        assert CanonicalImage.of(canonical).position == canonical


def test_an_open_turn_and_a_position_without_a_word_stand_for_nothing():
    implo = find_game("implo").start(4, Pie.OFF)
    at = played(implo, [implo.legal_steps()[0]])
    while not at.open:
        at = played(at, [at.legal_steps()[-1]])
    assert CanonicalImage.of(at) is None
    pilo = find_game("pilo").start(2, Pie.OFF)
    while not pilo.fields():
        pilo = played(pilo, [pilo.legal_steps()[-1]])
    assert CanonicalImage.of(pilo) is None


class Asked(list[Position]):
    """A solver that lists what it is asked."""

    def __call__(self, position, options, method):
        if method != "best":
            raise ValueError
        return self

    complete = False

    def solve(self, position, budget):
        self.append(position)
        return make_solver(position, "kernel").solve(position, Budget(1))


def test_only_boards_with_a_book_ask_for_another_image(rng):
    for name in GAMES:
        asked = Asked()
        (position,) = late_positions(name, rng, 1)
        image = next(
            each for each in images_of(position) if each != CanonicalImage.of(each).position
        )
        EndgameSolver(asked, SearchOptions(), keep=False).solve(image, Budget(1, None).begin())
        assert (asked == [image]) == (not endgames.has_book(image.game, 4))
