"""`gtp-engine review` of several games into a folder, here and on a Dask cluster."""

import json
from types import SimpleNamespace

import pytest

from cli.test_review import interrupt_after
from gtp_engine.cli import assessors, review_folder
from gtp_engine.cli import review as tool
from gtp_engine.cli.engine import main
from gtp_engine.cli.review_folder import INDEX, LINES
from gtp_engine.engine.game_review import review
from gtp_engine.engine.review_index import read_line
from gtp_engine.search.budget import Budget
from support.driver import Driver

GAMES = {
    "first": ("game-select implo 4", "play b b2", "play w swap", "play b a1", "play w d4"),
    "second": ("game-pie off", "game-select robble 4", "play b a1", "play w b2", "play b c3"),
}


@pytest.fixture
def records(tmp_path):
    """The files of two games, by name."""
    files = {}
    for name, lines in GAMES.items():
        drive = Driver()
        for line in lines:
            drive(line)
        files[name] = tmp_path / f"{name}.sgf"
        drive(f"printsgf {files[name]}")
    return files


@pytest.fixture
def into(tmp_path, records, monkeypatch):
    """Review files into the folder; the result has the status and the positions searched."""

    def run(*words, files=None, folder="reviews", visits=40):
        searched = []

        def counted(position, setup):
            searched.append(position)
            return assess(position, setup)

        assess = assessors.assess
        with monkeypatch.context() as patched:
            patched.setattr(assessors, "assess", counted)
            output = ["-o", f"{tmp_path}/{folder}", "--visits", str(visits)]
            status = main(["review", *map(str, files or records.values()), *output, *words])
        return SimpleNamespace(status=status, searched=len(searched), folder=tmp_path / folder)

    return run


def lines_in(folder):
    return [json.loads(line) for line in (folder / LINES).read_text().splitlines()]


