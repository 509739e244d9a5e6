"""The search of the kernel: repeatable, bounded and reusable, with safe queries at any time."""

import random
import threading
from hashlib import sha256

import pytest

from gtp_engine.rules import find_game, games
from gtp_engine.rules.notation.position_text import write_position
from gtp_engine.rules.turns import settle
from gtp_engine.search.backends.choose import KERNEL
from gtp_engine.search.backends.kernel import kernel_backends, step_number
from gtp_engine.search.backends.python import random_step
from gtp_engine.search.budget import Budget
from gtp_engine.search.options import SearchOptions
from support.boards import position
from support.playing import random_game, trees
from support.searching import ended
from support.searching import kernel_search as search
from support.thorough import first_of
from support.waiting import PATIENCE

MIB = 2**20


def run(searching, visits: int | None = None, seconds: float | None = None):
    searching.start(visits, seconds)
    return ended(searching)


def start(name: str, size: int) -> str:
    return write_position(find_game(name).start(size))


def signature(searching) -> str:
    return sha256(repr([row[:7] for row in searching.rows(30)]).encode()).hexdigest()[:16]


# One thread and a seed grow the same tree on every machine, in every build. A signature changes
# only when the rules, the chance or the search do.
SIGNATURES = {
    ("boloa", 9, 0): "6f6e56483a8bc481",
    ("implo", 8, 0): "0c2fd292c3157ac3",
    ("pilo", 8, 0): "1c253da6119582ef",
    ("robble", 7, 0): "a41176b04776820f",
    ("implo", 13, 0): "be35fd5c45e1d3b4",
    ("boloa", 9, 300): "72e14fd87b354b54",
    ("implo", 8, 300): "58ab93bf760e0a08",
    ("pilo", 8, 300): "e4fb80cefcdbdfda",
    ("robble", 7, 300): "34235665ccf9a8ff",
    ("implo", 13, 300): "5f66e3cb51224076",
}


@pytest.mark.parametrize(("name", "size", "rave"), first_of(SIGNATURES, 6))
def test_a_seed_grows_the_same_tree_everywhere(name, size, rave):
    for built in {backend.module for backend in kernel_backends(find_game(name))}:
        grown = run(search(built, start(name, size), rave=rave), visits=3000)
        assert grown.visits == 3000
        assert signature(grown) == SIGNATURES[name, size, rave]


# The same inside a turn, of which it takes one order, and with decisive playouts.
FURTHER_SIGNATURES = {
    "implo 8 wBWWB.Wb/wwB...Bb/wwWB..bb/W.bW...b/..W....w/B.bWwW.B/.Bbw...W/.wwwBW.b b"
    " pie=off open=yes": "f5f9a4adcdb1a917",
    "boloa 9 " + "/".join(9 * ["........."]) + " b pie=off": "8b04e2dc0bf1ac61",
}


@pytest.mark.parametrize("text", FURTHER_SIGNATURES)
def test_orders_and_decisive_playouts_are_the_same_everywhere(text, module):
    rave = 300 if text.startswith("boloa") else 0
    grown = run(search(module, text, rave=rave, decisive=True), visits=3000)
    assert signature(grown) == FURTHER_SIGNATURES[text]


@pytest.mark.parametrize("threads", [1, 2])
def test_each_random_game_of_a_visit_counts(game, module, threads):
    """Eight at a time tell the same, from an eighth of the positions."""
    grown = run(
        search(module, start(game.name, 7), leaf_playouts=8, threads=threads), visits=16_000
    )
    assert grown.visits in (16_000, 16_008)
    rows = grown.rows(30)
    assert sum(visits for _, visits, *_ in rows) == grown.visits
    assert all(visits % 8 == 0 for _, visits, *_ in rows)
    alone = run(search(module, start(game.name, 7)), visits=16_000)
    assert grown.nodes < alone.nodes
    assert grown.value == pytest.approx(alone.value, abs=0.05)


# Sizes, and the numbers of positions: games on large boards take long, above all under sanitizers.
SIDE_BY_SIDE = [(2, 6), (5, 6), (11, 1)]
SIDE_BY_SIDE += [(3, 6), (4, 6), (7, 6), (8, 6), (9, 6), (10, 6), (11, 6), (12, 2)]


