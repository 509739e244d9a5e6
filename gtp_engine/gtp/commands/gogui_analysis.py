"""Entries of GoGui's window "Analyze": pictures on the board, texts, a dialog of settings.

Pictures are lines in GoGui's language of marks. They repeat the marks that turn stones into
markers, pawns or stacks. A search takes as long as `genmove` may, once per position.
"""

from collections.abc import Iterator
from itertools import islice

from gtp_engine.engine.pictures.gfx import balance, gfx, influence, label, paint, text, variation
from gtp_engine.engine.pictures.loader import flat
from gtp_engine.engine.pictures.scene import plain
from gtp_engine.engine.position_analysis import current_analysis, tried_by_click
from gtp_engine.engine.session import Session
from gtp_engine.engine.settings import setting_of, settings
from gtp_engine.gtp.commands import command
from gtp_engine.gtp.commands.arguments import VALUE, word
from gtp_engine.gtp.commands.setup import change_setting
from gtp_engine.gtp.wire.registry import Failure, optional
from gtp_engine.rules.game import Position
from gtp_engine.rules.notation.turns import canonical_clicks, write_line
from gtp_engine.rules.points.color import Color
from gtp_engine.rules.points.points import Points, bit
from gtp_engine.rules.step import Step
from gtp_engine.rules.turns import settle, walk_line
from gtp_engine.search.observer import Report
from gtp_engine.search.tree import Row, value_for

_NOTHING_TO_SEARCH = "nothing to search"
_NO_PATCHES = "this game has no patches"
_LONGEST_VARIATION = 12
_MOST_ROWS = 20

# A chance to win has its full color from this number of visits.
_SURE_VISITS = 30

# A player and its ruler are two processes: the dialog hides settings that must be equal in both.
_NOT_IN_DIALOG = ("pie", "moves")
_FIRST_IN_DIALOG = ("level", "seconds", "ponder", "resign")

_ALWAYS = """\
gfx/Next decision/gogui-rules_board_gfx
plist/Legal clicks/gogui-rules_legal_moves
string/Legal steps/game-legal_steps
hstring/Explain this click/game-explain %m %p
hstring/Explain this turn/game-explain %m %s 1
hstring/Best turn, and why/game-explain
gfx/Groups and their sizes/game-gfx_groups
gfx/Search: chances to win/game-gfx_winrates
gfx/Search: visits/game-gfx_visits
gfx/Search: expected turns/game-gfx_variation
hstring/Search: figures/game-search_figures
gfx/Random games: owners of points/game-gfx_forecast
gfx/Openings: values/game-gfx_openings
hstring/Solve, at most ten seconds/game-solve
hstring/Rules in short/game-rules
hstring/State of the game/game-status
hstring/Turns so far/game-history
string/Result/game-result
param/Settings/game-dialog"""
_WITH_PIE = "hstring/Openings: when to swap/game-swap_map"
_WITH_PATCHES = """\
gfx/Patches and owners/game-gfx_patches
hstring/Patches in words/game-patches"""


@command("gogui-analyze_commands")
def gogui_analyze_commands(session: Session) -> str:
    """List the analysis commands for GoGui in the current game.

    Reply: one line per entry: type, label and command, separated by `/`
    Example:
        > game-select robble
        =
        > gogui-analyze_commands
        = gfx/Next decision/gogui-rules_board_gfx
        plist/Legal clicks/gogui-rules_legal_moves
        string/Legal steps/game-legal_steps
        hstring/Explain this click/game-explain %m %p
        hstring/Explain this turn/game-explain %m %s 1
        hstring/Best turn, and why/game-explain
        gfx/Groups and their sizes/game-gfx_groups
        gfx/Search: chances to win/game-gfx_winrates
        gfx/Search: visits/game-gfx_visits
        gfx/Search: expected turns/game-gfx_variation
        hstring/Search: figures/game-search_figures
        gfx/Random games: owners of points/game-gfx_forecast
        gfx/Openings: values/game-gfx_openings
        hstring/Solve, at most ten seconds/game-solve
        hstring/Rules in short/game-rules
        hstring/State of the game/game-status
        hstring/Turns so far/game-history
        string/Result/game-result
        param/Settings/game-dialog
        hstring/Openings: when to swap/game-swap_map
    """
    lines = [_ALWAYS]
    if session.game.has_pie:
        lines.append(_WITH_PIE)
    if session.position.patch_lines() is not None:
        lines.append(_WITH_PATCHES)
    return "\n".join(lines)


