"""The data that all drawers share: complete, consistent, and easy to parse."""

import re
from collections.abc import Iterator

import pytest

from gtp_engine.engine.pictures.loader import flat, look, look_text, paint, roles
from gtp_engine.rules.look import Ink, Shape

TAGS = {"circle", "ellipse", "rect", "path", "text", "radialGradient", "linearGradient"}
COLOR = re.compile("#[0-9a-f]{6}")
BOARDS = sorted(look()["boards"])
NEUTRAL = "neutral"


def texts(value: object) -> Iterator[str]:
    """All texts anywhere in a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from (text for inner in value.values() for text in texts(inner))
    elif isinstance(value, list):
        yield from (text for inner in value for text in texts(inner))


def elements(value: object) -> Iterator[dict]:
    """All elements anywhere in a value."""
    if isinstance(value, dict):
        if "tag" in value:
            yield value
        yield from (found for inner in value.values() for found in elements(inner))
    elif isinstance(value, list):
        yield from (found for inner in value for found in elements(inner))


def named(value: object) -> set[str]:
    """The roles that a value names, also through its gradients."""
    found = {role for text in texts(value) for role in re.findall(r"\{([a-z_]+)\}", text)}
    for text in texts(value):
        if text.startswith("@"):
            found |= named(look()["gradients"][text[1:]])
    return found


def test_every_ink_and_shape_of_the_rules_is_drawn():
    assert set(look()["inks"]) == {*Ink, NEUTRAL}
    assert set(look()["shapes"]) == {shape.value for shape in Shape}


def test_it_is_ascii_and_small():
    text = look_text()
    assert text.isascii()
    assert len(text) < 20_000


def test_elements_are_plain():
    """No filter, no picture, no address of anything outside."""
    found = list(elements(look()))
    assert {element["tag"] for element in found} == TAGS
    for text in texts(look()):
        assert "url(" not in text and "href" not in text and "<" not in text


@pytest.mark.parametrize("board", BOARDS)
def test_all_colors_that_elements_name_are_there(board):
    data, bare = look(), set(roles(board))
    for ink in data["inks"]:
        known = roles(board, ink)
        assert all(COLOR.fullmatch(color) for color in known.values())
        assert named(data["shapes"]) <= set(known)
        assert named(data["board"]) <= set(known)
        assert not bare & set(data["inks"][ink]["roles"])
    for mark in data["marks"].values():
        assert named(mark) <= (set(known) if mark.get("inked") else bare)


def luminance(color: str) -> float:
    """The relative luminance of WCAG, 0 to 1."""
    parts = (int(color[n : n + 2], 16) / 255 for n in (1, 3, 5))
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """The contrast of WCAG, 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("ink", [*Ink, NEUTRAL])
def test_pieces_are_seen_on_every_board(board, ink):
    """The body or the rim stands out as WCAG asks of graphics; a number on it as of large text."""
    known = roles(board, ink)
    seen = max(contrast(known[role], known["ground"]) for role in ("body", "rim"))
    assert seen >= 3
    assert min(contrast(known["number"], known[role]) for role in ("body", "flat")) >= 4.5


@pytest.mark.parametrize("board", BOARDS)
def test_lines_marks_and_letters_are_seen_on_every_board(board):
    known = roles(board)
    for role, least in {"line": 3, "text": 4.5, "mark": 4.5}.items():
        assert contrast(known[role], known["ground"]) >= least, role
    for role in ("mark", "accent", "danger", "decisive", "best", "other"):
        assert contrast(known[role], known["halo"]) >= 4.5, role


def test_colors_are_put_in():
    black = roles("slate", "black")
    assert paint("{rim}", black) == black["rim"] == look()["boards"]["slate"]["rims"]["black"]
    assert paint("@ball", black) == "@ball"
    assert flat("white") == "#ffffff"
    with pytest.raises(KeyError):
        roles("glass")