@pytest.mark.parametrize(("size", "positions"), first_of(SIDE_BY_SIDE, 3))
@pytest.mark.parametrize("name", ["robble", "pilo"])
def test_games_side_by_side_end_like_those_one_by_one(name, size, positions, module, rng):
    """With a past, too: passes in Pilo, and positions that were there already in Robble (R16)."""
    games, game = 200, find_game(name)
    compared = off = 0
    for _ in range(positions):
        line = [at for at, _ in random_game(game.start(size), rng)]
        at = rng.choice(line)
        grown = search(module, write_position(at), leaf_playouts=games)
        grown = run(grown, visits=games * len(at.legal_steps()))
        for _, visits, value, *_, pv, _ in grown.rows(1):
            after = module.Position(write_position(at))
            after.play(pv[0])
            if after.outcome()[0] == 0 and visits == games:
                won, drawn, _ = after.forecast(800, 1)
                error = (0.25 / games + 0.25 / 800) ** 0.5
                compared += 1
                off += abs(value - (won + drawn / 2) / 800) > 2 * error
    assert compared > 10 or size == 2
    assert off <= 0.1 * compared


def test_a_visit_counts_once_where_all_moves_as_first_have_a_say(game, module):
    text = start(game.name, 5)
    several, one = (search(module, text, rave=300, leaf_playouts=playouts) for playouts in (8, 1))
    assert signature(run(several, visits=2000)) == signature(run(one, visits=2000))


def test_rows_add_up(game, module):
    grown = run(search(module, start(game.name, 5)), visits=2000)
    rows = grown.rows(30)
    assert sum(visits for _, visits, *_ in rows) == 2000 == grown.visits
    legal = {step_number(game, step) for step in game.start(5).legal_steps()}
    assert {step for step, *_ in rows} <= legal
    for step, visits, value, prior, lcb, _, pv, _ in rows:
        assert visits > 0
        assert 0 <= lcb <= value <= 1
        assert prior == pytest.approx(1 / len(legal))
        assert pv[0] == step


def test_lines_of_play_are_legal(game, module):
    grown = run(search(module, start(game.name, 5)), visits=5000)
    plain = module.Position(grown.text())
    for row in grown.rows(30):
        line = module.Position(plain.text())
        for made, step in enumerate(row.pv, 1):
            line.play(step)
            while line.open and len(line.legal_steps()) == 1:
                line.play(line.legal_steps()[0])
            assert (made in row.ends) != line.open


@pytest.mark.parametrize("rave", [0, 300])
@pytest.mark.parametrize("threads", [2, 4])
def test_threads_share_a_tree(game, module, threads, rave):
    """No visit is lost and none is counted twice."""
    grown = run(search(module, start(game.name, 6), threads=threads, rave=rave), visits=20_000)
    assert grown.visits == 20_000
    assert sum(visits for _, visits, *_ in grown.rows(30)) == 20_000
    assert 0 <= grown.value <= 1


@pytest.mark.parametrize(("threads", "rave"), first_of([(3, 300), (1, 0), (1, 300), (3, 0)]))
def test_memory_is_bounded_and_the_search_goes_on(module, threads, rave):
    for name, size in (("boloa", 19), ("robble", 5)):
        grown = search(module, start(name, size), hash_mb=1, threads=threads, rave=rave)
        visits = 4000 if size == 19 else 60_000  # for which neither tree has room
        run(grown, visits=visits)
        assert grown.used_bytes <= MIB
        assert grown.visits == visits


# The proof that Black wins needs a tree of some 20 MiB.
BLACK_WINS = """
W b . .
w b . .
B . . .
. . W .
"""


@pytest.mark.parametrize("threads", first_of([3, 1]))
def test_a_proof_is_found_whose_tree_is_larger_than_the_memory(module, threads):
    """What lies below the nodes with the fewest visits is freed meanwhile."""
    text = write_position(position("boloa", BLACK_WINS))
    ample, small = (
        run(search(module, text, hash_mb=megabytes, threads=threads)) for megabytes in (64, 1)
    )
    assert ample.used_bytes > 4 * MIB
    assert small.used_bytes <= MIB
    assert small.proven == ample.proven == 1.0
    # When one thread finds the proof, each other one may have begun a visit that ends at the root.
    at_the_root = small.visits - sum(visits for _, visits, *_ in small.rows(30))
    assert 0 <= at_the_root < threads


@pytest.mark.parametrize("rave", [0, 300])
def test_a_tree_is_kept_through_the_game(game, module, rng, rave):
    """Behind our turn and the opponent's the search goes on with what it found there."""
    position = game.start(5)
    grown = search(module, write_position(position), hash_mb=1, rave=rave)
    kept = 0
    while position.outcome() is None:
        before = grown.visits
        run(grown, visits=before + 3000)
        for color in (position.to_move, position.to_move.opponent):
            while position.outcome() is None and position.to_move is color:
                position = position.play_unchecked(random_step(position, rng))
                position = settle(position)[1]
        if grown.follow(write_position(position)):
            kept += grown.visits > 0
        else:
            grown = search(module, write_position(position), hash_mb=1, rave=rave)
        assert grown.text() == write_position(position)
        assert grown.used_bytes <= MIB
    assert kept >= 2


