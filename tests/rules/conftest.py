"""Every rules test runs twice: on the rules in Python, and compared with the kernel."""

import pytest
from mirror import hold_against_kernel

from gtp_engine.search.backends.choose import KERNEL, PYTHON
from gtp_engine.search.backends.kernel import kernel_built


@pytest.fixture(params=[PYTHON, KERNEL], autouse=True)
def backend(request, monkeypatch):
    if request.param == KERNEL:
        if not kernel_built():
            pytest.skip("no kernel was built")
        hold_against_kernel(monkeypatch)
