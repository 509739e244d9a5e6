"""What random games from the position come to: a rough guess of who wins, and where.

The games are played by chance alone, without a swap, and what the engine thinks has no part in
them. Whoever holds a point at the end is who has a piece there, or, where patches score,
who owns the patch around it.
"""

from gtp_engine.board.color import BLACK
from gtp_engine.commands import command
from gtp_engine.render.gfx import gfx, influence, text
from gtp_engine.render.scene import plain
from gtp_engine.session.session import Session
from gtp_engine.thinking.forecasts import current_forecast


@command("game-forecast")
def game_forecast(session: Session) -> str:
    """Play random games from the position, and sum them up.

    Arguments: none
    Effect: none on the game; takes two seconds at most
    Reply: `games`, how many; `winrate` of Black, 0 to 1; `points`, how many more Black holds at
        the end, in the mean; then for each point, one line a row, the top row first, the mean of
        1 where Black holds it, -1 where White does, 0 where nobody does
    Fails: never
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
    """Play random games from the position, and draw who holds each point at their end.

    Arguments: none
    Effect: none on the game; takes two seconds at most
    Reply: lines of GoGui's language: dark squares for Black, light ones for White, the larger the
        surer; the text tells who wins how often, and who holds how many points more
    Fails: never
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
