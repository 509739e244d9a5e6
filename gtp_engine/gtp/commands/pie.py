"""The pie rule: its form, the swap, and the values of first turns.

Values are of the game without a swap, and hold for every form of the pie rule. Many boards have
stored values ([swap maps](../../play/swap-maps.md)); for others a search finds them.
"""

from typing import TYPE_CHECKING

from gtp_engine import __version__
from gtp_engine.engine.pictures.gfx import balance, label, paint, text
from gtp_engine.engine.session import Session
from gtp_engine.gtp.commands import command
from gtp_engine.gtp.commands.arguments import SECONDS, VISITS, choice, word
from gtp_engine.gtp.commands.setup import change_setting
from gtp_engine.gtp.wire.registry import Failure, JsonResult, optional
from gtp_engine.rules.points.color import WHITE
from gtp_engine.rules.points.points import bit
from gtp_engine.rules.step import SWAP_PIECES, SWAPS, Pie

if TYPE_CHECKING:
    from gtp_engine.search.openings.swap_maps import Surveyed, Worth


@command("game-swap_map", optional(VISITS), optional(SECONDS))
def game_swap_map(session: Session, visits: int | None = None, seconds: float | None = None) -> str:
    """Report the value of each first turn of a game, and whether to swap after it.

    Arguments: least visits of each value, 1 to 1000000000, 400 by default; seconds in all to search
        for values with fewer stored visits, 0 to 1000000, 5 by default
    Effect: none; `# interrupt` ends it early. With `swap_maps` off all values are searched
    Reply: one line per first turn, the most even first; then `unknown TURN TURN ...`, if turns were
        not searched in time; then `fairness` and the version of the engine. [The page on swap
        maps](../../play/swap-maps.md#what-it-says) explains the words. A line has
        - the turn, and `alike`, the number of its images, itself included
        - `value`, Black's chance to win without a swap, and its `interval`, or `exact` if proven
        - `visits` of the search, or positions of the solver; `stored` or `searched`
        - `swap`: `yes` or `no`, with `?` if the interval contains 0.5; `either` after a drawn turn;
          `never` if the turn ends the game
    Fails: `this game has no pie rule`; `syntax: ...`
    Example:
        > game-select robble 2
        =
        > game-swap_map
        = A1 alike 4 value 0.500 exact visits 6 stored swap either
        fairness 0.500 engine 0.1.0
    """
    from gtp_engine.engine.first_turn_values import surveyed

    if not session.game.has_pie:
        raise Failure("this game has no pie rule")
    found = surveyed(session, visits, seconds)
    known = [(each, each.worth) for each in found if each.worth is not None]
    lines = [_line(each, worth) for each, worth in known]
    unknown = [each.opening.word for each in found if each.worth is None]
    if unknown:
        lines.append(f"unknown {' '.join(unknown)}")
    if known:
        lines.append(f"fairness {known[0][1].better:.3f} engine {_versions(session, found)}")
    return "\n".join(lines)


@command("game-opening_values")
def game_opening_values(session: Session) -> JsonResult:
    """List the stored value of each first turn, for a map on the empty board.

    Effect: none; nothing is searched
    Reply: a JSON object: `text`, a sentence about the map, or why there is none; and `openings`,
        the most even first, each with `turns`, the turn and its images; `points`, where each of
        these begins; `verb`, the kind of its first step, as in a [view](../view.md); `value`,
        Black's chance, 0 to 1; `margin`, half its 95 % interval, 0 if proven; and `swap`, as for
        `game-swap_map`
    Example:
        > game-select robble 2
        =
        > game-opening_values
        = {"text":"Every first turn is solved.","openings":[{"turns":["A1","A2","B1","B2"],"points":["A1","A2","B1","B2"],"verb":"place","value":0.5,"margin":0.0,"swap":"either"}]}
        > play b a1
        =
        > game-opening_values
        = {"text":"The game has begun: a swap map is about the first turn.","openings":[]}
    """  # noqa: E501
    from gtp_engine.engine.first_turn_values import stored_values

    return stored_values(session)


