"""Weights in files: one line reports unusable weights, and the engine plays on without them."""

import random
import struct
from array import array
from pathlib import Path

import pytest

from gtp_engine.cli.engine import main
from gtp_engine.rules import find_game
from gtp_engine.rules.step import Pie
from gtp_engine.search import weights
from gtp_engine.search.backends.choose import AUTO, backend_for, check_weights
from gtp_engine.search.backends.kernel import kernel_built, net_for
from gtp_engine.search.budget import Budget
from gtp_engine.search.data_file import UnusableFile, write_stored
from gtp_engine.search.options import SearchOptions
from gtp_engine.search.weights import (
    KEPT,
    KIND,
    LONGEST_NAME,
    VERSION,
    names_of_nets,
    read_weights,
    weights_for,
    write_weights,
)
from support.driver import Driver
from support.playing import trees

SHIPPED = sorted((Path(weights.__file__).parent / "nets").glob("*.weights"))
LARGEST_SHIPPED = 2 * 2**20

needs_kernel = pytest.mark.skipif(not kernel_built(), reason="no kernel was built")


@pytest.fixture(autouse=True)
def _forgotten():
    weights_for.cache_clear()


@pytest.fixture
def told(monkeypatch):
    """What the log is told."""
    lines = []

    class Log:
        def warning(self, message, *values):
            lines.append(message.format(*values))

    monkeypatch.setattr(weights, "logger", Log)
    monkeypatch.setattr("gtp_engine.search.backends.kernel.logger", Log)
    return lines


def test_weights_are_read_as_they_were_written(tmp_path):
    path = tmp_path / "net"
    write_weights(path, "pilo", 16, 2, [0.5, -1.25, 3.0], games=7)
    read = read_weights(path)
    assert (read.game, read.channels, read.blocks) == ("pilo", 16, 2)
    assert struct.unpack("<3f", read.numbers) == (0.5, -1.25, 3.0)
    assert read.facts["games"] == 7


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_shipped_weights_can_be_used(path, told):
    assert path.stat().st_size < LARGEST_SHIPPED
    assert weights_for(path.stem, "auto") == read_weights(path)
    assert not told


def unusable(path: Path) -> list[Path]:
    """Files that are no weights of Pilo, each for another reason."""
    good = path / "good"
    write_weights(good, "pilo", 16, 2, [0.5] * 100)
    content = good.read_bytes()
    files = {
        "truncated": content[:-3],
        "altered": content[:-1] + b"\x01",
        "empty": b"",
        "text": b"no weights at all\n",
    }
    for name, each in files.items():
        (path / name).write_bytes(each)
    write_weights(path / "other-game", "implo", 16, 2, [0.5] * 100)
    write_stored(path / "other-kind", "swap map", VERSION, {}, b"")
    write_stored(path / "other-version", KIND, VERSION + 1, {}, b"")
    write_stored(path / "no-facts", KIND, VERSION, {"game": "pilo"}, b"")
    facts = {"game": "pilo", "channels": 16, "blocks": 2}
    write_stored(path / "half-a-number", KIND, VERSION, facts, b"123")
    names = ["other-game", "other-kind", "other-version", "no-facts", "half-a-number"]
    return [path / name for name in ["missing", *files, *names]]


def test_a_named_file_is_used_or_refused(tmp_path):
    for path in unusable(tmp_path):
        with pytest.raises(UnusableFile) as refused:
            check_weights(find_game("pilo"), str(path))
        assert "\n" not in str(refused.value) and str(path) in str(refused.value)


def test_only_the_games_own_weights_may_be_done_without(tmp_path, told, monkeypatch):
    for path in unusable(tmp_path):
        told.clear()
        weights_for.cache_clear()
        monkeypatch.setattr(weights, "shipped", lambda game, path=path: path)
        for _ in range(2):
            assert weights_for("pilo", "auto") is None, path
        assert len(told) == path.exists()  # a game may have none
        assert all("\n" not in line and str(path) in line for line in told)


def test_a_refused_file_changes_nothing(tmp_path):
    drive = Driver("pilo", 3)
    for path in unusable(tmp_path):
        told = drive.fails(f"game-set weights {path}")
        assert str(path) in told and "\n" not in told
        assert drive.session.settings.weights == "auto"


def test_the_engine_does_not_start_with_a_file_that_it_cannot_use(tmp_path, capsys):
    for path in unusable(tmp_path):
        with pytest.raises(SystemExit) as end:
            main(["--game", "pilo", "--weights", str(path)])
        told = capsys.readouterr()
        assert (end.value.code, told.out) == (2, "")
        assert told.err.startswith("gtp-engine: ")
        assert str(path) in told.err and told.err.count("\n") == 1


def test_a_file_is_the_net_of_its_game_and_the_others_keep_theirs(tmp_path):
    path = tmp_path / "net"
    write_weights(path, "pilo", 16, 2, [0.5])
    assert weights_for("pilo", str(path)).mark == read_weights(path).mark
    assert weights_for("implo", str(path)) == weights_for("implo", "auto")
    assert weights_for("chess", str(path)) is None


@pytest.mark.parametrize("facts", [("pilo", "16", 2), (None, 16, 2), ("pilo", True, 2)])
def test_facts_must_be_those_of_a_net(tmp_path, facts):
    names = ("game", "channels", "blocks")
    write_stored(tmp_path / "net", KIND, VERSION, dict(zip(names, facts)), b"")
    with pytest.raises(UnusableFile, match="what net"):
        read_weights(tmp_path / "net")


