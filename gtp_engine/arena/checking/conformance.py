"""Whether an engine plays by the rules: its answers compared with what cases say."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, NoReturn, Protocol

from gtp_engine.arena.checking.cases import Case, CasePosition
from gtp_engine.arena.checking.check import CheckStatus
from gtp_engine.arena.checking.check_subject import Asked, Flaw, Skipped, begin_game, flaw, shown
from gtp_engine.gtp.client.beginning import POSITION
from gtp_engine.gtp.client.faults import EngineFault
from gtp_engine.rules.step import Pie

_STEPS, _SCORE = "game-legal_steps", "final_score"

COMPARED = {POSITION: "boards", _STEPS: "legal steps", _SCORE: "results"}
"""What is compared, by the command that reports it; without the command it is not compared."""

# Crashes and silences, after which no more cases are tried.
_MOST_FAULTS = 5


class Examined(Asked, Protocol):
    """An engine; `Subject` is one."""

    def release(self) -> None:
        """End it; the next command starts it again."""


class CaseResult(NamedTuple):
    """The result of a case.

    kept      -- the sentences that each position shows in which the engine was right
    flaw      -- the first difference, if the case failed
    sentences -- those that the engine may have broken there
    note      -- why the case was skipped
    """

    case: Case
    verdict: CheckStatus
    kept: tuple[frozenset[str], ...] = ()
    flaw: Flaw | None = None
    sentences: tuple[str, ...] = ()
    note: str = ""

    def lines(self) -> Iterator[str]:
        """The result for people: one line, and more for a flaw."""
        words = [self.verdict.value.ljust(7), self.case.id, *self.sentences]
        yield " ".join([*words, f"({self.note})"] if self.note else words)
        if self.flaw is None:
            return
        if self.case.about:
            yield f"{'':10}about     {self.case.about}"
        yield f"{'':10}start     {self.case.start or _start_of(self.case)}"
        yield f"{'':10}sent      {self.flaw.sent}"
        yield f"{'':10}expected  {self.flaw.expected}"
        yield f"{'':10}got       {self.flaw.got}"

    def record(self) -> dict[str, Any]:
        """The result as a JSON object."""
        return {
            "case": self.case.id,
            "verdict": self.verdict.value.lower(),
            "sentences": self.sentences,
            "flaw": self.flaw and self.flaw._asdict(),
            "note": self.note,
        }


class Share(NamedTuple):
    """At how many of the positions that show a sentence an engine was wrong."""

    game: str
    sentence: str
    wrong: int
    all: int


def conform(engine: Examined, cases: Iterable[Case]) -> Iterator[CaseResult]:
    """Try each case. An engine that crashes or stays silent fails the case, and is restarted."""
    faults = 0
    for case in cases:
        if faults == _MOST_FAULTS:
            note = f"the engine has crashed or been silent {faults} times"
            yield CaseResult(case, CheckStatus.SKIPPED, note=note)
            continue
        kept: list[frozenset[str]] = []
        try:
            for sentences in _follow(engine, case):
                kept.append(sentences)
            yield CaseResult(case, CheckStatus.PASSED, tuple(kept))
        except Skipped as reason:
            yield CaseResult(case, CheckStatus.SKIPPED, tuple(kept), note=str(reason))
        except _Wrong as wrong:
            yield CaseResult(case, CheckStatus.FAILED, tuple(kept), wrong.flaw, wrong.sentences)
        except EngineFault as fault:
            faults += 1
            engine.release()
            found = flaw(f"turn {len(kept)}", "an answer", f"{fault.kind}: {fault}")
            yield CaseResult(case, CheckStatus.FAILED, tuple(kept), found)


def shares(results: Iterable[CaseResult]) -> list[Share]:
    """The sentences that an engine may have broken, the most suspect one first."""
    wrong, right = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for result in results:
        wrong.update((result.case.game, sentence) for sentence in result.sentences)
        for sentences in result.kept:
            right.update((result.case.game, sentence) for sentence in sentences)
    found = [Share(*key, count, count + right[key]) for key, count in wrong.items()]
    return sorted(found, key=lambda share: (-share.wrong / share.all, -share.wrong))


class _Wrong(Exception):
    """An engine's answer is not what the rules say."""

    def __init__(self, flaw: Flaw, sentences: Iterable[str]) -> None:
        super().__init__(flaw)
        self.flaw, self.sentences = flaw, tuple(dict.fromkeys(sentences))


