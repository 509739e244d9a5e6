"""The colors of chances to win."""

import re

from support.driver import Driver


def test_what_few_visits_tell_is_pale():
    drive = Driver("robble", 7)
    for line in ("game-pie off", "game-set visits 49", "game-set seed 1"):
        drive(line)
    colors = re.findall("COLOR #(\\w\\w)(\\w\\w)(\\w\\w)", drive("game-gfx_winrates"))
    assert colors
    assert all(min(int(part, 16) for part in color) > 0xA0 for color in colors)
