"""`gtp-arena run` on the command line, with every kind of interruption.

The matches are between small engines, which start at once.
"""

import json
import resource
import shlex
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest

from gtp_engine.arena.storage.store import Store
from gtp_engine.arena.values import GameRecord
from gtp_engine.cli.arena import main
from gtp_engine.cli.arena_options import matches
from gtp_engine.cli.arena_parsers import make_parser
from support.leftovers import new_mark, until_none
from support.matches import games_between
from support.starting import ROBBLE, complaints, python_command, robble_command
from support.statuses import status_of
from support.thorough import first_of, thorough
from support.waiting import PATIENCE, wait_until

ARENA = [sys.executable, "-P", "-m", "gtp_engine.cli.arena"]
SILENT = robble_command("silent")
TWO = ["--engine", f"A={ROBBLE}", "--engine", f"B={ROBBLE}"]


@pytest.fixture
def program(tmp_path):
    """Runs the program in a folder of its own, in a process."""

    def program(*words, **options):
        return subprocess.run(
            [*ARENA, *words],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            **options,
        )

    return program


@pytest.fixture
def arena(tmp_path, monkeypatch, capfd):
    """The same in this process."""
    monkeypatch.chdir(tmp_path)

    def arena(*words):
        capfd.readouterr()
        status = status_of(main, words)
        out, err = capfd.readouterr()
        return SimpleNamespace(returncode=status, stdout=out, stderr=err)

    return arena


@pytest.fixture
def started(tmp_path):
    """Starts the program, with its output in a file."""
    processes = []

    def heard() -> None:
        # Who runs the tests in the background has Ctrl-C ignored.
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    def start(*words, prepare=lambda: None):
        with open(tmp_path / "output.txt", "w") as output:
            process = subprocess.Popen(
                [*ARENA, *words],
                cwd=tmp_path,
                stdout=output,
                stderr=output,
                preexec_fn=lambda: (heard(), prepare()),
            )
        processes.append(process)
        return process

    yield start
    for process in processes:
        process.kill()
        process.wait()


def kept(path: Path) -> list[tuple]:
    """The keys of the games in a file."""
    if not path.exists():
        return []
    db = sqlite3.connect(path, timeout=10)
    try:
        return db.execute(
            "select id, first, second, number, half from games order by id"
        ).fetchall()
    except sqlite3.OperationalError:  # not yet begun
        return []
    finally:
        db.close()


def test_a_match_in_one_line(program, arena, tmp_path):
    done = program("run", "--game", "robble", "--size", "3", *TWO, "--games", "4")
    assert (done.returncode, complaints(done)) == (0, [])
    games, report = done.stdout.split("\n\n", 1)
    assert len(games.splitlines()) == 4
    assert games.splitlines()[-1].startswith("4/4 robble 3, pair ")
    assert report.startswith("A against B, robble 3\n")
    assert len(kept(tmp_path / "match.db")) == 4
    again = arena("run", "--game", "robble", "--size", "3", *TWO, "--games", "4")
    assert (again.returncode, again.stdout) == (0, f"\n{report}")
    assert again.stderr == "gtp-arena run: match.db has 4 of 4 games; the match is complete\n"
    more = arena("run", "--game", "robble", "--size", "3", *TWO, "--games", "6")
    assert more.stderr == "gtp-arena run: match.db has 4 of 6 games; the match continues\n"


MATCH = """
boards = ["robble 3"]
games = 2
[[engines]]
name = "A"
command = {command}
[[engines]]
name = "B"
command = {command}
"""


