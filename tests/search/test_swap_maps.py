"""Swap maps: their content, their effect on play, and unusable files."""

import random
from dataclasses import replace

import pytest

from gtp_engine.rules import find_game, games
from gtp_engine.rules.step import SWAPS, Pie
from gtp_engine.search.assessment import SearchSetup
from gtp_engine.search.backends.choose import KERNEL, PYTHON
from gtp_engine.search.backends.kernel import kernel_built
from gtp_engine.search.budget import Budget
from gtp_engine.search.data_file import UnusableFile, write_stored
from gtp_engine.search.named_players import make_player
from gtp_engine.search.openings import swap_maps
from gtp_engine.search.openings.swap_maps import (
    FORM,
    KIND,
    SwapMap,
    Worth,
    first_turns,
    path_of,
    read_map,
    stored_map,
    stored_sizes,
    survey,
    write_map,
)
from gtp_engine.search.options import SearchOptions
from support.searching import OnceBegun
from support.thorough import first_of

IMPLO, BOLOA = find_game("implo"), find_game("boloa")
BACKENDS = [PYTHON, KERNEL] if kernel_built() else [PYTHON]
FORMS = [Pie.PIECES, Pie.SIDES]
TINY = SearchOptions(hash_mb=1)
QUICK = Budget(visits=20)

# Implo 5x5 has six different first turns.
VALUES = {"A1": 0.40, "A2": 0.48, "A3": 0.52, "B2": 0.53, "B3": 0.60, "C3": 0.75}


def worth(value: float, visits: int = 1000) -> Worth:
    return Worth.searched(value, visits)


