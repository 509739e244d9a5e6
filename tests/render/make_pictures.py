"""Makes the pictures of the documents: python tests/render/make_pictures.py FOLDER

The games are played by the engine with a seed, so the same version makes the same pictures. The
pages are seen through Chromium.
"""

import subprocess
import sys
import tempfile
from io import BytesIO
from pathlib import Path

from PIL import Image

sys.path.insert(0, str(Path(__file__).parents[1]))

from browser import CHROMIUM, FLAGS  # noqa: E402
from conftest import Driver  # noqa: E402
from replays import game_on  # noqa: E402

from gtp_engine.cli.arena import main as arena  # noqa: E402
from gtp_engine.cli.engine import main as engine  # noqa: E402
from gtp_engine.render.png import png  # noqa: E402
from gtp_engine.render.svg import picture  # noqa: E402
from gtp_engine.session.scenes import scene  # noqa: E402

# Each game with its size and the turns to play.
BOARDS = {"implo": (8, 26), "boloa": (9, 24), "robble": (7, 30), "pilo": (8, 36)}
BOARD_WIDTH = 480

# The turn that the replay shows.
SHOWN_TURN = 24
INKS = 256  # colors of a file, so that it is small


def main(folder: Path) -> None:
    """Write all pictures into a folder."""
    for game, (size, turns) in BOARDS.items():
        session = played(game, size, turns).session
        keep(png(picture(scene(session)), BOARD_WIDTH), folder / f"{game}.png")
    drive = Driver("boloa", 9)
    keep(png(drive("game-svg openings"), 450), folder / "swap-map.png")
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        pages(scratch, folder)
        report(scratch, folder)


def played(game: str, size: int, turns: int) -> Driver:
    """A game that the engine has played against itself."""
    drive = Driver(game, size)
    for line in ("game-set visits 100", "game-set seed 3"):
        drive(line)
    for _ in range(turns):
        if drive.session.outcome is None:
            drive(f"genmove {drive.session.position.to_move.letter}")
    return drive


def pages(scratch: Path, folder: Path) -> None:
    """A replay and a review of a game."""
    record = scratch / "game.sgf"
    played("pilo", 8, 80)(f"printsgf {record}")
    engine(["replay", str(record), "-o", str(scratch / "replay.html")])
    seen(scratch / "replay.html", f"#{SHOWN_TURN}", (1000, 640), folder / "replay.png")
    played("boloa", 9, 80)(f"printsgf {record}")
    engine(["review", str(record), "-o", str(scratch / "review.html"), "--visits", "3000"])
    worst = costliest((scratch / "review.html").read_text())
    seen(scratch / "review.html", f"#{worst}", (1000, 760), folder / "review.png")


def costliest(page: str) -> int:
    """The number of the turn that cost most, of a page of a review."""
    moments = game_on(page)["moments"]
    losses = [(moment["review"] or {"loss": 0.0})["loss"] for moment in moments]
    return losses.index(max(losses))


def report(scratch: Path, folder: Path) -> None:
    """The page of a short match."""
    database, page = scratch / "match.db", scratch / "report.html"
    own = f"{sys.executable} -P -m gtp_engine --seed 1 --visits"
    players = [f"--engine=Deep={own} 120", f"--engine=Quick={own} 40"]
    match = ["run", "--game", "boloa", "--size", "5", "--games", "60", "--db", str(database)]
    arena([*match, *players])
    arena(["report", str(database), "--html", str(page)])
    seen(page, "", (1180, 1080), folder / "report.png")


def seen(page: Path, fragment: str, size: tuple[int, int], path: Path) -> None:
    """What a browser shows of a page."""
    shot = page.with_suffix(".png")
    window = [f"--window-size={size[0]},{size[1]}", "--hide-scrollbars", f"--screenshot={shot}"]
    command = [CHROMIUM[0], *FLAGS, *window, page.as_uri() + fragment]
    subprocess.run(command, check=True, capture_output=True, timeout=60)
    keep(shot.read_bytes(), path)


def keep(image: bytes, path: Path) -> None:
    """Write a picture with few colors."""
    shown = Image.open(BytesIO(image)).convert("RGB")
    shown.quantize(INKS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(
        path, optimize=True
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
