"""Records read and written by @sabaki/sgf, the library of Sabaki, if node and npm are installed."""

import json
import subprocess

import pytest

from gtp_engine.engine.record_loading import replay
from gtp_engine.engine.record_writing import Form, written
from support.driver import Driver
from support.showing import Viewer, expected, without_circles
from support.thorough import thorough
from support.tools import node, npm_install
from support.waiting import PATIENCE

pytestmark = thorough  # the package comes over the network

pytestmark = thorough  # the library comes over the network

LIBRARY = "@sabaki/sgf@3.4.7"

# Prints each node of the main line as [points by property, labels, comment, all names], and at
# the end the record as the library writes it.
SCRIPT = """
const sgf = require('@sabaki/sgf')
const [root] = sgf.parse(require('fs').readFileSync(0, 'utf8'))
const points = values => values.flatMap(sgf.parseCompressedVertices)
const nodes = []
for (let node = root; node; node = node.children[0]) {
  const found = {}
  for (const name of ['AB', 'AW', 'AE', 'CR', 'MA', 'SQ', 'TR', 'B', 'W'])
    if (node.data[name]) found[name] = points(node.data[name])
  const labels = (node.data.LB || []).map(value => {
    const [point, label] = value.split(':')
    return [...sgf.parseVertex(point), label]
  })
  nodes.push([found, labels, node.data.C ? node.data.C[0] : '', Object.keys(node.data)])
}
console.log(JSON.stringify({nodes, text: sgf.stringify([root])}))
"""


@pytest.fixture(scope="module")
def sabaki(tmp_path_factory):
    """Reads a record with the library: its nodes, and the record written again."""
    folder = tmp_path_factory.mktemp("sabaki")
    (folder / "package.json").write_text("{}")
    npm_install(LIBRARY, folder)

    def read(text):
        command = [node(), "-e", SCRIPT]
        done = subprocess.run(
            command,
            cwd=folder,
            input=text,
            text=True,
            capture_output=True,
            check=True,
            timeout=PATIENCE,
        )
        return json.loads(done.stdout)

    return read


@pytest.fixture
def played(game):
    """A whole game of ours, in which a turn was searched."""
    drive = Driver(game.name, 5)
    drive("komi 6.5")
    for line in ("game-set seed 1", "game-set visits 8", "game-set backend python", "genmove b"):
        drive(line)
    drive("game-set player random")
    while drive.session.outcome is None:
        drive(f"genmove {drive.session.position.to_move}")
    return drive


def test_sabaki_shows_the_board_after_each_turn(sabaki, played):
    look = played.session.game.look
    nodes = sabaki(written(played.session, Form.DISPLAY).text)["nodes"]
    viewer = Viewer(5)
    shown = []
    for points, labels, _, _ in nodes:
        at = {name: [tuple(point) for point in where] for name, where in points.items()}
        assert "B" not in at and "W" not in at
        marks = {name: where for name, where in at.items() if not name.startswith("A")}
        named = {(column, row): label for column, row, label in labels}
        shown.append(viewer.show(at, marks, named))
    turns = played.session.turns()
    assert [comment.split("\n")[0].split()[-1] for _, _, comment, _ in nodes[1:]] == [
        turn.word for turn in turns
    ]
    assert len(shown) == 1 + len(turns)
    for board in reversed(shown):
        assert without_circles(board) == expected(played("game-board"), look)
        if played.session.frame.number:
            played("undo")


def test_sabaki_has_the_winrate_for_its_graph(sabaki, played):
    """SBKV is Sabaki's own: Black's chance in percent."""
    for form in Form:
        nodes = sabaki(written(played.session, form).text)["nodes"]
        assert sum("SBKV" in names for _, _, _, names in nodes) == 1


@pytest.mark.parametrize("form", Form)
def test_a_record_saved_by_sabaki_is_loaded(sabaki, played, form):
    again = Driver()
    replay(again.session, sabaki(written(played.session, form).text)["text"].encode())
    for query in ("game-position", "game-history", "game-status", "gomill-explain_last_move"):
        assert again(query) == played(query)
