"""`gtp-engine swap-map`, as a user calls it."""

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from gtp_engine import __version__
from gtp_engine.cli.engine import main
from gtp_engine.cli.swap_map import table
from gtp_engine.rules import find_game, games
from gtp_engine.search.backends.kernel import kernel_built
from gtp_engine.search.openings.swap_maps import SwapMap, Worth, read_map, stored_sizes, write_map
from support.starting import running
from support.statuses import status_of
from support.waiting import PATIENCE

IMPLO = find_game("implo")
SPEC = Path(__file__).parents[2] / "protocol_specs" / "play" / "swap-maps.md"
QUICK = ["swap-map", "implo", "5", "--backend", "python", "--seed", "1"]
WORDS = ["A1", "A2", "A3", "B2", "B3", "C3"]


def visits(path) -> dict[str, int]:
    return {word: worth.visits for word, worth in read_map(path, IMPLO, 5).worths.items()}


def printed(capsys) -> list[str]:
    return capsys.readouterr().out.splitlines()


def test_a_map_is_printed(capsys):
    assert main([*QUICK, "--visits", "20"]) == 0
    *lines, fairness = printed(capsys)
    assert [re.split("[ :]", line)[0] for line in lines] == WORDS
    form = r"A1 \(4 alike\): 0\.\d{4}, \+-0\.\d{4}, 20 visits: (no )?swap"
    assert re.fullmatch(form, lines[0])
    assert re.fullmatch(r"implo 5: fairness 0\.5\d\d, after [ABC][123]", fairness)


def test_a_seed_repeats_a_map(capsys):
    assert main([*QUICK, "--visits", "20"]) == 0
    first = printed(capsys)
    assert main([*QUICK, "--visits", "20"]) == 0
    assert printed(capsys) == first


def test_solved_first_turns_are_exact(capsys):
    assert main(["swap-map", "boloa", "2", "--solve", "60"]) == 0
    assert printed(capsys) == [
        "pA1 (4 alike): 1.0000, exact: swap",
        "sA1 (4 alike): 0.0000, exact: no swap",
        "boloa 2: fairness 1.000, after pA1",
    ]


def test_a_saved_map_goes_on_where_it_ended(tmp_path, capsys):
    path = tmp_path / "implo-5.map"
    save = [*QUICK, "--output", str(path)]
    assert main([*save, "--visits", "20"]) == 0
    assert visits(path) == dict.fromkeys(WORDS, 20)
    known = read_map(path, IMPLO, 5)
    marked = {**known.worths, "A1": Worth.searched(0.9, 20), "B2": Worth.searched(0.5, 5)}
    del marked["C3"]
    write_map(path, known._replace(worths=marked))
    assert main([*save, "--visits", "20"]) == 0
    again = read_map(path, IMPLO, 5).worths
    assert again["A1"].value == 0.9
    assert again["A2"] == known.worths["A2"]
    assert visits(path) == dict.fromkeys(WORDS, 20)
    assert len(printed(capsys)) == 14
    assert main([*save, "--visits", "20", "--again"]) == 0
    assert read_map(path, IMPLO, 5) == known


def test_the_most_even_are_searched_deeper_until_they_stay_so(tmp_path, capsys):
    path = tmp_path / "implo-5.map"
    values = dict(zip(WORDS, (0.9, 0.5, 0.8, 0.51, 0.9, 0.9)))
    worths = {word: Worth.searched(value, 20) for word, value in values.items()}
    write_map(path, SwapMap(IMPLO, 5, __version__, worths))
    options = ["--visits", "20", "--closest", "2", "--deep", "40", "--output", str(path)]
    assert main([*QUICK, *options]) == 0
    found = read_map(path, IMPLO, 5).worths
    closest = sorted(found, key=lambda word: found[word].better)[:2]
    assert [found[word].visits for word in closest] == [40, 40]
    assert found["A2"].visits == 40
    assert found["A1"] == pytest.approx(worths["A1"], abs=1e-6)


def test_a_map_that_is_deeper_already_stays_as_it_is(tmp_path):
    path = tmp_path / "implo-5.map"
    deep = SwapMap(IMPLO, 5, __version__, {word: Worth.searched(0.5, 10**9) for word in WORDS})
    write_map(path, deep)
    before = path.read_bytes()
    assert main([*QUICK, "--output", str(path)]) == 0
    assert path.read_bytes() == before


