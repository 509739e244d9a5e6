"""A game in one file, and perhaps a header, is played, explained, drawn, solved and matched."""

import json
import random
import shlex
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from gtp_engine.gtp.client.transcript import parse, run
from gtp_engine.rules import find_game
from gtp_engine.rules.points.color import BLACK
from gtp_engine.rules.points.symmetry import EDGES_KEPT, SAME, SQUARE
from gtp_engine.rules.step import Pie
from gtp_engine.search.backends.choose import AUTO, KERNEL, PYTHON, backend_for
from gtp_engine.search.backends.kernel import check_declarations, kernel_built, kernel_for
from gtp_engine.search.budget import Budget
from gtp_engine.search.options import SearchOptions
from gtp_engine.search.solver import solve
from measure.faulty_copy import FAST, Copy
from rules import test_contract
from support.driver import Driver
from support.examples import (
    AMAZONS,
    BREAKTHROUGH,
    FOLDER,
    HEX,
    KONANE,
    NAMES,
    build,
    examples_there,
)
from support.playing import every_position
from support.starting import ENGINES, python_command
from support.thorough import first_of, thorough
from support.waiting import PATIENCE

ENGINE = python_command("-P", ENGINES / "examples.py")

needs_kernel = pytest.mark.skipif(not kernel_built(), reason="no kernel was built")


@pytest.fixture(autouse=True)
def _there():
    with examples_there():
        yield


@pytest.fixture(params=NAMES)
def game(request):
    return find_game(request.param)


@pytest.fixture
def compiled(request):
    """The examples are in the kernel, too."""
    if why := build():
        pytest.skip(why)
    with examples_there():
        yield


def engine(arguments: str, cwd: Path, lines: str = "") -> subprocess.CompletedProcess[str]:
    """The engine with the games, run to its end."""
    return subprocess.run(
        [*shlex.split(ENGINE), *arguments.split()],
        cwd=cwd,
        input=lines,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )


def test_the_transcript_is_as_written(game):
    for result in run(
        parse((FOLDER / f"transcripts/{game.name}.tst").read_text()), Driver().over_the_wire
    ):
        assert result.verdict is None or not result.verdict.surprising, result


def test_a_record_is_saved_and_loaded(game, tmp_path, rng):
    drive = Driver(game.name, 4)
    for _ in range(6):
        position = drive.session.position
        drive(f"play {position.to_move.letter} {rng.choice(position.legal_steps())}")
    board = drive("showboard")
    drive(f"printsgf {tmp_path / 'game.sgf'}")
    drive("clear_board")
    drive(f"loadsgf {tmp_path / 'game.sgf'}")
    assert drive("showboard") == board


def test_it_is_drawn_and_shown(game):
    drive = Driver(game.name, 5)
    assert drive("game-svg").startswith("<svg")
    view = json.loads(drive("game-view"))
    assert len(view["pieces"]) == drive.session.position.occupied().bit_count()
    (entry,) = [
        each for each in json.loads(drive("game-catalog"))["games"] if each["name"] == game.name
    ]
    assert entry["pie"] == game.has_pie


@pytest.mark.parametrize("game", first_of(NAMES), indirect=True)
def test_analysis_and_forecast_run(game):
    drive = Driver(game.name, 4)
    drive("game-set visits 20")
    assert drive("kata-genmove_analyze b 10").splitlines()[-1].startswith("play ")
    assert drive("game-forecast 50")


def test_a_gui_sees_a_swap_only_where_there_is_one(game):
    drive = Driver(game.name, 4)
    drive("game-set visits 5")
    drive("genmove b")
    shown = [drive("gogui-analyze_commands"), drive("showboard"), drive("game-status")]
    shown += [drive("game-legal_steps"), drive("gogui-rules_board_gfx"), drive("game-view")]
    shown.append(drive("game-gfx_openings 1 0"))
    assert any("swap" in text for text in shown) == game.has_pie


@pytest.mark.parametrize("game", first_of(NAMES), indirect=True)
def test_a_swap_map_needs_a_pie_rule(game, tmp_path):
    size = game.smallest_size
    drive = Driver(game.name, size)
    done = engine(f"swap-map {game.name} {size} --visits 5 --output there.map", tmp_path)
    if game.has_pie:
        assert "fairness" in drive("game-swap_map 1")
        assert done.returncode == 0 and (tmp_path / "there.map").exists()
    else:
        assert drive.fails("game-swap_map") == "this game has no pie rule"
        assert done.returncode == 2
        assert f"{game.title} has no pie rule" in done.stderr


def test_random_positions_are_solved_right(game, rng):
    """Each value against one without any symmetry or memory, by the rules alone."""

    def value(position) -> float:
        outcome = position.outcome()
        if outcome is not None:
            return outcome.value
        values = [value(position.play(step)) for step in position.legal_steps()]
        return (max if position.to_move is BLACK else min)(values)

    for position in every_position(game, range(2, 4), 10, rng):
        empty = 9 - position.occupied().bit_count()
        few = {BREAKTHROUGH: 10, KONANE: 10, AMAZONS: 4}.get(game.name, 6)
        if position.pie is Pie.OFF and empty < few:
            assert solve(position, Budget(visits=10**5)).value == value(position)


