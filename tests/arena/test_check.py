"""The examination of engines: ours passes, and each rogue fails only the check that it should."""

import json
import re
from pathlib import Path

import pytest

from gtp_engine.arena.checking.check import ITEMS, CheckResult, CheckStatus, check, count, table
from gtp_engine.arena.checking.check_subject import Options
from gtp_engine.base.own_commands import own_command
from gtp_engine.cli import arena_check
from gtp_engine.cli.arena import main
from support.starting import PLAIN, RANDOM, robble_command, rogue_command
from support.thorough import first_of, thorough
from support.waiting import PATIENCE

SPECS = Path(__file__).parents[2] / "protocol_specs" / "clients"


def examine(command: str, *only: str, game: str | None = "robble", **options) -> list[CheckResult]:
    return list(check(command, Options(games=1, game=game, only=only, **options)))


def failed(findings: list[CheckResult]) -> set[str]:
    return {finding.item.id for finding in findings if finding.verdict is CheckStatus.FAILED}


@thorough
def test_our_engine_passes_everything():
    findings = examine(RANDOM, game=None, seconds=PATIENCE)
    assert [finding for finding in findings if finding.verdict is not CheckStatus.PASSED] == []
    assert [finding.item for finding in findings] == list(ITEMS)
    notes = {finding.item.id: finding.note for finding in findings}
    assert notes["games.self_play"] == (
        "1 games of boloa, 1 games of implo, 1 games of pilo, 1 games of robble"
    )


# What is wrong with a small engine, what is examined, and which items of that fail.
ROGUES = [
    ("none", ["play.spelling", "play.malformed", "play.undo", "games.swap", "games.no_swap",
              "games.refuse", "games.self_play"], set()),
    ("banner", ["responses.", "lines.silent", "play.undo"],
     {"responses.alone", "responses.ascii", "play.undo"}),
    ("no-ids", ["responses.", "lines.ids", "process.quit", "games.no_swap"],
     {"responses.id", "lines.ids"}),
    ("answer-comments", ["responses.", "lines.silent", "lines.comment"], {"lines.silent"}),
    ("tabs", ["responses.ascii", "lines.silent"], {"responses.ascii"}),
    ("empty-lines", ["responses.ascii", "commands.required"],
     {"responses.ascii", "commands.required"}),
    ("illegal-turn", ["games.self_play", "games.follow", "games.swap"],
     {"games.self_play", "games.swap"}),
    ("garbage", ["games.self_play", "games.follow", "lines.silent"], {"games.self_play"}),
    ("die", ["process.", "time.out", "games.self_play"],
     {"process.last_search", "time.out", "games.self_play"}),
    ("blind", ["play.unchanged"], set()),
    ("blind-slip", ["play.unchanged", "play.spelling"], {"play.unchanged"}),
    ("ignore-quit", ["process.quit", "process.last_line"], {"process.quit"}),
]  # fmt: skip

