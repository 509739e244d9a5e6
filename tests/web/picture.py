"""Makes the picture of the board that the documents show: python tests/web/picture.py FILE.png"""

import sys
from io import BytesIO
from pathlib import Path

from PIL import Image

sys.path.insert(0, str(Path(__file__).parents[1]))

import screens

GAME, SIZE = "boloa", 9
TURNS = """
sA7 sC6 sD6 pG4 sD4 sD3 sD5 sB3 sF3 sC3 pE3 sE3-E2 sF4 sF1 sF2 sE1 sE2-D2 sD1 sD2-C2 sC1
sH1 sB1 sH2 sE5 sE4 pD8
"""
SEARCHING = 4000  # milliseconds
INKS = 96  # colors of the file, so that it is small


def main(path: str) -> None:
    """Play a game with both colors, analyse it, and keep what the page shows."""
    board = screens.serving("--game", GAME, "--size", str(SIZE))
    driver = screens.driver().sync_playwright()
    with driver as player, screens.chromium(player) as browser, board as address:
        context = browser.new_context(viewport={"width": 1280, "height": 800})
        screen = screens.Screen(context, address)
        screen.begin(GAME, SIZE)
        for turn in TURNS.split():
            before = screen.position
            screen.page.get_by_placeholder("Type a turn").fill(turn)
            screen.page.keyboard.press("Enter")
            screen.until_moved(before)
            if screen.offered()["answers"]:
                screen.button("Play on").click()
        screen.open("Analysis")
        screen.page.get_by_role("switch", name="Analyze this position").click()
        screen.page.wait_for_timeout(SEARCHING)
        shown = Image.open(BytesIO(screen.page.screenshot()))
        screen.close()
    shown.convert("RGB").quantize(INKS).save(path, optimize=True)


if __name__ == "__main__":
    main(sys.argv[1])
