"""The launchers, in a fresh checkout like a user's."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).parent.parent

# The kernel takes minutes to build and is not what is tried here.
WITHOUT_COMPILER = os.environ | {"CC": "/bin/false", "CXX": "/bin/false"}
COPIED = ("bin", "gtp_engine", "pyproject.toml", "README.md", "LICENSE")


def run(command: list[str], folder: Path, text: str = "", **options) -> subprocess.CompletedProcess:
    return subprocess.run(
        command, cwd=folder, input=text, capture_output=True, text=True, timeout=280, **options
    )


@pytest.fixture(scope="module")
def checkout(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("a fresh checkout")
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, folder / name)
    return folder


def test_the_first_start_sets_up_and_answers_and_the_second_only_answers(checkout, tmp_path):
    """Four at once, as a GUI does it, from another folder, through a link, without a terminal."""
    link = tmp_path / "engine"
    link.symlink_to(checkout / "bin" / "gtp-engine")
    command = [str(link), "--game", "robble", "--size", "5"]
    streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    streams["env"] = WITHOUT_COMPILER
    engines = [subprocess.Popen(command, cwd=tmp_path, text=True, **streams) for _ in range(4)]
    for engine in engines:
        answers, log = engine.communicate("1 name\n2 showboard\n", timeout=280)
        assert answers.startswith("=1 Patchpie\n\n=2 Robble 5x5\n")
        assert engine.returncode == 0
        assert "Error" not in log
    again = run(command, tmp_path, "name\n")
    assert (again.stdout, again.stderr, again.returncode) == ("= Patchpie\n\n", "", 0)


def test_changed_sources_need_not_hold_up_a_start(checkout, tmp_path):
    """PATCHPIE_KERNEL=old takes the kernel that is there, none does without."""
    header = checkout / "gtp_engine" / "kernel" / "board" / "bits.hpp"
    before = header.read_text()
    header.write_text(before + "// changed\n")
    engine = [f"{checkout}/bin/gtp-engine"]
    for choice in ("old", "none"):
        environment = WITHOUT_COMPILER | {"PATCHPIE_KERNEL": choice}
        done = run(engine, tmp_path, "name\n", env=environment)
        assert (done.stdout, done.stderr, done.returncode) == ("= Patchpie\n\n", "", 0)
    done = run(engine, tmp_path, "name\n", env=WITHOUT_COMPILER | {"PATCHPIE_KERNEL": "new"})
    assert (done.stdout, done.returncode) == ("", 1)
    assert done.stderr == "gtp_engine: PATCHPIE_KERNEL is old or none, or is not set\n"
    done = run(engine, tmp_path, "name\n", env=WITHOUT_COMPILER)
    assert done.stdout == "= Patchpie\n\n"
    for said in ("1 of 3", "2 of 3", "PATCHPIE_KERNEL=none"):
        assert said in done.stderr
    header.write_text(before)


def test_a_kernel_of_another_processor_is_built_anew(checkout, tmp_path):
    """As where two machines share a checkout."""
    needs = checkout / ".venv" / "processor"
    before = needs.read_text()
    needs.write_text("no-such-flag\n")
    done = run([f"{checkout}/bin/gtp-engine"], tmp_path, "name\n", env=WITHOUT_COMPILER)
    assert done.stdout == "= Patchpie\n\n"
    assert "setting up" in done.stderr
    assert done.stderr.splitlines()[-1] == (
        "gtp_engine: the kernel was not built, so the engine will search in Python: "
        "no working C++ compiler found"
    )
    assert needs.read_text() == before


def test_the_runner_starts_the_same_way(checkout, tmp_path):
    (tmp_path / "a.tst").write_text("10 name\n#? [Patchpie]\n")
    done = run([f"{checkout}/bin/gtp-regress", f"'{checkout}/bin/gtp-engine'", "a.tst"], tmp_path)
    assert done.returncode == 0, done.stderr
    assert "1 passed" in done.stdout


def test_another_program_only_adds_packages(checkout, tmp_path):
    """The kernel is not compiled again."""
    board = [f"{checkout}/bin/gtp-board", "--help"]
    done = run(board, tmp_path)
    assert done.returncode == 0
    assert done.stderr == f"gtp_engine: adding packages to {checkout}/.venv, once\n"
    assert run(board, tmp_path).stderr == ""


def test_an_index_out_of_reach_is_said_in_one_line(checkout, tmp_path):
    copy = tmp_path / "copy"
    for name in ("bin", "gtp_engine"):
        shutil.copytree(checkout / name, copy / name)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(checkout / name, copy)
    nowhere = os.environ | {"PIP_INDEX_URL": "http://127.0.0.1:9/", "PIP_CONFIG_FILE": os.devnull}
    done = run([f"{copy}/bin/gtp-engine"], tmp_path, "name\n", env=nowhere)
    assert (done.stdout, done.returncode) == ("", 1)
    first, *_, last = lines = done.stderr.splitlines()
    assert first.startswith(f"gtp_engine: setting up {copy}/.venv, once")
    assert "the package index could not be reached; connect to a network, or set" in last
    assert all(line.startswith("gtp_engine: ") for line in lines)


def test_a_folder_of_wheels_that_lacks_a_package_is_said_in_one_line(checkout, tmp_path):
    copy, wheels = tmp_path / "copy", tmp_path / "wheels"
    wheels.mkdir()
    for name in ("bin", "gtp_engine"):
        shutil.copytree(checkout / name, copy / name)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(checkout / name, copy)
    offline = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(wheels), "PIP_CONFIG_FILE": os.devnull}
    done = run([f"{copy}/bin/gtp-engine"], tmp_path, "name\n", env=os.environ | offline)
    assert (done.stdout, done.returncode) == ("", 1)
    last = done.stderr.splitlines()[-1]
    assert last.startswith(f"gtp_engine: could not set up {copy}/.venv: no suitable package ")
    assert last.endswith(
        " was found; add it to the folder of wheels or to the index, and start again"
    )


TOLD_WHERE = """
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
root, purpose, venv = sys.argv[1:]
print(purpose, venv)
python = Path(venv, "bin", "python")
python.parent.mkdir(parents=True)
python.write_text('#!/bin/sh\\necho "$@"\\n')
python.chmod(0o755)
"""


@pytest.fixture
def public():
    """A folder that every user may enter and nobody but its owner may write to."""
    with TemporaryDirectory(prefix="a public folder ") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


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
            assert done.stderr == f"run {cache}/.venv\n"
            assert done.stdout == f"-I -X pycache_prefix={cache}/pycache -m gtp_engine --level 1\n"
            elsewhere = environment | {"XDG_CACHE_HOME": f"{home}/elsewhere"}
            done = run(engine, Path("/"), env=elsewhere)
            assert done.stderr == f"run {home}/elsewhere/patchpie/{number}/.venv\n"
    public.chmod(0o755)
    assert sorted(path.name for path in public.iterdir()) == ["bin"]


def test_a_cache_folder_that_cannot_be_made_is_said_in_one_line(checkout, tmp_path):
    (tmp_path / "file").write_text("")
    venv = tmp_path / "file" / "patchpie" / ".venv"
    command = [sys.executable, f"{checkout}/bin/make_venv.py", str(checkout), "run", str(venv)]
    done = run(command, tmp_path)
    assert done.returncode == 1
    assert done.stderr == (
        f"gtp_engine: could not set up {venv}: Not a directory; "
        "set XDG_CACHE_HOME to a folder that you can write to, and start again\n"
    )


def test_an_unsuitable_python_is_said_in_one_line(checkout, tmp_path):
    """A python3 that cannot make a virtual environment: nothing on stdout, one plain sentence."""
    broken = tmp_path / "python3"
    broken.write_text("#!/bin/sh\necho 'no python here' >&2\nexit 1\n")
    broken.chmod(0o755)
    copy = tmp_path / "copy"
    shutil.copytree(checkout / "bin", copy / "bin")
    shutil.copy(checkout / "pyproject.toml", copy)
    environment = os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    done = run([f"{copy}/bin/gtp-engine"], tmp_path, "name\n", env=environment)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr == "no python here\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--game", "chess"], "there is no game chess: boloa implo pilo robble"),
        (["--size", "20"], "Implo is played on sizes 2 to 19"),
        (["--level", "11"], "--level takes: integer 1..10"),
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
