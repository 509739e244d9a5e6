"""Settings on the command line and in the environment."""

import argparse

import pytest

from gtp_engine.cli.setting_options import add_settings, read_settings


def read(*arguments: str):
    parser = argparse.ArgumentParser()
    add_settings(parser)
    return read_settings(parser.parse_args(arguments))


def test_an_option_goes_before_the_environment(monkeypatch):
    monkeypatch.setenv("PATCHPIE_BACKEND", "python")
    monkeypatch.setenv("PATCHPIE_THREADS", "3")
    settings = read("--threads", "2")
    assert (settings.backend, settings.threads, settings.hash_mb) == ("python", 2, 256)


def test_what_is_wrong_is_named_by_where_it_stands(monkeypatch):
    with pytest.raises(ValueError, match=r"^--threads takes: integer 1\.\.256 or auto$"):
        read("--threads", "many")
    monkeypatch.setenv("PATCHPIE_BACKEND", "fortran")
    with pytest.raises(ValueError, match=r"^PATCHPIE_BACKEND takes: auto\|kernel\|python$"):
        read()
