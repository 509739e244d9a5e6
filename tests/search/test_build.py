"""The word for a build changes with the files that run, and with no others."""

import gtp_engine
from gtp_engine.search.build_identity import build_word


def test_only_files_that_run_count(tmp_path, monkeypatch):
    monkeypatch.setattr(gtp_engine, "__file__", str(tmp_path / "__init__.py"))

    def word_with(name: str) -> str:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("")
        return build_word.__wrapped__()

    first = word_with("__init__.py")
    # The last one is how Python writes bytecode: under another name at first.
    for name in ("__pycache__/a.cpython-311.pyc", "__pycache__/a.cpython-311.pyc.140183"):
        assert word_with(name) == first
    assert word_with("a.hpp") == first
    assert word_with("a.py") != first
