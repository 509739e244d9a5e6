"""The reason why a turn is forced, won or lost: its words, and their truth."""

import random
import re

import pytest

from gtp_engine.engine.reasons import ahead, end_of, reasons, result, threat, without_choice
from gtp_engine.rules import find_game
from gtp_engine.rules.game import Position
from gtp_engine.rules.notation.position_text import write_position
from gtp_engine.rules.points.color import BLACK
from gtp_engine.rules.points.symmetry import Image
from gtp_engine.rules.points.vertex import Vertex
from gtp_engine.rules.step import Pie
from gtp_engine.search.backends.choose import PYTHON
from gtp_engine.search.backends.kernel import kernel_built
from gtp_engine.search.backends.python import PythonSolver
from gtp_engine.search.budget import Budget
from gtp_engine.search.observer import Report
from gtp_engine.search.solution import DRAWN, Solution
from gtp_engine.search.tree import Row
from support.boards import after, position
from support.driver import Driver
from support.playing import random_game

BACKENDS = ["kernel", PYTHON] if kernel_built() else [PYTHON]


@pytest.fixture(params=BACKENDS)
def drive(request) -> Driver:
    driver = Driver()
    for line in (f"game-set backend {request.param}", "game-set seed 1", "game-pie off"):
        driver(line)
    return driver


def at(drive: Driver, before: Position) -> Driver:
    drive(f"game-position {write_position(before)}".replace(" pie=off", ""))
    return drive


def step(before: Position, word: str):
    return next(each for each in before.legal_steps() if str(each) == word)


# What must be played ------------------------------------------------------------------------

