"""Choosing a turn: by a player, in answer to a controller, or ahead while the opponent thinks."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from gtp_engine.engine.history import SEPARATOR, Decision, Following, Frame, Thought, ThoughtText
from gtp_engine.engine.reasons import reasons
from gtp_engine.engine.refusals import IllegalTurn
from gtp_engine.engine.session import Session
from gtp_engine.engine.settings import CLICKS
from gtp_engine.engine.turn_budget import level_in_force
from gtp_engine.rules.game import Position
from gtp_engine.rules.notation.turns import (
    PASS_WORD,
    words_clicked,
    write_line,
    write_turn,
)
from gtp_engine.rules.points.color import Color
from gtp_engine.rules.points.points import Points, point_set, union
from gtp_engine.rules.records.record import RESIGN
from gtp_engine.rules.step import PASS
from gtp_engine.rules.turns import played
from gtp_engine.search.assessment import SearchSetup
from gtp_engine.search.backends.choose import KERNEL, await_kernel, in_kernel
from gtp_engine.search.budget import Budget, Deadline
from gtp_engine.search.choice import Choice
from gtp_engine.search.named_players import make_player
from gtp_engine.search.observer import Report, SearchObserver
from gtp_engine.search.player import Player, TreePlayer
from gtp_engine.search.step_features import CAREFUL
from gtp_engine.search.tree import Row

# A value has this many decimals, so that a record restores it exactly.
_DECIMALS = 4


def prepare_backend(session: Session) -> None:
    """Call before a search: one that can be repeated waits for the kernel while it is compiled."""
    if session.settings.repeatable or session.settings.backend == KERNEL:
        await_kernel(session.game, session.settings.backend)


def player_of(session: Session, seed: str | None) -> Player:
    """The player of the settings. Without a seed the player is kept with its search tree.

    A player in Python is made anew as soon as there is a kernel.
    """
    prepare_backend(session)
    # Each turn has its own seed: a choice depends on the seed and the game, not on earlier
    # commands.
    settings = session.settings
    seeded = None if seed is None else f"{seed}:{session.frame.number}"
    level = level_in_force(settings)
    options, habits = settings.search_options, CAREFUL
    if level is not None:
        bounded = replace(settings, visits=level.visits or 0)
        options, habits = bounded.search_options, level.habits(_last_points(session.frame))
    needs = session.game, settings.player, seeded, settings.backend, options, habits
    if seeded is not None:
        return make_player(*needs)
    compiled = in_kernel(session.game, settings.backend)
    return session.kept("player", (needs, compiled), partial(make_player, *needs))


def _last_points(frame: Frame) -> Points:
    """The points that the last play names."""
    steps = () if frame.play is None else frame.play.steps
    return union(point_set(step.vertices) for step in steps)


def searching_player(session: Session) -> TreePlayer:
    """The session's player if it searches, otherwise a new one that does."""
    settings = session.settings
    player = player_of(session, settings.chance_seed)
    if isinstance(player, TreePlayer):
        return player
    options, seed = settings.search_options, settings.chance_seed
    return SearchSetup(settings.backend, options, seed, Budget()).player(session.game)


def choose(session: Session, color: Color, observer: SearchObserver | None = None) -> Decision:
    """The rest of the turn, as chosen by the session's player.

    After the end it is a pass; `resign` if the resign setting says so. Raises IllegalTurn if the
    color is not to move.
    """
    return _choose(session, color, session.settings.chance_seed, observer)


def suggest(session: Session, color: Color) -> str:
    """The word that `decide` would answer, chosen with a fixed seed. Raises like `choose`.

    A turn in progress is searched anew: its plan depends on the chance of an earlier choice.
    """
    if session.waits(color):
        return PASS_WORD
    decision = _choose(session, color, session.settings.analysis_seed)
    return _first_click(session, decision).word if _in_clicks(session) else decision.word


def _choose(
    session: Session, color: Color, seed: str | None, observer: SearchObserver | None = None
) -> Decision:
    began = session.clock() if session.asked is None else session.asked
    if session.outcome is not None:
        frame = session.frame
        following = Following(replace(frame, idle=frame.idle + 1), PASS_WORD, ())
        thought = None
    else:
        if untimely := session.untimely(color):
            raise IllegalTurn(untimely)
        player, position = player_of(session, seed), session.position
        steps, budget = session.legal_steps(), session.budget()
        budget = budget.without(session.clock() - began)
        choice = player.choose(position, steps, budget, observer)
        following, thought = _following(session, color, choice), thought_behind(position, choice)
    return Decision(color, following.word, following, thought, session.clock() - began)