def test_several_matches_are_played_one_after_the_other(arena, tmp_path):
    """One that cannot be played does not keep the next one from it; all can be continued."""
    (tmp_path / "far").mkdir()
    (tmp_path / "one.toml").write_text(MATCH.format(command=json.dumps(ROBBLE)))
    (tmp_path / "two.toml").write_text(MATCH.format(command='"no-such-program"'))
    (tmp_path / "far/one.toml").write_text(MATCH.format(command=json.dumps(ROBBLE)))
    names = ["one.toml", "two.toml", "far/one.toml"]
    done = arena("run", *names, "--anchor", "A=1500")
    assert done.returncode == 2
    assert done.stderr.startswith("gtp-arena run: two.toml: engines: A: program no-such-program")
    lines = done.stdout.splitlines()
    assert [line for line in lines if line.startswith("match ")] == [
        "match 1 of 3: one.toml, kept in one.db",
        "match 2 of 3: two.toml, kept in two.db",
        "match 3 of 3: far/one.toml, kept in far/one.db",
    ]
    assert done.stdout.count("1500 (anchor)") == 2
    assert [len(kept(tmp_path / name)) for name in ("one.db", "far/one.db")] == [2, 2]
    done = arena("run", names[0], names[2], "--games", "4", "--json")
    events = [json.loads(line) for line in done.stdout.splitlines()]
    told = [event["event"] for event in events]
    assert (done.returncode, told) == (0, ["match", "game", "game", "end"] * 2)
    assert events[4] == {
        "event": "match", "number": 2, "of": 2, "file": "far/one.toml", "db": "far/one.db",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["a.toml", "b.toml", "--db", "c.db"], "--db is for one match; several are stored beside"),
        (["a.toml", "b.toml", "--verdict"], "--verdict is for one match"),
        (["a.toml", "./a.toml"], "2 matches would be stored in a.db"),
        (["a.toml", "a.txt"], "2 matches would be stored in a.db"),
    ],
    ids=str,
)
def test_what_several_matches_cannot_have(words, told, capsys):
    with pytest.raises(SystemExit):
        main(["run", *words])
    assert capsys.readouterr().err.startswith(f"gtp-arena run: {told}")


@pytest.mark.parametrize(
    ("scores", "status"), [("11 10 " * 30, 11), ("00 01 " * 30, 10), ("11 00", 0)]
)
def test_the_exit_status_tells_the_verdict_to_those_who_ask(tmp_path, scores, status, capsys):
    path = tmp_path / "match.db"
    words = ["run", "--game", "robble", "--size", "5", "--db", str(path), *TWO]
    words += ["--sprt", "0", "100", "--games", str(len("".join(scores.split())))]
    with closing(Store(path)) as store:
        (match,) = matches(make_parser("run").parse_args(words[1:]))
        store.begin(match, {})
        for game in games_between("A", "B", scores):
            store.add(GameRecord(game, ()))
    assert main([*words, "--verdict"]) == status
    capsys.readouterr()
    assert main(words) == 0
    told = capsys.readouterr().err
    verdict = {11: "H1", 10: "H0"}.get(status)
    assert (f"; the sequential test has decided: {verdict} is accepted\n" in told) == bool(status)


def test_a_verdict_needs_a_test(capsys):
    assert main(["run", *TWO, "--verdict"]) == 2
    assert capsys.readouterr().err == "gtp-arena run: --verdict needs --sprt\n"


def test_json_lines(arena):
    done = arena("run", "--json", "--game", "robble", "--size", "3", *TWO, "--games", "2")
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert [event["event"] for event in events] == ["game", "game", "end"]
    assert {event["black"] for event in events[:2]} == {"A", "B"}
    assert events[-1] == {"event": "end", "why": "complete", "error": None, "played": 2, "total": 2}


def test_another_start_counts_its_own_games(arena):
    words = ["run", "--game", "robble", "--size", "3", *TWO, "--games", "2"]
    assert arena(*words).returncode == 0
    done = arena(*words, "--start", "1", "--json")
    assert "is complete" not in done.stderr
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(event["played"], event["total"]) for event in events] == [(1, 2), (2, 2), (2, 2)]
    again = arena(*words, "--start", "1")
    assert again.stderr == "gtp-arena run: match.db has 2 of 2 games; the match is complete\n"


@thorough
def test_json_lines_of_a_match_that_is_stopped(started, tmp_path):
    words = ["run", "--json", "--game", "robble", "--size", "4", *TWO, "--games", "5000"]
    process = started(*words)
    wait_until(lambda: kept(tmp_path / "match.db"))
    process.send_signal(signal.SIGTERM)
    assert process.wait(PATIENCE) == 130
    lines = (tmp_path / "output.txt").read_text().splitlines()
    events = [json.loads(line) for line in lines if line.startswith("{")]
    assert (events[-1]["event"], events[-1]["why"]) == ("end", "stopped")


def test_another_match_is_refused(arena):
    arena("run", "--game", "robble", "--size", "3", *TWO, "--games", "2")
    done = arena("run", "--game", "robble", "--size", "4", *TWO, "--games", "2")
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        "gtp-arena run: match.db contains another match; name another file with --db:",
        "  boards.0: robble 3 before, robble 4 now",
    ]