FORCED = {
    "a pass": (
        "pilo", "B1 B2 #\n# # W2\nW3 # #", "w",
        "P16: Orange has nothing to play on the board, and must pass",
    ),
    "a capture": ("pilo", "W2 # B1\nB1 B1 B1\nW2 # W1", "w", "P10: C1-C2 is the only legal turn"),
    "the last square": (
        "robble", "B W B W\nW B W B\nB W B W\n. B W B", "b", "R7: A1 is the only legal turn",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FORCED)
def test_what_cannot_be_chosen_is_said_with_the_rule(name, drive):
    game, picture, to_move, sentence = FORCED[name]
    before = position(game, picture, to_move)
    assert without_choice(before) == [sentence]
    assert sentence in at(drive, before)("game-explain").splitlines()


def test_with_two_turns_nothing_is_forced():
    before = position("robble", "B W B W\nW B W B\nB W B W\n. . W B")
    assert without_choice(before) == []


# Threats ------------------------------------------------------------------------------------

BLACK_THREATENS = ("boloa", "B . W\n. . W\nB . .", "w")


def test_the_only_turn_that_does_not_lose_at_once():
    before = position(*BLACK_THREATENS)
    (sentence,) = threat(before, step(before, "sA2"))
    head, _, shown = sentence.partition(": ")
    assert head == "sA2 is the only turn after which White does not lose at once"
    lost, _, reply = shown.partition(" loses to ")
    assert after(before, lost, reply).outcome().winner is BLACK


def test_another_turn_is_not_praised_for_it():
    before = position(*BLACK_THREATENS)
    assert threat(before, step(before, "pA2")) == []


def test_without_a_look_nothing_is_claimed():
    before = position(*BLACK_THREATENS)
    assert threat(before, step(before, "sA2"), most=0) == []


def test_where_nobody_threatens_nothing_is_claimed():
    before = position("boloa", ". . W\n. . .\nB . .", "w")
    assert threat(before, step(before, "pB2")) == []


def wins_at_once(before: Position) -> bool:
    winners = (before.play(reply).outcome() for reply in before.legal_steps())
    return any(ended is not None and ended.winner is before.to_move for ended in winners)


def test_threats_are_true_in_random_games():
    """Every other turn loses to one reply, the chosen one to none; nothing is overlooked."""
    said = 0
    for number in range(10):
        rng = random.Random(number)
        for before, _ in random_game(find_game("boloa").start(3), rng):
            safe = [one for one in before.legal_steps() if not _ends_or_loses(before, one)]
            for chosen in before.legal_steps():
                claimed = bool(threat(before, chosen))
                assert claimed == (safe == [chosen] and len(before.legal_steps()) > 1)
                said += claimed
    assert said > 5


def _ends_or_loses(before: Position, chosen) -> bool:
    following = before.play(chosen)
    outcome = following.outcome()
    if outcome is not None:
        return outcome.winner is not before.to_move
    return wins_at_once(following)


# What is proven -----------------------------------------------------------------------------

SURE = {
    "Boloa 3x3: one turn wins": (
        "boloa", "B . W\n. . W\nB . .", "b", ["sA2 is the only turn that wins"],
    ),
    "Robble 4x4: three squares left": (
        "robble", "B W B W\nW B W B\nB W . W\n. . W B", "b", ["B1 is the only turn that wins"],
    ),
    "Implo 4x4: White cannot save it": (
        "implo", "b b W w\n. . . b\nW . W W\nB . B W", "w", ["every turn loses against best play"],
    ),
    "Boloa 6x6: seven points left": (
        "boloa",
        "w B W B B W\n. w . . B B\nB W w W W W\nB w . b B W\nB W B w W W\nB B B B W .",
        "b",
        ["sA6-A5 is the only turn that wins"],
    ),
    "Pilo 6x6: five squares left": (
        "pilo",
        "W2 B1 # B1 # .\n. # B3 . B1 #\n. B2 W1 # B1 W2\nB1 W1 W1 W1 B2 W1\n"
        "# W1 W1 B2 W1 W1\nB1 B2 # # # .",
        "b",
        ["A4 is the only turn that wins"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SURE)
def test_late_positions_are_explained_truly(name, drive):
    """The words agree with a minimax of every step."""
    game, picture, to_move, expected = SURE[name]
    before = position(game, picture, to_move)
    told = at(drive, before)("game-explain 60").splitlines()
    solver, values = PythonSolver(), {}
    for each in before.legal_steps():
        values[str(each)] = _value(solver, before.play(each))
    best = (max if before.to_move is BLACK else min)(values.values())
    names = before.game.color_names
    assert any(line.startswith(f"{names[1 - int(best)]} wins by force") for line in told)
    keeping = [token for token, value in values.items() if value == best]
    if best == float(before.to_move is BLACK) and len(keeping) == 1:
        assert f"{keeping[0]} is the only turn that wins" in told
    else:
        assert not any("is the only turn that wins" in line for line in told)
    for sentence in expected:
        assert any(line.startswith(sentence) for line in told)


def _value(solver: PythonSolver, at: Position) -> float:
    outcome = at.outcome()
    value = outcome.value if outcome else solver.solve(at, Budget()).value
    assert value is not None
    return value


@pytest.mark.skipif(not kernel_built(), reason="no kernel was built")
def test_a_draw_and_the_swap_in_words():
    drive = Driver("robble", 3)
    drive("play b b2")
    told = drive("game-explain 20").splitlines()
    assert "a draw is proven" in told[2]
    assert told[3] == "White does not swap: Black's first turn draws by force"


class Unready:
    """A table that would take too long."""

    complete = False

    def solve(self, position, budget):
        return Solution(None, (), 0, 0, 0, 0.0)


@pytest.mark.skipif(not kernel_built(), reason="no kernel was built")
def test_a_late_position_does_not_wait_for_a_table(monkeypatch):
    monkeypatch.setattr("gtp_engine.search.named_players.table_of", lambda *asked: Unready())
    drive = Driver("robble", 4)
    drive("game-position robble 4 ..../B.WB/WBBW/BWWB b pie=off")
    assert drive("game-explain 10").splitlines()[2] == "a draw is proven"


def test_the_swap_in_words():
    """Rows as a search gives them: the swap has the value of the other side."""
    before = find_game("boloa").start(4, Pie.PIECES)
    before = before.play(before.legal_steps()[0])
    *_, last, swap = before.legal_steps()
    played = Row(last, 50, 0.57, 0.1, 0.3, None, (last,))
    swapped = Row(swap, 90, 0.43, 0.1, 0.5, None, (swap,))
    swaps = Report(before, (swapped, played), 0.43, 90)
    assert reasons(swaps) == ["White swaps: Black's first turn is worth 57.0%, more than even"]
    stays = Report(before, (played._replace(value=0.4), swapped._replace(value=0.6)), 0.4, 90)
    assert reasons(stays) == [
        "White does not swap: Black's first turn is worth 40.0%, not more than even"
    ]


@pytest.mark.parametrize(
    "value, said",
    [
        (0.570, "57.0%, more than even"),
        (0.5001, "50.01%, more than even"),
        (0.500001, "50.0001%, more than even"),
        (0.4996, "49.96%, not more than even"),
        (0.5, "50.0%, not more than even"),
    ],
)
def test_a_number_that_is_not_even_never_looks_so(value, said):
    before = find_game("boloa").start(4, Pie.PIECES)
    before = before.play(before.legal_steps()[0])
    *_, last, swap = before.legal_steps()
    rows = [Row(each, 50, value, 0.1, 0.3, None, (each,)) for each in (last, swap)]
    (told,) = reasons(Report(before, tuple(rows), value, 50))
    assert told == f"White does not swap: Black's first turn is worth {said}"


def test_a_half_made_selection_says_nothing_of_the_swap():
    """It can only go on: whether to swap is decided."""
    drive = Driver("boloa", 5)
    for line in ("game-set visits 30", "play b pC3"):
        drive(line)
    assert "swap" in drive("game-explain")
    drive("play w B2")
    assert "swap" not in drive("game-explain")


def test_an_opening_is_worth_what_the_swap_leaves_of_it():
    """As in a review: White takes the better color. The image of a turn is worth the same."""
    drive = Driver("implo", 5)
    for line in ("visits 300", "seed 1", "threads 1", "swap_maps off"):
        drive(f"game-set {line}")
    told = drive("game-explain").splitlines()
    assert told[1].startswith("White wins "), told
    image = Image(True, True, False).of_vertex(Vertex.parse(told[0].removeprefix("play ")), 5)
    compared = drive(f"game-explain b {image} 1").splitlines()[2]
    points = re.search(r"([0-9.]+) points of chance to win", compared)
    assert points is None or float(points[1]) < 10, compared
    drive("genmove b")
    assert drive("gomill-explain_last_move").startswith("White wins ")
    chance = re.search(r"SBKV\[([0-9.]+)\]", drive("printsgf"))
    assert chance is not None and float(chance[1]) <= 50


def test_a_line_that_ends_otherwise_counts_no_turns():
    """A line is what a search expects: only what is proven is said of the game."""
    before = position("boloa", "B . W\n. . W\nB . .")
    win = (step(before, "sA2"),)
    ended = "a chain of black stones connects bottom and top (B16)"
    assert result(before, 1.0, win) == f"Black wins by force, here in 1 turn: {ended}"
    assert result(before, 0.0, win) == "White wins by force"
    assert result(before, DRAWN, ()) == "a draw is proven"
    assert end_of(before, (step(before, "sB3"),)) is None


# What is not --------------------------------------------------------------------------------


def report(before: Position, *found: tuple[int, float, float | None]) -> Report:
    rows = [
        Row(each, visits, value, 0.1, 0.1, proven, (each,))
        for each, (visits, value, proven) in zip(before.legal_steps(), found)
    ]
    return Report(before, tuple(rows), found[0][1], sum(row.visits for row in rows))


def test_the_second_best_and_how_much_worse_it_is():
    before = find_game("robble").start(4)
    tokens = [str(each) for each in before.legal_steps()]
    told = reasons(report(before, (100, 0.518, None), (20, 0.3, None), (60, 0.5, None)))
    second = f"{tokens[2]}, the second best, 60 visits"
    assert told == [f"1.8 points of chance to win better than {second}"]
    told = reasons(report(before, (100, 0.5, None), (60, 0.51, None)))
    expected = f"{tokens[1]} stands 1.0 points of chance to win higher, but on 60 visits only"
    assert told == [expected]
    told = reasons(report(before, (100, 0.5, None), (1, 0.5003, None)))
    assert told == [f"as good as {tokens[1]}, the second best, 1 visit"]


def test_how_much_worse_the_second_best_is_says_nothing_where_the_result_is_known():
    told = report(find_game("robble").start(4), (100, 0.51, None), (20, 0.3, None))
    assert reasons(told._replace(proven=DRAWN)) == ["a draw is proven"]


def test_proven_losses_are_counted_and_no_more_is_said_of_steps_not_looked_at():
    before = find_game("robble").start(4)
    told = reasons(report(before, (100, 0.5, None), (9, 0.0, 0.0), (8, 0.0, 0.0)))
    assert told == ["2 of 16 turns are proven to lose"]
    rows = [(100, 0.5, None), *[(5, 0.0, 0.0)] * 15]
    assert reasons(report(before, *rows)) == ["every other turn is proven to lose"]


def test_points_are_told_with_the_names_of_the_players():
    pilo = find_game("pilo").start(4)
    assert ahead(pilo, 3.44) == "in random games after this line Blue is 3.4 points ahead"
    assert ahead(pilo, -1.0) == "in random games after this line Orange is 1.0 points ahead"
    assert ahead(pilo, -0.04) == "in random games after this line nobody is ahead"


def test_an_explanation_changes_nothing(game, drive):
    for line in (f"game-select {game.name} 5", "game-set visits 30", "genmove b", "genmove w"):
        drive(line)
    before = [drive(line) for line in ("game-position", "game-history", "game-settings")]
    for line in ("game-explain", "game-explain 0", "gomill-explain_last_move"):
        assert drive(line)
    word = drive("reg_genmove b")
    assert drive(f"game-explain b {word} 0.1").startswith("legal\n")
    assert [drive(line) for line in ("game-position", "game-history", "game-settings")] == before


def test_the_reply_that_came_was_expected_or_not(drive):
    for line in ("game-select robble 4", "game-set visits 200", "genmove b"):
        drive(line)
    head = drive("gomill-explain_last_move").partition("; ")[0]
    _, expected, *_ = head.rpartition(", ")[2].split()
    drive(f"play w {expected}")
    assert f"White's {expected} was expected" in drive("game-explain")
    drive("undo")
    other = next(word for word in drive("game-legal_steps").split() if word != expected)
    drive(f"play w {other}")
    assert f"White's {other} was not expected, but {expected}" in drive("game-explain")


@pytest.mark.parametrize("opening", ["a1", "b2", "c4", "d4", "d3"])
def test_what_is_said_of_the_swap_is_what_decided_it(opening):
    """A stored map knows better than a short search: words and deed come from the same number."""
    drive = Driver("robble", 8)
    for line in ("game-set seed 1", "game-set visits 30", f"play b {opening}"):
        drive(line)
    words = drive("game-explain")
    swaps = "White swaps: " in words
    assert swaps != ("White does not swap: " in words)
    assert swaps == (", more than even" in words)


@pytest.mark.parametrize("backend", ["auto", "python"])
def test_a_lead_is_the_same_when_asked_again(backend):
    drive = Driver("pilo", 4)
    for line in (f"game-set backend {backend}", "game-set visits 30", "game-pie off", "genmove b"):
        drive(line)
    assert len({drive("gomill-explain_last_move") for _ in range(6)}) == 1


def test_a_click_that_begins_illegal_steps_only_is_told_their_rule():
    drive = Driver("boloa", 4)
    drive("game-position boloa 4 B.../.b../..B./.... b")
    assert drive("game-explain b b3") == (
        "B15: A4 and B3 are diagonal, with no stone adjacent to both"
    )