@pytest.mark.parametrize("rave", [0, 300])
def test_advancing_keeps_the_subtree(game, module, rave):
    grown = run(search(module, start(game.name, 5), rave=rave), visits=5000)
    step, visits, value, *_, pv, _ = max(grown.rows(30), key=lambda row: row[1])
    grown.advance(step)
    assert grown.visits == visits
    assert grown.value == value
    assert max(grown.rows(30), key=lambda row: row[1])[0] == pv[1]
    run(grown, visits=visits + 1000)
    assert grown.visits == visits + 1000


def test_an_equal_board_with_another_past_is_not_followed(module):
    """In Robble what has been on the board before is part of the position."""
    grown = run(search(module, start("robble", 3)), visits=2000)
    text = start("robble", 3)
    assert grown.follow(text)
    assert not grown.follow(text + " seen=b0")
    assert grown.text() == text


def test_following_nonsense_changes_nothing(game, module):
    grown = run(search(module, start(game.name, 5)), visits=500)
    rows = grown.rows(30)
    for other in games():
        text = start(other.name, 6)
        assert not grown.follow(text)
    with pytest.raises(ValueError, match="expected GAME SIZE"):
        grown.follow("nonsense")
    assert grown.rows(30) == rows


def test_only_the_given_steps_are_searched(game, module):
    steps = [step_number(game, step) for step in game.start(5).legal_steps()][3:6]
    grown = run(search(module, start(game.name, 5), among=steps), visits=500)
    assert {step for step, *_ in grown.rows(30)} == set(steps)


@pytest.mark.threads
def test_a_search_may_be_asked_anything_at_any_time(game, module):
    fresh = search(module, start(game.name, 6), threads=2)
    assert (fresh.rows(30), fresh.visits, fresh.value, fresh.proven) == ([], 0, 0.5, None)
    fresh.stop()
    fresh.stop()
    assert fresh.wait(0)
    fresh.start(None, None)
    assert not fresh.wait(0.01)
    while not fresh.rows(30):
        pass
    fresh.stop()
    fresh.stop()
    assert fresh.wait(PATIENCE)
    fresh.start(None, None)
    fresh.start(10, None)  # another one ends the first
    del fresh


@pytest.mark.threads
def test_rows_are_taken_from_a_running_search(game, module):
    running = search(module, start(game.name, 6), threads=2)
    running.start(None, None)
    seen, failed = [], []

    def watch():
        try:
            for _ in range(50):
                seen.append(sum(visits for _, visits, *_ in running.rows(30)))
        except Exception as error:  # handed to the test below
            failed.append(error)

    watchers = [threading.Thread(target=watch) for _ in range(3)]
    for watcher in watchers:
        watcher.start()
    for watcher in watchers:
        watcher.join()
    running.stop()
    assert running.wait(PATIENCE)
    assert not failed
    assert max(seen) <= running.visits


@pytest.mark.threads
def test_each_search_of_a_tree_may_have_other_threads(game, module):
    tree = search(module, start(game.name, 6))
    for visits, threads in ((1000, 1), (3000, 3), (4000, 1), (6000, 2)):
        tree.set_threads(threads)
        assert visits <= run(tree, visits=visits).visits < visits + 64 * threads
        assert sum(row.visits for row in tree.rows(1)) <= tree.visits


@pytest.mark.parametrize("number", [0, -1, 257])
def test_bad_numbers_of_threads_are_refused(module, number):
    tree = search(module, start("implo", 5))
    with pytest.raises(ValueError, match="^threads: 1 to 256$"):
        tree.set_threads(number)
    with pytest.raises(TypeError):
        tree.set_threads(2**31)
    assert run(tree, visits=10).visits == 10


def test_a_budget_of_nothing_visits_nothing(game, module):
    assert run(search(module, start(game.name, 6)), visits=0).visits == 0
    assert run(search(module, start(game.name, 6)), seconds=0).visits == 0


def test_a_finished_game_is_proven_at_once(module):
    over = run(search(module, "boloa 2 B./B. w pie=off"), visits=100)
    assert (over.proven, over.value, over.rows(30)) == (1.0, 1.0, [])


BAD_POSITIONS = [
    "",
    "implo",
    "implo 6",
    "implo 1 . b",
    "implo 20 . b",
    "implo x ../.. b",
    "implo 99999999999999999999 ../.. b",
    "implo 2 ../. b",
    "implo 2 ../../.. b",
    "implo 2 ../.. x",
    "implo 2 Q./.. b",
    "implo 2 B1./.. b",
    "implo 2 ../.. b pie=maybe",
    "implo 2 ../.. b nonsense",
    "implo 2 ../.. b nonsense=1",
    "pilo 2 B./.. b",
    "pilo 2 B0./.. b",
    "pilo 2 B10./.. b",
    "pilo 2 ../.. b passes=3",
    "robble 2 ../.. b seen=q",
    "robble 2 ../.. b seen=",
    "robble 2 ../.. b seen=bvvvvvvvvvvvvvvvv",
    "chess 8 ../.. b",
    "implo 2 \x00./.. b",
]