def _following(session: Session, color: Color, choice: Choice) -> Following:
    """The result of a choice, or a resignation."""
    if choice.value_for(color) < session.settings.resign:
        return session.follow(color, RESIGN)
    position, steps = session.position, choice.steps
    return Following(Frame(played(position, steps)), write_turn(position, steps), steps)


def thought_behind(position: Position, choice: Choice) -> Thought | None:
    """The search behind a choice; None if nothing was searched."""
    if not choice.visits:
        return None
    tell = partial(_text_of, position, choice)
    return Thought(round(_worth(choice), _DECIMALS), choice.visits, tell)


def _worth(choice: Choice) -> float:
    """The value of a choice; that of an opening with the swap, which a search leaves out."""
    report = choice.report
    return choice.value if report is None or report.worth == report.value else report.worth


def _text_of(position: Position, choice: Choice) -> ThoughtText:
    line = " ".join(write_line(position, choice.line))
    why = [] if choice.report is None else reasons(choice.report)
    return ThoughtText(line, SEPARATOR.join(why))


# An opponent who takes longer has probably left.
LONGEST_PONDERING = 600.0

# Clients that send several lines, or know the next turn at once, do not wait for a search to end.
_PAUSE = 0.05


class Pondering:
    """Searches a session's position after each turn of ours while there is no command to answer.

    The next search continues its tree: with a limit of visits it has fewer left to do, and does not
    get stronger. With a seed there is no pondering, because choices would depend on the opponent's
    time.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._frame: Frame | None = None
        self._deadline: Deadline | None = None

    def go_on(self) -> None:
        """Search until input is pending, or for the longest time per position."""
        session = self._session
        if not self._wanted() or session.pending.wait(_PAUSE):
            return
        player = player_of(session, None)
        if not isinstance(player, TreePlayer) or not player.keeps:
            return
        if self._deadline is None or self._frame is not session.frame:
            visits = session.budget().visits
            self._frame = session.frame
            self._deadline = Budget(visits, LONGEST_PONDERING, session.pending).begin()
        if not self._deadline.reached():
            player.ponder(session.position, self._deadline)

    def _wanted(self) -> bool:
        """Whether the last play was ours and the opponent is to move."""
        session, play = self._session, self._session.frame.play
        if not session.settings.ponder or session.settings.chance_seed is not None:
            return False
        if session.outcome is not None or session.turn_open or play is None or not play.by:
            return False
        return play.color is not session.position.to_move


# The answer of `genmove`: a whole turn, or one click, as the setting `moves` says -----------------


def decide(session: Session, color: Color, observer: SearchObserver | None = None) -> Decision:
    """The answer and the turn of a color. Nothing changes. Raises IllegalTurn.

    With clicks, the first click of a turn takes the whole search, which the observer sees; the
    following clicks are known. For the color that waits while a turn is open, the answer is a pass
    without effect.
    """
    if not _in_clicks(session):
        return choose(session, color, observer)
    known = _chosen_before(session, color)
    if known:
        if observer is not None:
            observer.end(_report_of(session, known[0]))
        return _first_of(session, color, known)
    return _first_click(session, choose(session, color, observer))


def _in_clicks(session: Session) -> bool:
    return session.settings.moves == CLICKS and session.outcome is None


def _first_click(session: Session, decision: Decision) -> Decision:
    """The first click of a decision; the others are its plan."""
    frame = session.frame
    words = list(words_clicked(frame.position, frame.clicks, decision.following.steps))
    first = _first_of(session, decision.color, words or [decision.word])
    return first._replace(thought=decision.thought, seconds=decision.seconds)


def _chosen_before(session: Session, color: Color) -> tuple[str, ...]:
    """The words of a color that are known without a search, because a turn is in progress."""
    plan = session.frame.plan
    if session.waits(color):
        return PASS_WORD, *plan
    return plan if color is session.position.to_move else ()


def _report_of(session: Session, word: str) -> Report:
    """The report of a word that was chosen before, from the search at that time."""
    position, made = session.position, session.frame.clicks
    steps = (PASS,) if word == PASS_WORD else session.legal_steps()
    said = next(step for step in steps if next(words_clicked(position, made, (step,))) == word)
    thoughts = [play.thought for play in session.history() if play.thought is not None]
    value = thoughts[-1].value if thoughts else 0.5
    row = Row(said, 0, value, 1.0, 0.0, None, (said,))
    return Report(position, (row,), value, 0)


def _first_of(session: Session, color: Color, words: Sequence[str]) -> Decision:
    """Play the first of some words, and keep the others for later."""
    word, *plan = words
    following = session.follow(color, word)
    frame = replace(following.frame, plan=tuple(plan))
    return Decision(color, word, following._replace(frame=frame))