# The same for our engine: its lies.
LIARS = [
    ("never-swapped", ["games.swap", "games.no_swap"], {"games.swap"}),
    ("none", ["process.", "lines.long", "lines.silent", "games.swap"], set()),
    ("wordy", ["responses.", "play.", "games.no_swap"], {"play.illegal", "games.no_swap"}),
    ("gullible", ["play.", "games.refuse", "setup."],
     {"play.malformed", "play.illegal", "play.unchanged", "play.undo", "games.refuse",
      "setup.size", "setup.komi"}),
    ("half-done", ["play."], {"play.unchanged"}),
    ("wrong-score", ["games.follow", "games.parts", "games.clicks", "games.over", "games.unscored"],
     {"games.follow", "games.parts", "games.clicks", "games.over"}),
    ("drop-words", ["games.steps", "games.no_swap"], {"games.steps"}),
    ("stubborn", ["games.positions", "games.unscored"], {"games.positions"}),
    ("know-all", ["commands.", "games.unscored"], {"commands.known", "games.unscored"}),
    ("play-all", ["play.", "setup."], {"play.reg_genmove", "setup.clear"}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("fault", "only", "expected"), first_of(ROGUES, 2), ids=(row[0] for row in ROGUES)
)
def test_rogues_fail_where_they_should(fault, only, expected):
    assert failed(examine(robble_command(fault), *only, seconds=PATIENCE)) == expected


@pytest.mark.parametrize(
    ("fault", "only", "expected"), first_of(LIARS), ids=(row[0] for row in LIARS)
)
def test_liars_fail_where_they_should(fault, only, expected):
    assert failed(examine(rogue_command(fault), *only, seconds=PATIENCE)) == expected


def test_patches_that_are_told_wrongly():
    (finding,) = examine(rogue_command("drop-words"), "games.patches", game="implo")
    assert finding.verdict is CheckStatus.FAILED
    assert {flaw.sent for flaw in finding.flaws} == {"game-patches"}


def test_a_flaw_says_what_was_sent_expected_and_got():
    (finding,) = examine(rogue_command("wordy"), "games.no_swap")
    assert list(finding.lines()) == [
        "FAILED  games.no_swap         nobody can swap when the pie rule is off",
        "          sent      play w swap",
        "          expected  ? illegal move",
        "          got       ? illegal move: the point is taken",
        "          sent      play w swap-sides",
        "          expected  ? illegal move",
        "          got       ? illegal move: the point is taken",
        "          see       protocol_specs/clients/notation.md#the-pie-rule",
    ]


def test_a_crash_is_the_flaw_of_an_item_and_the_next_one_goes_on():
    findings = examine(robble_command("die"), "time.out", "games.no_swap")
    assert [finding.verdict.value for finding in findings] == ["FAILED", "passed"]
    assert findings[0].flaws[0]._asdict() == {
        "sent": "genmove b",
        "expected": "an answer",
        "got": "crash: the engine exited with status 7 at `genmove b`; its log says: "
        "rogue: segmentation fault or so",
    }


def test_an_engine_of_somebody_else_gets_a_report():
    findings = examine(PLAIN, game=None)
    assert len(findings) == len(ITEMS)
    assert failed(findings) == {
        "lines.control", "lines.comment", "lines.silent", "lines.ids", "lines.no_ids",
        "lines.surplus", "lines.long", "process.sigterm", "setup.komi",
    }  # fmt: skip
    notes = {finding.item.id: finding.note for finding in findings}
    assert notes["games.follow"] == "the engine does not list its games; name one with --game"
    assert notes["games.steps"] == "the engine does not list game-legal_steps"


def test_an_engine_of_somebody_else_is_held_to_the_game_that_it_is_said_to_play():
    findings = examine(PLAIN, "games.follow", "games.self_play", "play.undo")
    assert failed(findings) == {"games.follow", "games.self_play"}
    assert count(finding.verdict for finding in findings) == {
        "passed": 0,
        "failed": 2,
        "skipped": 1,
    }


@pytest.mark.parametrize(
    ("arguments", "status", "shown"),
    [
        ([RANDOM, "--only", "lines.case"], 0, "1 passed, 0 failed, 0 skipped\n"),
        ([robble_command("no-ids"), "--only", "lines.ids"], 1, "0 passed, 1 failed, 0 skipped\n"),
        ([PLAIN, "--only", "time.left"], 0, "0 passed, 0 failed, 1 skipped\n"),
    ],
)
def test_the_program(arguments, status, shown, capsys):
    assert main(["check", *arguments]) == status
    assert capsys.readouterr().out.endswith(shown)


def test_a_whole_check_ends_with_an_advice(monkeypatch, capsys):
    monkeypatch.setattr(arena_check, "check", lambda command, options: iter(()))
    assert main(["check", "any"]) == 0
    assert capsys.readouterr().out == (
        "0 passed, 0 failed, 0 skipped\n"
        f"{own_command('gtp-arena', ['conformance'])} tries the rules on cases, and names the rule "
        "that is broken\n"
    )


def test_a_board_that_is_not_shown_is_seen_in_the_game(capsys):
    (finding,) = examine(robble_command("blind-slip"), "play.unchanged")
    (flaw,) = finding.flaws
    assert re.fullmatch(r"commands that fail, then play [bw] \w+", flaw.sent)
    assert (flaw.expected, flaw.got) == ("=", "? illegal move")


SLEEPING = robble_command("hang-at-start")


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("no-such-program", "cannot be started: no-such-program: No such file or directory\n"),
        (robble_command("crash-at-start"), "rogue: cannot read the weights\n"),
        (SLEEPING, "did not respond in time to `protocol_version`"),
        ("cat", "sent an invalid response to `protocol_version`: `1 protocol_version`\n"),
    ],
)
def test_an_engine_that_is_none(command, sentence, capsys):
    seconds = "0.5" if command == SLEEPING else str(PATIENCE)
    status = main(["check", command, "--seconds", seconds, "--only", "commands.version"])
    out, err = capsys.readouterr()
    assert status == (1 if command == "cat" else 2)
    assert (out if command == "cat" else err).find(sentence) >= 0


def test_lines_for_programs(capsys):
    assert main(["check", robble_command("no-ids"), "--only", "lines.ids", "--json"]) == 1
    finding, counts = map(json.loads, capsys.readouterr().out.splitlines())
    assert list(finding) == ["item", "verdict", "promise", "reference", "flaws", "note"]
    assert (finding["item"], finding["verdict"]) == ("lines.ids", "failed")
    assert finding["flaws"][0] == {
        "sent": "0 protocol_version\\n", "expected": "=0 2\\n\\n", "got": "= 2\\n\\n",
    }  # fmt: skip
    assert counts == {"passed": 0, "failed": 1, "skipped": 0}


def test_an_unknown_item_or_no_engine_is_refused(capsys):
    for arguments in ([], [RANDOM, "--only", "nothing.like"]):
        with pytest.raises(SystemExit) as ended:
            main(["check", *arguments])
        assert ended.value.code == 2
    assert "no item begins with nothing.like" in capsys.readouterr().err


def test_the_specification_lists_the_items():
    page = (SPECS / "compliance.md").read_text()
    assert page.endswith(f"## Items\n\n{table()}")
    assert len({item.id for item in ITEMS}) == len(ITEMS)


@pytest.mark.parametrize("item", ITEMS, ids=[item.id for item in ITEMS])
def test_each_item_refers_to_a_section_that_is_there(item):
    path, _, anchor = item.reference.partition("#")
    headings = re.findall(r"^#+ (.*)$", (SPECS / path).read_text(), re.MULTILINE)
    assert anchor in {heading.lower().replace(" ", "-") for heading in headings}
