"""PATCHPIE_ISA chooses the instruction set of the kernel; one line reports a missing one."""

import subprocess
import sys
from types import SimpleNamespace

import pytest

from gtp_engine.rules import find_game
from gtp_engine.search.backends.kernel import kernel_backends, kernel_built
from gtp_engine.search.options import VARIABLE, isa_in_use
from support.thorough import first_of
from support.waiting import PATIENCE

needs_kernel = pytest.mark.skipif(not kernel_built(), reason="no kernel was built")

DESKTOP = SimpleNamespace(isas=lambda: ["v3", "plain"])


@pytest.mark.parametrize("wanted, used", [("", "v3"), ("v3", "v3"), ("plain", "plain")])
def test_the_fastest_is_used_or_what_is_wanted(wanted, used, monkeypatch):
    monkeypatch.setenv(VARIABLE, wanted)
    assert isa_in_use(DESKTOP) == used


def test_without_the_variable_the_fastest_is_used(monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)
    assert isa_in_use(DESKTOP) == "v3"


@pytest.mark.parametrize("wanted", ["v4", "native", "avx2", "\n"])
def test_what_is_not_there_is_refused(wanted, monkeypatch):
    monkeypatch.setenv(VARIABLE, wanted)
    with pytest.raises(ValueError) as refused:
        isa_in_use(DESKTOP)
    assert str(refused.value) == f"no {VARIABLE}={wanted!r} here, only v3, plain"


def engine(isa: str, *words: str) -> subprocess.CompletedProcess[str]:
    """A turn of an engine in a process of its own, or a subcommand with its words."""
    words = words or ("--seed", "1", "--visits", "300")
    command = [sys.executable, "-P", "-m", "gtp_engine", *words]
    return subprocess.run(
        command,
        input="genmove b\nquit\n",
        env={VARIABLE: isa},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )


@needs_kernel
def test_the_engine_plays_with_every_one():
    for backend in kernel_backends(find_game("implo")):
        played = engine(backend.isa)
        assert (played.returncode, played.stderr) == (0, "")
        assert played.stdout.startswith("= ")


@needs_kernel
@pytest.mark.parametrize("program", first_of(["", "analyze", "review"], 2))
def test_no_program_starts_without_the_one_asked_for(program, tmp_path):
    record = tmp_path / "game.sgf"
    record.write_text("(;GAME[implo]SZ[3];B[A1])")
    refused = engine("v9", *filter(None, [program]), *[str(record)] * (program == "review"))
    assert (refused.returncode, refused.stdout) == (2, "")
    prog = f"gtp-engine {program}".strip()
    assert f"{prog}: no PATCHPIE_ISA='v9' here, only " in refused.stderr


@needs_kernel
def test_rules_and_search_go_with_it():
    """Only the plain ones run on every processor."""
    found = kernel_backends(find_game("implo"))
    builds = {backend.isa: backend.module.__name__ for backend in found}
    assert set(builds) <= {"v4_amx", "v4_vnni", "v4", "v3_vnni", "v3", "plain", "native"}
    if "plain" in builds:
        assert builds["plain"].endswith("._kernel")