@thorough
def test_a_match_goes_on_with_a_rebuilt_engine_only_when_told(arena, tmp_path):
    engine = tmp_path / "engine"
    engines = ["--engine", f"A={shlex.quote(str(engine))}", *TWO[2:]]
    words = ["run", "--game", "robble", "--size", "3", *engines]
    for build, games, extra, status in (
        ("first", "2", [], 0),
        ("second", "4", [], 2),
        ("second", "4", ["--accept-changed-engines"], 0),
    ):
        engine.write_text(f"#!/bin/sh\n# {build}\nexec {ROBBLE}\n")
        engine.chmod(0o755)
        done = arena(*words, "--games", games, *extra)
        assert done.returncode == status, done.stderr
        if status:
            (told,) = done.stderr.splitlines()
            assert "match.db contains games of A as Small Robble" in told
            assert "--accept-changed-engines" in told
    assert len(kept(tmp_path / "match.db")) == 4


@pytest.mark.parametrize(
    ("words", "told"),
    first_of(
        [
            (["--engine", f"A={ROBBLE}"], "engines: a match needs at least two"),
            (["--engine", "A=no-such-program", *TWO[2:]], "engines: A: program no-such"),
            (
                [*TWO, "--set", "nosuch=3"],
                "engines: A: it refused: game-set nosuch 3: unknown setting",
            ),
            (["--engine", "A='", *TWO[2:]], "engines: A: No closing quotation"),
            (["no-such-file.toml"], "no-such-file.toml does not exist"),
            ([*TWO, "--openings", "no-such-file.txt"], "no-such-file.txt does not exist"),
            (
                [*TWO, "--db", "no-such-folder/match.db"],
                "no-such-folder/match.db: its folder does not exist; make it first",
            ),
            (
                [*TWO, "--openings", "random", "--judge", python_command("-c", "")],
                "openings: the judge failed: ",
            ),
            (
                [*TWO, "--game", "robble", "--size", "2", "--openings", "random", "--turns", "40"],
                "openings: robble 2 has openings of 40 turns for only 0 pairs",
            ),
        ],
        3,
    ),
    ids=str,
)
def test_what_cannot_be_played(arena, tmp_path, words, told):
    done = arena("run", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("gtp-arena run: ")
    assert told in done.stderr
    assert not (tmp_path / "match.db").exists()


@thorough
@pytest.mark.parametrize(
    ("flaw", "told", "log"),
    [
        ("crash-at-start", "exited with status 3 before its first", "cannot read the weights"),
        ("hang-at-start", "did not respond in time to `list_commands`", "compiling for ever"),
    ],
)
def test_an_engine_that_cannot_start_plays_no_match(arena, tmp_path, flaw, told, log):
    """It forfeited every game, and the match was a success."""
    engines = [
        "--engine",
        f"A={ROBBLE}",
        "--engine",
        f"B={robble_command(flaw)}",
        "--starting",
        "5",
    ]
    words = ["run", "--game", "robble", "--size", "3", *engines, "--games", "2"]
    done = arena(*words)
    assert (done.returncode, done.stdout) == (2, "")
    *_, first, second = done.stderr.splitlines()
    assert first.startswith(f"gtp-arena run: engines: B: {'the engine ' if told[0] == 'e' else ''}")
    assert told in first
    assert second == f"  rogue: {log}"
    assert not (tmp_path / "match.db").exists()
    if flaw == "crash-at-start":
        assert arena(*words, "--recover").returncode == 0
        assert len(kept(tmp_path / "match.db")) == 2


def test_a_program_that_speaks_before_it_is_asked_is_refused(arena, tmp_path):
    engines = ["--engine", f"A={ROBBLE}", "--engine", "B=yes"]
    done = arena("run", "--game", "robble", "--size", "3", *engines, "--games", "2")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("gtp-arena run: engines: B: ")
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "match.db").exists()


@thorough
def test_an_engine_that_dies_in_every_game_ends_the_match(arena, tmp_path):
    """It forfeited every game, and the match was a success."""
    engines = ["--engine", f"A={ROBBLE}", "--engine", f"B={robble_command('die')}"]
    words = ["run", "--game", "robble", "--size", "3", *engines, "--games", "8"]
    done = arena(*words)
    assert done.returncode == 2
    told = "gtp-arena run: B lost 5 games in a row by faults, the last one because: B: the engine"
    assert done.stderr.startswith(told)
    assert "--recover continues anyway" in done.stderr
    with closing(Store(tmp_path / "match.db", to_read=True)) as store:
        said = [store.evidence(number) for number in store.numbers()]
    assert len(said) == 5
    assert all("B" in {each.engine for each in evidence} for evidence in said)
    assert arena(*words, "--recover").returncode == 0
    assert len(kept(tmp_path / "match.db")) == 8


