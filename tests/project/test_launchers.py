"""The launchers, in a fresh checkout like a user's: what a first start does, and what can go wrong.

tests/project/test_kernel_build.py tries the compilation of the kernel, test_wheels.py what a
checkout takes from a folder of wheels.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import zipfile
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest import mock

import pytest

from support.checkouts import (
    KNOWN_PYTHON,
    ROOT,
    WITHOUT_COMPILER,
    copy_checkout,
    link_checkout,
    make_kernel,
    make_venv,
    run,
    run_pip,
    set_up,
)
from support.starting import running
from support.thorough import first_of, thorough
from support.waiting import PATIENCE, wait_until

NO_KERNEL = os.environ | {"PATCHPIE_KERNEL": "none"}


@pytest.fixture(scope="module")
def checkout(tmp_path_factory) -> Path:
    """A checkout that was set up, without a kernel."""
    return set_up(link_checkout(tmp_path_factory.mktemp("a checkout") / "with blanks"))


@pytest.fixture
def bare(tmp_path) -> Path:
    """A checkout that was never started."""
    return link_checkout(tmp_path / "bare")


# What needs no set-up.

WITHOUT_SET_UP = [
    ("gtp-engine --help", 0, "A GTP engine that plays"),
    ("gtp-engine --levle 3", 2, "--levle"),
    ("gtp-arena run --help", 0, "--games"),
    ("gtp-engine --version", 0, "Patchpie 0"),
    ("gtp-engine bench --help", 0, "Measures the speed"),
    ("gtp-engine --game chess", 2, "there is no game chess: boloa implo pilo robble"),
    ("gtp-regress --help", 0, "transcripts"),
    ("gtp-board --help", 0, "--no-open"),
    ("gtp-arena rnu", 2, "rnu"),
]


@pytest.mark.parametrize(("words", "status", "said"), first_of(WITHOUT_SET_UP, 3))
def test_help_and_wrong_arguments_need_no_set_up(bare, tmp_path, words, status, said):
    program, *arguments = words.split()
    done = run([f"{bare}/bin/{program}", *arguments], tmp_path, env=os.environ | KNOWN_PYTHON)
    assert done.returncode == status
    assert said in (done.stderr if status else done.stdout)
    assert not (bare / ".venv").exists()


def test_the_first_screen_of_the_readme_names_programs_that_are_there():
    """Its commands begin in the checkout, and none has a word to be replaced."""
    text = (ROOT / "README.md").read_text()
    screen = "\n".join(text.splitlines()[:25])
    for program in ("bin/gtp-board", "bin/gtp-engine", "bin/test"):
        assert re.search(rf"^    {program}\b", screen, re.MULTILINE)
        assert os.access(ROOT / program, os.X_OK)
    pages = [ROOT / "README.md", *(ROOT / "protocol_specs").rglob("*.md")]
    assert [page for page in pages if re.search(r"\b(OWNER|git clone)\b", page.read_text())] == []


PURPOSES = {
    "gtp-engine": "run",
    "gtp-engine board": "web",
    "gtp-engine train pilo --hours 1 -o out": "train",
    "gtp-engine train pilo --hours 1 -o out --cluster tcp://a:1": "train-cluster",
    "gtp-engine train --status out": "run",
    "gtp-engine train --status out --picture out.svg": "report",
    "gtp-engine review a.sgf -o out --cluster=tcp://a:1": "cluster",
    "gtp-arena run a.toml": "arena",
    "gtp-arena run a.toml --cluster tcp://a:1": "cluster",
    "gtp-arena report match.db --html page.html": "report",
}


def test_a_launcher_asks_for_the_packages_that_a_program_needs(tmp_path):
    for name in ("gtp-engine", "gtp-arena"):
        shutil.copy(ROOT / "bin" / name, tmp_path)
    (tmp_path / "in-venv").write_text('#!/bin/sh\necho "$1"\n')
    (tmp_path / "in-venv").chmod(0o755)
    found = {}
    for line in PURPOSES:
        program, *arguments = line.split()
        done = run([str(tmp_path / program), *arguments], tmp_path)
        found[line] = done.stdout.strip()
    assert found == PURPOSES
    assert set(found.values()) <= set(make_venv.EXTRAS)


def test_large_packages_are_told_while_they_are_fetched(capsys):
    pip = """\