def test_control_c_keeps_what_is_known(tmp_path):
    """The first value is known, so it is printed at once; the second takes minutes."""
    path = tmp_path / "implo-5.map"
    known = SwapMap(IMPLO, 5, __version__, {"A1": Worth.searched(0.25, 10**9)})
    write_map(path, known)
    command = [sys.executable, "-m", "gtp_engine", *QUICK, "--visits", "100000000"]
    command += ["--output", str(path)]
    pipe = subprocess.PIPE
    with running(command, stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stdout.readline().startswith("A1 (4 alike): 0.2500, ")
        process.send_signal(signal.SIGINT)
        rest, complaints = process.communicate(timeout=PATIENCE)
    assert (process.returncode, rest, complaints) == (130, "", "")
    kept = read_map(path, IMPLO, 5).worths
    assert kept.pop("A1") == pytest.approx(known.worths["A1"])
    assert kept.keys() <= {"A2"}
    assert all(0 < worth.visits < 10**8 for worth in kept.values())


@pytest.mark.parametrize(
    "options, complaint",
    [
        ([], "GAME and SIZE are required"),
        (["implo"], "GAME and SIZE are required"),
        (["chess", "8"], f"there is no game chess: {' '.join(game.name for game in games())}"),
        (["implo", "20"], "2 to 19"),
        (["implo", "5", "--hash_mb", "0"], "--hash-mb: expected integer 1..65536"),
        (["implo", "5", "--output", "no/such/folder/map"], "no/such/folder"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(options, complaint, capsys):
    assert status_of(main, ["swap-map", *options]) == 2
    told = capsys.readouterr()
    assert (told.out, len(told.err.splitlines())) == ("", 1)
    assert told.err.startswith("gtp-engine swap-map: ")
    assert complaint in told.err


def test_a_file_of_anything_else_is_refused_and_stays_as_it_is(tmp_path, capsys):
    path = tmp_path / "map"
    path.write_text("a diary\n")
    assert main([*QUICK, "--output", str(path)]) == 2
    assert f"{path} does not begin with a complete header" in capsys.readouterr().err
    write_map(path, SwapMap(find_game("pilo"), 5, __version__, {}))
    assert main([*QUICK, "--output", str(path)]) == 2
    assert f"{path} is for another board than implo 5" in capsys.readouterr().err
    assert read_map(path, find_game("pilo"), 5).worths == {}


def test_values_of_two_versions_are_not_mixed(tmp_path, capsys):
    path = tmp_path / "map"
    write_map(path, SwapMap(IMPLO, 5, "0.0.1", {"A1": Worth.searched(0.25, 10**9)}))
    assert main([*QUICK, "--visits", "5", "--output", str(path)]) == 2
    complaint = capsys.readouterr().err
    assert f"is by version 0.0.1 of the engine, not {__version__}: --again" in complaint
    assert main([*QUICK, "--visits", "5", "--output", str(path), "--again"]) == 0
    assert read_map(path, IMPLO, 5).engine == __version__
    assert visits(path) == dict.fromkeys(WORDS, 5)


def test_the_specification_has_the_table_of_the_maps_that_ship():
    """If this fails, put the output of `gtp-engine swap-map --table` on the page."""
    rows = list(table())
    assert len(rows) == 2 + sum(len(stored_sizes(game)) for game in games())
    assert "\n".join(rows) in SPEC.read_text()


def test_the_table_is_printed(capsys):
    assert main(["swap-map", "--table"]) == 0
    assert printed(capsys) == list(table())


@pytest.mark.skipif(not kernel_built(), reason="no kernel was built")
def test_a_map_is_by_one_learned_evaluation(tmp_path, capsys):
    """What was measured without one is not gone on with by another engine."""
    path = str(tmp_path / "pilo.map")
    options = ["swap-map", "pilo", "4", "--visits", "20", "--seed", "1", "--output", path]
    assert main([*options, "--weights", "off"]) == 0
    assert main(options) == 2
    assert "is by version" in capsys.readouterr().err
    assert main([*options, "--again"]) == 0
