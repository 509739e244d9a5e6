"""`gtp-regress "ENGINE COMMAND" FILE...`: runs transcripts against a GTP engine."""

import argparse
import signal
import sys
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from gtp_engine.base.files import CannotRead, read_file
from gtp_engine.base.numbers import number_of
from gtp_engine.base.option import numbers
from gtp_engine.cli.flags import taking
from gtp_engine.cli.interrupts import FAILED, exit_status, terminable
from gtp_engine.cli.parser import Parser
from gtp_engine.gtp.client.blocking import BlockingEngine
from gtp_engine.gtp.client.faults import EngineFault
from gtp_engine.gtp.client.transcript import TranscriptResult, Verdict, parse, run
from gtp_engine.gtp.wire.line import parse_line
from gtp_engine.gtp.wire.response import Response

_LARGEST_FILE = 2**26
_SURPRISES = {
    Verdict.SURPRISINGLY_FAILED: "FAILED unexpectedly",
    Verdict.SURPRISINGLY_PASSED: "PASSED unexpectedly",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run all files; each starts a new engine in the file's folder.

    Returns 0, 1 after an unexpected failure, or 2 if a file or the engine is unusable.
    """
    with terminable([signal.SIGTERM]):
        return exit_status("gtp-regress", partial(_run, arguments))


def _run(arguments: Sequence[str] | None) -> int:
    parser = Parser(
        prog="gtp-regress",
        description="Runs .tst transcripts against a GTP engine and reports the failed tests. "
        "Each file starts a new engine in the file's folder.",
    )
    parser.add_argument("engine", help="the engine's command line, quoted as one argument")
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="transcripts")
    parser.add_argument(
        "--timeout",
        type=taking(numbers(0.01, 1e6)),
        default=600.0,
        metavar="SECONDS",
        help="longest wait for a response (default 600)",
    )
    parser.add_argument(
        "--long",
        action="store_true",
        help="list every test, not only those with an unexpected result",
    )
    options = parser.parse_args(arguments)
    totals: Counter[Verdict] = Counter()
    for path in options.files:
        try:
            totals += _run_file(options, path)
        except (CannotRead, ValueError, EngineFault) as error:
            print(f"{path}: {error}", file=sys.stderr)
            return FAILED
    print("total: " + _summary(totals))
    return 1 if totals[Verdict.SURPRISINGLY_FAILED] else 0


def _run_file(options: argparse.Namespace, path: Path) -> Counter[Verdict]:
    tests = parse(read_file(path, _LARGEST_FILE, streams=True).decode("utf-8-sig"))
    counts: Counter[Verdict] = Counter()
    folder = path.absolute().parent
    with BlockingEngine(options.engine, folder=folder, show_log=True) as engine:

        def send(line: str) -> Response | None:
            if parse_line(line) is None:
                engine.tell(line)
                return None
            return engine.ask_verbatim(line, options.timeout).response

        for result in run(tests, send):
            if result.verdict is None:
                continue
            counts[result.verdict] += 1
            if options.long or result.verdict.surprising:
                print(f"{path}: {_line(result)}")
    print(f"{path}: {_summary(counts)}")
    return counts


def _line(result: TranscriptResult) -> str:
    trial, response, verdict = result
    assert verdict is not None
    assert response is not None
    text = f"{trial.line} {verdict.value}"
    if verdict in (Verdict.PASSED, Verdict.SURPRISINGLY_PASSED):
        return text
    sign = "=" if response.success else "?"
    return f"{text}: expected {trial.expectation or 'success'}, got {sign} {response.text!r}"


def _summary(counts: Counter[Verdict]) -> str:
    known = counts[Verdict.FAILED]
    text = f"{counts[Verdict.PASSED] + known} as expected"
    if known:
        text += f", of them {number_of(known, 'known failure')}"
    for verdict, words in _SURPRISES.items():
        if counts[verdict]:
            text += f"; {counts[verdict]} {words}"
    return text


if __name__ == "__main__":
    raise SystemExit(main())