def files_of(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_each_game_has_a_page_and_all_are_in_the_table(into, records, tmp_path):
    folder = into().folder
    assert {path.name for path in folder.iterdir()} == {"first.html", "second.html", INDEX, LINES}
    for name, file in records.items():
        page = tmp_path / "alone.html"
        assert main(["review", str(file), "-o", str(page), "--visits", "40"]) == 0
        assert (folder / f"{name}.html").read_bytes().startswith(page.read_bytes())
    table = (folder / INDEX).read_text()
    assert "<h1>Reviews of 2 games</h1>" in table
    assert "Every position was searched with 40 visits." in table
    assert f'<a href="first.html">{records["first"]}</a></td><td>Implo 4x4</td>' in table


def test_the_lines_are_what_the_board_and_the_command_find(into, records):
    lines = (into().folder / LINES).read_text().splitlines()
    read = [read_line(line) for line in lines]
    for name, file in records.items():
        drive = Driver()
        for line in GAMES[name]:
            drive(line)
        found = list(review(drive.session, Budget(40)))
        assert [turn for where, _, turn in read if where == str(file)] == found


def test_the_number_of_positions_at_a_time_changes_nothing(into):
    one = into("--positions", "1", folder="one").folder
    assert files_of(one) == files_of(into("--positions", "2", folder="two").folder)


def test_what_is_done_is_not_searched_again(into, records):
    first = into()
    kept = files_of(first.folder)
    (first.folder / "second.html").unlink()
    (first.folder / INDEX).unlink()
    again = into()
    assert (first.status, again.status) == (0, 0)
    assert first.searched > 0 == again.searched
    assert files_of(again.folder) == kept


@pytest.mark.parametrize("after", [0, 1, 3, 6])
def test_an_interrupted_review_goes_on(into, monkeypatch, after):
    whole = into(folder="whole")
    with monkeypatch.context() as patched:
        interrupt_after(patched, review_folder, after)
        part = into("--positions", "1")
    assert part.status == 130
    done = lines_in(part.folder) if after > 1 else []
    assert done == lines_in(whole.folder)[: len(done)]
    assert (part.folder / INDEX).exists()
    rest = into("--positions", "1")
    assert rest.status == 0
    assert rest.searched <= whole.searched - len(done)
    assert files_of(rest.folder) == files_of(whole.folder)


def test_a_changed_file_and_other_options_are_searched_again(into, records):
    whole = into()
    assert into(visits=50).searched == whole.searched
    records["first"].write_text(records["first"].read_text().replace("SZ[", "PB[Ann]SZ[", 1))
    changed = into(visits=50)
    assert 0 < changed.searched < whole.searched
    assert "Ann" in (whole.folder / INDEX).read_text()
    assert len(lines_in(whole.folder)) == len(lines_in(into(folder="new").folder))


def test_games_of_other_runs_are_kept(into, records):
    into(files=[records["first"]], folder="reviews/")
    both = into(files=[records["second"]], folder="reviews/")
    assert {line["file"] for line in lines_in(both.folder)} == set(map(str, records.values()))
    assert into().searched == 0


def test_half_a_line_of_a_killed_program_is_dropped(into):
    whole = into()
    kept = files_of(whole.folder)
    lines = kept[LINES].splitlines(keepends=True)
    (whole.folder / LINES).write_bytes(b"".join(lines[:-1]) + lines[-1][:70])
    assert into().status == 0
    assert files_of(whole.folder) == kept


@pytest.mark.parametrize(
    "line",
    ["[]", "{}", "null", '{"number": 1e999}', "[" * 5000, '{"loss": NaN}', "\x00", "\u2028"],
)
def test_foreign_lines_harm_nothing(into, line):
    whole = into()
    kept = files_of(whole.folder)
    (whole.folder / LINES).write_bytes(line.encode() + b"\n" + kept[LINES])
    again = into()
    assert (again.status, again.searched) == (0, 0)
    assert files_of(again.folder) == kept


def test_an_unreadable_file_stops_no_other(into, records, tmp_path, capsys):
    wrong = tmp_path / "wrong.sgf"
    wrong.write_text("(;GM[1]SZ[9];B[aa])")
    found = into(files=[wrong, records["first"], tmp_path / "missing.sgf"])
    assert found.status == 2
    assert {line["file"] for line in lines_in(found.folder)} == {str(records["first"])}
    told = capsys.readouterr().err.splitlines()
    assert sum(line.startswith("gtp-engine review: cannot load") for line in told) == 2


def test_files_of_one_name_have_pages_of_their_own(into, records, tmp_path):
    other = tmp_path / "other" / "First.sgf"
    other.parent.mkdir()
    other.write_bytes(records["second"].read_bytes())
    index = tmp_path / "index.sgf"
    index.write_bytes(records["second"].read_bytes())
    folder = into(files=[records["first"], other, index]).folder
    assert {path.name for path in folder.iterdir()} == {
        "first.html", "First-2.html", "index-2.html", INDEX, LINES,
    }  # fmt: skip


def test_a_page_that_another_game_has_taken_is_written_again(into, records, tmp_path):
    other = tmp_path / "other" / "first.sgf"
    other.parent.mkdir()
    other.write_bytes(records["second"].read_bytes())
    own = (into(files=[records["first"]], folder="reviews/").folder / "first.html").read_bytes()
    taken = into(files=[other], folder="reviews/").folder / "first.html"
    assert taken.read_bytes() != own
    again = into(files=[records["first"]], folder="reviews/")
    assert (again.status, again.searched, taken.read_bytes()) == (0, 0, own)


def test_a_page_without_the_last_turns_is_written_again(into, monkeypatch):
    whole = into()
    kept = files_of(whole.folder)
    with monkeypatch.context() as patched:
        interrupt_after(patched, review_folder, 3)
        part = into("--positions", "1", folder="part")
    (whole.folder / "first.html").write_bytes(files_of(part.folder)["first.html"])
    assert into().searched == 0
    assert files_of(whole.folder) == kept


def test_what_is_marked_waits_for_the_kernel(into, monkeypatch):
    """Before it is there, the build is another one."""
    with monkeypatch.context() as patched:
        patched.setattr(review_folder, "build_word", lambda: "without a kernel")
        patched.setattr(tool, "wait_telling", lambda program: patched.undo())
        assert into().searched > 0
    assert into().searched == 0


def test_a_search_that_fails_is_one_sentence_and_what_was_found_stays(into, monkeypatch, capsys):
    whole = into(folder="whole")
    assess, left = assessors.assess, [4]

    def fails(position, setup):
        left[0] -= 1
        if left[0] < 0:
            raise MemoryError("no memory\nfor it")
        return assess(position, setup)

    with monkeypatch.context() as patched:
        patched.setattr(assessors, "assess", fails)
        assert into("--positions", "1").status == 1
    told = "gtp-engine review: a search failed: no memory; the same command goes on"
    assert capsys.readouterr().err.splitlines()[-1] == told
    assert into().status == 0
    assert files_of(whole.folder.with_name("reviews")) == files_of(whole.folder)


# On a cluster.


@pytest.fixture
def two_workers(worker):
    pytest.importorskip("distributed")
    return [worker("one"), worker("two")]


@pytest.mark.thorough
def test_a_cluster_finds_the_same(into, address, two_workers):
    here = into(folder="here").folder
    there = into("--cluster", address, folder="there")
    assert (there.status, there.searched) == (0, 0)
    assert files_of(there.folder) == files_of(here)


@pytest.mark.thorough
def test_another_build_is_refused_unless_it_is_accepted(
    into,
    address,
    two_workers,
    monkeypatch,
    capsys,
):
    version, _, _ = assessors.build_word().partition("+")
    monkeypatch.setattr(assessors, "build_word", lambda: f"{version}+other")
    assert into("--cluster", address).status == 1
    assert "a worker has another build of the engine, " in capsys.readouterr().err
    assert into("--cluster", address, "--accept-other-builds").status == 0
    monkeypatch.setattr(assessors, "build_word", lambda: "9.9.9+other")
    assert into("--cluster", address, "--accept-other-builds", folder="new/").status == 1


@pytest.mark.thorough
def test_a_lost_scheduler_ends_it_and_the_same_command_goes_on(
    into,
    address,
    scheduler,
    two_workers,
    capsys,
    monkeypatch,
):
    found = review_folder.result_of

    def result_of(*given):  # the positions were submitted a moment ago
        scheduler.kill()
        scheduler.wait()
        return found(*given)

    with monkeypatch.context() as patched:
        patched.setattr(review_folder, "result_of", result_of)
        assert into("--cluster", address, visits=20_000).status == 1
    assert "the scheduler at " in capsys.readouterr().err
    assert into(visits=20_000).status == 0


@pytest.mark.thorough
def test_without_a_scheduler_it_is_one_sentence(records, tmp_path, capsys):
    address = "nonsense://1.2.3.4:5"  # a port where nobody listens is tried for twenty seconds
    (file, *_) = records.values()
    output = str(tmp_path / "page.html")
    assert main(["review", str(file), "-o", output, "--cluster", address, "--visits", "9"]) == 2
    (told,) = capsys.readouterr().err.splitlines()
    assert told.startswith(f"gtp-engine review: --cluster: no scheduler at {address}: ")