def _follow(engine: Examined, case: Case) -> Iterator[frozenset[str]]:
    """Play a case; yields the sentences of each position. Raises _Wrong at the first flaw."""
    if not _begin(engine, case):
        yield frozenset(case.shows)
        return
    color = ""
    for number, at in enumerate(case.turns):
        where = "at the start"
        if at.play:
            where = f"turn {number}, play {color} {at.play}"
            response = engine.ask(f"play {color} {at.play}")
            if not response.success:
                _wrong(where, "=", shown(response), at.rules, case.shows)
        color = at.to_move or color
        for word, sentence in at.refused.items():
            if engine.ask(f"play {color} {word}").success:
                _wrong(f"{where}, play {color} {word}", "? illegal move", "=", (sentence,))
        _compare_board(engine, case, at, where)
        _compare_steps(engine, case, at, where)
        _compare_result(engine, at, where)
        shows = case.shows if at.play or len(case.turns) == 1 else ()
        yield frozenset((*shows, *at.rules, *at.decided_by, *at.refused.values()))


def _begin(engine: Examined, case: Case) -> bool:
    """Set up the start of a case. False if the engine rightly refuses an impossible position.

    Raises _Wrong, or Skipped if the engine lacks a command, the game or the size.
    """
    if case.start:
        if POSITION not in engine.commands:
            raise Skipped(f"the engine does not list {POSITION}")
        line = f"{POSITION} {case.start}"
        response = engine.ask(line)
        if case.impossible and not response.success:
            return False
        if response.success and case.impossible and not case.turns:
            _wrong(line, f"? invalid position: {case.impossible}", "=", case.shows)
        if not response.success:
            _wrong(line, "=", shown(response), case.shows)
        return True
    begin_game(engine, case.game, case.size, Pie(case.pie))
    return True


def _compare_board(engine: Examined, case: Case, at: CasePosition, where: str) -> None:
    if POSITION not in engine.commands:
        return
    got = engine.ask(POSITION).text.split()[:4]
    expected = [case.game, str(case.size), at.board, at.to_move]
    if not at.to_move:  # the game is over
        del expected[3:], got[3:]
    if got != expected:
        _wrong(f"{where}, {POSITION}", " ".join(expected), " ".join(got), at.rules, case.shows)


def _compare_steps(engine: Examined, case: Case, at: CasePosition, where: str) -> None:
    if _STEPS not in engine.commands:
        return
    got, where = engine.ask(_STEPS).text.split(), f"{where}, {_STEPS}"
    if at.legal is not None and set(got) != set(at.legal):
        missing, more = sorted({*at.legal} - {*got}), sorted({*got} - {*at.legal})
        expected = f"also {' '.join(missing)}" if missing else "less"
        # What allows a step too many is not what a case is about.
        _wrong(where, expected, " ".join(more) or "less", case.shows if missing else ())
    if len(got) != at.count:
        _wrong(where, f"{at.count} steps", f"{len(got)} steps")


def _compare_result(engine: Examined, at: CasePosition, where: str) -> None:
    if _SCORE not in engine.commands:
        return
    response = engine.ask(_SCORE)
    got = response.text.strip() if response.success else ""
    if got != at.result:
        expected = f"= {at.result}" if at.result else "? cannot score"
        broken = at.decided_by[-1:] if got else at.decided_by[:1]  # who wins, or that it is over
        _wrong(f"{where}, {_SCORE}", expected, shown(response), broken)


def _wrong(sent: str, expected: str, got: str, *sentences: Iterable[str]) -> NoReturn:
    seen = got.encode("unicode_escape").decode()  # an engine may send anything to a terminal
    raise _Wrong(flaw(sent, expected, seen), [each for some in sentences for each in some])


def _start_of(case: Case) -> str:
    return f"{case.game} {case.size} pie={case.pie}"
