"""A file on a disk that is always full, where the system has one."""

import os

import pytest

FULL = "/dev/full"

needs_full = pytest.mark.skipif(not os.path.exists(FULL), reason="no device that is always full")
