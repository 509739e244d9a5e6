"""The list of faults that are put into a copy of the checkout, and when one counts as caught."""

from collections import Counter
from contextlib import contextmanager

import pytest

from measure.faults import LIST, Fault, caught, caught_each, main, of_room, outdated, read_faults
from measure.faulty_copy import ROOT
from support.thorough import thorough

FAULTS = list(read_faults(LIST.read_text()))
FAULT = Fault("numbers.py", ("tests/base",), None, "right", "wrong")


def test_each_fault_fits_its_file_and_has_tests_near_it():
    """Where a file has changed, change its faults in tests/measure/faults.txt as well."""
    assert outdated(FAULTS) == []
    assert [each for each in FAULTS if each.right == each.wrong] == []
    assert [near for each in FAULTS for near in each.near if not (ROOT / near).exists()] == []
    assert len(set(FAULTS)) == len(FAULTS)


def test_every_room_has_faults():
    package = ROOT / "gtp_engine"
    rooms = {path.name for path in package.iterdir() if (path / "__init__.py").exists()}
    found = Counter(fault.room for fault in FAULTS)
    assert rooms | {"bin"} == {room.partition("/")[0] for room in found}
    assert found.total() >= 80
    assert found["engine/page"] >= 8


def test_a_room_is_chosen_by_its_name_and_files_by_a_part_of_theirs():
    files = [
        "gtp_engine/board/table/table.py",
        "gtp_engine/board/server/table_page.py",
        "gtp_engine/rules/clock.py",
    ]
    faults = [FAULT._replace(file=file) for file in files]
    rooms = {"board/table": files[:1], "rules": files[2:], "page.py": files[1:2]}
    for only, chosen in rooms.items():
        assert [each.file for each in of_room(faults, only)] == chosen
    assert of_room(faults, "") == faults


class Played:
    """A copy whose tests fail as a test says: the tests that fail in each of its runs."""

    def __init__(self, *runs: list[str]) -> None:
        self.runs = list(runs)
        self.asked: list[list[str]] = []

    @contextmanager
    def planted(self, *fault):
        yield

    def failures(self, selection, *options, planted=False):
        self.asked.append([*selection, *options])
        return self.runs.pop(0)


@pytest.mark.parametrize(
    ("runs", "found"),
    [
        ([[]], None),
        ([["a"], ["a"]], "a"),
        ([["a"], [], []], None),
        ([["a"], [], ["b"], ["b"]], "b"),
    ],
)
def test_a_test_that_fails_once_of_two_times_notices_nothing(runs, found):
    copy = Played(*runs)
    assert caught(FAULT, copy, ["tests/base"]) == found
    assert not copy.runs
    if len(runs) > 2:
        assert "--deselect=a" in copy.asked[2]


@pytest.mark.parametrize("selection", [None, ["tests/board/server"]])
def test_what_notices_any_change_of_a_file_catches_no_fault(selection):
    copy = Played([])
    assert caught_each([FAULT], copy, selection) == {}
    for name in ("test_faults", "test_shipped_data"):
        assert f"--ignore=tests/project/{name}.py" in copy.asked[0]


@thorough
def test_faults_are_caught_in_a_copy_and_its_kernel_is_there(capsys):
    assert main(["--near", "--only", "numbers.py"]) == 0
    told = capsys.readouterr().out
    assert "tests/base/test_numbers.py::" in told
    assert "1 of 1 faults were caught" in told


@thorough
def test_a_fault_that_the_tests_near_it_do_not_notice_is_missed(capsys, monkeypatch, tmp_path):
    listed = tmp_path / "faults.txt"
    listed.write_text(
        "gtp_engine/base/numbers.py\nnear: engine/pictures/test_loader.py\n- 10**18\n+ 10**17\n"
    )
    monkeypatch.setattr("measure.faults.LIST", listed)
    assert main(["--near"]) == 1
    assert "MISSED: gtp_engine/base/numbers.py" in capsys.readouterr().out
