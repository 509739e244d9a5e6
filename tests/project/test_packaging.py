"""The declared packages and their versions, and what a wheel contains."""

import re
import runpy
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from gtp_engine.rules import games

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


@pytest.mark.parametrize("declared", DECLARED, ids=str)
def test_the_constraints_cover_what_is_declared(declared):
    """If this fails, run .ci/constraints with a Python on whose packages the suite passed."""
    assert declared.specifier.contains(constraints()[canonicalize_name(declared.name)])


@pytest.mark.parametrize("declared", DECLARED, ids=str)
def test_every_package_has_a_lowest_version(declared):
    assert [each.operator for each in declared.specifier] in (["=="], [">="])
    (bound,) = declared.specifier
    lowest = runpy.run_path(str(ROOT / ".ci" / "lowest"))["lowest"]()
    of_build = str(declared) in PYPROJECT["build-system"]["requires"]
    assert of_build or f"{declared.name}=={bound.version}" in lowest


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
    assert set(EXTRAS) - {"browser", "test", "test-all"} <= shown


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_name_actions_by_commit(path):
    used = re.findall(r"uses: (.*)", path.read_text())
    assert all(re.fullmatch(r"[\w/-]+@[0-9a-f]{40} # v[\d.]+", action) for action in used)
