"""`gtp-arena conformance "ENGINE COMMAND" FILE...`: checks an engine's rules by cases."""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator

from gtp_engine.arena import ArenaError
from gtp_engine.arena.checking.cases import Case, read_cases
from gtp_engine.arena.checking.check import CheckStatus, count
from gtp_engine.arena.checking.check_subject import Options, Subject
from gtp_engine.arena.checking.conformance import COMPARED, CaseResult, conform, shares
from gtp_engine.gtp.client.faults import EngineFault
from gtp_engine.rules import UnknownGame, find_game
from gtp_engine.rules.notation.rule_text import sentence

_MOST_SHOWN = 5  # failed cases of a file, unless all are asked for


def main(options: argparse.Namespace) -> int:
    """Print failed cases, the counts of each file, and the sentences that may be broken.

    Returns 0, 1 if a case failed, or 2 if the engine does not respond at all. Raises ArenaError or
    OSError for files.
    """
    files = {path: list(_chosen(read_cases(path), options.only)) for path in options.files}
    if not any(files.values()):
        wanted = f" with an id that begins with {' or '.join(options.only)}" if options.only else ""
        raise ArenaError(f"there is no case{wanted}")
    subject = Subject(options.engine, Options(options.seconds))
    results: list[CaseResult] = []
    try:
        subject.survey()
        for path, cases in files.items():
            found = list(_told(conform(subject, cases), options))
            results += found
            if not options.json:
                print(f"{path}: {_summary(found)}", flush=True)
        missing = [name for name in COMPARED if name not in subject.commands]
        torn = subject.torn_list if missing else ""
    except EngineFault as fault:
        print(f"gtp-arena conformance: {fault}", file=sys.stderr)
        return 2
    finally:
        subject.release()
    if options.json:
        suspects = [share._asdict() for share in shares(results)]
        print(
            json.dumps(
                {**_counts(results), "sentences": suspects, "without": missing, "torn": torn}
            )
        )
    else:
        if torn:
            print(f"list_commands: {torn}")
        print(*_report(results, missing), sep="\n")
    return 1 if _counts(results)["failed"] else 0


def _chosen(cases: Iterable[Case], beginnings: list[str]) -> Iterator[Case]:
    return (case for case in cases if case.id.startswith(tuple(beginnings or [""])))


def _told(results: Iterable[CaseResult], options: argparse.Namespace) -> Iterator[CaseResult]:
    """The results, each printed as it comes: as JSON, or if it failed."""
    failed = 0
    for result in results:
        if options.json:
            print(json.dumps(result.record()), flush=True)
        elif result.verdict is CheckStatus.FAILED:
            failed += 1
            if failed <= _MOST_SHOWN or options.long:
                print(*result.lines(), sep="\n", flush=True)
        yield result
    if failed > _MOST_SHOWN and not options.long:
        print(f"... and {failed - _MOST_SHOWN} more; --long shows all")


def _report(results: list[CaseResult], missing: list[str]) -> Iterator[str]:
    """What the results mean together, for people."""
    for note, number in Counter(result.note for result in results if result.note).items():
        yield f"skipped {number}: {note}"
    for name in missing:
        yield f"not compared: {COMPARED[name]}, because the engine does not list {name}"
    for share in shares(results):
        wrong = f"{share.wrong} of {share.all} positions wrong"
        yield f"{share.sentence:4} {wrong:32} {_words(share.game, share.sentence)}".rstrip()
    yield f"total: {_summary(results)}"


def _words(game: str, rule: str) -> str:
    """The words of a sentence, "" for one of a game that we do not know."""
    try:
        return sentence(find_game(game), rule)
    except UnknownGame:
        return ""


def _counts(results: Iterable[CaseResult]) -> dict[str, int]:
    return count(result.verdict for result in results)


def _summary(results: Iterable[CaseResult]) -> str:
    return ", ".join(f"{number} {verdict}" for verdict, number in _counts(results).items())
