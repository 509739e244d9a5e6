"""Pictures: they contain every piece, mark and word, and nothing that a client cannot parse."""

import random
import re
import xml.etree.ElementTree as ET
from collections import Counter

import pytest

from gtp_engine.engine.pictures.loader import flat, look, roles
from gtp_engine.engine.pictures.scene import Scene, Warmth, difference
from gtp_engine.engine.pictures.svg import (
    CELL,
    MARGIN,
    PIXEL,
    board_side,
    center,
    has_fonts,
    outline,
    picture,
    png,
    symbol_id,
)
from gtp_engine.rules.look import Look, Shape
from gtp_engine.rules.points.color import BLACK, WHITE
from gtp_engine.rules.points.points import point_set, vertices
from gtp_engine.rules.points.vertex import Vertex
from support.boards import position
from support.driver import Driver
from support.playing import positions, random_game
from support.thorough import given_few_or_many, thorough

DECISIVE = roles("wood")["decisive"]

# The line below a piece that has come from somewhere.
ARROW = "M{} {}L"

SVG = "{http://www.w3.org/2000/svg}"


def drawn(scene: Scene) -> ET.Element:
    """The picture, read back."""
    return ET.fromstring(picture(scene))


def pieces(root: ET.Element) -> dict[tuple[str, str], str]:
    """Which piece stands where."""
    return {at: href for at, href in symbols(root) if not href.startswith("#mark-")}


def marked(root: ET.Element, name: str) -> int:
    """How many points bear a mark."""
    return sum(href == f"#mark-{name}" for _, href in symbols(root))


def symbols(root: ET.Element) -> list[tuple[tuple[str, str], str]]:
    """Where symbols stand, and which."""
    return [((use.get("x"), use.get("y")), use.get("href")) for use in root.iter(f"{SVG}use")]


def paths(root: ET.Element, begin: str) -> list[str]:
    """The paths whose data begin so."""
    data = (path.get("d") for path in root.iter(f"{SVG}path"))
    return [path for path in data if path.startswith(begin)]


def words(root: ET.Element) -> list[str]:
    return [text.text for text in root.iter(f"{SVG}text")]


def heat_numbers(root: ET.Element) -> list[str]:
    return [text.text for text in root.iter(f"{SVG}text") if text.get("paint-order")]


@given_few_or_many(20, 60, positions(largest=5))
def test_a_picture_shows_each_piece_where_it_stands(position):
    text = picture(Scene(position))
    assert text.isascii() and "\n\n" not in text and "\t" not in text
    expected = {
        tuple(str(number) for number in center(vertex, position.size)): (
            f"#{symbol_id(position.game, word)}"
        )
        for word, points in position.layers().items()
        for vertex in vertices(points)
    }
    root = ET.fromstring(text)
    assert pieces(root) == expected
    defined = {f"#{part.get('id')}" for part in root.find(f"{SVG}defs")}
    assert set(expected.values()) <= defined
    assert {f"#{name}" for name in re.findall(r"url\(#(.+?)\)", text)} <= defined


def test_all_sizes_have_their_coordinates(game):
    for size in range(2, 20):
        root = drawn(Scene(game.start(size)))
        assert board_side(size) == CELL * size + 2 * MARGIN
        assert root.get("width") == root.get("height")
        assert float(root.get("width")) * PIXEL > board_side(size)
        expected = Counter({str(row): 2 for row in range(1, size + 1)})
        expected += Counter(dict.fromkeys("ABCDEFGHJKLMNOPQRST"[:size], 2))
        assert Counter(words(root)) == expected


def test_a1_is_the_lower_left_corner():
    start = position("robble", "B .\n. W")
    assert pieces(drawn(Scene(start))) == {
        (str(MARGIN + 50), str(MARGIN + 50)): "#robble-42",
        (str(MARGIN + 150), str(MARGIN + 150)): "#robble-57",
    }


def test_pieces_differ_in_shape_and_brightness(game):
    """No two words of a game look the same, and BLACK and WHITE not even in gray."""
    black, white = (brightness(flat(ink)) for ink in game.look.inks)
    assert white - black > 80
    looks = {
        (game.look.shape(word), game.look.color(word), game.look.height(word))
        for word in game.legend
    }
    assert len(looks) == len(game.legend)