print("Collecting jaxlib")
print("  Downloading jaxlib-0.10.2-cp311-cp311-manylinux_2_27_x86_64.whl (80.1 MB)")
print("  Using cached numpy-2.1.0-cp311.whl (16.3 MB)")
print("  Downloading opt_einsum-3.4.0-py3-none-any.whl (71 kB)")
print("Installing collected packages: numpy, jaxlib")
raise SystemExit(1)
"""
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "errors": "replace"}
    done = run_pip._run_telling([sys.executable, "-c", pip], **streams)
    assert done.returncode == 1 and done.stdout.count("\n") == 5
    assert capsys.readouterr().err.splitlines() == [
        "gtp_engine: fetching jaxlib, 80 MB",
        "gtp_engine: fetching numpy, 16 MB",
        "gtp_engine: installing the packages, which takes a minute on a slow disk",
    ]


# The first start and the next ones.


@thorough  # the part `bare` of CI starts so, too
def test_the_first_start_sets_up_and_answers_and_the_second_only_answers(tmp_path):
    """Three at once, as a GUI does it, through a link, without a terminal, from a folder with
    modules that have the names of those that the set-up imports."""
    checkout, place, link = copy_checkout(tmp_path / "new"), tmp_path / "client", tmp_path / "link"
    place.mkdir()
    for name in ("venv", "logging", "subprocess", "pip", "ensurepip", "tomllib", "loguru", "json"):
        (place / f"{name}.py").write_text(f"open({str(tmp_path / 'planted')!r}, 'w')\n")
    link.symlink_to(checkout / "bin" / "gtp-engine")
    command = [str(link), "--game", "robble", "--size", "5"]
    streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    streams["env"] = WITHOUT_COMPILER | {"PYTHONPATH": str(place), "PYTHONSTARTUP": "venv.py"}
    engines = [subprocess.Popen(command, cwd=place, text=True, **streams) for _ in range(3)]
    logs = ""
    for engine in engines:
        answers, log = engine.communicate("1 name\n2 showboard\n", timeout=4 * PATIENCE)
        assert answers.startswith("=1 Patchpie\n\n=2 Robble 5x5\n")
        assert engine.returncode == 0
        assert "Error" not in log
        logs += log
    assert logs.count("setting up") == 1
    again = run(command, place, "name\n", env=NO_KERNEL | {"PYTHONPATH": str(place)})
    assert (again.stdout, again.stderr, again.returncode) == ("= Patchpie\n\n", "", 0)
    kernel = checkout / ".venv" / "kernel"
    wait_until(lambda: not make_kernel.running(kernel), "the compilation ends")
    assert make_kernel.failure(kernel)["why"] == "no working C++ compiler found"
    assert not (tmp_path / "planted").exists()


@thorough
def test_another_program_only_adds_packages(bare, tmp_path):
    assert run([f"{bare}/bin/gtp-engine"], tmp_path, "name\n", env=NO_KERNEL).returncode == 0
    (tmp_path / "pip.py").write_text(f"open({str(tmp_path / 'planted')!r}, 'w')\n")
    board = [f"{bare}/bin/gtp-board", "--board", "no-such-program", "--no-open"]
    done = run(board, tmp_path, env=NO_KERNEL)
    first, second = done.stderr.splitlines()
    assert first == f"gtp_engine: adding packages to {bare}/.venv, once"
    said = "The board engine cannot be started: no-such-program: No such file or directory."
    assert second == f"gtp-board: {said}"
    assert run(board, tmp_path, env=NO_KERNEL).stderr.splitlines() == [second]
    assert not (tmp_path / "planted").exists()


@thorough
def test_the_runner_starts_the_same_way(checkout, tmp_path):
    (tmp_path / "a.tst").write_text("10 name\n#? [Patchpie]\n")
    command = [f"{checkout}/bin/gtp-regress", f"'{checkout}/bin/gtp-engine'", "a.tst"]
    done = run(command, tmp_path, env=NO_KERNEL)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("total: 1 as expected\n")


@thorough
def test_a_moved_checkout_is_set_up_again(checkout, tmp_path):
    moved = tmp_path / "moved"
    shutil.copytree(checkout, moved, symlinks=True)
    done = run([f"{moved}/bin/gtp-engine"], tmp_path, "name\n", env=WITHOUT_COMPILER)
    assert done.stdout == "= Patchpie\n\n"
    assert f"setting up {moved}/.venv" in done.stderr


def test_an_unknown_choice_of_kernel_is_said_in_one_line(checkout, tmp_path):
    environment = os.environ | {"PATCHPIE_KERNEL": "new"}
    done = run([f"{checkout}/bin/gtp-engine"], tmp_path, "name\n", env=environment)
    assert (done.stdout, done.returncode) == ("", 2)
    assert done.stderr == (
        "gtp_engine: PATCHPIE_KERNEL is background, wait, old or none, or is not set\n"
    )


@thorough
def test_a_path_that_is_not_utf_8_is_said_in_one_line(tmp_path):
    checkout = link_checkout(tmp_path / os.fsdecode(b"caf\xe9"))
    done = run([f"{checkout}/bin/gtp-engine"], tmp_path, "name\n", env=WITHOUT_COMPILER)
    assert (done.stdout, done.returncode) == ("", 2)
    assert done.stderr.startswith("gtp_engine: the path ")
    assert done.stderr.endswith(" is not UTF-8; move the checkout\n")


# What a set-up makes, in this order.
STAGES = (
    ".venv.lock",
    ".venv/unfinished",
    ".venv/bin/python",
    ".venv/lib/python*/site-packages/patchpie.pth",
    ".venv/machine",
    ".venv/lib/python*/site-packages/*/METADATA",
    ".venv/made-for-run",
)


def reached(checkout: Path, stage: str, process: subprocess.Popen) -> bool:
    return any(checkout.glob(stage)) or process.poll() is not None


@thorough
@pytest.mark.parametrize("whole", [True, False])
def test_a_killed_set_up_is_mended_by_the_next_start(bare, tmp_path, whole):
    """Killed at several moments, alone or with everything that it started."""
    engine = [f"{bare}/bin/gtp-engine"]
    environment = WITHOUT_COMPILER | {"PATCHPIE_KERNEL": "none"}
    streams = {"stdin": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": environment}
    for number, stage in enumerate(STAGES):
        with running(engine, start_new_session=True, **streams) as first:
            wait_until(partial(reached, bare, stage, first), stage)
            if whole:
                os.killpg(first.pid, signal.SIGKILL)
        if number % 3 == 0 and number:  # a set-up to its end takes long
            done = run(engine, tmp_path, "name\n", env=environment)
            assert done.stdout == "= Patchpie\n\n", (stage, done.stderr)
            shutil.rmtree(bare / ".venv")


# A checkout that several machines share, or versions of Python.


@pytest.fixture
def own(tmp_path) -> Path:
    """A checkout that was set up, for one test to change."""
    return set_up(link_checkout(tmp_path / "own"))


def set_up_again(checkout: Path, tmp_path: Path) -> bool:
    """Whether the next start makes the environment anew; pip then fails."""
    python = python_with_pip(tmp_path / "python", "raise SystemExit('no pip here')\n")
    environment = NO_KERNEL | {"PATCHPIE_PYTHON": python}
    done = run([f"{checkout}/bin/gtp-engine"], tmp_path, "name\n", env=environment)
    if done.stderr == "":
        assert done.stdout == "= Patchpie\n\n"
        return False
    assert done.stderr.startswith(f"gtp_engine: setting up {checkout}/.venv, once\n")
    assert "no pip here" in done.stderr
    return True


def test_the_environment_of_another_machine_is_made_anew(own, tmp_path):
    """In a container the path of the checkout and of Python may be the same."""
    for name in ("machine", "here"):
        (own / ".venv" / name).write_text("aarch64 .cpython-311-aarch64-linux-gnu.so\n")
    assert set_up_again(own, tmp_path)


def test_the_environment_of_another_version_of_python_is_made_anew(own, tmp_path):
    (folder,) = (own / ".venv" / "lib").glob("python3.*")
    folder.rename(folder.with_name("python3.0"))
    (own / ".venv" / "here").write_text("as another container had it\n")
    assert set_up_again(own, tmp_path)


def test_an_environment_that_works_stays(own, tmp_path):
    """What has changed beside it is looked at once."""
    here = own / ".venv" / "here"
    before = here.read_text()
    here.write_text("a Python at another place\n")
    assert not set_up_again(own, tmp_path)
    assert here.read_text() == before


# What adds packages to an environment that works, and is interrupted.


def add_packages(checkout: Path, outcome) -> None:
    """Add those for the web by a pip that ends so."""
    with mock.patch.object(make_venv, "install", side_effect=[outcome]):
        make_venv.make(checkout, "web", checkout / ".venv")


NO_NETWORK = subprocess.CompletedProcess([], 1, "NewConnectionError")
INSTALLED = subprocess.CompletedProcess([], 0, "")


def test_an_environment_works_on_when_packages_were_being_added(own, tmp_path, capsys):
    """And pip goes on where it was interrupted."""
    packages = next((own / ".venv").glob("lib/python*/site-packages"))
    whole, half = packages / "whole-1.dist-info", packages / "half-1.dist-info"
    with pytest.raises(KeyboardInterrupt):
        add_packages(own, KeyboardInterrupt)
    for each in (whole, half):
        each.mkdir()
        (each / "METADATA").touch()
    (whole / "INSTALLER").touch()
    for _ in range(2):  # what was interrupted stays so without a network
        with pytest.raises(make_venv.CannotSetUp):
            add_packages(own, NO_NETWORK)
        assert whole.exists() and not half.exists()
    assert not set_up_again(own, tmp_path), "for what it was made for"
    add_packages(own, INSTALLED)
    assert not (own / ".venv" / "unfinished").exists()
    assert capsys.readouterr().err.count("adding packages to") == 4
    assert whole.exists()


def test_packages_that_cannot_be_added_leave_an_environment_as_it_was(own):
    before = sorted((own / ".venv").rglob("*"))
    with pytest.raises(make_venv.CannotSetUp):
        add_packages(own, NO_NETWORK)
    assert sorted((own / ".venv").rglob("*")) == before


def test_an_environment_that_was_being_made_is_made_anew(own, capsys):
    (own / ".venv" / "unfinished").touch()
    (own / ".venv" / "half").touch()
    add_packages(own, INSTALLED)
    assert not (own / ".venv" / "half").exists()
    assert "setting up" in capsys.readouterr().err


# Whatever the streams are.


@pytest.mark.parametrize("closed", ["2>&-", "2>&- <&-"])
def test_without_stderr_nothing_is_said_on_stdout(bare, tmp_path, closed):
    python = python_with_pip(tmp_path / "python", "raise SystemExit('no pip here')\n")
    environment = NO_KERNEL | {"PATCHPIE_PYTHON": python}
    command = ["sh", "-c", f'exec "$0" {closed}', f"{bare}/bin/gtp-engine"]
    done = run(command, tmp_path, "name\n", env=environment)
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 2)
    assert (bare / ".venv" / "unfinished").exists()


# One sentence for each thing that can go wrong.


def a_python(folder: Path, version: str, has_pip: bool = True) -> Path:
    """A stand-in for python3 that tells its version, and whether it has pip."""
    folder.mkdir(exist_ok=True)
    path = folder / "python3"
    told = f"{version} {'has pip' if has_pip else 'lacks it'} {path}" if version else ""
    path.write_text(f"#!/bin/sh\necho '{told}'\n")
    path.chmod(0o755)
    return path


def started_with(checkout: Path, folder: Path, **variables: str) -> subprocess.CompletedProcess:
    """A start that finds programs only in a folder, besides those of every system."""
    for name in (
        "sh",
        "cat",
        "cmp",
        "readlink",
        "dirname",
        "find",
        "sort",
        "xargs",
        "grep",
        "uname",
    ):
        if not (folder / name).exists():
            (folder / name).symlink_to(shutil.which(name))
    environment = {"PATH": str(folder)} | variables
    return run([f"{checkout}/bin/gtp-engine"], folder, "name\n", env=environment)


def test_without_python_one_sentence_says_what_to_install(bare, tmp_path):
    empty = tmp_path / "empty"
    empty.mkdir()
    done = started_with(bare, empty)
    assert (done.stdout, done.returncode) == ("", 2)
    assert done.stderr == (
        "gtp_engine: needs Python 3.11 or newer, with pip: found no python3; install it "
        "(Debian: apt install python3 python3-pip), or set PATCHPIE_PYTHON\n"
    )


@pytest.mark.parametrize(
    ("version", "has_pip", "said"),
    [
        ("3.6", True, "found python3 3.6; install a newer one"),
        ("3.10", True, "found python3 3.10; install a newer one"),
        ("3.12", False, "found python3 3.12 without pip; install it (Debian: apt install "),
        ("", True, "found python3, which does not run"),
    ],
)
def test_an_unsuitable_python_is_said_in_one_line(bare, tmp_path, version, has_pip, said):
    a_python(tmp_path / "old", version, has_pip)
    done = started_with(bare, tmp_path / "old")
    assert (done.stdout, done.returncode) == ("", 2)
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_named_python_is_the_one_that_is_tried(bare, tmp_path):
    other = a_python(tmp_path / "other place", "3.9")
    empty = tmp_path / "empty"
    empty.mkdir()
    done = started_with(bare, empty, PATCHPIE_PYTHON=str(other))
    assert f"found {other} 3.9; install a newer one" in done.stderr


def python_with_pip(folder: Path, program: str) -> str:
    """A Python whose pip is a given program."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    pip = next(folder.glob("lib/python*/site-packages")) / "pip"
    pip.mkdir()
    (pip / "__init__.py").write_text("")
    (pip / "__main__.py").write_text(program)
    return str(folder / "bin" / "python")


