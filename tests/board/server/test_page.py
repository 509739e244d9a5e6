"""The logic of the page, without a browser: its modules run in Node."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from gtp_engine.board.server.static import page_files
from gtp_engine.engine import page
from gtp_engine.engine.page.bundle import INDEX
from gtp_engine.engine.pictures.loader import look_text
from support.tools import node
from support.waiting import PATIENCE

PAGE = Path(page.__file__).parent
SCRIPTS = sorted(Path(__file__).parent.glob("*.mjs"))
LARGEST_PAGE = 340 * 1024  # bytes


def test_modules_of_the_page(tmp_path):
    """All scripts in one process of Node, beside the modules that they import."""
    (tmp_path / "package.json").write_text('{"type": "module"}')
    for path in [*PAGE.glob("*.js"), *SCRIPTS]:
        shutil.copy(path, tmp_path)
    everything = tmp_path / "everything.mjs"
    everything.write_text("".join(f'import "./{path.name}";\n' for path in SCRIPTS))
    done = subprocess.run([node(), everything], capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(re.search(r"^\S+ pass (\d+)$", done.stdout, re.MULTILINE)[1]) > len(SCRIPTS)


def test_the_page_is_small():
    """Apart from the shapes and colors that it contains as data."""
    texts = {name: text.decode() for name, (text, _) in page_files().items()}
    (look,) = re.findall(r'<script type="application/json" id="look">(.*)</script>', texts[INDEX])
    assert json.loads(look) == json.loads(look_text())
    assert sum(map(len, texts.values())) - len(look) < LARGEST_PAGE


@pytest.mark.parametrize("path", sorted(PAGE.glob("*.[hj]*")), ids=lambda path: path.name)
def test_no_text_can_become_markup(path):
    forbidden = r"innerHTML|outerHTML|adjacentHTML|document\.write|\beval\(|new Function|\sstyle="
    assert re.search(forbidden, path.read_text(), re.IGNORECASE) is None


@pytest.mark.parametrize("path", sorted(PAGE.glob("*.js")), ids=lambda path: path.name)
def test_modules_stay_short(path):
    assert len(path.read_text().splitlines()) <= 350
