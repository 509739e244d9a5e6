"""The page of the analysis engine: tables of declarations, dialogues, a client."""

import json
import re
import subprocess
import sys
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from documents.analysis_tables import TABLES, with_tables
from gtp_engine.gtp.analysis.reading import FIELDS
from support.analyzing import Analyst, full_requests, one_answer
from support.waiting import PATIENCE

SPECS = Path(__file__).parents[3] / "protocol_specs"
PAGE = SPECS / "clients/analysis-engine.md"
DIALOGUES = re.findall(r"^```jsonl\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL)
SENT = "> "


def test_the_tables_come_from_the_declarations():
    """If this fails, run: python tests documents.reference protocol_specs"""
    page = PAGE.read_text()
    assert page == with_tables(page)
    assert sorted(re.findall(r"^<!-- (\w+) -->$", page, re.MULTILINE)) == sorted(TABLES)


def shows(shown: Any, found: Any) -> bool:
    """Whether a shortened value of the page stands for a value."""
    if isinstance(shown, dict) and isinstance(found, dict):
        return all(key in found and shows(value, found[key]) for key, value in shown.items())
    if isinstance(shown, list) and isinstance(found, list):
        goes_on = shown[-1:] == ["..."]
        head = shown[:-1] if goes_on else shown
        complete = len(found) == len(head) or (goes_on and len(found) > len(head))
        return complete and all(shows(*pair) for pair in zip(head, found))
    return bool(shown == found)


@pytest.mark.parametrize("dialogue", DIALOGUES, ids=lambda text: text[9:25])
def test_the_dialogues_happen_as_written(dialogue):
    lines = dialogue.splitlines()
    with Analyst(visits=500) as analyst:
        for sent, group in groupby(lines, lambda line: line.startswith(SENT)):
            if sent:
                found = analyst.ask(*(line.removeprefix(SENT).encode() for line in group))
                continue
            for line in group:
                match = next((each for each in found if shows(json.loads(line), each)), None)
                assert match is not None, f"{line}\nis not among\n{found}"
                found.remove(match)
            assert found == []


def keys_of(found: Any) -> set[str]:
    if isinstance(found, list):
        return set().union(*map(keys_of, found))
    if isinstance(found, dict):
        return found.keys() | set().union(*map(keys_of, found.values()))
    return set()


def test_the_page_explains_every_key_of_an_answer():
    known = set(re.findall(r"`(\w+)`", PAGE.read_text()))
    assert FIELDS.keys() <= known
    for request in full_requests():
        with Analyst() as analyst:
            assert set().union(*map(keys_of, analyst.ask(request))) <= known
    assert keys_of(one_answer(game="implo", size=3, moves=[["b", "resign"]])) <= known


def test_the_client_on_the_page_works(tmp_path):
    (code,) = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    command = [sys.executable, "-P", "-m", "gtp_engine", "analyze"]
    program, engine = tmp_path / "client.py", '["bin/gtp-engine", "analyze"]'
    assert engine in code
    program.write_text(code.replace(engine, repr(command)))
    record = tmp_path / "game.sgf"
    record.write_text("(;GAME[implo]SZ[3]PIE[off];B[B2];W[A1])")
    done = subprocess.run(
        [sys.executable, "-P", str(program), str(record)],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "1 B B2 lost 100.0%, A2 was better",
        "2 W A1 lost 100.0%, A2 was better",
    ]
    assert len(code.splitlines()) <= 22
