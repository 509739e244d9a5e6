"""A game in one file is played, explained, drawn, solved and matched like the other four."""

import json
import random
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import Driver
from fifth import FOLDER, NAME, add_fifth_game, remove_fifth_game
from playing import every_position
from rules import test_contract
from starting import ENGINES, python_command
from thorough import thorough

from gtp_engine.board.color import BLACK
from gtp_engine.board.symmetry import Symmetry
from gtp_engine.board.vertex import Vertex
from gtp_engine.look.brush import Brush
from gtp_engine.look.geometry import center
from gtp_engine.look.surface import surface
from gtp_engine.rules import find_game
from gtp_engine.rules.step import Pie
from gtp_engine.search.backends.choose import AUTO, KERNEL, PYTHON, backend_for
from gtp_engine.search.backends.kernel import kernel_built
from gtp_engine.search.budget import Budget
from gtp_engine.search.openings.first_turns import first_turns
from gtp_engine.search.solver import solve

ROOT = Path(__file__).parent.parent.parent
ENGINE = python_command("-P", ENGINES / "fifth.py")


# Somebody who follows the guide to its end has a header.
without_header = pytest.mark.skipif(kernel_built(NAME), reason="the kernel has the game here")


@pytest.fixture(autouse=True)
def _there():
    add_fifth_game()
    yield
    remove_fifth_game()


@pytest.fixture
def hexes():
    return find_game(NAME)


@pytest.fixture
def drive(hexes):
    driver = Driver(NAME, 3)
    driver("game-set visits 30")
    return driver


def test_a_game_is_played_and_taken_back(drive):
    assert NAME in drive("game-list")
    for line in ("play b a1", "play w a3", "play b b1", "play w a2", "play b c1"):
        drive(line)
    assert drive("game-over") == "false"
    drive("play w c3")
    drive("undo")
    assert drive("genmove w") in ("B2", "B3", "C2", "C3")
    assert "White" in drive("showboard")


def test_its_words_explain(drive):
    drive("play b b2")
    drive("play w b1")
    assert drive("game-explain b b2") == "H4: B2 is not empty"
    assert drive("game-explain b a1") == "legal"
    assert drive("game-rules").startswith("Connect your two edges")


def test_a_chain_over_the_diagonal_wins(drive):
    """B2 and C1 are neighbors.

    . B .
    W B W
    . . .
    """
    drive("game-position hex 3 .B./WBW/... b")
    assert "TEXT Black 2; White 1 1" in drive("game-gfx_groups")
    drive("play b c1")
    assert drive("game-result") == "B+ Black connects the two edges"


def test_a_record_is_saved_and_loaded(drive, tmp_path):
    drive("play b b2")
    drive("play w swap")
    drive("play b a1")
    board = drive("showboard")
    drive(f"printsgf {tmp_path / 'game.sgf'}")
    drive("clear_board")
    drive(f"loadsgf {tmp_path / 'game.sgf'}")
    assert drive("showboard") == board


def test_pictures_show_all_neighbors(hexes):
    """On 2x2 the one diagonal that joins neighbors is from A2 to B1."""
    a2, b1 = (center(Vertex.parse(name), 2) for name in ("A2", "B1"))
    assert "M{} {}L{} {}".format(*a2, *b1) in "".join(surface(Brush("wood"), hexes.start(2)))


def test_analysis_and_forecast_run(drive):
    drive("game-set backend auto")
    assert drive("kata-genmove_analyze b 10").splitlines()[-1].startswith("play ")
    assert drive("game-forecast 50")


@without_header
@pytest.mark.parametrize("backend", [AUTO, KERNEL, PYTHON])
def test_python_searches_what_the_kernel_lacks(hexes, backend):
    assert backend_for(hexes, backend).name == PYTHON


def engine(arguments: str, cwd: Path, lines: str = "") -> subprocess.CompletedProcess[str]:
    """The engine with the game, run to its end."""
    return subprocess.run(
        [*shlex.split(ENGINE), *arguments.split()],
        cwd=cwd,
        input=lines,
        capture_output=True,
        text=True,
        timeout=60,
    )


@without_header
@pytest.mark.parametrize(
    ("arguments", "lines", "untuned"),
    [
        (f"--game {NAME} --size 3 --visits 5", "genmove b\ngenmove w\ngame-forecast\n", 1),
        (f"--game {NAME} --size 2", "game-solve\ngame-perft 2\n", 0),
        (f"bench --game {NAME} --size 2 --seconds 0.001 --samples 1", "", 1),
        (f"solve --game {NAME} --size 2", "", 0),
        (f"swap-map {NAME} 2 --visits 5", "", 1),
    ],
)
def test_the_log_says_once_what_the_game_lacks(tmp_path, arguments, lines, untuned):
    """Everything works in Python, and nothing of it is silent."""
    done = engine(arguments, tmp_path, lines)
    assert done.returncode == 0, done.stderr
    assert "?" not in done.stdout
    assert done.stderr.count("searched in Python") == 1
    assert done.stderr.count("Hex is untuned") == untuned


