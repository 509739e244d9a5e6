"""`gtp-engine train`, as a user calls it."""

import argparse
import errno
import json
import math
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time

import pytest

pytest.importorskip("jax")
pytest.importorskip("optax")

from gtp_engine.arena.setup.tables import make_match  # noqa: E402
from gtp_engine.cli import train  # noqa: E402
from gtp_engine.cli.arena_options import add_match_options, match_tables  # noqa: E402
from gtp_engine.cli.engine import main  # noqa: E402
from gtp_engine.cli.interrupts import FAILED, INTERRUPTED, OUTLASTED  # noqa: E402
from gtp_engine.learn.fitting import Fit  # noqa: E402
from gtp_engine.learn.game_records import GamesFile  # noqa: E402
from gtp_engine.learn.gate_match import GateMatch  # noqa: E402
from gtp_engine.learn.plan import Unfit  # noqa: E402
from gtp_engine.search.backends.kernel import kernel_built, kernel_for  # noqa: E402
from gtp_engine.search.data_file import read_stored, write_stored  # noqa: E402
from gtp_engine.search.weights import read_weights, shipped  # noqa: E402
from support.starting import running  # noqa: E402
from support.statuses import status_of  # noqa: E402
from support.thorough import first_of  # noqa: E402
from support.waiting import PATIENCE, wait_until  # noqa: E402

TINY = "--size 3 --visits 30 --fast-visits 10 --first-visits 1 --blocks 1 --batch 8 --epochs 2"
TINY += " --least-steps 1 --gate 0"
COMMAND = f"train robble {TINY} --hours 1 --concurrency 1".split()


@pytest.fixture(autouse=True)
def _built():
    if not kernel_built():
        pytest.skip("no kernel was built")


@pytest.fixture
def interrupt(monkeypatch):
    """Presses Ctrl-C in the thread that trains, and waits until the main thread has heard it.

    However slow the machine is, the training ends by itself.
    """
    heard, tell = threading.Event(), train._tell

    def telling(text: str) -> None:
        tell(text)
        if text.startswith("stopping"):
            heard.set()

    def interrupt() -> None:
        signal.raise_signal(signal.SIGINT)
        assert heard.wait(PATIENCE)

    monkeypatch.setattr(train, "_tell", telling)
    monkeypatch.setattr(train, "_SECONDS_TO_STOP", math.inf)
    return interrupt


def command(folder, *more: str) -> list[str]:
    return [*COMMAND, "--output", str(folder), *more]