@pytest.mark.parametrize(
    ("printed", "said"),
    first_of([
        ("ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device",
         "the disk is full; free about 50 MB, and start again"),
        ("WARNING: Retrying after 'ProxyError('Cannot connect to proxy.')'\nERROR: No matching "
         "distribution found for loguru", "the proxy could not be reached; check HTTPS_PROXY"),
        ("ERROR: one\nERROR: the last thing that went wrong\nnoise",
         "pip says: the last thing that went wrong"),
        ("no error at all", "pip says: no error at all"),
    ]),
)  # fmt: skip
def test_what_pip_cannot_do_is_said_in_one_line(bare, tmp_path, printed, said):
    python = python_with_pip(tmp_path / "python", f"print({printed!r})\nraise SystemExit(1)\n")
    environment = WITHOUT_COMPILER | {"PATCHPIE_PYTHON": python}
    done = run([f"{bare}/bin/gtp-engine"], tmp_path, "name\n", env=environment)
    assert (done.stdout, done.returncode) == ("", 2)
    first, last = done.stderr.splitlines()
    assert first == f"gtp_engine: setting up {bare}/.venv, once"
    assert last.startswith(f"gtp_engine: could not set up {bare}/.venv: {said}")


def test_a_wheel_that_pip_stumbles_over_is_named(tmp_path):
    """pip writes a traceback, which names no wheel."""
    for name, record in (("good", "good.py,,\n"), ("bad", "bad.py,,\n\n")):
        with zipfile.ZipFile(tmp_path / f"{name}-1-py3-none-any.whl", "w") as wheel:
            wheel.writestr(f"{name}-1.dist-info/RECORD", record)
    processing = "".join(f"Processing ./{name}-1-py3-none-any.whl\n" for name in ("good", "bad"))
    traceback = "Traceback (most recent call last):\n  File x\n    y = z[0]\nIndexError: no 0\n"
    output = f"{processing}ERROR: Exception:\n{traceback}\n[notice] A new release of pip\n"
    said = run_pip.why_pip_failed(output, tmp_path)
    assert said == f"the wheel {tmp_path}/bad-1-py3-none-any.whl has a damaged RECORD"
    (tmp_path / "bad-1-py3-none-any.whl").write_bytes(
        (tmp_path / "good-1-py3-none-any.whl").read_bytes()
    )
    assert run_pip.why_pip_failed(output, tmp_path) == "pip says: IndexError: no 0"


