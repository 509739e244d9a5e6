"""Where a kernel is built, rules tests compare the rules in Python with it at every answer.

Where none is, they run on the rules in Python alone.
"""

import pytest

from gtp_engine.search.backends.kernel import kernel_built
from support.mirror import hold_against_kernel


@pytest.fixture(autouse=True)
def _compared(monkeypatch):
    if kernel_built():
        hold_against_kernel(monkeypatch)