def implo_5(values: dict[str, float] = VALUES) -> SwapMap:
    return SwapMap(IMPLO, 5, "9.9", {word: worth(value) for word, value in values.items()})


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Where stored maps are looked for."""
    monkeypatch.setattr(swap_maps, "_FOLDER", tmp_path)
    stored_map.cache_clear()
    yield tmp_path
    stored_map.cache_clear()


@pytest.fixture
def store(folder):
    """Stores a map."""
    return lambda swap_map: write_map(path_of(swap_map.game, swap_map.size), swap_map)


def choose(position, seed="1", budget=QUICK, **options):
    player = make_player(position.game, "mcts", seed, PYTHON, replace(TINY, **options))
    return player.choose(position, position.legal_steps(), budget)


def opened(seed, **options) -> str:
    """How Black opens on Implo 5x5 with the pie rule on."""
    (step, *_) = choose(IMPLO.start(5, Pie.PIECES), str(seed), **options).steps
    return str(step)


def after(game, size, word, pie):
    """The positions after all images of a first turn, with a swap ahead."""
    (found,) = (each for each in first_turns(game, size) if each.word == word)
    return [played(game.start(size, pie), turn.steps) for turn in found.alike]


def played(position, steps):
    for step in steps:
        position = position.play(step)
    return position


def test_an_interval_is_that_of_the_visits():
    """As wide as in tables of the Wilson score: 0.5 of 100 is 0.404 to 0.596."""
    assert worth(0.5, 100).margin == pytest.approx(0.096, abs=5e-4)
    assert not worth(0.55, 100).sure and worth(0.55, 10_000).sure
    assert Worth.exact(0.5).sure and Worth.exact(1.0).is_exact


def test_what_was_written_is_read(tmp_path):
    write_map(tmp_path / "map", implo_5())
    again = read_map(tmp_path / "map", IMPLO, 5)
    assert again.engine == "9.9" and again.worths.keys() == VALUES.keys()
    for word, value in VALUES.items():
        assert again.worths[word] == pytest.approx(worth(value), abs=1e-6)


def test_a_great_many_visits_are_no_proof(tmp_path):
    won = {"A1": worth(1.0, 10**12), "A2": Worth.exact(1.0, 5)}
    write_map(tmp_path / "map", SwapMap(IMPLO, 5, "9.9", won))
    again = read_map(tmp_path / "map", IMPLO, 5).worths
    assert [again[word].is_exact for word in won] == [False, True]


def test_fairness_is_what_the_better_color_has_after_the_most_even_turn():
    assert (implo_5().fairest, implo_5().fairness) == ("A2", 0.52)
    assert implo_5({"A1": 0.3, "A2": 0.69}).fairness == 0.69


# In play -------------------------------------------------------------------------------------


def images(*words: str) -> set[str]:
    """All first turns of Implo 5x5 that are images of some."""
    found = (each for each in first_turns(IMPLO, 5) if each.word in words)
    return {str(turn.steps[0]) for each in found for turn in each.alike}


def test_images_are_all_there():
    assert images("A2") == {"A2", "A4", "B1", "B5", "D1", "D5", "E2", "E4"}
    assert images("C3") == {"C3"}


@pytest.mark.parametrize(
    "changes, words",
    [
        ({}, ["A2", "A3", "B2"]),
        ({"A3": 0.54}, ["A2", "B2"]),
        ({"B3": 0.5, "C3": 0.501}, ["A2", "B3", "C3"]),
        ({"A2": 0.6, "A3": 0.645, "B2": 0.395}, ["A1", "A2", "B3"]),
        ({"A2": 0.6, "A3": 0.645, "B2": 0.395, "B3": 0.7}, ["A1", "A2", "B2"]),
        ({"A1": 0.0, "A2": 0.65, "A3": 1.0, "B2": 0.7, "B3": 1.0}, ["A2"]),
    ],
)
def test_black_opens_with_one_of_the_most_even_turns(changes, words, store):
    """Within 0.03 of even, or else within 0.01 of the most even; three of six at most."""
    store(implo_5(VALUES | changes))
    assert {opened(seed) for seed in range(300)} == images(*words)


def test_a_seed_repeats_an_opening_and_it_needs_no_search(store):
    store(implo_5())
    start = IMPLO.start(5, Pie.PIECES)
    choices = [choose(start, "7") for _ in range(3)]
    assert choices[0] == choices[1] == choices[2]
    assert choices[0].visits == 1000
    assert choices[0].value == pytest.approx(min(choices[0].value, 0.5))


def test_only_steps_that_are_asked_for_are_played(store):
    store(implo_5())
    start = IMPLO.start(5, Pie.PIECES)
    among = tuple(step for step in start.legal_steps() if str(step) in ("A2", "C3"))
    for seed in range(20):
        player = make_player(IMPLO, "mcts", str(seed), PYTHON, TINY)
        choice = player.choose(start, among, Budget(20))
        assert str(choice.steps[0]) == "A2"


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("word", VALUES)
def test_white_swaps_exactly_what_the_map_calls_better_than_even(word, form, store):
    store(implo_5())
    for position in after(IMPLO, 5, word, form):
        choice = choose(position)
        assert (choice.steps == (SWAPS[form],)) == (VALUES[word] > 0.5)


def test_the_map_decides_against_the_search(store):
    """The pawn in the center is good for Black and the stone on the edge is not; a map that says
    otherwise is obeyed. On a solved board the proof would overrule it.
    """
    values = {each.word: worth(0.5) for each in first_turns(BOLOA, 5)}
    wrong = values | {"pC3": worth(0.1), "sA2": worth(0.9)}
    store(SwapMap(BOLOA, 5, "9.9", wrong))
    for word, swaps in (("pC3", False), ("sA2", True)):
        for position in after(BOLOA, 5, word, Pie.PIECES):
            assert (choose(position).steps == (SWAPS[Pie.PIECES],)) == swaps


def test_a_proof_is_right_against_the_map(store):
    values = {each.word: worth(0.9) for each in first_turns(BOLOA, 2)}
    store(SwapMap(BOLOA, 2, "9.9", values))
    position = after(BOLOA, 2, "sA1", Pie.PIECES)[0]
    assert choose(position, budget=Budget(10**5)).steps != (SWAPS[Pie.PIECES],)


@pytest.mark.parametrize("word", VALUES)
def test_some_replies_and_the_swap_are_in_order(word, store):
    """The better one is first, and the report has its value; the map's is that of the swap."""
    store(implo_5())
    offered, swap = after(IMPLO, 5, word, Pie.PIECES)[0], SWAPS[Pie.PIECES]
    for reply in offered.legal_steps()[::5]:
        if reply == swap:
            continue
        player = make_player(IMPLO, "mcts", "1", PYTHON, TINY)
        report = player.analyze(offered, (swap, reply), QUICK.begin())
        first, second = report.rows
        assert {first.step, second.step} == {swap, reply}
        assert report.value == pytest.approx(first.value)
        assert first.value <= second.value
        (swapped,) = (row for row in report.rows if row.step == swap)
        assert swapped.value == pytest.approx(1 - VALUES[word])


