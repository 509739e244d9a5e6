"""The analysis engine without its pipes: it takes lines, and writes lines."""

import math
import threading
import time
from collections.abc import Callable, Collection, Iterable
from functools import partial
from itertools import islice
from threading import Event
from typing import Any, NamedTuple

from gtp_engine import __version__
from gtp_engine.base.log import logger
from gtp_engine.engine.position_analysis import setup_of
from gtp_engine.engine.settings import Settings
from gtp_engine.gtp.analysis.answers import Answers, line_of
from gtp_engine.gtp.analysis.games import AskedPosition, GameReader, UsualGame
from gtp_engine.gtp.analysis.in_progress import RequestInProgress
from gtp_engine.gtp.analysis.overrides import PERSPECTIVES, USUAL_PERSPECTIVE
from gtp_engine.gtp.analysis.reading import Action, Analysis, id_in, parse_object, read_object
from gtp_engine.gtp.analysis.refusal import RefusedLine
from gtp_engine.gtp.analysis.request import AnalysisRequest, Id
from gtp_engine.gtp.analysis.writer import FOR_ANSWERS, FOR_INPUT, FOR_REPORTS, LineWriter
from gtp_engine.rules import games
from gtp_engine.search.assessment import assess
from gtp_engine.search.backends.choose import await_kernel, backend_for
from gtp_engine.search.budget import Budget
from gtp_engine.search.build_identity import build_word
from gtp_engine.search.observer import Report, SearchObserver
from gtp_engine.search.pool import Pool
from gtp_engine.search.solver import forget_tables
from gtp_engine.search.tree import Poll
from gtp_engine.search.weights import VERSION

# A line with more fields that are unknown has no further warnings.
_MOST_WARNINGS = 20


class Usual(NamedTuple):
    """What a request does not say.

    settings     -- of each search
    most_waiting -- how many positions may be without their final line
    game         -- its game, size and form of the pie rule
    perspective  -- whose values are told: a key of PERSPECTIVES
    """

    settings: Settings
    visits: int | None
    seconds: float | None
    most_waiting: int
    game: UsualGame = UsualGame()
    perspective: str = USUAL_PERSPECTIVE


