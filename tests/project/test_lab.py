"""The laboratory: its page and its records hold together, and each record says what is needed."""

import math
import re
from itertools import groupby
from pathlib import Path

import msgspec
import pytest

from documents.lab_page import PAGE, RECORDS, Experiment, page, read_experiments, techniques
from gtp_engine.base.files import write_file
from project.test_specs import SPECS

TEXT = (SPECS / PAGE).read_text()
EXPERIMENTS = read_experiments(SPECS / RECORDS)
NAMES = {experiment.name for experiment in EXPERIMENTS}

# The page has what was learned, and the file has the numbers.
MOST_WORDS = 15_000

# Where the games of a match did not end, only complete pairs count for Elo.
MOST_BY_SINGLE_GAMES = 35


def test_the_tables_come_from_the_records():
    """If this fails, run: python tests documents.lab_page protocol_specs"""
    assert page(TEXT, EXPERIMENTS) == TEXT


def test_each_technique_is_a_section_that_says_what_was_learned():
    """In the order of the records, which stand together, the newest first."""
    records = {
        technique: list(own)
        for technique, own in groupby(EXPERIMENTS, key=lambda each: each.technique)
    }
    assert sum(map(len, records.values())) == len(EXPERIMENTS)
    assert techniques(TEXT) == list(records)
    for technique, own in records.items():
        dates = [each.date for each in own]
        assert dates == sorted(dates, reverse=True), technique
        learned = TEXT.partition(f"\n## {technique}\n")[2].partition("\n| tried")[0]
        assert learned.startswith("\n**") and len(learned.split()) > 40, technique


def test_the_page_is_short():
    assert len(TEXT.split()) <= MOST_WORDS


def test_a_name_means_one_record_and_names_lead_somewhere():
    assert len(NAMES) == len(EXPERIMENTS)
    for each in EXPERIMENTS:
        text = " ".join([each.question, each.method, each.found, each.decision, each.open])
        text += " ".join(table.about for table in each.measured)
        cited = set(re.findall(r"\(([a-z0-9]+(?:-[a-z0-9]+)+)\)", text))
        assert cited - NAMES == set(), each.name


def test_an_experiment_has_numbers():
    """Of a match, a measurement, or in its text."""
    for each in EXPERIMENTS:
        assert each.matches or each.measured or re.search(r"\d", each.found + each.method)
        for table in each.measured:
            assert table.rows
            assert {len(row) for row in table.rows} == {len(table.columns)}, each.name


def test_the_result_of_a_match_fits_its_games():
    for each in EXPERIMENTS:
        for match in each.matches:
            low = -math.inf if match.low is None else match.low
            high = math.inf if match.high is None else match.high
            assert low < high, (each.name, match)
            if match.elo is not None:
                assert low <= match.elo <= high, (each.name, match)
            if match.won is not None:
                assert match.games is not None and match.won <= match.games, (each.name, match)
            if match.elo is not None and match.won is not None:
                by_games = -400 * math.log10(match.games / match.won - 1)
                assert low <= by_games <= high, (each.name, match)
                assert abs(by_games - match.elo) <= MOST_BY_SINGLE_GAMES, (each.name, match)


RECORD = """
[[experiment]]
name = "one"
technique = "Nets"
date = 2026-11-28
version = "1d848f6f"
question = "Does it win?"
decision = "No."
results = [{ what = "a change", boards = "Implo 8", gain = "0 [-9, +9]", kept = "no" }]
matches = [{ board = "Implo 8", first = "a", second = "b", limit = "1 s", games = 4, won = 2.5 }]
"""


def read(folder: Path, text: str) -> list[Experiment]:
    write_file(folder / "records.toml", text.encode())
    return read_experiments(folder / "records.toml")


def test_a_record_is_read(tmp_path):
    (record,) = read(tmp_path, RECORD)
    assert record.results[0].kept == "no"
    assert record.matches[0].won == 2.5


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ('kept = "no"', 'kept = "perhaps"'),
        ('board = "Implo 8"', 'board = "Implo"'),
        ('question = "Does it win?"\n', ""),
        ('decision = "No."', 'decision = ""'),
        ("won = 2.5", "wins = 2.5"),
        ('version = "1d848f6f"', 'version = "new"'),
    ],
)
def test_a_record_that_breaks_the_schema_is_refused(tmp_path, right, wrong):
    assert right in RECORD
    with pytest.raises(msgspec.ValidationError):
        read(tmp_path, RECORD.replace(right, wrong))


def test_a_new_record_changes_the_table_of_its_section_alone(tmp_path):
    old = "# Lab\n\n## Nets\n\nText.\n\n## Other\n\nWords.\n"
    table = (
        "| tried | board | gain | kept | experiment |\n"
        "| --- | --- | --- | --- | --- |\n"
        "| a change | Implo 8 | 0 [-9, +9] | no | one |\n"
    )
    new = f"# Lab\n\n## Nets\n\nText.\n\n{table}\n## Other\n\nWords.\n"
    records = read(tmp_path, RECORD)
    assert page(old, records) == new
    below = new.replace(table, f"{table}\nMore text.\n")
    assert page(below.replace(" a change ", " another "), records) == below