@pytest.mark.parametrize("text", BAD_POSITIONS)
def test_bad_positions_are_refused(module, text):
    for make in (module.Position, lambda text: search(module, text)):
        with pytest.raises(ValueError, match="[a-z]"):
            make(text)


BAD_OPTIONS = [
    {"threads": 0},
    {"threads": -1},
    {"threads": 257},
    {"hash_mb": 0},
    {"hash_mb": -5},
    {"hash_mb": 2**40},
    {"expand_after": 0},
    {"proof_weight": 1.5},
    {"priors_only": -0.1},
    {"priors_only": 1.5},
    {"priors_only": float("nan")},
    {"leaf_playouts": 0},
    {"leaf_playouts": 1001},
    {"exploration": -1.0},
    {"exploration": float("nan")},
    {"rave": -1.0},
    {"rave": float("nan")},
    {"among": [12345]},
]


@pytest.mark.parametrize("options", BAD_OPTIONS, ids=str)
def test_bad_options_are_refused(module, options):
    with pytest.raises(ValueError, match="[a-z]"):
        search(module, start("implo", 5), **options)


def test_steps_named_often_are_searched_once_and_a_swap_is_refused(module):
    line = module.Position("boloa 5 ...../...../...../...../..... b pie=pieces")
    first, second = line.legal_steps()[:2]
    grown = run(search(module, line.text(), among=[first, second, first] * 2000), visits=50)
    assert sorted(row.step for row in grown.rows(1)) == sorted([first, second])
    line.play(first)
    swap = line.legal_steps()[-1]
    with pytest.raises(ValueError, match="swap"):
        search(module, line.text(), among=[swap])


@pytest.mark.parametrize("options", [{"seed": 2**64}, {"seed": -1}, {"among": [-1]}], ids=str)
def test_numbers_that_fit_nowhere_are_refused(module, options):
    with pytest.raises(TypeError):
        search(module, start("implo", 5), **options)


@pytest.mark.parametrize(
    "budget", [(-1, None), (None, -0.1), (None, float("nan")), (-(2**62), 1.0)], ids=str
)
def test_bad_budgets_are_refused(module, budget):
    idle = search(module, start("implo", 5))
    with pytest.raises(ValueError, match="not negative"):
        idle.start(*budget)
    assert idle.wait(0)


def test_huge_budgets_are_fine(module):
    running = search(module, start("implo", 6))
    running.start(2**62, float("inf"))
    assert not running.wait(0.01)
    running.stop()
    assert running.wait(PATIENCE)


def test_illegal_steps_are_refused_and_change_nothing(game, module):
    line = module.Position(start(game.name, 5))
    grown = run(search(module, line.text()), visits=50)
    rows = grown.rows(30)
    for step in (2**22 - 1, 2**32 - 1, 14 << 18):
        with pytest.raises(ValueError, match="illegal step"):
            line.play(step)
        with pytest.raises(ValueError, match="illegal step"):
            grown.advance(step)
    assert line.text() == start(game.name, 5)
    assert grown.rows(30) == rows


def test_a_kept_tree_follows_a_game_and_a_new_game_starts_anew(game, rng):
    grow = trees(KERNEL, SearchOptions(hash_mb=16), random.Random(1), keep=True)
    position = game.start(5)
    tree = grow(position, position.legal_steps())
    tree.search(Budget(visits=5000).begin())
    most = max(tree.rows(), key=lambda row: row.visits)
    following = settle(position.play_unchecked(most.step))[1]
    assert grow(following, following.legal_steps()) is tree
    assert tree.visits == most.visits
    assert grow(position, position.legal_steps()) is not tree


@pytest.mark.parametrize("name", ["robble", "pilo"])
@pytest.mark.parametrize("size", [5, 8, 9, 10, 11])
def test_games_in_lanes_are_the_same_in_every_build(name, size, module):
    """However many lanes a vector of the build has; some builds play Pilo's games one by one."""
    grown = [
        run(search(backend.module, start(name, size), leaf_playouts=8), visits=2000)
        for backend in kernel_backends(find_game(name))
    ]
    assert len({signature(each) for each in grown}) == 1


@pytest.mark.threads
def test_threads_may_start_the_same_search(module):
    """Each begins anew and ends what another began; none of it harms the process."""
    searching = search(module, start("implo", 5))

    def disturb() -> None:
        for number in range(60):
            searching.set_threads(1 + number % 2)
            searching.start(searching.visits + 20, None)
            searching.rows(5)

    threads = [threading.Thread(target=disturb) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    visits = searching.visits
    assert run(searching, visits + 100).visits >= visits + 100