@thorough
@without_header
@pytest.mark.skipif(not kernel_built(), reason="no kernel was built")
def test_training_says_that_it_needs_a_header(tmp_path):
    done = engine(f"train {NAME} --hours 0.01 --output there", tmp_path)
    assert done.returncode == 2
    assert f"training needs the kernel, which has no {NAME} here" in done.stderr
    assert not (tmp_path / "there").exists()


def test_first_turns_are_alike_where_they_are_worth_the_same(hexes):
    """On 3x3 five first turns stand for all nine."""
    found = first_turns(hexes, 3)
    assert [opening.images for opening in found] == [2, 2, 2, 2, 1]
    for opening in found:
        values = {solve(turn.position, Budget(visits=10**6)).value for turn in opening.alike}
        assert len(values) == 1


def test_random_positions_are_solved_right(hexes, rng):
    """Each value against one without any symmetry or memory, by the rules alone."""

    def value(position) -> float:
        outcome = position.outcome()
        if outcome is not None:
            return outcome.value
        values = [value(position.play(step)) for step in position.legal_steps()]
        return (max if position.to_move is BLACK else min)(values)

    for position in every_position(hexes, range(2, 3), 30, rng):
        if position.pie is Pie.OFF:
            assert solve(position, Budget(visits=10**5)).value == value(position)


@thorough
def test_a_match_is_played(tmp_path):
    """The arena referees it, so the rules are known on both sides of the wire."""
    script = tmp_path / "arena.py"
    script.write_text(
        f"import sys; sys.path.insert(0, {str(Path(__file__).parent.parent)!r})\n"
        "from fifth import add_fifth_game; add_fifth_game()\n"
        "from gtp_engine.cli.arena import main; raise SystemExit(main(sys.argv[1:]))\n"
    )
    command = [sys.executable, "-P", str(script), "run", "--game", NAME, "--size", "3"]
    engines = ["--engine", f"A={ENGINE} --visits 20", "--engine", f"B={ENGINE} --player random"]
    done = subprocess.run(
        [*command, *engines, "--games", "4", "--db", "match.db", "--json"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr


def test_it_has_views_with_its_six_neighbors_and_edges(drive):
    drive("play b b2")
    view = json.loads(drive("game-view"))
    assert view["game"]["neighbors"] == [[0, 1], [1, 0], [0, -1], [-1, 0], [-1, 1], [1, -1]]
    assert view["game"]["edges"]["top"] == "black"
    assert view["turn"]["wants"] == "Place"
    assert [piece["text"] for piece in view["pieces"]] == ["black stone"]
    assert view["last"]["why"][0] == {
        "phase": 1,
        "play": 1,
        "rule": "H3",
        "text": "A stone on B2",
        "points": ["B2"],
    }


def test_the_guide_shows_this_game():
    """The page on adding a game holds the file that these tests play."""
    page = (ROOT / "protocol_specs/guides/adding-a-game.md").read_text()
    assert f"```python\n{(FOLDER / 'hex.py').read_text()}```" in page


@pytest.mark.skipif(not shutil.which("c++"), reason="there is no compiler")
def test_the_header_in_the_guide_is_a_game_of_the_kernel(tmp_path):
    """It compiles without warnings, and fulfills the concept."""
    page = (ROOT / "protocol_specs/guides/adding-a-game.md").read_text()
    (header,) = re.findall("```cpp\n(.*?)```", page, re.DOTALL)
    (tmp_path / "hex.hpp").write_text(header)
    source = tmp_path / "check.cpp"
    concept = "static_assert(patchpie::Game<patchpie::Hex<patchpie::Only8>>);"
    source.write_text(f'#include "hex.hpp"\n{concept}\n')
    options = ("-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wconversion", "-Werror")
    command = ["c++", *options, "-Wno-psabi", "-I", ROOT / "gtp_engine/kernel", source]
    subprocess.run(command, check=True, timeout=100)


def test_a_wrong_declaration_is_caught(hexes):
    """Hex has no eight images: a game played in the others ends otherwise."""

    def played_in_all_images() -> None:
        for seed in range(20):
            test_contract.test_what_the_symmetry_says_is_so(wrong, 4, random.Random(seed))

    wrong = replace(hexes, symmetry=Symmetry.EDGES_KEPT)
    with pytest.raises(AssertionError):
        played_in_all_images()
