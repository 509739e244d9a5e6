"""Settings on the command line and in the environment."""

import pytest

from gtp_engine.cli.flags import add_flags, chosen
from gtp_engine.cli.parser import Parser
from gtp_engine.engine.settings import Settings, settings


def read(*arguments: str) -> Settings:
    parser = Parser(prog="program")
    add_flags(parser, settings())
    return Settings(**chosen(parser.parse_args(arguments), settings()))


def test_an_option_goes_before_the_environment(monkeypatch):
    monkeypatch.setenv("PATCHPIE_BACKEND", "python")
    monkeypatch.setenv("PATCHPIE_THREADS", "3")
    monkeypatch.setenv("PATCHPIE_LEVEL", "a wrong value that the flag makes needless")
    found = read("--threads", "2", "--level", "3")
    assert (found.backend, found.threads, found.hash_mb) == ("python", 2, 256)


def test_a_flag_has_dashes_or_the_spelling_of_the_wire():
    assert read("--hash-mb", "5") == read("--hash_mb", "5") == read("--hash_mb=5")


def test_what_is_wrong_is_named_by_where_it_stands(monkeypatch, capsys):
    with pytest.raises(SystemExit):
        read("--threads", "many")
    told = "program: argument --threads: expected integer 1..256 or auto, got: many\n"
    assert capsys.readouterr().err == told
    monkeypatch.setenv("PATCHPIE_BACKEND", "fortran")
    told = "^PATCHPIE_BACKEND: expected auto|kernel|python, got: fortran$".replace("|", r"\|")
    with pytest.raises(ValueError, match=told):
        read()


def test_underscores_in_a_flag_are_dashes_and_those_of_values_stay():
    parser = Parser(prog="tool")
    parser.add_argument("--some-file")
    parser.add_argument("words", nargs="*")
    for given in (["--some_file=a_b"], ["--some-file=a_b"], ["--some_file", "a_b"]):
        options = parser.parse_args([*given, "c_d"])
        assert (options.some_file, options.words) == ("a_b", ["c_d"])
