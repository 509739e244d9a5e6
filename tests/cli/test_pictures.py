"""`gtp-engine render` and `gtp-engine replay`, as a user calls them."""

import builtins
import re
from pathlib import Path

import pytest

from documents.game_pictures import record_of
from documents.pictures import PICTURES, THEMES, drawings
from documents.reference import documented_games
from gtp_engine.base.optional_packages import how_to_install
from gtp_engine.cli.engine import TOOLS, main
from gtp_engine.engine.pictures.loader import look
from support.driver import Driver
from support.replays import game_on, listed_on, pieces_on, turns_on
from support.statuses import status_of
from support.thorough import thorough

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "protocol_specs" / "pictures"
CAPTURE = ("play b b2", "play w d2", "play b b2-d2")


@pytest.fixture
def record(tmp_path):
    drive = Driver("pilo", 4)
    for line in CAPTURE:
        drive(line)
    path = tmp_path / "game.sgf"
    drive(f"printsgf {path}")
    return path


@pytest.mark.parametrize("tool", TOOLS)
def test_every_tool_explains_itself(tool, capsys):
    with pytest.raises(SystemExit) as end:
        main([tool, "--help"])
    assert end.value.code == 0
    assert capsys.readouterr().out.startswith(f"usage: gtp-engine {tool}")


@pytest.mark.parametrize(
    "turn, title", [(0, "the start"), (2, "turn 2: Orange D2"), (None, "B2-D2")]
)
def test_render_draws_a_turn(record, tmp_path, turn, title):
    output = tmp_path / "board.svg"
    which = [] if turn is None else ["--turn", str(turn)]
    assert main(["render", str(record), *which, "-o", str(output)]) == 0
    assert title in output.read_text()


def test_render_prints_svg_without_a_name(record, capfdbinary):
    assert main(["render", str(record)]) == 0
    assert capfdbinary.readouterr().out.startswith(b"<svg ")


@thorough
def test_render_writes_png(record, tmp_path):
    output = tmp_path / "board.PNG"
    assert main(["render", str(record), "-o", str(output), "--width", "300"]) == 0
    assert output.read_bytes().startswith(b"\x89PNG")


def test_render_draws_on_a_dark_board(record, tmp_path):
    light, dark = tmp_path / "light.svg", tmp_path / "dark.svg"
    assert main(["render", str(record), "-o", str(light)]) == 0
    assert main(["render", str(record), "-o", str(dark), "--board", "slate"]) == 0
    wood, slate = (look()["boards"][name]["roles"]["ground"] for name in ("wood", "slate"))
    assert wood in light.read_text() and slate not in light.read_text()
    assert slate in dark.read_text() and wood not in dark.read_text()


def test_render_draws_heat(record, tmp_path):
    output = tmp_path / "board.svg"
    options = ["--heat", "visits", "--visits", "50", "--seed", "1"]
    assert main(["render", str(record), "-o", str(output), *options]) == 0
    assert "share of the visits in percent" in output.read_text()


def test_render_draws_openings(record, tmp_path):
    output = tmp_path / "board.svg"
    assert main(["render", str(record), "-o", str(output), "--heat", "openings"]) == 0
    assert "values of first turns" in output.read_text()


@thorough
def test_png_without_the_library_is_one_line(record, tmp_path, capsys, monkeypatch):
    real = builtins.__import__

    def without(name, *rest):
        if name == "resvg_py":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    output = tmp_path / "board.png"
    assert main(["render", str(record), "-o", str(output)]) == 2
    assert capsys.readouterr().err == (
        f"gtp-engine render: PNG pictures need resvg-py: {how_to_install('png')}\n"
    )
    assert not output.exists()


def test_what_cannot_be_done_is_one_line(record, tmp_path, capsys):
    other = tmp_path / "other.sgf"
    other.write_text("(;GM[1]SZ[9];B[aa])")
    for arguments in (
        ["render", "no-such-file.sgf"],
        ["render", str(other)],
        ["render", str(record), "--turn", "4"],
        ["render", str(record), "-o", "board.gif"],
        ["render", str(record), "-o", str(tmp_path / "none" / "board.svg")],
        ["render", str(record), "--heat", "visits", "--level", "99"],
        ["replay", "no-such-file.sgf"],
        ["replay", str(record), "-o", str(tmp_path)],
    ):
        assert status_of(main, arguments) == 2
        error = capsys.readouterr().err
        assert error.startswith(f"gtp-engine {arguments[0]}: ")
        assert error.count("\n") == 1


def test_replay_holds_every_turn_and_what_the_file_says(record, tmp_path):
    text = record.read_text().replace(";B[B2-D2]", ";B[B2-D2]C[a </script><b> & \u00e9]SBKV[62.50]")
    assert "SBKV" in text
    record.write_text(text.replace("(;", "(;PB[Ann]C[A game]", 1))
    output = tmp_path / "game.html"
    assert main(["replay", str(record), "-o", str(output)]) == 0
    page = output.read_text()
    assert page.count("</script>") == 3
    game, (start, *turns) = game_on(page), turns_on(page)
    assert [turn["word"] for turn in turns] == ["B2", "D2", "B2-D2"]
    assert [turn["color"] for turn in turns] == ["black", "white", "black"]
    assert [turn["chance"] for turn in turns] == [None, None, 0.625]
    assert start["comment"] == "A game"
    assert turns[-1]["comment"] == "a </script><b> & \u00e9"
    standing = {"B2": "block", "D2": "blue stack, height 2"}
    assert pieces_on(page, turns[-1]["id"]) == standing
    assert game["players"] == {"black": "Ann", "white": ""}
    assert game["views"][-1]["turn"]["to_move"] == "white"
    assert "B[B2-D2]" in game["records"]["plain"]["text"]