@thorough
def test_all_that_is_said_is_logged(arena, tmp_path):
    engines = ["--engine", f"A={ROBBLE}", "--engine", f"B two={robble_command('flood-stderr')}"]
    words = ["--game", "robble", "--size", "3", "--games", "2", "--log", "logs/of it"]
    assert arena("run", *words, *engines).returncode == 0
    files = sorted((tmp_path / "logs" / "of it").iterdir())
    names = [path.name.partition("-")[0] for path in files]
    assert names.count("A") == 2  # one that said what it is, and one that played
    assert names.count("B_two") == 3
    texts = {path: path.read_text() for path in files}
    assert any("> 1 list_commands\n" in text for text in texts.values())
    assert any(" < =" in text for text in texts.values())
    assert any(" ! line 999999 of my log\n" in text for text in texts.values())
    assert all(len(text) < 10 * 2**20 for text in texts.values())


@thorough
def test_killed_at_any_moment_nothing_is_lost_or_played_twice(started, tmp_path):
    words = ["run", "--game", "robble", "--size", "4", *TWO, "--games", "24"]
    words += ["--concurrency", "2"]
    path, before = tmp_path / "match.db", []
    for enough in (1, 5, 10):
        process = started(*words)
        wait_until(lambda: len(kept(path)) >= enough)  # noqa: B023
        process.kill()
        process.wait()
        after = kept(path)
        assert after[: len(before)] == before
        before = after
    assert started(*words).wait(PATIENCE) == 0
    games = kept(path)
    assert games[: len(before)] == before
    assert len(games) == len({game[1:] for game in games}) == 24


@thorough
def test_several_processes_play_one_match(started, tmp_path):
    words = ["run", "--game", "robble", "--size", "4", *TWO, "--games", "20"]
    processes = [started(*words) for _ in range(2)]
    assert [process.wait(PATIENCE) for process in processes] == [0, 0]
    games = kept(tmp_path / "match.db")
    assert len(games) == len({game[1:] for game in games}) == 20


@thorough
def test_ctrl_c_finishes_the_games_in_progress(started, tmp_path):
    words = ["run", "--game", "robble", "--size", "4", *TWO, "--games", "5000"]
    process = started(*words)
    wait_until(lambda: kept(tmp_path / "match.db"))
    process.send_signal(signal.SIGINT)
    assert process.wait(PATIENCE) == 130
    told = (tmp_path / "output.txt").read_text()
    assert "finishing the games in progress; press Ctrl-C again to abandon them" in told
    assert "stopped; run the same command to continue" in told
    assert "void" not in told
    assert 0 < len(kept(tmp_path / "match.db")) < 5000
    assert not (tmp_path / "match.db-wal").exists()


@thorough
def test_a_second_ctrl_c_gives_them_up(started, tmp_path):
    silent = ["--engine", f"A={SILENT}", "--engine", f"B={SILENT}"]
    process = started("run", "--game", "robble", "--size", "4", *silent)
    # Only a game whose opening was found is in progress. The first signal gives up any other.
    wait_until(lambda: count(tmp_path / "match.db", "openings"))
    process.send_signal(signal.SIGINT)
    # A second signal that comes before the program has noticed the first one would be the same one.
    wait_until(lambda: "press Ctrl-C again" in (tmp_path / "output.txt").read_text())
    process.send_signal(signal.SIGINT)
    assert process.wait(PATIENCE) == 130
    assert kept(tmp_path / "match.db") == []
    assert count(tmp_path / "match.db", "claims") == 0


def count(path: Path, table: str) -> int:
    if not path.exists():
        return 0
    db = sqlite3.connect(path, timeout=10)
    try:
        return db.execute(f"select count(*) from {table}").fetchone()[0]
    except sqlite3.OperationalError:
        return 0
    finally:
        db.close()


ROOM = 200_000


def full_disk():
    resource.setrlimit(resource.RLIMIT_FSIZE, (ROOM, resource.RLIM_INFINITY))


