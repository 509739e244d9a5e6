"""Whether the suite notices small faults: `python tests measure.faults [--only ROOM] [--near]`.

Each fault of `faults.txt` is put into a copy of the checkout, alone, and the tests near it run
there. Only what they let through is left to all tests that the other arguments select, by default
those of `bin/test`. Before, the near tests pass on the copy without a fault. A test that notices a
fault must fail twice with it, and pass three times without: else it does not count.
"""

import argparse
import resource
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from measure.faulty_copy import FAST, ROOT, Copy

LIST = Path(__file__).with_name("faults.txt")
USUAL = ["--numprocesses", "auto", "--dist", "worksteal"]
# These notice that a file has changed, whatever the change does.
UNFIT = [f"--ignore=tests/project/{name}.py" for name in ("test_faults", "test_shipped_data")]
PROOFS = 3
MANY = 5  # files with tests that are worth several processes

# What is near a fault where its paragraph does not say: the tests of its room, or these.
NEAR = {
    "engine/page": [
        "board/browser/test_board_by_messages.py",
        "board/browser/test_panels_by_messages.py",
        "board/server/test_page.py",
    ],
    "bin": ["project/test_kernel_build.py", "project/test_launchers.py"],
}


class Fault(NamedTuple):
    """A small fault: a text that stands once in a file of the checkout, and what replaces it.

    near   -- the tests beside it, relative to the checkout
    module -- the module of the kernel to compile with it, None for none
    """

    file: str
    near: tuple[str, ...]
    module: str | None
    right: str
    wrong: str

    @property
    def room(self) -> str:
        return room_of(self.file)

    def __str__(self) -> str:
        return f"{self.file}: {' '.join(self.wrong.split()) or 'nothing'}"


def room_of(file: str) -> str:
    """The room of the package that has a file, or its folder if that has tests; `bin` for bin/."""
    first, *rest = Path(file).parts
    if first != "gtp_engine":
        return first
    folder = "/".join(rest[:2])
    named = folder in NEAR or (ROOT / "tests" / folder).is_dir()
    return folder if named else rest[0]


def read_faults(text: str) -> Iterator[Fault]:
    """The faults of a list, a paragraph for each; its head tells the form."""
    for paragraph in text.split("\n\n"):
        lines = [line for line in paragraph.splitlines() if not line.startswith("#")]
        if not lines:
            continue
        file, *others = lines
        fields = dict(line.split(": ", 1) for line in others if line[0] not in "-+")
        right, wrong = ("\n".join(line[2:] for line in others if line[0] == sign) for sign in "-+")
        room = room_of(file)
        near = fields["near"].split() if "near" in fields else NEAR.get(room, [room])
        yield Fault(
            file, tuple(f"tests/{each}" for each in near), fields.get("module"), right, wrong
        )


def of_room(faults: list[Fault], only: str) -> list[Fault]:
    """The faults of a room of this name, or else in files whose name has this part."""
    return [each for each in faults if each.room == only] or [
        each for each in faults if only in each.file
    ]


def outdated(faults: Iterable[Fault]) -> list[str]:
    """The faults whose text does not stand once in their file."""
    return [str(each) for each in faults if (ROOT / each.file).read_text().count(each.right) != 1]


def caught(fault: Fault, copy: Copy, selection: list[str]) -> str | None:
    """The test of a selection that fails twice with a fault; None if no test does."""
    passing: list[str] = []
    with copy.planted(fault.file, fault.right, fault.wrong, fault.module):
        while True:
            left_out = [f"--deselect={each}" for each in passing]
            first = copy.failures(selection, "--maxfail=1", *left_out, planted=True)
            if not first:
                return None
            again = copy.failures(first[:1], *FAST, planted=True)
            if again:
                return first[0]
            print(f"  failed once of two times: {first[0]}", flush=True)
            passing += first[:1]


def caught_each(
    faults: Iterable[Fault], copy: Copy, selection: list[str] | None = None
) -> dict[Fault, str]:
    """What catches the faults, by the near tests where no selection is given."""
    found = {}
    for fault in faults:
        test = caught(fault, copy, [*(selection or (*fault.near, *FAST)), *UNFIT])
        print(f"{test or 'not noticed'}\n  {fault}", flush=True)
        if test:
            found[fault] = test
    return found


def check_clean(copy: Copy, faults: list[Fault]) -> None:
    """The near tests pass without a fault, with all tools that they need. Raises SystemExit."""
    near = sorted({each for fault in faults for each in fault.near})
    shared = USUAL if len(near) > MANY else []
    if failed := copy.failures(near, *FAST, *shared, TEST_TOOLS="required"):
        raise SystemExit("\n  ".join(["these tests fail without a fault:", *failed]))


def unsteady(copy: Copy, tests: Iterable[str]) -> set[str]:
    """The tests that fail without a fault, one of three times."""
    chosen = sorted(set(tests))
    return {each for _ in range(PROOFS) for each in (copy.failures(chosen) if chosen else [])}


def report(faults: list[Fault], near: dict[Fault, str], wider: dict[Fault, str]) -> None:
    """Print what was caught, by rooms, and what was missed."""
    print("| room | faults | caught by near tests | by others | missed |")
    print("| --- | --- | --- | --- | --- |")
    counts = [Counter(fault.room for fault in some) for some in (faults, near, wider)]
    for room, number in counts[0].items():
        print(
            f"| {room} | {number} | {counts[1][room]} | {counts[2][room]} "
            f"| {number - counts[1][room] - counts[2][room]} |"
        )
    for fault in faults:
        if fault not in near and fault not in wider:
            print(f"MISSED: {fault}")
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(
        f"{len(near) + len(wider)} of {len(faults)} faults were caught; "
        f"{spent.ru_utime + spent.ru_stime:.0f} processor seconds"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", metavar="ROOM", help="or a part of a file's name")
    parser.add_argument("--near", action="store_true", help="only the tests near each fault")
    options, others = parser.parse_known_args(arguments)
    faults = of_room(list(read_faults(LIST.read_text())), options.only)
    if old := outdated(faults):
        raise SystemExit("\n  ".join(["these faults do not fit their files:", *old]))
    with tempfile.TemporaryDirectory(prefix="faults-") as folder:
        copy = Copy(Path(folder))
        if any(fault.module for fault in faults):
            _ = copy.built  # what cannot compile says so before hours of tests
        check_clean(copy, faults)
        near, wider = caught_each(faults, copy), {}
        left = [fault for fault in faults if fault not in near]
        if left and not options.near:
            selection = [*USUAL, *others]
            known = [f"--deselect={each}" for each in copy.failures([*selection, *UNFIT])]
            wider = caught_each(left, copy, selection + known)
        bad = unsteady(copy, [*near.values(), *wider.values()])
        for some in (near, wider):
            for fault in [fault for fault, test in some.items() if test in bad]:
                print(f"fails without a fault, too: {some.pop(fault)}")
    report(faults, near, wider)
    return 1 if len(near) + len(wider) < len(faults) else 0


if __name__ == "__main__":
    raise SystemExit(main())