@thorough
@needs_kernel
@pytest.mark.parametrize("method", ["proof-numbers", "depth-first"])
def test_the_kernel_solves_what_python_solves(game, compiled, method, rng):
    """All canonical keys in use: boards of one word, and symmetry."""
    kernel, python = backend_for(game, KERNEL), backend_for(game, PYTHON)
    for position in every_position(game, range(3, 4), 6, rng):
        if position.outcome() is None:
            options = SearchOptions(hash_mb=16)
            found = [
                each.solver(position, options, wanted).solve(position, Budget(seconds=60)).value
                for each, wanted in ((kernel, method), (python, "best"))
            ]
            assert found[0] == found[1] is not None


# Without the headers ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "lines", "untuned"),
    first_of(
        [
            ("--game hex --size 3 --visits 5", "genmove b\ngenmove w\ngame-forecast\n", 1),
            ("--game hex --size 2", "game-solve\ngame-perft 2\n", 0),
            ("solve --game hex --size 2", "", 0),
            ("swap-map hex 2 --visits 5", "", 1),
            ("bench --game hex --size 2 --seconds 0.001 --samples 1", "", 1),
            ("--game breakthrough --size 4 --visits 5", "genmove b\ngenmove w\n", 1),
        ],
        2,
    ),
)
def test_the_log_says_once_what_the_game_lacks(tmp_path, arguments, lines, untuned):
    """Everything works in Python, and nothing of it is silent."""
    done = engine(f"{arguments} --without-headers", tmp_path, lines)
    assert done.returncode == 0, done.stderr
    assert "?" not in done.stdout
    assert done.stderr.count("searched in Python") == 1
    assert done.stderr.count("is untuned") == untuned


@thorough
@needs_kernel
def test_training_says_that_it_needs_a_header(tmp_path):
    pytest.importorskip("jax")
    done = engine("train hex --hours 0.01 --output there --without-headers", tmp_path)
    assert done.returncode == 2
    assert "training needs the kernel, which has no hex here" in done.stderr
    assert not (tmp_path / "there").exists()


@thorough
@pytest.mark.parametrize("name", NAMES)
def test_a_match_is_played(tmp_path, name):
    """The arena referees it, so the rules are known on both sides of the wire."""
    script = tmp_path / "arena.py"
    script.write_text(
        f"import sys; sys.path.insert(0, {str(FOLDER.parent)!r})\n"
        "from support.examples import add_examples; add_examples()\n"
        "from gtp_engine.cli.arena import main; raise SystemExit(main(sys.argv[1:]))\n"
    )
    command = [sys.executable, "-P", str(script), "run", "--game", name, "--size", "4"]
    engines = ["--engine", f"A={ENGINE} --visits 20", "--engine", f"B={ENGINE} --player random"]
    done = subprocess.run(
        [*command, *engines, "--games", "4", "--db", "match.db", "--json"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr


# Wrong declarations ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        (HEX, {"symmetry": EDGES_KEPT}),
        (BREAKTHROUGH, {"symmetry": SQUARE}),
        (HEX, {"color_mirror": SAME}),
        (BREAKTHROUGH, {"color_mirror": SAME}),
    ],
)
def test_a_wrong_declaration_is_caught(name, wrong):
    """By the contract: a game played in that image has other steps, or ends otherwise."""
    game = find_game(name)
    changed = replace(game, **wrong)
    game.position_type.game = changed

    def played() -> None:
        for seed in range(20):
            test_contract.test_what_the_symmetry_says_is_so(changed, 4, random.Random(seed))
            test_contract.test_what_the_color_mirror_says_is_so(changed, 4, random.Random(seed))

    try:
        with pytest.raises(AssertionError):
            played()
    finally:
        game.position_type.game = game


@needs_kernel
@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"color_mirror": SAME}, "color mirror"),
        ({"symmetry": SQUARE}, "symmetry"),
        ({"neighbors": (1,)}, "neighbors"),
        ({"kinds": ()}, "kinds of steps"),
    ],
)
def test_a_header_that_declares_something_else_is_refused(wrong, said):
    boloa = find_game("boloa")
    core = kernel_for("boloa")
    check_declarations(core, boloa)
    with pytest.raises(ImportError, match=f"header of Boloa does not declare the {said}"):
        check_declarations(core, replace(boloa, **wrong))


@needs_kernel
def test_a_kernel_that_lacks_a_search_option_is_refused():
    """It would ignore what a user sets."""
    boloa, core = find_game("boloa"), kernel_for("boloa")
    names = [name for name in dir(core.SearchOptions) if name != "exploration"]
    old = SimpleNamespace(
        declared=core.declared, SearchOptions=SimpleNamespace(**dict.fromkeys(names))
    )
    with pytest.raises(ImportError, match="without the search option exploration"):
        check_declarations(old, boloa)


@pytest.mark.parametrize("backend", [AUTO, KERNEL, PYTHON])
def test_a_refused_header_leaves_the_game_to_python(monkeypatch, backend):
    def refuse(core, game):
        raise ImportError("no")

    monkeypatch.setattr("gtp_engine.search.backends.kernel._build_for", refuse)
    assert backend_for(find_game(HEX), backend).name == PYTHON


@thorough
def test_a_game_whose_file_is_copied_has_its_tests_and_stops_no_others(tmp_path):
    """As the page about adding a game tells."""
    copy = Copy(tmp_path)
    shutil.copy2(FOLDER / "rules" / "hex.py", copy.checkout / "gtp_engine" / "rules")
    assert copy.failures(["--collect-only"]) == []
    files = ["rules/test_contract.py", "rules/test_events.py", "rules/test_swap.py"]
    named = [f"tests/{file}" for file in [*files, "engine/test_sample_games.py"]]
    assert copy.failures([*named, *FAST, "-k", HEX]) == []