@pytest.mark.parametrize("name", ["", "two\nlines", "x" * (LONGEST_NAME + 1), 7, None])
def test_a_name_must_be_one_line(tmp_path, name):
    path = tmp_path / "net"
    write_weights(path, "pilo", 16, 2, [0.5], name=name)
    with pytest.raises(UnusableFile) as refused:
        weights_for("pilo", str(path))
    told_of_name = f"{path} has a name that is no line of 1 to {LONGEST_NAME} characters"
    assert str(refused.value) == told_of_name


def test_weights_without_a_name_have_that_of_their_file(tmp_path):
    write_weights(tmp_path / "old.weights", "pilo", 16, 2, [0.5])
    assert read_weights(tmp_path / "old.weights").name == "old"


def test_each_choice_of_weights_names_its_nets(tmp_path):
    shipped = {path.stem: read_weights(path).name for path in SHIPPED}
    assert len(shipped) == 3 and not shipped.keys() & set(shipped.values())
    assert names_of_nets("auto") == shipped
    assert names_of_nets("off") == {}
    path, own = tmp_path / "mine", read_weights(weights.shipped("pilo"))
    shape = own.game, own.channels, own.blocks
    write_weights(path, *shape, array("f", own.numbers), name="My net")
    assert names_of_nets(str(path)) == shipped | {"pilo": "My net"}


@needs_kernel
def test_the_build_names_the_nets_in_use(tmp_path):
    path, own = tmp_path / "mine", read_weights(weights.shipped("pilo"))
    shape = own.game, own.channels, own.blocks
    write_weights(path, *shape, array("f", own.numbers), name="My net")
    drive = Driver("pilo", 3)
    build, backend, isa, *nets = drive("game-build").splitlines()
    assert backend == "backend kernel"
    assert isa == f"isa {' '.join(backend_for(find_game('pilo'), 'kernel').isas)}"
    assert f"pilo {own.name}" in nets
    drive(f"game-set weights {path}")
    assert "pilo My net" in drive("game-build").splitlines()
    assert drive.fails("game-set backend python").startswith(f"{path} cannot be used: ")
    drive("game-set weights off")
    assert drive("game-build").splitlines() == [build, backend, isa]
    drive("game-set weights auto")
    drive("game-set backend python")
    assert drive("game-build").splitlines() == [build, "backend python"]
    drive("game-set player random")
    assert drive("game-build") == build


@needs_kernel
@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_the_header_changes_no_evaluation(path, tmp_path):
    own = read_weights(path)
    shape = own.game, own.channels, own.blocks
    write_weights(tmp_path / "other", *shape, array("f", own.numbers), name="Another", seed=7)
    other = read_weights(tmp_path / "other")
    assert (other.name, other.numbers, other.mark) == ("Another", own.numbers, own.mark)
    found = []
    for which in ("auto", str(tmp_path / "other")):
        start = find_game(path.stem).start(6, Pie.OFF)
        tree = trees(AUTO, SearchOptions(weights=which), random.Random(1), keep=False)(
            start, start.legal_steps()
        )
        tree.search(Budget(visits=300).begin())
        found.append([(row.step, row.prior, row.value, row.visits) for row in tree.rows()])
    assert found[0] == found[1]


def test_none_are_asked_for_and_none_are_shipped(told):
    assert weights_for("pilo", "off") is None
    assert weights_for("chess", "auto") is None
    assert not told


@needs_kernel
def test_a_client_that_names_many_files_keeps_the_memory_of_few(tmp_path):
    drive = Driver("pilo", 3)
    drive("game-set visits 1")
    game, channels, blocks, numbers, *_ = read_weights(weights.shipped("pilo"))
    for number in range(2 * KEPT):
        path = tmp_path / str(number)
        write_weights(path, game, channels, blocks, array("f", numbers), games=number)
        drive(f"game-set weights {path}")
        drive("reg_genmove b")
    for remembered in (weights_for, net_for):
        assert 0 < remembered.cache_info().currsize <= KEPT


@needs_kernel
@pytest.mark.parametrize("blocks, problem", [(2, "not as many"), (10**30, "")])
def test_what_is_no_net_is_refused(tmp_path, blocks, problem):
    """Whole in itself, but not as many numbers as the net has, or of a net beyond all bounds."""
    path = tmp_path / "short"
    write_weights(path, "pilo", 16, blocks, [0.5] * 100)
    told = Driver("pilo", 3).fails(f"game-set weights {path}")
    assert told.startswith(f"{path}: ") and problem in told and "\n" not in told
    start = find_game("pilo").start(4, Pie.OFF)
    with pytest.raises(UnusableFile):  # also where nobody looked before
        trees(AUTO, SearchOptions(weights=str(path)), random.Random(1), keep=False)(
            start, start.legal_steps()
        )


@needs_kernel
@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_shipped_weights_have_priors(path):
    """Unlike a search without: that knows nothing before it has been there."""
    start = find_game(path.stem).start(6, Pie.OFF)
    for which, uniform in (("auto", False), ("off", True)):
        plant = trees(AUTO, SearchOptions(weights=which), random.Random(1), keep=False)
        tree = plant(start, start.legal_steps())
        tree.search(Budget(visits=200).begin())
        priors = {round(row.prior, 6) for row in tree.rows()}
        assert (len(priors) == 1) == uniform
