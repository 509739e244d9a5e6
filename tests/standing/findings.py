"""What a standing check has found: counts, faults with their inputs, and memory over time."""

import re
from collections import Counter, defaultdict
from contextlib import suppress
from pathlib import Path
from shutil import copytree
from statistics import fmean
from typing import Any

import psutil

TROUBLE = re.compile("ERROR|.*Sanitizer|.*runtime error:|Traceback|Fatal Python error")
"""What no input may bring about on stderr."""

FEWEST = 40
"""Looks at the memory of a process that tell how it grows."""


class Findings:
    """What one part of a check tried and found.

    name   -- the name of the part
    folder -- where inputs that brought faults about are kept, as fault-1 and so on
    tried  -- how often each kind of input was tried
    faults -- what went wrong, how often
    sizes  -- the memory of each process that was looked at, in MiB, in the order of time
    """

    def __init__(self, name: str, folder: Path) -> None:
        self.name, self.folder = name, folder
        self.tried: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()
        self.sizes: dict[str, list[float]] = defaultdict(list)

    def fault(
        self, what: str, given: bytes = b"", suffix: str = "txt", files: Path | None = None
    ) -> None:
        """Note a fault, and keep the first input that brought it about, with a folder of files.

        The file `faults` has its whole text at once.
        """
        self.faults[what] += 1
        if self.faults[what] > 1:
            return
        path = self.folder / f"fault-{len(self.faults)}.{suffix}"
        path.write_bytes(given)
        if files is not None:
            copytree(files, path.with_suffix(".files"))
        with open(self.folder / "faults", "a") as file:
            file.write(f"{path.name}: {what}\n")

    def look_at(self, stderr: str, *kept: Any) -> None:
        """A fault, if a process has told of trouble; `kept` as for `fault`."""
        if (trouble := TROUBLE.search(stderr)) is not None:
            self.fault(stderr[trouble.start() :][:3000], *kept)

    def measure(self, **processes: list[psutil.Process]) -> None:
        """Look at the memory of processes, or of several together; one may just have ended."""
        for who, those in processes.items():
            size = 0.0
            for process in those:
                with suppress(psutil.NoSuchProcess):
                    size += process.memory_info().rss / 2**20
            self.sizes[who].append(size)

    def bound(self, who: str, most: float) -> None:
        """A fault, if a process has grown by more MiB between its second and its last quarter.

        A short run only fills the caches, and tells nothing.
        """
        sizes = self.sizes[who]
        if (quarter := len(sizes) // 4) < FEWEST // 4:
            return
        grown = fmean(sizes[-quarter:]) - fmean(sizes[quarter : 2 * quarter])
        if grown > most:
            self.fault(f"{who} has grown by {grown:.1f} MiB, more than {most:g}")

    def limit(self, who: str, most: float) -> None:
        """A fault, if a process has ever had more MiB."""
        if (largest := max(self.sizes[who], default=0.0)) > most:
            self.fault(f"{who} has had {largest:.0f} MiB, more than {most:g}")

    def keep_curves(self) -> None:
        """Write the memory of each process to a file, a number a line."""
        for who, sizes in self.sizes.items():
            text = "".join(f"{size:.2f}\n" for size in sizes)
            (self.folder / f"{who}.memory").write_text(text)

    def __str__(self) -> str:
        tried = ", ".join(f"{count:,} {what}" for what, count in self.tried.most_common())
        lines = [f"{self.name}: {tried or 'nothing was tried'}"]
        for who, sizes in self.sizes.items():
            if sizes:
                places = [round(part * (len(sizes) - 1) / 4) for part in range(5)]
                curve = " ".join(f"{sizes[place]:.1f}" for place in places)
                lines.append(f"  memory of {who} at 0, 25, 50, 75 and 100 %: {curve} MiB")
        for number, (what, times) in enumerate(self.faults.items(), 1):
            first, *_, last = [each.strip() for each in what.strip().splitlines()] * 2
            short = first if first == last else f"{first} ... {last}"
            lines.append(f"  FAULT {number}, {times} times: {short}")
        return "\n".join(lines if self.faults else [*lines, "  no fault"])
