"""The declared packages and their versions, and what a wheel contains."""

import re
import runpy
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from gtp_engine.rules import games
from standing.__main__ import JOBS
from support.waiting import PATIENCE

ROOT = Path(__file__).parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
PROJECT = PYPROJECT["project"]
EXTRAS = PROJECT["optional-dependencies"]
DECLARED = [
    Requirement(text)
    for text in (
        *PYPROJECT["build-system"]["requires"],
        *PROJECT["dependencies"],
        *(text for extra in EXTRAS.values() for text in extra),
    )
    if not text.startswith(PROJECT["name"])
]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def constraints() -> dict[str, str]:
    lines = (ROOT / "bin" / "constraints.txt").read_text().splitlines()
    return dict(line.split("==") for line in lines if not line.startswith("#"))


def test_the_constraints_cover_what_is_declared():
    """If this fails, run .ci/constraints with a Python on whose packages the suite passed."""
    tested = constraints()
    for declared in DECLARED:
        assert declared.specifier.contains(tested[canonicalize_name(declared.name)]), declared


def test_every_package_has_a_lowest_version():
    lowest = runpy.run_path(str(ROOT / ".ci" / "lowest"))["lowest"]()
    for declared in DECLARED:
        assert [each.operator for each in declared.specifier] in (["=="], [">="]), declared
        (bound,) = declared.specifier
        of_build = str(declared) in PYPROJECT["build-system"]["requires"]
        assert of_build or f"{declared.name}=={bound.version}" in lowest, declared


def test_what_a_wheel_leaves_out_exists():
    left_out = PYPROJECT["tool"]["scikit-build"]["wheel"]["exclude"]
    paths = [path for path in left_out if "/" in path]
    assert paths and all((ROOT / path).exists() for path in paths)


def test_the_description_of_the_package_stands_alone():
    """An index shows it without the files beside it."""
    text = (ROOT / PROJECT["readme"]).read_text()
    assert not re.search(r"\]\(|<img|\bbin/", text)
    for game in games():
        assert f"- **{game.title}**: " in text and game.title in PROJECT["description"]
    shown = set(re.findall(r"`([a-z]+)`", text))
    assert set(EXTRAS) - {"browser", "site", "test", "test-all"} <= shown


def test_workflows_name_actions_by_commit():
    used = [action for path in WORKFLOWS for action in re.findall(r"uses: (.*)", path.read_text())]
    assert used
    for action in used:
        assert re.fullmatch(r"[\w/-]+@[0-9a-f]{40} # v[\d.]+", action), action


# A path of the checkout in a command or a sentence; capitals stand for any name.
PATH = re.compile(r"(?<![\w./$-])(?:{project}/)?((?:tests|bin|protocol_specs|\.ci)/[\w./*-]+\b)")


def test_paths_in_workflows_scripts_and_instructions_exist():
    files = [*WORKFLOWS, *(ROOT / ".ci").iterdir(), ROOT / "pyproject.toml", ROOT / "bin" / "test"]
    files += [ROOT / ".github" / "CONTRIBUTING.md", ROOT / "README.md"]
    named = {
        (file, re.sub("[A-Z]{3,}", "*", path))
        for file in files
        for path in PATH.findall(file.read_text())
    }
    assert len(named) > 60
    gone = [f"{file.name}: {path}" for file, path in named if not list(ROOT.glob(path))]
    assert not gone, "\n".join(gone)


def test_workflows_run_jobs_and_parts_that_exist():
    """What the matrix of a workflow names is a job of a script, and no job is left out."""
    texts = {path.stem: path.read_text() for path in WORKFLOWS}
    jobs = re.search(r"job: \[(.*)\]", texts["standing"])[1].split(", ")
    assert set(jobs) == {*JOBS, "data", "arm64"}
    scripts = {name: (ROOT / ".ci" / name).read_text() for name in ("run", "standing", "compilers")}
    assert all(f".ci/standing {job} " in scripts["standing"] for job in jobs)
    compilers = re.search(r"name: \[(.*)\]", texts["test"])[1].split(", ")
    assert all(re.search(rf"\b{re.escape(name)}\b", scripts["compilers"]) for name in compilers)
    parts = set(re.search(r"^parts=\((.*)\)$", scripts["run"], re.MULTILINE)[1].split())
    assert parts == set(re.findall(r"^#   (\w+)  +[A-Za-z]", scripts["run"], re.MULTILINE)) - {"ci"}
    run = re.findall(r"\.ci/run (\w+)$", "\n".join(texts.values()), re.MULTILINE)
    assert run and set(run) <= parts
    for part in parts:
        assert re.search(rf"^{part}\(\) \{{$", scripts["run"], re.MULTILINE), part
        assert re.search(rf"^ +(?:each|part|\{{ part).*\b{part}\b", scripts["run"], re.MULTILINE), (
            part
        )


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux gives orphans another parent")
def test_the_seconds_of_a_part_of_ci_count_what_lost_its_parent(tmp_path):
    """As browsers do; the status is that of the part."""
    burn = "import time\nwhile time.process_time() < 0.2: pass"
    orphan = f"{shlex.join([sys.executable, '-I', '-c', burn])}; touch done"
    part = f"(({orphan}) &); until [ -e done ]; do sleep 0.01; done; exit 3"
    command = [sys.executable, ROOT / ".ci" / "timed", "seconds", "bash", "-c", part]
    assert subprocess.run(command, cwd=tmp_path, timeout=PATIENCE).returncode == 3
    wall, *used = map(float, (tmp_path / "seconds").read_text().split())
    assert wall > 0 and sum(used) >= 0.2