@thorough
def test_an_interrupted_set_up_says_so(bare, tmp_path):
    ready = tmp_path / "ready"
    waiting = f"open({str(ready)!r}, 'w').close()\nimport signal\nsignal.pause()\n"
    environment = WITHOUT_COMPILER | {
        "PATCHPIE_PYTHON": python_with_pip(tmp_path / "python", waiting)
    }
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    engine = subprocess.Popen(
        [f"{bare}/bin/gtp-engine"],
        env=environment,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a job may ignore it
        **streams,
    )
    wait_until(lambda: ready.exists() or engine.poll() is not None, "pip runs")
    os.killpg(engine.pid, signal.SIGINT)
    out, log = engine.communicate(timeout=PATIENCE)
    assert (out, engine.returncode) == ("", 130)
    assert log.splitlines()[1:] == ["gtp_engine: interrupted; the next start goes on"]


@thorough
def test_an_index_out_of_reach_is_said_in_one_line(bare, tmp_path):
    nowhere = os.environ | {"PIP_INDEX_URL": "http://127.0.0.1:9/", "PIP_CONFIG_FILE": os.devnull}
    done = run([f"{bare}/bin/gtp-engine"], tmp_path, "name\n", env=nowhere)
    assert (done.stdout, done.returncode) == ("", 2)
    first, last = done.stderr.splitlines()
    assert first == f"gtp_engine: setting up {bare}/.venv, once"
    assert "the package index could not be reached; connect to a network, or set" in last


