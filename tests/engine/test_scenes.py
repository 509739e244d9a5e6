"""The content of a session's pictures, both in SVG and for GoGui."""

from gtp_engine.engine.scenes import scene
from gtp_engine.rules.points.points import named
from support.driver import Driver


def test_a_pass_after_the_end_leaves_the_picture_as_it_was():
    drive = Driver("pilo", 2)
    for line in ("game-position pilo 2 B2x/xW2 b passes=1", "play b pass"):
        drive(line)
    assert drive("game-over") == "true"
    before = scene(drive.session)
    drive("play w pass")
    assert scene(drive.session) == before


def test_a_swap_is_offered_where_it_may_be_clicked_and_then_told():
    drive = Driver("robble", 3)
    drive("play b b2")
    shown = scene(drive.session)
    assert {word: named(points) for word, points in shown.labels.items()} == {"swap?": "B2"}
    drive("play w swap")
    shown = scene(drive.session)
    assert {word: named(points) for word, points in shown.labels.items()} == {"swap": "B2"}
    drive("play b resign")
    assert scene(drive.session).labels == {}