def started(arguments: list[str]):
    command = [sys.executable, "-P", "-m", "gtp_engine", *arguments]
    return running(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for_lines(path, count: int, process: subprocess.Popen) -> None:
    def are_there() -> bool:
        assert process.poll() is None, process.communicate()
        return path.exists() and path.read_bytes().count(b"\n") >= count

    wait_until(are_there, f"{count} lines in {path}")


def test_two_generations_make_weights_that_the_kernel_takes(tmp_path, capsys):
    assert main(command(tmp_path, "--games", "4", "--generations", "2")) == 0
    told = capsys.readouterr()
    weights = read_weights(tmp_path / "generation-002.weights")
    module = kernel_for(weights.game)
    assert module.Net(weights.game, weights.channels, weights.blocks, weights.numbers)
    facts = {name: weights.facts[name] for name in ("generation", "games", "seed", "size")}
    assert facts == {"generation": 2, "games": 8, "seed": 1, "size": 3}
    shape = f"{weights.channels}x{weights.blocks}"
    assert weights.name == f"{shape}, generation 2 of {tmp_path.name}"
    assert "learned" not in weights.facts
    learned = weights.facts
    assert learned["searched"] < learned["samples"]
    assert learned["epochs"] == round(4 * learned["optimizer_steps"] / learned["searched"], 3)
    before = read_weights(tmp_path / "generation-001.weights")
    assert learned["teacher"] == before.mark, "the net that played"
    assert before.facts["teacher"] == "off"
    assert before.facts["searched"] == before.facts["samples"]
    assert weights.facts["losses"].keys() == {"steps", "value", "owners"}
    games = [json.loads(line) for line in (tmp_path / "games-002.jsonl").open()]
    assert [game["number"] for game in games] == [0, 1, 2, 3]
    assert "generation 2: learning from" in told.err
    matches = told.out.splitlines()
    assert "--weights off" in matches[0] and "generation-001.weights" in matches[-1]
    parser = argparse.ArgumentParser()
    add_match_options(parser)
    parser.add_argument("--db")
    for line in matches:
        program, run, *words = shlex.split(line)
        assert os.access(program, os.X_OK) and run == "run"
        options = parser.parse_args(words)
        first, second = make_match(match_tables(options, {})).engines
        assert str(tmp_path / "generation-002.weights") in first.command
        assert first.command != second.command
        assert {
            os.path.basename(shlex.split(each)[0]) for each in (first.command, second.command)
        } == {"gtp-engine"}

    before = (tmp_path / "generation-002.weights").read_bytes()
    assert main(command(tmp_path, "--games", "4", "--generations", "2")) == 0
    assert (tmp_path / "generation-002.weights").read_bytes() == before


def test_the_hours_begin_when_the_kernel_is_there(tmp_path, capsys, monkeypatch):
    waited, began = [], []

    def refuse(kernel, plan, nets, folder, bounds, *others):
        began.append(bounds.began)
        raise Unfit("seen enough")

    monkeypatch.setattr(train, "wait_telling", lambda program: waited.append(time.monotonic()))
    monkeypatch.setattr("gtp_engine.learn.training.Training", refuse)
    assert status_of(main, command(tmp_path / "training")) == FAILED
    assert "seen enough" in capsys.readouterr().err
    assert began[0] >= waited[0]


def test_a_training_begins_with_weights_that_are_there(tmp_path, capsys):
    bounds = ["--games", "4", "--generations", "1"]
    first, second = tmp_path / "first", tmp_path / "second"
    assert main(command(first, *bounds)) == 0
    assert "done: 1 generation in" in capsys.readouterr().err
    learned = first / "generation-001.weights"
    assert main(command(second, *bounds, "--weights", str(learned))) == 0
    (first_games, second_games) = (
        [json.loads(line) for line in (folder / "games-001.jsonl").open()]
        for folder in (first, second)
    )
    assert {game["sharpening"] for game in first_games} == {2.0}, "a search without a net"
    assert {game["sharpening"] for game in second_games} == {1.0}, "a search with one"

    capsys.readouterr()
    mark = read_weights(learned).mark
    assert refusal(command(second, *bounds), capsys) == [
        f"another training is in {second}:",
        f"weights: {mark} there, off asked for",
    ]


def test_making_samples_is_told_every_minute(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("gtp_engine.learn.training._SECONDS_BETWEEN_REPORTS", -1.0)
    assert main(command(tmp_path, "--games", "3", "--generations", "1")) == 0
    told = capsys.readouterr().err
    assert all(f"generation 1: samples of {n} so far\n" in told for n in ("1 game", "2 games"))


def test_self_play_ends_early_by_fewer_games_and_keeps_its_games(tmp_path, capsys):
    bounds = ["--generations", "1"]
    with started(command(tmp_path, *bounds, "--games", "9999")) as process:
        wait_for_lines(tmp_path / "games-001.jsonl", 3, process)
    assert main(command(tmp_path, *bounds, "--games", "2")) == 0
    games = (tmp_path / "games-001.jsonl").read_bytes().count(b"\n")
    assert 3 <= games < 9999
    assert read_weights(tmp_path / "generation-001.weights").facts["games"] == games
    assert main(command(tmp_path, *bounds)) == 0, "the number of games stays"


def test_a_fit_that_is_too_short_leaves_the_net_that_played(tmp_path, capsys):
    bounds = ["--games", "4", "--generations", "2", "--least-steps", "999"]
    assert main(command(tmp_path, *bounds)) == 0
    told = capsys.readouterr()
    found = re.findall(r"generation (\d): a fit of (\d+) steps makes no net", told.err)
    assert [generation for generation, _ in found] == ["1", "2"]
    assert all(0 < int(steps) < 999 for _, steps in found)
    assert told.out == ""
    assert not list(tmp_path.glob("*.weights"))
    games = [json.loads(line) for line in (tmp_path / "games-002.jsonl").open()]
    assert {game["sharpening"] for game in games} == {2.0}, "a search without a net"


def test_a_fit_that_was_stopped_goes_on_at_its_step(tmp_path, capsys, monkeypatch, interrupt):
    bounds = ["--games", "4", "--generations", "1"]
    learn = Fit._learn

    def stop_after_three_steps(fit, rate):
        learn(fit, rate)
        if fit.steps == 3:
            interrupt()

    with monkeypatch.context() as patch:
        patch.setattr(Fit, "_learn", stop_after_three_steps)
        assert main(command(tmp_path, *bounds)) == INTERRUPTED
    assert "the fit goes on" not in capsys.readouterr().err
    assert main(command(tmp_path, *bounds)) == 0
    assert "generation 1: the fit goes on after step 3\n" in capsys.readouterr().err


def test_a_gate_decides_and_the_record_tells_what_was_won(tmp_path, capsys):
    """Each net is judged on the same positions: held-out games of the first generation."""
    bounds = ["--games", "27", "--generations", "2", "--gate", "3"]
    began = sum(os.times()[:4])
    assert main(command(tmp_path, *bounds)) == 0
    took = sum(os.times()[:4]) - began
    run = capsys.readouterr()
    record = [json.loads(line) for line in (tmp_path / "record.jsonl").open()]
    assert [each["generation"] for each in record] == [1, 2]
    assert {each["held_out"] for each in record} != {0}
    assert len({each["held_out"] for each in record}) == 1
    games = (tmp_path / f"gate-00{n}.jsonl" for n in (1, 2))
    for each, path in zip(record, games):
        gate = each["gate"]
        assert 1 <= sum(gate["pairs"]) <= 3
        assert each["plays"] == gate["passed"]
        assert len(path.read_bytes().splitlines()) >= 2 * sum(gate["pairs"])
        assert each["processor_seconds"] > 0 and each["hours"] > 0
        facts = read_weights(tmp_path / f"generation-00{each['generation']}.weights").facts
        assert (facts["losses"], facts["accuracy"]) == (each["losses"], each["accuracy"])
    assert took / 2 < sum(each["processor_seconds"] for each in record) < took + 0.1
    assert run.err.count(" pairs, passed") + run.err.count(" pairs, not passed") == 2
    sharpening = 1.0 if record[0]["plays"] else 2.0
    played = [json.loads(line) for line in (tmp_path / "games-002.jsonl").open()]
    assert {game["sharpening"] for game in played} == {sharpening}, "by the player"

    picture = tmp_path / "picture.svg"
    assert main(["train", "--status", str(tmp_path), "--picture", str(picture)]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[0].split()[:3] == ["generation", "games", "positions"]
    assert [line.split()[0] for line in shown[1:3]] == ["1", "2"]
    assert shown[-1] == "generation 3 has 0 games so far"
    drawn = picture.read_text()
    assert drawn.lstrip().startswith("<?xml") and "score at the gate" in drawn
    assert main(["train", "--status", str(tmp_path), "--json"]) == 0
    assert [json.loads(line) for line in capsys.readouterr().out.splitlines()] == record


def test_a_gate_that_was_stopped_goes_on(tmp_path, capsys, monkeypatch, interrupt):
    bounds = ["--games", "4", "--generations", "1", "--gate", "8"]
    add = GateMatch.add

    def stop_after_three_games(gate, game):
        add(gate, game)
        if len(gate._points) == 3:
            interrupt()

    with monkeypatch.context() as patch:
        patch.setattr(GateMatch, "add", stop_after_three_games)
        assert main(command(tmp_path, *bounds)) == INTERRUPTED
    assert not (tmp_path / "record.jsonl").exists()
    capsys.readouterr()
    assert main(["train", "--status", str(tmp_path)]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "generation 1 is at its gate"
    begun = (tmp_path / "gate-001.jsonl").read_bytes()
    weights = (tmp_path / "generation-001.weights").read_bytes()
    assert main(command(tmp_path, *bounds)) == 0
    assert (tmp_path / "gate-001.jsonl").read_bytes().startswith(begun)
    assert (tmp_path / "generation-001.weights").read_bytes() == weights
    (line,) = (tmp_path / "record.jsonl").read_text().splitlines()
    assert json.loads(line)["gate"]["passed"] is not None


def full_disk(monkeypatch, times: float) -> None:
    """The next so many lines of games do not fit on the disk."""
    write, left = os.write, [times]

    def no_space(number, content):
        if b'"looks"' not in content or left[0] <= 0:
            return write(number, content)
        if content.startswith(b"{"):  # a part still fits
            return write(number, content[:20])
        left[0] -= 1
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("gtp_engine.base.files.os.write", no_space)


def test_a_full_disk_is_waited_for(tmp_path, capsys, monkeypatch):
    full_disk(monkeypatch, 2)
    assert main(command(tmp_path, "--games", "4", "--generations", "1")) == 0
    told = capsys.readouterr().err
    path = tmp_path / "games-001.jsonl"
    assert f"{path}: No space left on device; trying again for up to 24 hours\n" in told
    assert "the files are written again after " in told
    games = [json.loads(line) for line in path.open()]
    assert sorted(game["number"] for game in games) == [0, 1, 2, 3]


def test_a_full_disk_that_stays_full_ends_the_training(tmp_path, capsys, monkeypatch):
    full_disk(monkeypatch, float("inf"))
    line = command(tmp_path, "--games", "4", "--generations", "1", "--outage", "0")
    assert main(line) == OUTLASTED
    assert capsys.readouterr().err.splitlines()[-1] == (
        f"gtp-engine train: {tmp_path / 'games-001.jsonl'}: No space left on device; finished "
        "games are kept; run the same command to continue"
    )
    assert (tmp_path / "games-001.jsonl").read_bytes() == b""


def test_a_folder_without_a_training_has_no_status(tmp_path, capsys):
    assert refusal(["train", "--status", str(tmp_path)], capsys) == [
        f"there is no training in {tmp_path}"
    ]


def test_games_that_are_there_train_a_net(tmp_path, capsys):
    bounds = ["--games", "4", "--generations", "1"]
    assert main(command(tmp_path / "first", *bounds)) == 0
    learned, games = (tmp_path / "first" / n for n in ("generation-001.weights", "games-001.jsonl"))
    assert main(command(tmp_path / "played", *bounds, "--weights", str(learned))) == 0
    other = tmp_path / "played" / "games-001.jsonl"
    given = ["--teacher", str(learned), "--learn-from", str(games), "--learn-from", str(other)]
    asked = command(tmp_path / "new", *bounds, *given)
    played = [json.loads(line) for path in (games, other) for line in path.open()]
    other.write_bytes(other.read_bytes() + b"dear\n")
    capsys.readouterr()
    assert main(asked) == 0
    told = "generation 1: 8 games of 2 files; 1 damaged line left out\n"
    assert told in capsys.readouterr().err
    taken = [json.loads(line) for line in (tmp_path / "new" / "games-001.jsonl").open()]
    assert [game.pop("number") for game in taken] == list(range(8))
    assert taken == [{k: v for k, v in game.items() if k != "number"} for game in played]
    found = read_weights(tmp_path / "new" / "generation-001.weights")
    assert found.facts["games"] == 8
    assert found.facts["teacher"] == read_weights(learned).mark

    assert refusal(command(tmp_path / "new", *bounds, *given[:2]), capsys) == [
        f"another training is in {tmp_path / 'new'}:",
        f"learn-from: {games} {other} there, off asked for",
    ]


@pytest.mark.parametrize("played", first_of([True, False]), ids=["played", "in progress"])
def test_a_damaged_game_is_told_and_replaced(tmp_path, capsys, played):
    """It was left out in silence: the fit had three games, and the weights said so."""
    bounds = ["--games", "4", "--generations", "1"]
    folder, whole = tmp_path / "training", tmp_path / "whole"
    assert main(command(whole, *bounds)) == 0
    expected = read_weights(whole / "generation-001.weights")
    shutil.copytree(whole, folder)
    (folder / "generation-001.weights").unlink()
    facts, payload = read_stored(folder / "progress", "progress", 1)
    facts |= {"generation": 1, "before": 0.0, "playing": 0.0, "played": played, "games": 0}
    write_stored(folder / "progress", "progress", 1, facts, payload)
    games = folder / "games-001.jsonl"
    lines = games.read_bytes().splitlines(keepends=True)
    damaged = lines[1].replace(b'"looks"', b"\0looks\0")
    games.write_bytes(b"".join([lines[0], damaged, *lines[2:]]))
    capsys.readouterr()
    assert main(command(folder, *bounds)) == 0
    told = f"{games} has 1 damaged line, which other games replace; {games.name}.damaged keeps them"
    assert f"gtp-engine train: {told}\n" in capsys.readouterr().err
    assert sorted(games.read_bytes().splitlines(keepends=True)) == sorted(lines)
    assert (folder / f"{games.name}.damaged").read_bytes() == damaged
    found = read_weights(folder / "generation-001.weights")
    assert (found.facts["games"], found.numbers) == (4, expected.numbers)


def test_a_repair_that_was_stopped_replaces_no_game_twice(tmp_path, monkeypatch, interrupt):
    bounds = ["--games", "10", "--generations", "1"]
    assert main(command(tmp_path, *bounds)) == 0
    facts, payload = read_stored(tmp_path / "progress", "progress", 1)
    facts |= {"generation": 1, "before": 0.0, "playing": 0.0, "played": True, "games": 0}
    write_stored(tmp_path / "progress", "progress", 1, facts, payload)
    games = tmp_path / "games-001.jsonl"
    lines = games.read_bytes().splitlines(keepends=True)
    damaged = [line.replace(b'"looks"', b"\0looks\0") for line in lines[1:7:2]]
    games.write_bytes(b"".join([*damaged, *lines[:1], *lines[2:6:2], *lines[6:]]))
    add, added = GamesFile.add, []

    def adding(self, game):
        """Two games of the three come before Ctrl-C; what comes with the second one is lost."""
        if len(added) < 2:
            add(self, game)
            added.append(game)
            if len(added) == 2:
                interrupt()

    with monkeypatch.context() as patched:
        patched.setattr(GamesFile, "add", adding)
        assert main(command(tmp_path, *bounds)) == INTERRUPTED
    assert len(added) == 2
    assert main(command(tmp_path, *bounds)) == 0
    assert sorted(games.read_bytes().splitlines(keepends=True)) == sorted(lines)
    aside = tmp_path / f"{games.name}.damaged"
    assert aside.read_bytes() == b"".join(damaged)


def test_files_without_games_are_told(tmp_path, capsys):
    (tmp_path / "letter").write_text("dear")
    told = refusal(command(tmp_path / "new", "--learn-from", str(tmp_path / "letter")), capsys)
    assert told == [f"{tmp_path / 'letter'} holds no games of robble"]
    (told,) = refusal(command(tmp_path / "new", "--learn-from", str(tmp_path / "no")), capsys)
    assert "No such file" in told and str(tmp_path / "no") in told
    assert not (tmp_path / "new").exists()


def test_a_cluster_plays_the_games(tmp_path, capsys, scheduler, address, worker):
    worker("one")
    bounds = ["--games", "6", "--generations", "1"]
    assert main(command(tmp_path / "far", *bounds, "--cluster", address)) == 0
    assert "0 games so far; 1 worker with 1 thread of the cluster" in capsys.readouterr().err
    assert main(command(tmp_path / "near", *bounds)) == 0
    played = [(tmp_path / name / "games-001.jsonl").read_bytes() for name in ("far", "near")]
    assert played[0] == played[1]


def test_without_a_scheduler_one_line_says_so(tmp_path, capsys):
    (told,) = refusal(command(tmp_path / "new", "--cluster", "nonsense://1.2.3.4:5"), capsys)
    assert told.startswith("--cluster: no scheduler at nonsense://1.2.3.4:5: ")
    assert not (tmp_path / "new").exists()


def test_after_kill_9_it_goes_on_as_if_nothing_had_been(tmp_path):
    bounds = ["--games", "16", "--generations", "1"]
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    with started(command(killed, *bounds)) as process:
        wait_for_lines(killed / "games-001.jsonl", 2, process)
    with (killed / "games-001.jsonl").open("a") as file:
        file.write('{"game":"robble","size":3,"numb')
    for folder in (killed, whole):
        assert main(command(folder, *bounds)) == 0
    assert (killed / "games-001.jsonl").read_bytes() == (whole / "games-001.jsonl").read_bytes()
    found = [read_weights(folder / "generation-001.weights") for folder in (killed, whole)]
    assert found[0].numbers == found[1].numbers


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_and_keeps_the_games(tmp_path, number):
    path = tmp_path / "games-001.jsonl"
    with started(command(tmp_path, "--visits", "20000", "--generations", "1")) as process:
        wait_for_lines(path, 1, process)
        process.send_signal(number)
        _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == INTERRUPTED
    assert errors.splitlines()[-1] == "gtp-engine train: stopped; run the same command to continue"
    assert all(json.loads(line)["game"] == "robble" for line in path.open())


# A step of the fit that never comes back, as one of a large net on a slow machine.
HANGS = """
import sys, threading
from gtp_engine.cli.engine import main
from gtp_engine.learn.fitting import Fit

learn = Fit._learn

def hang(fit, rate):
    if fit.steps == 3:
        print("here", flush=True)
        threading.Event().wait()
    learn(fit, rate)

Fit._learn = hang
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_in_the_middle_of_a_step_and_keeps_those_before(tmp_path, capsys, number):
    bounds = ["--games", "4", "--generations", "1"]
    words = [sys.executable, "-P", "-c", HANGS, *command(tmp_path, *bounds)]
    with running(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "here\n", process.communicate()
        process.send_signal(number)
        _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == INTERRUPTED
    assert errors.splitlines()[-1] == "gtp-engine train: stopped; run the same command to continue"
    assert main(command(tmp_path, *bounds)) == 0
    assert "generation 1: the fit goes on after step 3\n" in capsys.readouterr().err


def refusal(arguments: list[str], capsys) -> list[str]:
    assert status_of(main, arguments) == FAILED
    told = capsys.readouterr()
    assert told.out == ""
    return [line.removeprefix("gtp-engine train: ") for line in told.err.splitlines()]


def test_another_training_in_the_folder_is_told_line_by_line(tmp_path, capsys):
    assert main(command(tmp_path, "--generations", "1", "--hours", "0")) == 0
    capsys.readouterr()
    told = refusal(command(tmp_path, "--size", "4", "--rate", "0.1"), capsys)
    assert told == [
        f"another training is in {tmp_path}:",
        "size: 3 there, 4 asked for",
        "rate: 0.002 there, 0.1 asked for",
    ]


def test_games_are_on_the_sizes_that_were_asked_for(tmp_path, capsys):
    mixed = command(tmp_path, "--sizes", "2,3-4", "--games", "30", "--generations", "1")
    assert main(mixed) == 0
    games = [json.loads(line) for line in (tmp_path / "games-001.jsonl").open()]
    sizes = [game["size"] for game in games]
    assert set(sizes) == {2, 3, 4}
    assert sizes.count(3) > max(sizes.count(2), sizes.count(4))
    capsys.readouterr()
    told = refusal(command(tmp_path, "--sizes", "3", "--games", "30"), capsys)
    assert told == [f"another training is in {tmp_path}:", "sizes: 2 3 4 there, 3 asked for"]


def test_a_training_of_another_version_is_refused(tmp_path, capsys):
    assert main(command(tmp_path, "--hours", "0")) == 0
    capsys.readouterr()
    for name in ("progress", "plan"):
        path = tmp_path / name
        write_stored(path, name, 1, {"generation": 1}, b"")
        assert refusal(command(tmp_path), capsys) == [
            f"{path} was made by another version of this program; begin another training"
        ]


def test_hours_that_are_too_few_are_told(tmp_path, capsys):
    """Loading alone takes longer; what was begun is kept, and the same command goes on."""
    line = [*command(tmp_path), "--generations", "1"]
    line[line.index("--hours") + 1] = "0.00001"
    for _ in range(2):
        assert main(line) == 0
        told = capsys.readouterr()
        assert told.out == ""
        assert "generation 1: the hours ended before a first step of the fit" in told.err
        assert "no generation was finished: increase --hours" in told.err
        assert "done: 0 generations in" in told.err
    assert (tmp_path / "plan").exists()


def test_a_folder_with_something_else_is_left_alone(tmp_path, capsys):
    (tmp_path / "letter").write_text("dear")
    told = refusal(command(tmp_path), capsys)
    assert told == [f"{tmp_path} is not empty, and there is no training in it"]
    assert [path.name for path in tmp_path.iterdir()] == ["letter"]


@pytest.mark.parametrize("name", ["plan", "progress", "generation-001.weights"])
def test_an_altered_file_is_refused(tmp_path, capsys, name):
    assert main(command(tmp_path, "--games", "2", "--generations", "1")) == 0
    capsys.readouterr()
    path = tmp_path / name
    path.write_bytes(
        path.read_bytes()
        .replace(b"robble", b"rubble")
        .replace(b'"generation": 2', b'"generation": 3')
    )
    (told,) = refusal(command(tmp_path, "--games", "2", "--generations", "2"), capsys)
    assert told == f"{path} was altered: its checksum does not fit"


def test_two_cannot_train_in_one_folder(tmp_path, capsys):
    from gtp_engine.learn.plan import Folder

    with Folder(tmp_path).held():
        (told,) = refusal(command(tmp_path), capsys)
    assert told == f"another process trains in {tmp_path}"


@pytest.mark.parametrize(
    "arguments, told",
    [
        (["go"], "there is no game go: boloa implo pilo robble"),
        (["implo", "--size", "20"], "Implo is played on sizes 2 to 19"),
        (["implo", "--channels", "20"], "argument --channels: expected 16|32|64, got: 20"),
        (["implo", "--sizes", "6,9-10"], "--sizes must include 8, the size of the training"),
        (["implo", "--sizes", "6-"], "argument --sizes: not a list of sizes: 6-"),
        (["implo", "--sizes", "8-20"], "Implo is played on sizes 2 to 19"),
        (["robble", "--weights", "auto"], "the package has no weights for robble"),
        (["robble", "--weights", "none/here"], "none/here does not exist"),
        (["implo", "--weights", str(shipped("pilo"))], f"{shipped('pilo')} is for pilo"),
        (
            ["boloa", "--weights", "auto", "--blocks", "1"],
            "the initial weights have 32 channels and 2 blocks: --channels must be the same, and "
            "--blocks not less",
        ),
    ],
)
def test_what_makes_no_sense_is_refused(tmp_path, capsys, arguments, told):
    output = ["--hours", "1", "--output", str(tmp_path / "new")]
    assert refusal(["train", *arguments, *output], capsys) == [told]
    assert not (tmp_path / "new").exists()