@thorough
def test_a_folder_of_wheels_that_lacks_a_package_is_said_in_one_line(bare, tmp_path):
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    offline = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(wheels), "PIP_CONFIG_FILE": os.devnull}
    done = run([f"{bare}/bin/gtp-engine"], tmp_path, "name\n", env=os.environ | offline)
    assert (done.stdout, done.returncode) == ("", 2)
    last = done.stderr.splitlines()[-1]
    assert last.startswith(f"gtp_engine: could not set up {bare}/.venv: no suitable package ")
    assert last.endswith(
        " was found; add it to the folder of wheels or to the index, and start again"
    )


def test_a_folder_of_wheels_that_is_not_there_is_refused(checkout, tmp_path):
    environment = NO_KERNEL | {"PATCHPIE_WHEELS": "no such folder"}
    done = run([f"{checkout}/bin/gtp-engine"], tmp_path, "name\n", env=environment)
    assert (done.stdout, done.returncode) == ("", 2)
    assert done.stderr == "gtp_engine: PATCHPIE_WHEELS names no folder: no such folder\n"


# Takes the folder for the wheels from the command line, as pip does.
WHEEL = """
import pathlib, sys
wheel = pathlib.Path(sys.argv[sys.argv.index("--wheel-dir") + 1], "NAME")
wheel.parent.mkdir(exist_ok=True)
wheel.write_text("new")
raise SystemExit(STATUS)
"""


