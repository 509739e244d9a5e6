"""Random games from the position: a rough estimate of who wins, and of who holds which point.

The games have no swap, and the search does not influence them. They take at most two seconds. A
point is held by the color with a piece on it at the end or, if patches score, by the owner of its
patch.
"""

from gtp_engine.engine.forecasts import current_forecast
from gtp_engine.engine.pictures.gfx import gfx, influence, text
from gtp_engine.engine.pictures.scene import plain
from gtp_engine.engine.session import Session
from gtp_engine.gtp.commands import command
from gtp_engine.rules.points.color import BLACK


@command("game-forecast")
def game_forecast(session: Session) -> str:
    """Play random games from the position, and report their averages.

    Reply: `games`, their number; `winrate` of Black, 0 to 1; `points`, the mean number that Black
        holds more than White at the end; then a line per row, the top row first: for each point the
        mean of 1 if Black holds it, -1 if White does, else 0
    Example:
        > game-position pilo 3 xB2W1/B2xW3/xxx b passes=2
        =
        > game-forecast
        = games 2000
        winrate 0.000
        points -2.00
        0.00 -1.00 -1.00
        1.00 0.00 -1.00
        0.00 0.00 0.00
    """
    found = current_forecast(session)
    lines = [
        f"games {found.games}",
        f"winrate {found.value:.3f}",
        f"points {found.points(BLACK):z.2f}",
    ]
    size, words = session.position.size, [f"{value:z.2f}" for value in found.held.values()]
    lines += [" ".join(words[start : start + size]) for start in range(0, size * size, size)]
    return "\n".join(lines)


@command("game-gfx_forecast")
def game_gfx_forecast(session: Session) -> str:
    """Play random games from the position, and draw who holds each point at the end.

    Reply: GoGui's marks: dark squares for Black, light ones for White, larger if more certain; the
        text says how often who wins, and the difference in points
    Example:
        > game-position robble 2 BW/BB b
        =
        > game-gfx_forecast
        = INFLUENCE A2 1.00 B2 -1.00 A1 1.00 B1 1.00
        TEXT 2000 random games: Black wins 100 %, holds 2.0 points more
    """
    found = current_forecast(session)
    names, lead = session.game.color_names, found.points(BLACK)
    holder = names[lead < 0]
    ahead = "holds" if holder == names[BLACK] else f"{holder} holds"
    words = (
        f"{found.games} random games: {names[BLACK]} wins {100 * found.value:.0f} %, "
        f"{ahead} {abs(lead):.1f} points more"
    )
    drawn = gfx(plain(session.position)), influence(found.held), text(words)
    return "\n".join(filter(None, drawn))