def test_lost_replies_prove_nothing_of_the_swap(store):
    """The opponent has all replies."""
    store(SwapMap(BOLOA, 2, "9.9", {each.word: worth(0.4) for each in first_turns(BOLOA, 2)}))
    offered, swap = after(BOLOA, 2, "sA1", Pie.PIECES)[0], SWAPS[Pie.PIECES]
    lost = 0
    for reply in offered.legal_steps():
        if reply == swap:
            continue
        player = make_player(BOLOA, "mcts", "1", PYTHON, TINY)
        found = player.analyze(offered, (swap, reply), Budget(10**4).begin())
        rows = {row.step: row for row in found.rows}
        if rows[reply].proven == 1:
            assert (found.rows[0].step, found.proven) == (swap, None)
            assert rows[swap].value == pytest.approx(0.6)
            lost += 1
    assert lost


def test_a_first_turn_that_the_map_does_not_cover_is_searched(store):
    store(implo_5({"C3": 0.9}))
    assert choose(after(IMPLO, 5, "C3", Pie.PIECES)[0]).visits == 1000
    assert choose(after(IMPLO, 5, "A1", Pie.PIECES)[0]).visits == 20
    assert choose(IMPLO.start(5, Pie.PIECES)).visits == 20


def test_maps_can_be_switched_off(store):
    store(implo_5())
    assert choose(IMPLO.start(5, Pie.PIECES), swap_maps=False).visits == 20
    assert choose(after(IMPLO, 5, "C3", Pie.PIECES)[0], swap_maps=False).visits == 20


def test_without_the_pie_rule_a_map_has_no_say(store):
    store(implo_5())
    assert choose(IMPLO.start(5)).visits == 20
    swapped = after(IMPLO, 5, "C3", Pie.PIECES)[0].play(SWAPS[Pie.PIECES])
    assert choose(swapped).visits == 20


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("visits", first_of([1, 10]))
def test_swaps_on_solved_boards_are_right_at_every_level(game, backend, form, visits):
    """All images of all first turns on 2x2, 3x3 and 4x4."""
    for size in (size for size in stored_sizes(game) if size <= 4):
        for each in first_turns(game, size):
            exact = stored_map(game, size).worths[each.word]
            assert exact.is_exact
            for position in after(game, size, each.word, form):
                if position.outcome() is not None:
                    continue
                player = make_player(game, "mcts", "1", backend, TINY)
                choice = player.choose(position, position.legal_steps(), Budget(visits))
                assert (choice.steps == (SWAPS[form],)) == (exact.value == 1)


@pytest.mark.parametrize(
    "game, words, value",
    [
        ("implo", ["A1", "A2", "B2"], 1.0),
        ("robble", ["A1", "A2", "B2"], 0.5),
        ("pilo", ["A1", "A2", "B2"], 1.0),
        ("boloa", ["sA1", "sA2", "sB1", "sB2"], 0.0),
        ("boloa", ["pA1", "pA2", "pB1", "pB2"], 1.0),
    ],
)
def test_what_is_solved_on_4x4_is_stored_as_exact(game, words, value):
    """As protocol_specs/play/solved.md has it."""
    stored = stored_map(find_game(game), 4).worths
    assert {stored[word].value for word in words} == {value}
    assert all(stored[word].is_exact for word in words)


def test_a_map_of_nothing_but_wins_and_losses_is_no_help_to_open(game):
    """On 3x3 Black searches, except in Robble, where all first turns are drawn."""
    if not game.has_pie:
        pytest.skip("there is no map")
    choice = choose(game.start(3, Pie.PIECES))
    assert choice.proven == (0.5 if game.name == "robble" else None)


# Files ---------------------------------------------------------------------------------------

UNUSABLE = {
    "nothing in it": b"",
    "words": b"hello\nA1 0.5 10 0.1\n",
    "a header only": b'{"kind": "swap map", "version": 1, "game": "implo", "size": 5}\n',
}


@pytest.mark.parametrize("content", UNUSABLE.values(), ids=UNUSABLE)
def test_a_map_that_cannot_be_used_is_logged_once_and_the_game_goes_on(content, folder, logged):
    path_of(IMPLO, 5).write_bytes(content)
    assert choose(IMPLO.start(5, Pie.PIECES)).visits == 20
    assert choose(after(IMPLO, 5, "C3", Pie.PIECES)[0]).visits == 20
    (line,) = map(str, logged)
    assert line.startswith(f"WARNING: playing without a swap map: {path_of(IMPLO, 5)} ")
    assert len(line.splitlines()) == 1