class Service:
    """Answers lines: requests by a pool of threads, everything else at once."""

    def __init__(self, usual: Usual, pool: Pool, writer: LineWriter) -> None:
        self._usual, self._pool, self._writer = usual, pool, writer
        self._games = GameReader(usual.game)
        self._lock = threading.RLock()
        # These are guarded by it: the requests in progress, and their positions without an answer.
        self._open: dict[Id, RequestInProgress] = {}
        self._unanswered = 0

    def take(self, line: bytes) -> None:
        """Take a line of input. Whatever is wrong with it is answered by one error."""
        if not line.strip():
            return
        self._writer.wait_until_read(FOR_INPUT)
        found: dict[str, Any] = {}
        try:
            found = parse_object(line)
            read = read_object(found)
            if isinstance(read, Action):
                self._act(read)
            else:
                self._begin(read)
        except RefusedLine as refusal:
            self.refuse(refusal, id_in(found))
        except Exception as error:
            logger().exception("a line could not be answered")
            self.refuse(RefusedLine("internal", f"a fault of the engine: {error!r}"), id_in(found))

    def refuse(self, refusal: RefusedLine, ident: Id | None = None) -> None:
        """Answer a line by an error."""
        told = refusal.told() | ({} if ident is None else {"id": ident})
        self._writer.add(line_of(told))

    def finish(self) -> None:
        """Wait until everything is answered and written."""
        self._pool.finish()
        self._writer.flush()

    def abandon(self) -> None:
        """End everything: a position that is not searched yet is answered by `noResults`."""
        with self._lock:
            open_ones = list(self._open.values())
        self._end(open_ones, None)

    # Requests ------------------------------------------------------------------------------

    def _begin(self, analysis: Analysis) -> None:
        """Begin the searches of a request. Raises RefusedLine."""
        request = analysis.request
        with self._lock:
            if request.id in self._open:
                raise RefusedLine("bad-field", "a request with this id is not finished", "id")
        game, most = self._games.read(request), self._usual.most_waiting
        if self._unanswered + len(game.priorities) > most:
            raise RefusedLine("too-many", f"more than {most} positions would wait")
        for field, text in islice(analysis.warnings, _MOST_WARNINGS):
            self._writer.add(line_of({"warning": text, "field": field, "id": request.id}))
        progress = RequestInProgress(self._answers(analysis), game)
        with self._lock:
            self._open[request.id] = progress
            self._unanswered += len(game.priorities)
            for number in sorted(game.positions):
                search = partial(self._search, progress, game.positions[number])
                progress.jobs[number] = self._pool.submit(search, game.priority(number))

    def _answers(self, analysis: Analysis) -> Answers:
        request, usual = analysis.request, self._usual
        overrides = analysis.overrides
        visits = overrides.visits if request.visits is None else request.visits
        seconds = overrides.seconds if request.seconds is None else request.seconds
        if visits is None and seconds is None:
            visits = usual.visits
        budget = Budget(visits, usual.seconds if seconds is None else seconds)
        view = PERSPECTIVES[overrides.perspective or usual.perspective]
        return Answers(request, view, setup_of(overrides.over(usual.settings), budget))

    def _search(self, progress: RequestInProgress, asked: AskedPosition, interrupt: Event) -> None:
        """Search a position, and answer what may be answered then. Runs in a thread of the pool."""
        found = None
        try:
            if not interrupt.is_set():
                found = self._found(progress.answers, asked, interrupt)
        except Exception as error:
            self._fault(progress, asked.number, error)
        with self._lock:
            ready = progress.settle(asked.number, found)
        self._writer.wait_until_read(FOR_ANSWERS)
        self._answer(progress, ready)

    def _found(self, answers: Answers, asked: AskedPosition, interrupt: Event) -> Report | None:
        """The result of the search; None without one."""
        if asked.outcome is not None:
            return Report.ended(asked.position, asked.outcome.value)
        among = asked.steps(answers.request)
        if not among:
            return None
        setup = answers.setup
        await_kernel(asked.position.game, setup.backend, interrupt.is_set)
        if interrupt.is_set():
            return None
        setup = setup._replace(budget=setup.budget._replace(interrupt=interrupt))

        def tell(report: Report) -> None:
            if self._writer.unread <= FOR_REPORTS:
                self._writer.add(line_of(answers.answer(asked, report, during=True)))

        observer = ReportsInSearch(answers.request, tell)
        found = assess(asked.position, setup, among, observer)
        searched = not found.rows or found.visits
        return found if searched or not interrupt.is_set() else None

    def _answer(self, progress: RequestInProgress, numbers: Collection[int]) -> None:
        """Write the final lines about some positions, which nobody else writes."""
        for number in numbers:
            line = self._line(progress, number)
            with progress.writing:
                for each in progress.released(number, line):
                    self._count(progress)
                    self._writer.add(each)

    def _line(self, progress: RequestInProgress, number: int) -> bytes:
        found = progress.found.get(number)
        try:
            if found is not None:
                asked, before = progress.game.positions[number], progress.found.get(number - 1)
                return line_of(progress.answers.answer(asked, found, before))
        except Exception as error:
            self._fault(progress, number, error)
        finally:
            with self._lock:
                progress.forget(number)
        return line_of(progress.answers.nothing(number))

    def _fault(self, progress: RequestInProgress, number: int, error: Exception) -> None:
        logger().opt(exception=error).error("a position could not be analyzed")
        told = RefusedLine("internal", f"a fault of the engine: {error!r}").told()
        self._writer.add(line_of(told | {"id": progress.answers.request.id, "turnNumber": number}))

    def _count(self, progress: RequestInProgress) -> None:
        """Count an answer before it is written, because the client may then use the id again."""
        with self._lock:
            self._unanswered -= 1
            if progress.finished:
                del self._open[progress.answers.request.id]

    # Actions -------------------------------------------------------------------------------

    def _act(self, action: Action) -> None:
        told = dict(action.line)
        if action.name == "query_version":
            told |= version()
        elif action.name == "query_models":
            told["models"] = models(self._usual.settings)
        elif action.name == "clear_cache":
            forget_tables()
        else:
            told["terminated"] = self._terminate(action)
        self._writer.add(line_of(told))

    def _terminate(self, action: Action) -> int:
        """End positions; returns how many. Those that wait are answered at once."""
        with self._lock:
            open_ones = list(self._open.values())
        if action.name == "terminate":
            open_ones = [each for each in open_ones if each.answers.request.id == action.target]
        return self._end(open_ones, action.turns)

    def _end(self, requests: Iterable[RequestInProgress], turns: Collection[int] | None) -> int:
        """End the positions of some requests, or some of them; returns how many.

        The end of one lets no other begin.
        """
        ended, answers = 0, []
        with self._lock, self._pool.held():
            for progress in requests:
                hit = progress.left.intersection(progress.left if turns is None else turns)
                ended += len(hit)
                answers.append((progress, self._cancel(progress, hit)))
        for progress, ready in answers:
            self._answer(progress, ready)
        return ended

    def _cancel(self, progress: RequestInProgress, numbers: set[int]) -> list[int]:
        """End positions of a request; returns those that may be answered now."""
        ready = progress.hurry(numbers)
        for number in sorted(numbers.difference(ready)):
            if self._pool.cancel(progress.jobs[number]):
                ready += progress.settle(number, None)
        for job in progress.needless():
            self._pool.cancel(job)
        return ready


class ReportsInSearch(SearchObserver):
    """Reports while the search runs, once it has visits; the result is told elsewhere."""

    def __init__(
        self,
        request: AnalysisRequest,
        report: Callable[[Report], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(request.interval, report)
        self._first = request.first_report or request.interval or math.inf
        self._further = request.interval or math.inf
        self._tell = report
        self._clock = clock

    def over(self, current: Callable[[], Report]) -> Poll:
        """See SearchObserver."""
        due = self._clock() + self._first

        def look() -> bool:
            nonlocal due
            if self._clock() >= due:
                report = current()
                if report.visits:
                    self._tell(report)
                    # Counted from the end of the report: it may take longer than the interval.
                    due = self._clock() + self._further
            return False

        return look

    def end(self, report: Report) -> None:
        """Do nothing."""


PROTOCOL = 1
"""Higher when a line that was understood would mean something else."""


def version() -> dict[str, Any]:
    """The program, and the games that it knows."""
    known = [
        {
            "name": game.name,
            "title": game.title,
            "size": game.default_size,
            "sizes": game.sizes,
            "pie": game.has_pie,
            "points": game.scored,
        }
        for game in games()
    ]
    told = {"version": __version__, "git_hash": build_word(), "protocol": PROTOCOL}
    return told | {"games": known}


def models(settings: Settings) -> list[dict[str, Any]]:
    """The learned evaluations that a search with some settings uses, with KataGo's keys first."""
    found = []
    for game in games():
        weights = backend_for(game, settings.backend).weights(settings.search_options)
        if weights is not None:
            found.append(
                {
                    "name": f"{game.name}-{weights.mark}",
                    "internalName": weights.mark,
                    "maxBatchSize": 1,
                    "usesHumanSLProfile": False,
                    "version": VERSION,
                    "usingFP16": False,
                    "game": game.name,
                    "channels": weights.channels,
                    "blocks": weights.blocks,
                }
            )
    return found
