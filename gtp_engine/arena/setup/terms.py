"""The resource limits of an engine in a match, beside its clock."""

from typing import NamedTuple


class Terms(NamedTuple):
    """The values of the configuration that matter to a process: see config.Match.

    memory    -- MiB for its processes together, where its own settings say nothing
    starting  -- seconds for its first answer
    answering -- seconds for answers that need no thought
    log       -- the folder for all that goes to it and comes from it, empty for none
    processors -- the only ones that it runs on; empty for any
    """

    memory: int | None = None
    starting: float = 300.0
    answering: float = 30.0
    log: str = ""
    processors: tuple[int, ...] = ()


DEFAULT = Terms()