@thorough
def test_a_full_disk_ends_the_match_after_the_time_that_is_allowed(program, arena, tmp_path):
    words = ["run", "--game", "robble", "--size", "4", *TWO, "--outage", "1", "--games", "600"]
    full = program(*words, preexec_fn=full_disk)
    assert full.returncode == 75
    first, last = full.stderr.splitlines()
    told = "gtp-arena run: match.db cannot be used: the disk reports an error or is full"
    assert first == f"{told}; trying again for up to 1.0 seconds"
    assert last == (
        f"{told} for 1.0 seconds; finished games are kept; run the same command to continue"
    )
    before = kept(tmp_path / "match.db")
    words[-1] = str(len(before) // 2 * 2 + 4)
    assert arena(*words).returncode == 0
    games = kept(tmp_path / "match.db")
    assert games[: len(before)] == before
    assert len(games) == int(words[-1])


@thorough
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux changes limits from outside")
def test_a_full_disk_that_is_cleaned_up_loses_nothing(started, tmp_path):
    words = ["run", "--game", "robble", "--size", "4", *TWO, "--games", "12"]
    process = started(*words, prepare=full_disk)
    wait_until(lambda: "trying again for up to 24 hours" in (tmp_path / "output.txt").read_text())
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
    assert process.wait(PATIENCE) == 0
    assert (
        "gtp-arena run: match.db can be used again after " in (tmp_path / "output.txt").read_text()
    )
    games = kept(tmp_path / "match.db")
    assert len(games) == len({game[1:] for game in games}) == 12


@thorough
def test_ctrl_c_ends_the_wait_for_a_file(started, tmp_path):
    """The first one leaves time to store the games that are finished, the second one does not."""
    Store(tmp_path / "match.db").close()
    with closing(sqlite3.connect(tmp_path / "match.db", isolation_level=None)) as lock:
        lock.execute("begin exclusive")
        process = started("run", "--game", "robble", "--size", "4", *TWO, "--games", "120")
        wait_until(
            lambda: "is locked by another program; " in (tmp_path / "output.txt").read_text()
        )
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 130


@thorough
@pytest.mark.skipif(sys.platform != "linux", reason="counts in /proc")
@pytest.mark.parametrize("ending", [None, signal.SIGKILL], ids=["end", "kill -9"])
def test_what_an_engine_started_in_its_own_session_ends_with_the_match(started, tmp_path, ending):
    mark = new_mark()
    program = tmp_path / "engine.py"
    program.write_text(f"""import subprocess, sys, os
subprocess.Popen([sys.executable, "-c", "import signal; signal.pause()", "{mark}"],
                 start_new_session=True, stdin=-3, stdout=-3, stderr=-3)
os.execv(sys.executable, {shlex.split(ROBBLE)})
""")
    words = ["run", "--game", "robble", "--size", "3", *TWO[2:], "--games", "4"]
    if ending:
        words[-1] = "4000"
    process = started(*words, "--engine", f"A={python_command(program)}")
    wait_until(lambda: kept(tmp_path / "match.db"))
    if ending:
        process.send_signal(ending)
    process.wait(PATIENCE)
    assert until_none(mark) == []


@thorough
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=str)
@pytest.mark.parametrize("tool", ["run", "check", "judge"])
def test_no_engine_outlives_a_match_that_is_stopped_as_it_starts(started, tmp_path, tool, number):
    """Though it reads nothing, not even the end of its input."""
    there = tmp_path / "there"
    hang = f"import signal; open({str(there)!r}, 'w').write('x'); signal.pause()"
    deaf = python_command("-c", hang, tmp_path)
    words = {
        "run": ["run", "--engine", f"A={deaf}", *TWO[2:]],
        "check": ["check", deaf],
        "judge": ["run", *TWO, "--openings", "random", "--judge", deaf],
    }
    process = started(*words[tool])
    wait_until(there.exists)
    process.send_signal(number)
    assert process.wait(PATIENCE) == 130
    assert "Traceback" not in (tmp_path / "output.txt").read_text()
    assert not running(str(tmp_path))


def running(mark: str) -> list[list[str]]:
    """The command lines of processes with a word in them."""
    import psutil

    mine = [process.info["cmdline"] for process in psutil.process_iter(["cmdline"])]
    return [words for words in mine if words and mark in words]


@thorough
def test_no_engine_outlives_the_match(program, tmp_path):
    mark = new_mark()
    engines = [f"{name}={robble_command('none', '--seed', mark)}" for name in "AB"]
    words = ["run", "--game", "robble", "--size", "3", "--games", "2"]
    assert program(*words, "--engine", engines[0], "--engine", engines[1]).returncode == 0
    assert len(kept(tmp_path / "match.db")) == 2
    assert not running(mark)