@pytest.mark.parametrize("name", ["gtp_engine-1-py3-none-any.whl", "gtp_engine-2-cp311.whl"])
def test_a_folder_of_wheels_keeps_its_own_wheel_until_there_is_a_new_one(bare, tmp_path, name):
    folder, old = tmp_path / "wheels", "gtp_engine-1-py3-none-any.whl"
    folder.mkdir()
    for each in (old, "loguru-1.whl"):
        (folder / each).write_text("old")
    for status in (1, 0):
        pip = WHEEL.replace("NAME", name).replace("STATUS", str(status))
        python = python_with_pip(tmp_path / f"python {status}", pip)
        command = [python, "-B", str(bare / "bin" / "make-wheelhouse")]
        done = run([*command, str(folder)], tmp_path)
        assert done.returncode == status, done.stderr
        left = {path.name: path.read_text() for path in folder.iterdir()}
        own = {old: "old"} if status else {name: "new"}
        assert left == own | {"loguru-1.whl": "old"}
        assert run([*command, str(tmp_path / "new")], tmp_path).returncode == status
        assert (tmp_path / "new").exists() is (status == 0)
        refused = run([*command, str(folder / "loguru-1.whl")], tmp_path)
        said = f"make-wheelhouse: {folder}/loguru-1.whl: File exists\n"
        assert (refused.returncode, refused.stderr) == (2, said)


