"""Makes all pictures of the documents: python tests documents.pictures FOLDER [NAME...]

The script makes each picture twice: NAME.png or NAME.svg is light, NAME-dark is dark. Names
restrict it to those pictures. Games and searches have a seed, so the same version makes the same
pictures. Only the analysis on the board and the times of the match differ. PNG pictures need
Chromium and the extras `png` and `browser`; the drawings of the games' rules, `games/...`, need
neither.
"""

import argparse
import tempfile
from collections.abc import Callable
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

from documents import strategy
from documents.game_pages import name_of
from documents.game_pictures import GROUPS, film, moving, record_of
from documents.reference import documented_games
from gtp_engine.base.files import write_file
from gtp_engine.cli.arena import main as arena
from gtp_engine.cli.engine import main as engine
from gtp_engine.engine.heat import OPENINGS, heat_scene
from gtp_engine.engine.pictures.scene import Scene
from gtp_engine.engine.pictures.svg import picture, png
from gtp_engine.engine.scenes import scene
from gtp_engine.engine.tasks.lessons import lessons_of
from support import screens
from support.driver import Driver
from support.replays import turns_on
from support.starting import engine_command

# Each game with its size and the turns to play.
GAMES = {"implo": (8, 26), "boloa": (9, 24), "robble": (7, 30), "pilo": (8, 36)}
GAME_WIDTH, MAP_WIDTH = 480, 450

# The board of each theme, and what its files are called.
THEMES = {"light": ("wood", "{}.{}"), "dark": ("wood-dark", "{}-dark.{}")}

# The turn that the replay shows.
SHOWN_TURN = 24

# The game on the page of the board.
TURNS = """
sA7 sC6 sD6 pG4 sD4 sD3 sD5 sB3 sF3 sC3 pE3 sE3-E2 sF4 sF1 sF2 sE1 sE2-D2 sD1 sD2-C2 sC1
sH1 sB1 sH2 sE5 sE4 pD8
"""
ENOUGH = 20_000  # visits of its analysis
LONGEST = 300_000  # milliseconds until then

SEARCHED = """enough => {
    const [, number, unit] = /([0-9.]+)(k|M)? visits/.exec(document.body.innerText) ?? [0, 0];
    return number * ({k: 1e3, M: 1e6}[unit] ?? 1) >= enough;
}"""

INKS = 256  # colors of a file, so that it is small


def main() -> None:
    """Make the pictures."""
    parser = argparse.ArgumentParser(description="make the pictures of the documents")
    parser.add_argument("folder", type=Path)
    drawn_ones = drawings()
    parser.add_argument("names", nargs="*", choices=[*PICTURES, *drawn_ones, []], metavar="NAME")
    options = parser.parse_args()
    names = options.names or [*PICTURES, *drawn_ones]
    options.folder.mkdir(parents=True, exist_ok=True)
    for name in filter(drawn_ones.get, names):
        for board, file in THEMES.values():
            path = options.folder / file.format(name, "svg")
            write_file(path, drawn_ones[name](board).encode())
    shot = [name for name in names if name in PICTURES]
    if shot:
        take(shot, options.folder)


def take(names: list[str], folder: Path) -> None:
    """Make the pictures that need a browser or become PNG."""
    driver = screens.driver().sync_playwright()
    with driver as player, screens.chromium(player) as browser:
        for name in names:
            with tempfile.TemporaryDirectory() as scratch:
                for theme, image in PICTURES[name](browser, Path(scratch)).items():
                    keep(image, folder / THEMES[theme][1].format(name, "png"), name)


# The games' pages --------------------------------------------------------------------------


def drawings() -> dict[str, Callable[[str], str]]:
    """What draws each SVG picture on a board: turns, whole games, the comparison of groups."""
    found: dict[str, Callable[[str], str]] = {"games/groups": partial(film, GROUPS)}
    for game in strategy.PAGES:
        for name in strategy.shown(game):
            found[f"strategy-{game}-{name}"] = partial(strategy.drawn, game, name)
    for game in documented_games():
        for each in lessons_of(game).pictures:
            found[f"games/{name_of(game, each)}"] = partial(film, each)
        found[f"games/{game.name}-game"] = partial(moving, record_of(game.name))
    return found


# Positions ---------------------------------------------------------------------------------


def a_game(game: str) -> dict[str, bytes]:
    """A position of a game between engines."""
    shown = scene(played(game, *GAMES[game]).session)._replace(caption=())
    return drawn(shown, GAME_WIDTH)


def swap_map() -> dict[str, bytes]:
    """Which first turns are even."""
    return drawn(heat_scene(Driver("boloa", 9).session, OPENINGS), MAP_WIDTH)