def test_several_records_are_one_page_with_a_list(record, tmp_path, capsys, monkeypatch):
    drive, other, output = Driver("implo", 2), tmp_path / "other.sgf", tmp_path / "games.html"
    drive("play b a1")
    drive(f"printsgf {other}")
    arguments = ["replay", str(other), str(record), "-o", str(output)]
    assert main(arguments) == 0
    page = output.read_text()
    assert [(each["text"], each["result"]) for each in listed_on(page)] == [
        ("1. Implo 2x2: other", "B+"),
        ("2. Pilo 4x4: game", ""),
    ]
    assert [turn["word"] for turn in turns_on(page, 1)] == ["", "A1"]
    assert [turn["word"] for turn in turns_on(page, 2)] == ["", "B2", "D2", "B2-D2"]
    output.unlink()
    monkeypatch.setattr("gtp_engine.engine.replay_page.MOST_BYTES", 1)
    assert main(arguments) == 2
    assert capsys.readouterr().err == "gtp-engine replay: a page has no room for more than 1 game\n"
    assert not output.exists()


def test_passes_after_the_end_are_left_out(tmp_path):
    drive = Driver("implo", 2)
    for line in ("play b a1", "play w pass", "play b pass"):
        drive(line)
    record, output = tmp_path / "game.sgf", tmp_path / "game.html"
    drive(f"printsgf {record}")
    assert main(["replay", str(record), "-o", str(output)]) == 0
    page = output.read_text()
    assert [turn["word"] for turn in turns_on(page)] == ["", "A1"]
    assert game_on(page)["views"][-1]["outcome"]["winner"] == "black"
    assert "turn 1: Black A1" in drive("game-svg")


def test_replay_loads_nothing(record, tmp_path):
    output = tmp_path / "game.html"
    main(["replay", str(record), "-o", str(output)])
    page = re.sub(r"http://www\.w3\.org/2000/svg", "", output.read_text())
    assert not re.search(
        r"https?://|@import|url\((?!#)|\ssrc=|<link(?! rel=.icon. href=.data:)", page
    )
    assert "default-src 'none'" in page and "'unsafe" not in page
    assert page.isascii() and "\n\n" not in page  # as a response of GTP must be
    assert max(map(len, page.splitlines())) < 10_000


def test_a_game_without_turns_has_a_page(tmp_path):
    record, output = tmp_path / "game.sgf", tmp_path / "game.html"
    Driver("implo", 2)(f"printsgf {record}")
    assert main(["replay", str(record), "-o", str(output)]) == 0
    assert len(turns_on(output.read_text())) == 1


def test_the_pictures_of_the_documentation_are_there_and_small():
    """The pages show all there are, each in light and dark, and no others."""
    pages = [ROOT / "README.md", *FOLDER.parent.rglob("*.md")]
    texts = "".join(page.read_text() for page in pages)
    shown = set(re.findall(r"pictures/((?:games/)?[\w-]+\.(?:png|svg))", texts))
    assert shown == pictures_there()
    assert all((FOLDER / name).stat().st_size < 150_000 for name in shown)


def pictures_there() -> set[str]:
    """The committed pictures, by their paths in their folder."""
    return {str(path.relative_to(FOLDER)) for path in FOLDER.rglob("*.*")}


def test_one_script_makes_the_pictures_of_the_documentation():
    """All of them, and of every game, but for another program and the chart of evaluations."""
    files = [file for _, file in THEMES.values()]
    made = {file.format(name, "png") for name in PICTURES for file in files}
    made |= {file.format(name, "svg") for name in drawings() for file in files}
    assert made == pictures_there() - {"gogui.png", "evaluations.svg"}
    assert {game.name for game in documented_games()} <= PICTURES.keys()


@pytest.mark.parametrize("name", [name for name in drawings() if name.startswith("games/")])
def test_the_drawings_of_the_rules_are_what_the_script_draws(name):
    """If this fails, run: python tests documents.pictures protocol_specs/pictures"""
    for board, file in THEMES.values():
        drawing = (FOLDER / file.format(name, "svg")).read_text()
        assert drawing == drawings()[name](board)
        assert len(drawing) < (60_000 if name.endswith("-game") else 11_000)
        assert drawing.isascii() and not re.search(r"<script|<image|url\((?!#)|@import", drawing)


def test_a_game_that_moves_is_whole_and_rests_at_its_end(documented):
    outcome = record_of(documented.name).outcome
    assert outcome is not None and outcome.winner is not None
    drawing = (FOLDER / "games" / f"{documented.name}-game.svg").read_text()
    assert "@media(prefers-reduced-motion:reduce){*{animation:none!important}}" in drawing
    *_, last = re.findall(r'<g class="(v[0-9-]+)">', drawing)
    assert "opacity:0;" not in re.search(rf"\.{last}{{.*?}}", drawing)[0]
    assert f">{documented.color_names[outcome.winner]} wins<" in drawing
