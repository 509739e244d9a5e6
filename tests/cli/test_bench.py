"""`gtp-engine bench`, as a user calls it."""

import json
import re
from itertools import count

import pytest

from gtp_engine.cli.bench import MEASURES
from gtp_engine.cli.engine import main
from gtp_engine.learn.held_out_games import held_out_games
from gtp_engine.rules import find_game, games
from gtp_engine.search.backends.choose import KERNEL, PYTHON, backend_for
from gtp_engine.search.backends.kernel import kernel_backends, kernel_built
from gtp_engine.search.weights import read_weights, shipped, weights_for
from support.statuses import status_of
from support.thorough import thorough

BACKENDS = [PYTHON, KERNEL] if kernel_built() else [PYTHON]
SECONDS = 0.01
QUICKLY = ["bench", "--seconds", str(SECONDS), "--samples", "1"]
NOTHING = "gtp-engine bench: there is no learned evaluation to measure\n"
ISAS = [backend.isa for backend in kernel_backends(find_game("implo"))]

needs_kernel = pytest.mark.skipif(not kernel_built(), reason="needs the kernel")


@pytest.mark.parametrize("what", MEASURES)
@pytest.mark.parametrize("backend", BACKENDS)
def test_each_measure_gives_one_record_a_size(what, backend, capsys):
    options = ["--what", what, "--backend", backend, "--game", "robble", "--json"]
    sizes = (5, 7, 9)
    if (what, backend) == ("search", PYTHON):  # on a busy machine it makes its first visit late
        options += ["--seconds", "1", "--size", "4"]
        sizes = (4,)
    assert main([*QUICKLY, *options]) == 0
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(each["what"], each["game"], each["size"]) for each in records] == [
        (what, "robble", size) for size in sizes
    ]
    for record in records:
        rates = [value for key, value in record.items() if key.endswith("per_second")]
        assert rates and all(rate > 0 for rate in rates)
        # Each is told by processor time, too.
        assert any(value > 0 for key, value in record.items() if "processor" in key)


@thorough
@needs_kernel
def test_evaluations_show_all_instruction_sets_side_by_side(capsys):
    options = ["--what", "evaluations", "--size", "6", "--json"]
    assert main([*QUICKLY, *options]) == 0
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    learned = [game.name for game in games() if weights_for(game.name, "auto")]
    assert learned
    assert [(each["game"], each["isa"]) for each in records] == [
        (game, isa) for game in learned for isa in ISAS
    ]
    for record in records:
        assert record["processor_us_per_evaluation"] > 0
        assert record["visits_per_processor_second"] > 0
        assert record["times_the_fastest"] >= 1