def brightness(ink: str) -> float:
    red, green, blue = (int(ink[n : n + 2], 16) for n in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue


def test_the_look_of_a_new_game_follows_from_its_words():
    look = Look()
    assert [look.shape(word) for word in ("B", "W", "b", "w", "#", "W12")] == [
        Shape.STONE,
        Shape.STONE,
        Shape.MARKER,
        Shape.MARKER,
        Shape.BLOCK,
        Shape.STONE,
    ]
    assert [look.color(word) for word in ("B3", "w", "#")] == [BLACK, WHITE, None]
    assert [look.height(word) for word in ("B", "W2", "B12")] == [1, 2, 12]


def test_the_height_of_a_stack_is_written_on_it():
    stacks = position("pilo", "B1 W3 .\n# # #\n. . .")
    root = drawn(Scene(stacks))
    by_name = {group.get("id"): group for group in root.find(f"{SVG}defs")}
    assert words(by_name["pilo-5733"]) == ["3"]
    assert words(by_name["pilo-4231"]) == []


def test_what_a_turn_changed_is_the_difference():
    before = position("robble", ". . .\n. W .\n. . .")
    after = before.play_unchecked(before.legal_steps()[1])  # A2 pushes B2 to C2
    assert [str(vertex) for vertex in vertices(difference(before, after))] == ["A2", "B2", "C2"]
    assert difference(after, after) == 0


def test_what_names_carry_is_escaped():
    scene = Scene(position("robble", ". .\n. ."), caption=('<a href="x">&</a> \u00e9',))
    text = picture(scene)
    assert "<a" not in text and text.isascii()
    assert ET.fromstring(text).find(f"{SVG}title").text == '<a href="x">&</a> \u00e9'


def test_long_captions_are_wrapped_and_cut():
    caption = ("Turn 7: " + " or ".join(["C4/E1xF3"] * 100), "/".join(["C4"] * 200))
    root = drawn(Scene(position("robble", ". .\n. ."), caption=caption))
    lines = [line for line in words(root) if len(line) > 2]
    assert lines[-1].endswith("...")
    assert len(lines) <= 6
    assert max(map(len, lines)) < 50


def test_heat_is_written_on_its_points():
    start = position("robble", ". .\n. .")
    heat = dict(zip(vertices(start.board), [Warmth(0.0, "3"), Warmth(1.0, "97")]))
    assert heat_numbers(drawn(Scene(start, heat=heat))) == ["3", "97"]


def test_a_heat_map_tells_where_the_search_looked(game):
    drive = Driver(game.name, 4)
    drive("game-set visits 200")
    drive("game-set seed 1")
    before = drive("game-position")
    for kind in ("visits", "winrate"):
        text = drive(f"game-svg {kind}")
        numbers = heat_numbers(ET.fromstring(text))
        assert numbers and all(0 <= int(number) <= 100 for number in numbers)
        assert text == drive(f"game-svg {kind}")
    assert drive("game-position") == before
    assert drive("game-history") == ""


def test_openings_are_drawn_on_the_empty_board():
    """On every point, with the letter of the step in Boloa; whatever stands on the board now."""
    drive = Driver("boloa", 2)
    empty = drive("game-svg openings")
    assert heat_numbers(ET.fromstring(empty)) == ["p100"] * 4
    drive("play b sa1")
    assert drive("game-svg openings") == empty


def test_there_is_no_heat_after_the_end():
    drive = Driver("implo", 2)
    drive("play b a1")
    assert drive("game-svg visits") == drive("game-svg")


def test_the_swap_has_no_point_and_the_rest_has(drive):
    drive("game-set visits 100")
    drive("play b c4")
    assert heat_numbers(ET.fromstring(drive("game-svg visits")))


def test_an_open_turn_shows_its_patches_and_where_to_click(drive):
    """A3 and C3 are Black's, C1 is White's: their cells are filled, and all three to click."""
    drive("game-position implo 3 .B./BBb/ww. b open=yes")
    root = ET.fromstring(drive("game-svg"))
    assert (marked(root, "owner-black"), marked(root, "owner-white")) == (2, 1)
    assert marked(root, "target") == 3


def test_a_capture_is_an_arrow_and_a_selection_a_frame():
    drive = Driver("pilo", 4)
    for line in ("play b b2", "play w d2", "play b b2"):
        drive(line)
    arrow = ARROW.format(*(f"{at:g}" for at in center(Vertex.parse("B2"), 4)))
    half_made = ET.fromstring(drive("game-svg"))
    assert marked(half_made, "selected") == 1
    assert not paths(half_made, arrow)
    drive("play b d2")
    root = ET.fromstring(drive("game-svg"))
    assert marked(root, "selected") == 0
    assert paths(root, arrow)


def test_owners_are_shown_when_the_game_is_over():
    drive = Driver("pilo", 2)
    assert "mark-owner" not in drive("game-svg")
    rng = random.Random(1)
    *_, (last, step) = random_game(drive.session.position, rng)
    drive.session.set_position(last.play_unchecked(step))
    assert "#mark-owner" in drive("game-svg")


DECIDED = {
    "a chain": ("boloa", "W B .\n. B W\nB B .", "B1 B2 B3 A1"),
    "two equal groups against one": ("robble", "B W B\nB W B\nW W W", "A1 B1 C1 B2 B3"),
    "pairs cancel": ("robble", "B W\nW B", ""),
    "groups of markers": ("implo", "b b w\nW w b\nb B w", "A3 B3"),
}


@pytest.mark.parametrize("game, picture, points", DECIDED.values(), ids=DECIDED)
def test_what_decided_a_game_is_framed(game, picture, points):
    over = position(game, picture)
    assert over.outcome() is not None
    assert {str(vertex) for vertex in vertices(over.decisive())} == set(points.split())


def test_only_what_is_over_is_framed(drive):
    drive("game-select boloa 2")
    drive("play b sa1")
    assert DECISIVE not in drive("game-svg")
    drive("play w sb2")
    drive("play b sa2")
    assert "Game over" in drive("game-svg")
    assert DECISIVE in drive("game-svg")


# Cells of a 3x3 board, and the closed lines around them: columns and rows of the corners where
# they turn, counted from the upper left corner of the board.
OUTLINES = {
    "A1": ["02 12 13 03"],
    "A1 B1 B2": ["02 12 11 21 23 03"],
    "A1 C3": ["02 12 13 03", "20 30 31 21"],
    "A1 B2": ["02 12 13 03", "11 21 22 12"],
    "A1 B1 C1 A2 C2 A3 B3 C3": ["00 30 33 03", "22 21 11 12"],
}


@pytest.mark.parametrize("cells, loops", OUTLINES.items())
def test_areas_have_closed_outlines(cells, loops):
    """Cells that only touch at a corner are two areas; a hole has a line of its own."""
    path = outline(point_set(map(Vertex.parse, cells.split())), 3)
    found = []
    for loop in re.findall("M(.+?)Z", path):
        corners = [tuple(map(int, corner.split())) for corner in loop.split("L")]
        places = [f"{(x - MARGIN) // CELL}{(y - MARGIN) // CELL}" for x, y in corners]
        found.append(frozenset(places))
    assert sorted(map(sorted, found)) == sorted(sorted(loop.split()) for loop in loops)


def test_stacks_show_as_many_levels_as_they_have():
    """Up to the most that are drawn; the number tells the rest."""
    stacks = position("pilo", "B1 W3 .\n# # #\n. W9 .")
    by_name = {group.get("id"): group for group in drawn(Scene(stacks)).find(f"{SVG}defs")}
    levels = look()["shapes"]["stack"]["levels"]
    for name, height in (("pilo-4231", 1), ("pilo-5733", 3), ("pilo-5739", levels["most"])):
        tops = [part for part in by_name[name] if part.get("fill", "").startswith("url(#disk-")]
        assert len(tops) == height


@thorough
def test_a_png_is_as_wide_as_asked_for():
    image = png(picture(Scene(position("robble", ". .\n. ."))), 200)
    assert image[:8] == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(image[16:20], "big") == 200
    image = png(picture(Scene(position("robble", ". .\n. ."))))
    assert int.from_bytes(image[16:20], "big") == round(2 * (board_side(2) + 20) / PIXEL)


@thorough
def test_missing_fonts_are_noticed():
    """As seen in a picture: the letters are there, or they are not."""
    drawn = picture(Scene(position("robble", ". .\n. .")))
    without_letters = re.sub("<text.*?</text>", "", drawn, flags=re.DOTALL)
    assert has_fonts() == (png(drawn) != png(without_letters))


@pytest.mark.parametrize(
    ("game", "size", "turn", "at"),
    [
        ("implo", 3, ("b2", "swap", "a1", "b1", "a2", "c2/c1"), "C2"),
        ("pilo", 3, ("b2", "a2", "b2-a2"), "B2"),
        ("robble", 3, ("b2",), "B2"),
    ],
)
def test_the_last_turn_has_one_sign_where_it_began(game, size, turn, at):
    """However many steps and points a turn has."""
    drive = Driver(game, size)
    for number, word in enumerate(turn):
        drive(f"play {'bw'[number % 2]} {word}")
    steps = drive.session.turns()[-1].steps
    root = drawn(Scene(drive.session.position, steps=steps))
    signs = [place for place, href in symbols(root) if href == "#mark-last"]
    assert signs == [tuple(map(str, center(Vertex.parse(at), size)))]
