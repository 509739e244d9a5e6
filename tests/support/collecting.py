"""Garbage and the tests: none is looked for while they are collected. A plugin of pytest.

Thousands of tests are made and kept until the end, so looking for garbage among them costs time and
finds nothing, in each worker.
"""

import atexit
import gc

import pytest


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        atexit.register(gc.unfreeze)  # or what an extension has left looks like a leak
        gc.enable()