def records_of(capsys, *options: str) -> list[dict]:
    assert main([*QUICKLY, "--json", *options]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def with_weights() -> list:
    """The games that have weights and held-out games."""
    known = [game for game in games() if weights_for(game.name, "auto")]
    return [game for game in known if held_out_games(game.name)]


@thorough
@needs_kernel
def test_weights_are_compared_by_cost_and_accuracy(capsys):
    """No weights at all are the other end: each net knows more, and costs more."""
    for game in with_weights():
        options = ("--what", "evaluations", "--game", game.name, "--size", str(game.default_size))
        net, none = records_of(capsys, *options, "--weights", "auto", "off")[:: len(ISAS)]
        own = weights_for(game.name, "auto").name
        assert (net["weights"], none["weights"]) == (own, "off")
        assert net["least_of_steps"] < net["cross_entropy_of_steps"] < net["uniform_steps"]
        assert net["cross_entropy_of_value"] < net["constant_value"] < 0.7
        assert none["cross_entropy_of_steps"] == net["uniform_steps"]
        assert "processor_us_per_evaluation" not in none
        assert none["positions"] == net["positions"] > 200


@thorough
@needs_kernel
def test_a_file_of_weights_is_measured_for_its_game_only(capsys):
    path = str(shipped("pilo"))
    options = ("--what", "evaluations", "--weights", path)
    records = records_of(capsys, *options)
    assert {each["game"] for each in records} == {"pilo"}
    assert {each["weights"] for each in records} == {read_weights(shipped("pilo")).name}
    assert main([*QUICKLY, *options, "--game", "implo", "--json"]) == 2
    assert capsys.readouterr().err == f"gtp-engine bench: {path} is for pilo\n"


@needs_kernel
def test_the_instruction_set_of_the_environment_is_measured_alone(capsys, monkeypatch):
    monkeypatch.setenv("PATCHPIE_ISA", ISAS[-1])
    options = ("--what", "evaluations", "--game", "pilo", "--size", "6")
    (record,) = records_of(capsys, *options)
    assert record["isa"] == ISAS[-1]


@thorough
@needs_kernel
def test_evaluations_by_turns_show_how_early_the_end_is_known(capsys):
    for game in with_weights():
        options = ("--by-turns", "60", "--game", game.name, "--size", str(game.default_size))
        records = records_of(capsys, *options)
        assert [each["turns"] for each in records] == sorted({each["turns"] for each in records})
        last, first = records[0], records[-1]
        assert last["turns"] == 1 and first["turns"] >= 20
        # The end is clearer than the middle, to both searches. A net may know it badly.
        for way in ("search", "plain"):
            assert last[way] < first[way]
        assert last["evaluation"] > last["plain"]
        assert last["plain"] < 0.1 < first["plain"]


@needs_kernel
def test_tables_for_people_name_the_weights(capsys):
    game = with_weights()[0]
    path, size = shipped(game.name), min(each.size for each in held_out_games(game.name))
    options = ["--game", game.name, "--size", str(size), "--weights", str(path)]
    start = rf"{game.name} +{size}  \w+ +{read_weights(path).name}  "
    assert main([*QUICKLY, *options, "--what", "evaluations"]) == 0
    line = capsys.readouterr().out.splitlines()[1]
    assert re.match(rf"evaluations  {start}[0-9.]+ us  [0-9,]+ visits/s  steps ", line)
    assert main([*QUICKLY, *options, "--by-turns", "20"]) == 0
    line = capsys.readouterr().out.splitlines()[1]
    assert re.match(rf"by turns  {start} 1 before the end  evaluation ", line)


@needs_kernel
def test_a_size_without_held_out_games_is_measured_by_its_cost_only(capsys):
    options = ("--game", "pilo", "--size", "5")
    (record, *_) = records_of(capsys, "--what", "evaluations", *options)
    assert "positions" not in record and record["processor_us_per_evaluation"] > 0
    assert main([*QUICKLY, "--by-turns", "20", *options]) == 2
    error = "gtp-engine bench: there is no held-out game of the size to measure\n"
    assert capsys.readouterr().err == error


def test_what_cannot_be_compared_is_said_in_one_line(tmp_path, capsys):
    missing = tmp_path / "none.weights"
    for options, complaint in (
        (["--weights", str(missing)], f"{missing} does not exist"),
        (["--weights", "auto", "off"], "several --weights are compared by --what evaluations only"),
        (["--by-turns", "9", "--what", "play"], "--by-turns is for --what evaluations only"),
    ):
        assert status_of(main, [*QUICKLY, *options]) == 2
        assert capsys.readouterr().err == f"gtp-engine bench: {complaint}\n"


def test_where_nothing_is_learned_there_is_nothing_to_measure(capsys):
    options = ["--what", "evaluations", "--backend", PYTHON, "--json"]
    assert main([*QUICKLY, *options]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == NOTHING


@needs_kernel
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
        played = all_plies = won = 0.0
        for seed in count():
            assert main([*QUICKLY, *options, "--seed", str(seed)]) == 0
            record = json.loads(capsys.readouterr().out)
            number = record["games_per_second"] * SECONDS
            played += number
            all_plies += number * record["mean_plies"]
            won += number * record["black_wins"]
            assert record["draws"] == 0
            if played > 10_000:  # a busy machine plays few at a time
                break
        assert all_plies / played == pytest.approx(plies, abs=0.5)
        assert won / played == pytest.approx(black_wins, abs=0.03)


def test_the_table_for_people_names_what_was_measured(capsys):
    assert main([*QUICKLY, "--game", "implo", "--size", "4", "--what", "search"]) == 0
    heading, line = capsys.readouterr().out.splitlines()
    backend = backend_for(find_game("implo"))
    assert heading.startswith(f"backend: {backend.name}")
    assert all(isa in heading for isa in backend.isas or ())
    assert line.startswith("search   implo   4  visits per second ")


@pytest.mark.parametrize(
    "options, complaint",
    [
        (["--game", "chess"], "there is no game chess: boloa implo pilo robble"),
        (["--size", "20"], "2 to 19"),
        (["--threads", "0"], "--threads: expected integer 1..256 or auto"),
        (["--hash_mb", "x"], "--hash-mb: expected integer 1..65536"),
    ],
)
def test_what_cannot_be_measured_is_said_in_one_line(options, complaint, capsys):
    assert status_of(main, [*QUICKLY, *options]) == 2
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
