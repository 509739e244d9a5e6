"""Every rules test runs on the rules in Python, compared with the kernel, and then without it."""

import pytest

from gtp_engine.search.backends.choose import KERNEL, PYTHON
from gtp_engine.search.backends.kernel import kernel_built
from support.mirror import hold_against_kernel
from support.thorough import first_of

# The comparison runs the rules in Python, too: alone they add little.
BACKENDS = [KERNEL, PYTHON] if kernel_built() else [PYTHON]


@pytest.fixture(params=first_of(BACKENDS), autouse=True)
def backend(request, monkeypatch):
    if request.param == KERNEL:
        hold_against_kernel(monkeypatch)
