"""`gtp-engine bench`, as a user calls it."""

import json

import pytest

from gtp_engine.cli.bench import MEASURES
from gtp_engine.cli.engine import main
from gtp_engine.rules import find_game, games
from gtp_engine.search.backends.choose import KERNEL, PYTHON
from gtp_engine.search.backends.kernel import kernel_backends, kernel_built
from gtp_engine.search.weights import weights_for

BACKENDS = [PYTHON, KERNEL] if kernel_built() else [PYTHON]
QUICKLY = ["bench", "--seconds", "0.01", "--samples", "1"]


@pytest.mark.parametrize("what", MEASURES)
@pytest.mark.parametrize("backend", BACKENDS)
def test_each_measure_gives_one_record_a_size(what, backend, capsys):
    options = ["--what", what, "--backend", backend, "--game", "robble", "--json"]
    assert main([*QUICKLY, *options]) == 0
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(each["what"], each["game"], each["size"]) for each in records] == [
        (what, "robble", size) for size in (5, 7, 9)
    ]
    for record in records:
        rates = [value for key, value in record.items() if key.endswith("per_second")]
        assert rates and all(rate > 0 for rate in rates)
        # Each is told by processor time, too.
        assert any(value > 0 for key, value in record.items() if "processor" in key)


@pytest.mark.skipif(not kernel_built(), reason="needs the kernel")
def test_evaluations_show_all_instruction_sets_side_by_side(capsys):
    options = ["--what", "evaluations", "--size", "6", "--json"]
    assert main([*QUICKLY, *options]) == 0
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    isas = [backend.isa for backend in kernel_backends(find_game("implo"))]
    shipped = [game.name for game in games() if weights_for(game.name, "auto")]
    assert shipped
    assert [(each["game"], each["isa"]) for each in records] == [
        (game, isa) for game in shipped for isa in isas
    ]
    for record in records:
        assert record["processor_us_per_evaluation"] > 0
        assert record["visits_per_processor_second"] > 0
        assert record["times_the_fastest"] >= 1


@pytest.mark.parametrize("without", [("--weights", "off"), ("--backend", PYTHON)])
def test_where_nothing_is_learned_there_is_nothing_to_measure(without, capsys):
    assert main([*QUICKLY, "--what", "evaluations", *without, "--json"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == "gtp-engine bench: there is no learned evaluation to measure\n"


@pytest.mark.skipif(not kernel_built(), reason="needs the kernel")
def test_playouts_of_the_kernel_come_out_as_random_games_do(capsys):
    """Mean lengths and results of uniformly random games, which are known for each game."""
    known = {
        ("implo", 6): (46.4, 0.515),
        ("pilo", 6): (54.9, 0.584),
        ("robble", 5): (45.15, 0.5),
        ("boloa", 7): (51.9, 0.518),
    }
    for (game, size), (plies, black_wins) in known.items():
        options = ["--what", "playouts", "--game", game, "--size", str(size), "--json"]
        assert main([*QUICKLY, "--seconds", "0.05", *options]) == 0
        record = json.loads(capsys.readouterr().out)
        assert record["mean_plies"] == pytest.approx(plies, abs=0.5)
        assert record["black_wins"] == pytest.approx(black_wins, abs=0.03)
        assert record["draws"] == 0


def test_the_table_for_people_names_what_was_measured(capsys):
    assert main([*QUICKLY, "--game", "implo", "--size", "4", "--what", "search"]) == 0
    heading, line = capsys.readouterr().out.splitlines()
    assert heading.startswith("searching with ")
    assert line.startswith("search   implo   4  visits per second ")


@pytest.mark.parametrize(
    "options, complaint",
    [
        (["--game", "chess"], "there is no game chess: boloa implo pilo robble"),
        (["--size", "20"], "2 to 19"),
        (["--threads", "0"], "--threads takes: integer 1..256"),
        (["--hash_mb", "x"], "--hash_mb takes: integer 1..65536"),
    ],
)
def test_what_cannot_be_measured_is_said_in_one_line(options, complaint, capsys):
    assert main([*QUICKLY, *options]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert complaint in printed.err
    assert printed.err.count("\n") == 1


@pytest.mark.parametrize(
    "options",
    [["--seconds", "nan"], ["--samples", "0"], ["--seed", "-1"], ["--what", "x"]],
    ids=str,
)
def test_bad_numbers_are_refused(options):
    with pytest.raises(SystemExit) as exit:
        main([*QUICKLY, *options])
    assert exit.value.code == 2