def _picture(position: Position, *lines: str) -> str:
    return "\n".join(filter(None, (gfx(plain(position)), *lines)))


@command("game-gfx_groups")
def game_gfx_groups(session: Session) -> str:
    """Draw the size of each group of alike pieces.

    Reply: GoGui's marks
    Example:
        > game-position robble 3 BB./.W./..W b
        =
        > game-gfx_groups
        = LABEL A3 2 B3 2
        LABEL B2 1
        LABEL C1 1
        TEXT Black 2; White 1 1
    """
    position = session.position
    look, names = position.game.look, position.game.color_names
    pieces: dict[str, Points] = {}
    for piece, points in position.layers().items():
        if look.color(piece) is not None:
            pieces[piece[0]] = pieces.get(piece[0], 0) | points
    lines, sizes = [], []
    for kind, points in pieces.items():
        groups = sorted(position.groups(points), key=lambda group: -group.bit_count())
        lines += [label(group, str(group.bit_count())) for group in groups]
        color = look.color(kind)
        assert color is not None
        name = f"{names[color]} {look.shape(kind).value}s" if len(pieces) > 2 else names[color]
        sizes.append(" ".join([name, *(str(group.bit_count()) for group in groups)]))
    return _picture(position, *lines, text("; ".join(sizes) or "no pieces"))


@command("game-gfx_patches")
def game_gfx_patches(session: Session) -> str:
    """Draw the patches in the colors of their owners.

    Reply: GoGui's marks
    Fails: `this game has no patches`
    Example:
        > game-position implo 3 .B./BBb/ww. b open=yes
        =
        > game-gfx_patches
        = BLACK C2
        WHITE A1 B1
        LABEL A3 B
        LABEL C1 W
        LABEL C3 B
        COLOR #1f1f1f A3
        COLOR #ffffff C1
        COLOR #1f1f1f C3
        TEXT Points in patches: Black 2, White 1
    """
    position = session.position
    if position.patch_lines() is None:
        raise Failure(_NO_PATCHES)
    patches, inks = position.owned_patches(), position.game.look.inks
    lines = [
        paint(patch, "gray" if owner is None else flat(inks[owner])) for patch, owner in patches
    ]
    totals = []
    for color in Color:
        owned = sum(patch.bit_count() for patch, owner in patches if owner is color)
        totals.append(f"{position.game.color_names[color]} {owned}")
    return _picture(position, *lines, text(f"Points in patches: {', '.join(totals)}"))


def _analysis(session: Session) -> Report:
    found = current_analysis(session)
    if found is None:
        raise Failure(_NOTHING_TO_SEARCH)
    return found


def _chance(session: Session, found: Report) -> str:
    color = session.position.to_move
    percent = 100 * value_for(color, found.value)
    return f"{session.game.color_names[color]} wins {percent:.0f} % after {found.visits} visits"


@command("game-gfx_winrates")
def game_gfx_winrates(session: Session) -> str:
    """Search, and draw for each vertex the chance to win after a click on it.

    Reply: GoGui's marks: percent for the color to move; blue is good, orange is bad
    Fails: `nothing to search`
    Example:
        > game-position robble 3 .WB/BWB/WBW b
        =
        > game-gfx_winrates
        = COLOR #3b7dd8 A3
        LABEL A3 100
        TEXT Black wins 100 % after 1 visits
    """
    found = _analysis(session)
    lines = []
    for vertex, clicked in tried_by_click(session, found).items():
        chance = value_for(session.position.to_move, clicked.value)
        # A value with few visits is uncertain, so its color is pale.
        sure = 1.0 if found.proven is not None else min(1.0, clicked.visits / _SURE_VISITS)
        color = balance(0.5 + sure * (chance - 0.5))
        lines += [paint(bit(vertex), color), label(bit(vertex), f"{100 * chance:.0f}")]
    return _picture(session.position, *lines, text(_chance(session, found)))


