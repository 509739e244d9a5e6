"""`gtp-regress "ENGINE COMMAND" FILE...`: run transcripts against any GTP engine."""

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from gtp_engine.cli.options import Parser
from gtp_engine.files import read_file
from gtp_engine.gtp.controller import Piped
from gtp_engine.gtp.process import EngineFault, EngineProcess
from gtp_engine.gtp.transcript import TranscriptResult, Verdict, parse, run

_LARGEST_FILE = 2**26


def main(arguments: Sequence[str] | None = None) -> int:
    """Run all files, each with a new engine started in the file's folder.

    Returns 0, 1 where there was a surprising failure, or 2 where a file or the engine is broken.
    """
    parser = Parser(
        prog="gtp-regress",
        description="Runs .tst transcripts against a GTP engine and tells which tests fail. "
        "The engine is started anew for each file, in the folder of the file.",
    )
    parser.add_argument("engine", help="the command line of the engine, in one argument")
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="transcripts")
    parser.add_argument(
        "--timeout",
        type=float,
        default=600.0,
        metavar="SECONDS",
        help="how long to wait for an answer (default 600)",
    )
    parser.add_argument("--long", action="store_true", help="list every test, not only surprises")
    options = parser.parse_args(arguments)
    totals: Counter[Verdict] = Counter()
    for path in options.files:
        try:
            totals += _run_file(options, path)
        except (OSError, ValueError, EngineFault) as error:
            print(f"{path}: {error}", file=sys.stderr)
            return 2
    print("total: " + _summary(totals))
    return 1 if totals[Verdict.SURPRISINGLY_FAILED] else 0


def _run_file(options: argparse.Namespace, path: Path) -> Counter[Verdict]:
    tests = parse(read_file(path, _LARGEST_FILE, streams=True).decode())
    counts: Counter[Verdict] = Counter()
    folder = path.absolute().parent
    with EngineProcess(options.engine, folder=folder, show_log=True) as engine:
        for result in run(tests, Piped(engine, options.timeout)):
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
    return ", ".join(f"{counts[verdict]} {verdict.value}" for verdict in Verdict)


if __name__ == "__main__":
    raise SystemExit(main())