def _line(each: "Surveyed", worth: "Worth") -> str:
    from gtp_engine.search.openings.swap_maps import advice

    low, high = max(0.0, worth.value - worth.margin), min(1.0, worth.value + worth.margin)
    return (
        f"{each.opening.word} alike {each.opening.images} value {worth.value:.3f} "
        f"{'exact' if worth.is_exact else f'interval {low:.3f} {high:.3f}'} "
        f"visits {worth.visits} {'stored' if each.stored else 'searched'} "
        f"swap {advice(each.opening, worth)}"
    )


def _versions(session: Session, found: "list[Surveyed]") -> str:
    """The versions of the engine that found the values."""
    from gtp_engine.search.openings.swap_maps import stored_map

    versions = {__version__} if any(each.worth and not each.stored for each in found) else set()
    stored = stored_map(session.game, session.position.size)
    if stored is not None and any(each.stored for each in found):
        versions.add(stored.engine)
    return " ".join(sorted(versions))


@command("game-gfx_openings", optional(VISITS), optional(SECONDS))
def game_gfx_openings(
    session: Session, visits: int | None = None, seconds: float | None = None
) -> str:
    """Draw the value of each first turn of a game for Black.

    Arguments: visits and seconds, as for `game-swap_map`
    Effect: none; `# interrupt` ends it early
    Reply: GoGui's marks: Black's chance in percent after the most even of the turns that begin at a
        vertex, after the letter of its token if it has one; white is even, blue is good for Black,
        orange is good for White; a circle marks turns that White should swap
    Fails: `syntax: ...`
    Example:
        > game-select robble 2
        =
        > game-gfx_openings
        = COLOR #ffffff A1
        LABEL A1 50
        COLOR #ffffff A2
        LABEL A2 50
        COLOR #ffffff B1
        LABEL B1 50
        COLOR #ffffff B2
        LABEL B2 50
        TEXT Most even: A1, Black wins 50 %; White should swap after 0 of 4 turns
    """
    from gtp_engine.engine.first_turn_values import spots, surveyed

    found = surveyed(session, visits, seconds)
    shown = spots(session, found)
    to_swap = [vertex for vertex, spot in shown.items() if spot.to_swap]
    lines = [f"CIRCLE {' '.join(map(str, to_swap))}"] if to_swap else []
    for vertex, spot in shown.items():
        lines += [paint(bit(vertex), balance((1 + spot.slant) / 2)), label(bit(vertex), spot.label)]
    return "\n".join([*lines, text(_summary(session, found))])


def _summary(session: Session, found: "list[Surveyed]") -> str:
    from gtp_engine.search.openings.swap_maps import to_be_swapped

    most_even = found[0]
    if most_even.worth is None:
        return "No opening was searched in time"
    black, white = session.game.color_names
    worths = [(each.opening, each.worth) for each in found if each.worth is not None]
    swapped = sum(opening.images for opening, worth in worths if to_be_swapped(opening, worth))
    said = f"Most even: {most_even.opening.word}, {black} wins {100 * most_even.worth.value:.0f} %"
    if not session.game.has_pie:
        return said
    turns = sum(each.opening.images for each in found)
    return f"{said}; {white} should swap after {swapped} of {turns} turns"


@command("game-pie", optional(word("FORM")))
def game_pie(session: Session, form: str | None = None) -> str:
    """Report or set the form of the pie rule.

    Arguments: `pieces`, `sides` or `off`; or nothing
    Effect: as `game-set pie FORM`: at once before the first turn, otherwise from the next game on.
        A record that was loaded, and the clocks, stay
    Reply: the setting, without arguments
    Fails: `invalid value for pie: pieces|sides|off`
    Example:
        > game-pie
        = pieces
        > game-pie off
        =
    """
    if form is None:
        return session.settings.pie
    return change_setting(session, "pie", form)


@command("game-swap", optional(choice(*(pie.value for pie in SWAPS))))
def game_swap(session: Session, form: str | None = None) -> None:
    """Swap, as White's first turn.

    Arguments: `pieces` or `sides`; by default the form of this game
    Effect: as `play w swap` or `play w swap-sides`
    Fails: `illegal move`; `syntax: ...`
    Example:
        > play b c4
        =
        > game-swap
        =
        > game-to_move
        = black
    """
    pie = session.position.pie if form is None else Pie(form)
    session.play(WHITE, str(SWAPS.get(pie, SWAP_PIECES)))