def test_a_map_of_another_board_version_or_kind_is_refused(tmp_path):
    path = tmp_path / "map"
    write_map(path, implo_5())
    for game, size in ((IMPLO, 6), (BOLOA, 5)):
        with pytest.raises(UnusableFile, match="for another board than"):
            read_map(path, game, size)
    facts = {"game": "implo", "size": 5}
    write_stored(path, KIND, FORM + 1, facts, b"")
    with pytest.raises(UnusableFile, match=f"version {FORM + 1}; this engine reads"):
        read_map(path, IMPLO, 5)
    write_stored(path, "weights", FORM, facts, b"")
    with pytest.raises(UnusableFile, match="holds no swap map"):
        read_map(path, IMPLO, 5)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "A1",
        "A1 0.5 10",
        "A1 0.5 10 0.1 0.1",
        "A5 0.5 10 0.1",
        "Z9 0.5 10 0.1",
        "A1 1.5 10 0.1",
        "A1 nan 10 0.1",
        "A1 0.5 -1 0.1",
        "A1 0.5 ten 0.1",
        "A1 0.5 10 7",
        "B2 0.5 10 0.1",
        "A1 0.5 1e3 0.1",
        "\xff 0.5 10 0.1",
    ],
)
def test_lines_that_tell_of_no_first_turn_are_refused(line, tmp_path):
    """B2 stands in the line before; A5 is an image of A1."""
    payload = f"B2 0.5 10 0.1\n{line}\n".encode("latin1")
    write_stored(tmp_path / "map", KIND, FORM, {"game": "implo", "size": 5}, payload)
    message = "line 2 after the header does not describe a first turn"
    with pytest.raises(UnusableFile, match=message):
        read_map(tmp_path / "map", IMPLO, 5)


def test_the_maps_that_ship_can_be_used_and_are_complete(game):
    """A game ships them for all its usual sizes, or not at all."""
    sizes = stored_sizes(game)
    if game.tuning is None and not sizes:
        pytest.skip("nobody has searched its first turns")
    smallest, largest = game.recommended or (game.default_size, game.default_size)
    assert {2, 3, *range(smallest, largest + 1)} <= set(sizes)
    for size in sizes:
        assert read_map(path_of(game, size), game, size).complete


# Searching -----------------------------------------------------------------------------------


def test_a_survey_searches_what_is_not_known_well_enough():
    known = implo_5()
    known = known._replace(worths={**known.worths, "C3": worth(0.7, 10), "A1": Worth.exact(0.0)})
    setup = SearchSetup(PYTHON, TINY, "1", Budget())
    found = {each.opening.word: each for each in survey(IMPLO, 5, known, 30, setup)}
    assert [word for word, each in found.items() if not each.stored] == ["C3"]
    assert found["C3"].worth.visits == 30
    assert found["A2"].worth == known.worths["A2"]


def test_a_survey_without_time_tells_what_was_known():
    known = implo_5({"A1": 0.4})
    setup = SearchSetup(PYTHON, TINY, "1", Budget(seconds=0))
    found = {each.opening.word: each for each in survey(IMPLO, 5, known, 10**6, setup)}
    assert found.keys() == VALUES.keys()
    assert found.pop("A1").worth == known.worths["A1"]
    assert all(each.worth is None and not each.stored for each in found.values())


def test_a_search_that_was_cut_short_does_not_replace_what_is_deeper():
    """Some visits, not so many as are stored."""
    known = SwapMap(IMPLO, 5, "9.9", {word: worth(value, 10**8) for word, value in VALUES.items()})
    setup = SearchSetup(PYTHON, TINY, "1", Budget(interrupt=OnceBegun()))
    found = list(survey(IMPLO, 5, known, 10**9, setup))
    assert [each.worth.visits for each in found] == [10**8] * 6


def test_a_first_turn_that_ends_the_game_is_known_without_a_search():
    setup = SearchSetup(PYTHON, TINY, "1", Budget(seconds=0))
    (only,) = survey(IMPLO, 2, None, 10, setup)
    assert only.worth == Worth.exact(1.0)


def test_images_lead_to_the_same_worth(rng):
    """The position after any first turn is found, whatever swap is ahead."""
    for game in games():
        for size in stored_sizes(game)[:4]:
            each = rng.choice(first_turns(game, size))
            wanted = stored_map(game, size).worths[each.word]
            for turn in each.alike:
                for pie in FORMS:
                    position = replace(turn.position, pie=pie)
                    assert swap_maps.worth_after(position) == wanted


def test_random_picks_are_those_of_the_player(store):
    store(implo_5())
    start = IMPLO.start(5, Pie.PIECES)
    pick = random.Random(3).choice
    turn, found = swap_maps.opening_turn(start, start.legal_steps(), pick)
    assert turn.steps[0] in start.legal_steps() and found.better <= 0.53
    one_on = start.play(start.legal_steps()[0])
    assert swap_maps.opening_turn(one_on, one_on.legal_steps(), pick) is None