TOLD_WHERE = """
import sys
root, purpose, venv, cache, module, *arguments = sys.argv[1:]
print(purpose, venv, cache, module, *arguments)
"""


@pytest.fixture
def public():
    """A folder that every user may enter and nobody but its owner may write to."""
    with TemporaryDirectory(prefix="a public folder ") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@thorough
def test_a_read_only_checkout_is_set_up_in_a_cache_folder(checkout, public):
    """Two users have two folders; what is made there is stood in for."""
    shutil.copytree(checkout / "bin", public / "bin")
    (public / "bin" / "make_venv.py").write_text(TOLD_WHERE)
    number = run(["sh", "-c", f"printf %s '{public}' | cksum"], public).stdout.split()[0]
    engine = [f"{public}/bin/gtp-engine", "--level", "1"]
    if os.geteuid() == 0:  # may write anywhere
        engine = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", *engine]
    else:
        public.chmod(0o555)
    for user in ("one", "another"):
        with TemporaryDirectory(prefix=user) as home:
            if os.geteuid() == 0:
                os.chown(home, 65534, 65534)
            environment = {"PATH": "/usr/bin:/bin", "HOME": home}
            cache = f"{home}/.cache/patchpie/{number}"
            done = run(engine, Path("/"), env=environment)
            assert done.stdout == f"run {cache}/.venv {cache}/pycache gtp_engine --level 1\n"
            elsewhere = environment | {"XDG_CACHE_HOME": f"{home}/elsewhere"}
            done = run(engine, Path("/"), env=elsewhere)
            assert done.stdout.startswith(f"run {home}/elsewhere/patchpie/{number}/.venv ")
            relative = environment | {"XDG_CACHE_HOME": "elsewhere"}  # the standard ignores it
            done = run(engine, Path("/"), env=relative)
            assert done.stdout.startswith(f"run {cache}/.venv ")
    public.chmod(0o755)
    assert sorted(path.name for path in public.iterdir()) == ["bin"]


def test_a_cache_folder_that_cannot_be_made_is_said_in_one_line(checkout, tmp_path):
    (tmp_path / "file").write_text("")
    venv = tmp_path / "file" / "patchpie" / ".venv"
    command = [sys.executable, f"{checkout}/bin/make_venv.py", str(checkout), "run", str(venv)]
    done = run([*command, "", "gtp_engine"], tmp_path)
    assert done.returncode == 2
    assert done.stderr == (
        f"gtp_engine: could not set up {venv}: Not a directory; "
        "set XDG_CACHE_HOME to a folder that you can write to, and start again\n"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--game", "chess"], "there is no game chess: boloa implo pilo robble"),
        (["--size", "20"], "Implo is played on sizes 2 to 19"),
        (["--level", "99"], "argument --level: expected integer 1..18, got: 99"),
    ],
)
def test_a_wrong_option_is_said_in_one_line(arguments, message):
    done = run([sys.executable, "-P", "-m", "gtp_engine", *arguments], ROOT, "name\n")
    assert (done.stdout, done.returncode) == ("", 2)
    assert done.stderr == f"gtp-engine: {message}\n"


def test_options_are_settings():
    done = run(
        [sys.executable, "-P", "-m", "gtp_engine", "--pie", "off", "--visits", "9", "--seed", "3"],
        ROOT,
        "game-settings\n",
    )
    for shown in ("pie off ", "visits 9 ", "seed 3 "):
        assert shown in done.stdout


def test_verbose_says_why_a_turn_was_refused():
    command = [sys.executable, "-P", "-m", "gtp_engine", "--verbose"]
    done = run(command, ROOT, "play w c4\n")
    assert done.stdout == "? illegal move\n\n"
    assert "I15: Black is to move" in done.stderr
