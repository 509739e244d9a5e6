"""Whether the suite notices small faults: `python tests measure.faults [--only TEXT] [--all]`.

Each fault is put into a copy of the checkout, alone, and the suite runs there until a test fails.
The tests of its own folder run first, because they mostly notice it: only what they let through is
left to all tests that the arguments select, by default those of `bin/test`.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
KERNEL = "gtp_engine/kernel/_kernel*"
USUAL = ["--numprocesses", "auto"]


class Fault(NamedTuple):
    """A small fault: a text that stands once in a file of the package, and what replaces it."""

    file: str
    right: str
    wrong: str

    @property
    def folder(self) -> str:
        return self.file.partition("/")[0]


FAULTS = [
    # Rules.
    Fault(
        "rules/implo.py",
        "        if black == white:\n            return self.to_move.opponent",
        "        if black == white:\n            return self.to_move",
    ),
    Fault(
        "rules/implo.py", "return Marks(owner=self.owner(patch), removes=group)", "return NO_MARKS"
    ),
    Fault("rules/boloa.py", "phase = events[-1].phase + 1", "phase = events[-1].phase"),
    Fault("rules/pilo.py", "first = min(vertices(obstacles)", "first = max(vertices(obstacles)"),
    Fault(
        "rules/robble.py",
        "return appearance((white, black), to_move.opponent)",
        "return appearance((white, black), to_move)",
    ),
    # Notation.
    Fault("notation/turns.py", "line[:1] != (forced,)", "line[:1] == (forced,)"),
    Fault("notation/clicks.py", "[made if number == 0 else 0 :]", "[made:]"),
    Fault(
        "notation/position_text.py", "if len(fields) < len(texts):", "if len(fields) > len(texts):"
    ),
    # The session.
    Fault("engine/session.py", "saved = max(0.0, saved", "saved = max(saved, saved"),
    Fault("engine/allowance.py", "return min((bound for bound", "return max((bound for bound"),
    Fault(
        "engine/session.py",
        "clocks = self.state.control.clocks()\n",
        "clocks = self.state.clocks\n",
    ),
    # Commands.
    Fault("commands/clocks.py", "None if cap < 0 else cap", "None if cap <= 0 else cap"),
    # GTP.
    Fault("gtp/line.py", "int(number[1]) <= LARGEST_ID", "int(number[1]) < LARGEST_ID"),
    Fault("gtp/line.py", 'text[end:].startswith("#")', "False"),
    Fault("gtp/inbox.py", "overflow = overflow or len(rest) > LONGEST_LINE", "overflow = False"),
    Fault(
        "gtp/transcript.py",
        "Verdict.FAILED if self.fails and found",
        "Verdict.FAILED if self.fails",
    ),
    Fault("gtp/response_pipe.py", "if self._writes and now == before", "if self._writes"),
    Fault("stderr.py", "if self._dropped or self._size", "if self._size"),
    Fault("gtp/guard.py", "    for pid in _descendants():", "    for pid in [engine]:"),
    # Games of every kind.
    Fault("rules/game.py", "pie if self.has_pie else Pie.OFF", "pie"),
    Fault("rules/game.py", "bit(lowest(changed))", "bit(lowest(self.occupied()))"),
    Fault("rules/events.py", "[removing(goal)] if goal in old else []", "[]"),
    Fault("search/backends/kernel_declared.py", "        if one != other:", "        if False:"),
    Fault("search/backends/kernel_declared.py", "missing := known", "missing := set()"),
    # Search.
    Fault("search/backends/python_tree.py", "(max if win else min)", "(min if win else max)"),
    Fault("search/time_manager.py", "chance < before - _DROP", "chance < before + _DROP"),
    Fault(
        "search/endgames.py",
        "return None if hurried and not table.complete else table",
        "return None if hurried else table",
    ),
    Fault("search/openings/swap_maps.py", "if turns and worth.better <= farthest", "if turns"),
    # Thinking.
    Fault(
        "engine/game_review.py",
        "return 1 - after.value if SWAP_SIDES",
        "return after.value if SWAP_SIDES",
    ),
    # Records.
    Fault("records/sgf.py", "several = len(each.children) > 1", "several = len(each.children) > 2"),
    Fault("records/sgf.py", 'if charset not in ("", _USUAL):', "if False:"),
    Fault("records/record.py", "if len(found) > 1:", "if len(found) > 2:"),
    Fault("records/record.py", "parent.ends = parent.ends or", "parent.ends = parent.ends and"),
    Fault("engine/record_loading.py", "if begun == number:", "if begun == (number or 0) + 1:"),
    Fault("engine/record_writing.py", "node.children, node.ends = at.children, True", "pass"),
    Fault("engine/record_writing.py", 'nodes[-1].properties["PL"]', 'nodes[0].properties["PL"]'),
    # Views and pictures.
    Fault("engine/view/choices.py", '"forced": len(steps) == 1', '"forced": len(steps) == 2'),
    Fault("look/gfx.py", "unsaid = scene.changed & ~scene.last", "unsaid = scene.changed"),
    # The client and the web.
    Fault("table/variations.py", "if node.parent.last is node:", "if False:"),
    Fault("table/analyst.py", "else round(1 - chance, 4)", "else chance"),
    Fault("table/saving.py", "written.children += node.unplayed", "pass"),
    Fault(
        "web/outbox.py",
        "            self._size = 0\n            self._behind",
        "            self._behind",
    ),
    Fault("web/gate.py", "if name == SOCKET and not headers.origin:", "if False:"),
    # The arena.
    Fault("arena/playing/match_player.py", "seconds - pauses.counted", "seconds"),
    Fault("gtp/exchanges.py", "time() < due + _LATE", "time() < due + 1000"),
    Fault("arena/playing/match.py", "(more or self._elsewhere", "(self._elsewhere"),
    Fault("arena/setup/timekeeper.py", "excused = min(self._excused, lenience)", "excused = 0.0"),
    Fault("arena/playing/adjudication.py", "self._turns < most or", "self._turns <= most or"),
    # The command lines, and what all use.
    Fault("cli/regress.py", "1 if totals[Verdict.SURPRISINGLY_FAILED] else 0", "0"),
    Fault("clock.py", "replace(self, left=left, count=self.count - 1)", "replace(self, left=left)"),
]


class Copy:
    """A copy of the checkout, with a Python that imports it and what this Python has."""

    def __init__(self, folder: Path) -> None:
        self.checkout = folder / "checkout"
        listing = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
        names = subprocess.run(listing, cwd=ROOT, check=True, capture_output=True, text=True).stdout
        kernels = [str(path.relative_to(ROOT)) for path in ROOT.glob(KERNEL)]
        for name in {*names.splitlines(), *kernels}:
            if (ROOT / name).exists():
                (self.checkout / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, self.checkout / name)
        venv.create(folder / "venv", symlinks=True)
        (packages,) = (folder / "venv").glob("lib/python*/site-packages")
        theirs = [path for path in sys.path if path.endswith("site-packages")]
        packages.joinpath("copy.pth").write_text("\n".join([str(self.checkout), *theirs]))
        self._python = folder / "venv" / "bin" / "python"

    def first_failure(self, arguments: list[str]) -> str | None:
        """The first test that fails; None if all pass."""
        command = [self._python, "-I", "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
        command += arguments
        done = subprocess.run(command, cwd=self.checkout, capture_output=True, text=True)
        if done.returncode == 0:
            return None
        told = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
        if not told:
            raise SystemExit(f"the tests did not run:\n{done.stdout}{done.stderr}")
        return told[0].partition(" - ")[0]


def stages(fault: Fault, others: list[str] | None, copy: Copy) -> Iterator[list[str]]:
    """The selections of tests to run for a fault, one after the other."""
    for near in (f"tests/{fault.folder}", f"tests/test_{fault.folder}"):
        if (copy.checkout / near).exists():
            yield [near, "-m", "not thorough"]
    if others is not None:
        yield others


def caught(fault: Fault, others: list[str] | None, copy: Copy) -> str | None:
    """The test that notices a fault; None if no test does."""
    file = copy.checkout / "gtp_engine" / fault.file
    text = file.read_text()
    if text.count(fault.right) != 1:
        raise SystemExit(f"{fault.file} does not contain once: {fault.right}")
    file.write_text(text.replace(fault.right, fault.wrong))
    try:
        found = (copy.first_failure(each) for each in stages(fault, others, copy))
        return next((each for each in found if each), None)
    finally:
        file.write_text(text)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", metavar="TEXT", help="faults in files of this name")
    parser.add_argument("--near", action="store_true", help="only the tests of a fault's folder")
    options, arguments = parser.parse_known_args()
    others = None if options.near else arguments or USUAL
    faults = [fault for fault in FAULTS if options.only in fault.file]
    missed = 0
    with tempfile.TemporaryDirectory(prefix="faults-") as folder:
        copy = Copy(Path(folder))
        for fault in faults:
            found = caught(fault, others, copy)
            missed += found is None
            print(f"{found or 'MISSED'}: {fault.file}: {' '.join(fault.wrong.split())}", flush=True)
    print(f"{len(faults) - missed} of {len(faults)} faults were caught")
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