@command("game-gfx_visits")
def game_gfx_visits(session: Session) -> str:
    """Search, and draw the number of visits of each vertex.

    Reply: GoGui's marks: numbers of visits, and squares by their share
    Fails: `nothing to search`
    Example:
        > game-position robble 3 .WB/BWB/WBW b
        =
        > game-gfx_visits
        = INFLUENCE A3 1.00
        LABEL A3 1
        TEXT Black wins 100 % after 1 visits
    """
    found = _analysis(session)
    clicked = tried_by_click(session, found)
    most = max((each.visits for each in clicked.values()), default=1)
    lines = [influence({vertex: each.visits / most for vertex, each in clicked.items()})]
    lines += [label(bit(vertex), _short(each.visits)) for vertex, each in clicked.items()]
    return _picture(session.position, *lines, text(_chance(session, found)))


@command("game-gfx_variation")
def game_gfx_variation(session: Session) -> str:
    """Search, and draw the expected continuation.

    Reply: GoGui's marks: numbered clicks, and the steps in words
    Fails: `nothing to search`
    Example:
        > game-position robble 3 .WB/BWB/WBW b
        =
        > game-gfx_variation
        = VAR b A3
        TEXT Black wins 100 % after 1 visits: B A3
    """
    found = _analysis(session)
    made = len(session.frame.clicks)
    moves, words = [], []
    for position, step in islice(_expected(session, found), _LONGEST_VARIATION):
        clicks = canonical_clicks(position, step)[made:]
        # A vertex that is clicked twice shows one stone with one number.
        moves += [(position.to_move, vertex) for vertex in dict.fromkeys(clicks)]
        words.append(f"{position.to_move.sign} {step}")
        made = 0
    comment = text(f"{_chance(session, found)}: {', '.join(words)}")
    return _picture(session.position, variation(moves), comment)


def _expected(session: Session, found: Report) -> Iterator[tuple[Position, Step]]:
    """The steps that an analysis expects, each with the position before it."""
    position = session.position
    for step in settle(position)[0][:1]:  # the other forced steps need no mention
        yield position, step
    yield from walk_line(found.position, found.rows[0].pv if found.rows else ())


@command("game-search_figures")
def game_search_figures(session: Session) -> str:
    """Search, and report the statistics.

    Reply: the chance of the color to move, visits, nodes, memory, speed; then a line for each of 20
        steps, first the step to play, then by visits: visits, percent, the lower end of its
        interval, and the expected turns
    Fails: `nothing to search`
    Example:
        > play b resign
        =
        > game-search_figures
        ? nothing to search
    """
    found = _analysis(session)
    speed = found.visits / max(found.seconds, 1e-6)
    lines = [
        _chance(session, found),
        f"{found.nodes} nodes, {found.used_bytes / 2**20:.1f} MiB, "
        f"{found.seconds:.2f} seconds, {speed:.0f} visits per second",
    ]
    lines += [_row_in_words(session, row) for row in found.rows[:_MOST_ROWS]]
    return "\n".join(lines)


def _row_in_words(session: Session, row: Row) -> str:
    percent = 100 * value_for(session.position.to_move, row.value)
    proven = "" if row.proven is None else " proven"
    line = " ".join(write_line(session.position, row.pv[:_LONGEST_VARIATION]))
    return f"{row.visits} visits {percent:.1f} % (at least {100 * row.lcb:.1f}){proven}: {line}"


@command("game-dialog", optional(word("KEY")), optional(VALUE), files=True)
def game_dialog(session: Session, key: str | None = None, value: str = "") -> str:
    """List settings for a dialog of GoGui, or change one.

    Arguments: nothing, or a key and its new value
    Effect: as `game-set`
    Reply: without arguments one line per setting, the most used first: its type in brackets, with
        its values if they are few; key; value. `pie` and `moves` are left out: a player and its
        ruler must have the same values
    Fails: `unknown setting`; `invalid value for KEY: TYPE`
    Example:
        > game-dialog level 7
        =
    """
    if key is not None:
        return change_setting(session, key, value)
    first = [setting_of(name) for name in _FIRST_IN_DIALOG]
    lines = []
    for each in dict.fromkeys([*first, *settings()]):
        if each.name not in _NOT_IN_DIALOG:
            words = each.values.words
            kind = "/".join(["list", *words]) if words else "string"
            lines.append(f"[{kind}] {each.name} {session.settings.shown(each.name)}")
    return "\n".join(lines)


def _short(count: int) -> str:
    """A number in at most four characters: 950, 12k, 3M."""
    for size, unit in ((10**6, "M"), (10**3, "k")):
        if count >= size:
            return f"{count // size}{unit}"
    return str(count)
