"""The .tst format and its verdicts."""

import pytest

from gtp_engine.cli.regress import main as regress
from gtp_engine.gtp.client.transcript import Expectation, Verdict, parse, run
from gtp_engine.gtp.wire.response import Response
from support.starting import PLAIN, python_command
from support.statuses import status_of
from support.waiting import PATIENCE


class Scripted:
    """An engine that gives prepared responses."""

    def __init__(self, *responses: str) -> None:
        self.responses = list(responses)

    def send(self, line):
        text = self.responses.pop(0)
        return Response.parse(text) if text else None


VERDICTS = [
    ("[a]", "= a", "passed"),
    ("[a]", "= ab", "FAILED"),
    ("[a|b]", "= b", "passed"),
    ("[a.*]", "= a\nb", "passed"),
    ("[!a]", "= b", "passed"),
    ("[!a]", "= a", "FAILED"),
    ("[a]*", "= b", "failed"),
    ("[a]*", "= a", "PASSED"),
    ("[]", "=", "passed"),
    ("[]", "= a", "FAILED"),
    ("[ a ]", "= a", "passed"),
    ("", "= anything", "passed"),
    ("", "? anything", "FAILED"),
    ("[bad]*", "? bad", "failed"),
    ("[bad]*", "? worse", "FAILED"),
    ("[a]", "? a", "FAILED"),
]


@pytest.mark.parametrize(("expected", "response", "verdict"), VERDICTS)
def test_verdicts(expected, response, verdict):
    expectation = Expectation.parse(f"#? {expected}")
    assert expectation.verdict(Response.parse(response)) is Verdict(verdict)


@pytest.mark.parametrize("seconds", ["nan", "inf", "-1", "0", "1e400", "soon"])
def test_a_time_that_nobody_can_wait_is_refused(seconds, tmp_path, capsys):
    assert status_of(regress, [PLAIN, str(tmp_path / "a.tst"), f"--timeout={seconds}"]) == 2
    told = f"argument --timeout: expected number 0.01..1000000, got: {seconds}"
    assert capsys.readouterr().err == f"gtp-regress: {told}\n"


@pytest.mark.parametrize("line", ["#? a", "#? [a", "#? a]", "#? [a]**", "#? [(]"])
def test_malformed_expectations_name_their_line(line):
    with pytest.raises(ValueError, match="line 2"):
        parse(f"name\n{line}\n")


def test_an_expectation_needs_a_command():
    with pytest.raises(ValueError, match="no command"):
        parse("# comment\n#? [a]\n")


def test_only_tests_and_failures_have_a_verdict():
    trials = parse("# comment\n\nplay b a1\n10 name\nplay b a1\n")
    results = list(run(trials, Scripted("=", "=10 x", "? illegal move").send))
    assert [result.verdict for result in results] == [
        None,
        Verdict.PASSED,
        Verdict.SURPRISINGLY_FAILED,
    ]


@pytest.mark.parametrize(
    ("text", "status", "shown"),
    [
        ("10 name\n#? [Plain]\n", 0, "total: 1 as expected\n"),
        ("10 name\n#? [Fuego]\n", 1, "10 name FAILED: expected [Fuego], got = 'Plain'"),
        ("10 name\n#? [Fuego]\n", 1, "total: 0 as expected; 1 FAILED unexpectedly\n"),
        (
            "10 name\n#? [Fuego]*\n11 name\n",
            0,
            "total: 2 as expected, of them 1 known failure\n",
        ),
        ("10 name\n#? [Plain]*\n", 0, "10 name PASSED"),
        ("\ufeff10 name\n#? [Plain]\n", 0, "total: 1 as expected\n"),
    ],
)
def test_the_runner(tmp_path, capsys, text, status, shown):
    path = tmp_path / "a.tst"
    path.write_text(text)
    assert regress([PLAIN, str(path)]) == status
    assert shown in capsys.readouterr().out


@pytest.mark.parametrize(
    ("engine", "text"),
    [
        ("no-such-program-at-all", "name\n"),
        (python_command("-c", "pass"), "name\n"),
        (python_command("-c", "print('hello');input();print()"), "name\n"),
        ("sleep 100", "name\n"),
        (PLAIN, "#? [a]\n"),
        ("'unfinished", "name\n"),
    ],
)
def test_a_broken_engine_or_file_is_said_so(tmp_path, capsys, engine, text):
    path = tmp_path / "a.tst"
    path.write_text(text)
    timeout = "0.1" if engine == "sleep 100" else str(PATIENCE)
    assert regress([engine, str(path), "--timeout", timeout]) == 2
    assert "a.tst" in capsys.readouterr().err
