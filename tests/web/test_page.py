"""The logic of the page, without a browser: its modules run in Node."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from gtp_engine import page
from support.tools import node

PAGE = Path(page.__file__).parent
SCRIPTS = [
    "board_animate.mjs",
    "board_candidates.mjs",
    "board_grid.mjs",
    "board_input.mjs",
    "page_link.mjs",
    "page_packed.mjs",
    "page_playback.mjs",
    "page_records.mjs",
    "page_store.mjs",
    "page_study.mjs",
    "page_tree.mjs",
]
LARGEST_PAGE = 400 * 1024  # bytes


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """The modules of the page in a folder that Node takes for modules, beside the scripts."""
    place = tmp_path_factory.mktemp("page")
    (place / "package.json").write_text('{"type": "module"}')
    for path in [*PAGE.glob("*.js"), *(Path(__file__).with_name(name) for name in SCRIPTS)]:
        shutil.copy(path, place)
    return place


@pytest.mark.parametrize("script", SCRIPTS)
def test_modules_of_the_page(folder, script):
    done = subprocess.run(
        [node(), "--test", script], cwd=folder, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_page_is_small():
    assert sum(path.stat().st_size for path in PAGE.glob("*.[chj]*")) < LARGEST_PAGE


@pytest.mark.parametrize("path", sorted(PAGE.glob("*.[hj]*")), ids=lambda path: path.name)
def test_no_text_can_become_markup(path):
    forbidden = r"innerHTML|outerHTML|adjacentHTML|document\.write|\beval\(|new Function|\sstyle="
    assert re.search(forbidden, path.read_text(), re.IGNORECASE) is None


@pytest.mark.parametrize("path", sorted(PAGE.glob("*.js")), ids=lambda path: path.name)
def test_modules_stay_short(path):
    assert len(path.read_text().splitlines()) <= 350