def drawn(shown: Scene, width: int) -> dict[str, bytes]:
    """A position in both themes."""
    return {theme: png(picture(shown, board), width) for theme, (board, _) in THEMES.items()}


def played(game: str, size: int, turns: int) -> Driver:
    """A game that the engine has played against itself."""
    drive = Driver(game, size)
    for line in ("game-set visits 100", "game-set seed 3"):
        drive(line)
    for _ in range(turns):
        if drive.session.outcome is None:
            drive(f"genmove {drive.session.position.to_move.letter}")
    return drive


# Pages -------------------------------------------------------------------------------------


def replay(browser: Any, scratch: Path) -> dict[str, bytes]:
    """A replay of a game."""
    record, page = scratch / "game.sgf", scratch / "replay.html"
    played("pilo", 8, 80)(f"printsgf {record}")
    engine(["replay", str(record), "-o", str(page)])
    return seen(browser, page, f"#{SHOWN_TURN}", (1180, 720))


def review(browser: Any, scratch: Path) -> dict[str, bytes]:
    """A review of a game, at the turn that cost most."""
    record, page = scratch / "game.sgf", scratch / "review.html"
    played("boloa", 9, 80)(f"printsgf {record}")
    engine(["review", str(record), "-o", str(page), "--visits", "3000", "--seed", "1"])
    losses = [turn.get("loss", 0.0) for turn in turns_on(page.read_text())]
    return seen(browser, page, f"#{losses.index(max(losses))}", (1180, 800))


def report(browser: Any, scratch: Path) -> dict[str, bytes]:
    """The page of a short match."""
    database, page = scratch / "match.db", scratch / "report.html"
    own = engine_command("--seed", "1")
    players = [f"--engine=Deep={own} --visits 120", f"--engine=Quick={own} --visits 30"]
    match = ["run", "--game", "boloa", "--size", "5", "--games", "60", "--openings", "random"]
    arena([*match, "--db", str(database), *players])
    arena(["report", str(database), "--html", str(page)])
    return seen(browser, page, "", (1180, 1080))


def seen(browser: Any, page: Path, fragment: str, size: tuple[int, int]) -> dict[str, bytes]:
    """What a browser shows of a page, in both themes."""
    found = {}
    for theme in THEMES:
        viewport = {"width": size[0], "height": size[1]}
        context = browser.new_context(viewport=viewport, color_scheme=theme)
        shown = context.new_page()
        shown.goto(page.as_uri() + fragment)
        shown.wait_for_function("!document.getElementById('enclosed') || location.hash")
        found[theme] = shown.screenshot()
        context.close()
    return found


def board(browser: Any, scratch: Path) -> dict[str, bytes]:
    """A game on the board, with an analysis."""
    found = {}
    for theme in THEMES:
        with screens.serving("--game", "boloa", "--size", "9") as address:
            context = browser.new_context(
                viewport={"width": 1440, "height": 800}, color_scheme=theme
            )
            screen = screens.Screen(context, address)
            screen.begin("boloa", 9)
            for turn in TURNS.split():
                type_turn(screen, turn)
            screen.open("Analysis")
            screen.page.get_by_role("switch", name="Analyze this position").click()
            screen.page.wait_for_function(SEARCHED, arg=ENOUGH, timeout=LONGEST)
            found[theme] = screen.page.screenshot()
            screen.close()
    return found


def type_turn(screen: screens.Screen, turn: str) -> None:
    """Play a turn by its word, without a swap."""
    before = screen.position
    screen.page.get_by_placeholder("Type a turn").fill(turn)
    screen.page.keyboard.press("Enter")
    screen.until_moved(before)
    if screen.offered()["answers"]:
        screen.button("Play on").click()


# Files -------------------------------------------------------------------------------------


def keep(image: bytes, path: Path, name: str) -> None:
    """Write a picture with few colors."""
    from PIL import Image

    shown = Image.open(BytesIO(image)).convert("RGB")
    # The octree keeps the accents of the page beside the many shades of its wood.
    method = Image.Quantize.FASTOCTREE if name == "board" else Image.Quantize.MAXCOVERAGE
    shown.quantize(INKS, method, dither=Image.Dither.NONE).save(path, optimize=True)


def game_picture(game: str) -> Callable[[Any, Path], dict[str, bytes]]:
    """What makes the picture of a game."""
    return lambda browser, scratch: a_game(game)


PICTURES: dict[str, Callable[[Any, Path], dict[str, bytes]]] = {
    **{game: game_picture(game) for game in GAMES},
    "swap-map": lambda browser, scratch: swap_map(),
    "replay": replay,
    "review": review,
    "report": report,
    "board": board,
}
"""All pictures by their names; each is made in both themes."""

if __name__ == "__main__":
    main()
