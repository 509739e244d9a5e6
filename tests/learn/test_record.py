"""The record of a training, and its table."""

import json

from gtp_engine.learn.record import add_generation, read_record, table

LINE = {
    "generation": 1,
    "games": 1200,
    "positions": 34567,
    "searched": 8000,
    "steps": 900,
    "epochs": 14.4,
    "losses": {"steps": 2.1, "value": 0.55, "owners": 0.3},
    "accuracy": {"steps": 0.412, "value": 0.7},
    "held_out": 800,
    "gate": None,
    "plays": True,
    "hours": 0.5,
    "processor_seconds": 3600.0,
}
GATE = {
    "passed": False,
    "decided": True,
    "pairs": [5, 0, 4, 0, 1],
    "score": [0.3, 0.1, 0.5],
    "elo": [-147.2, -380.1, 0.0],
}


def test_lines_are_read_by_generation_and_the_last_one_counts(tmp_path):
    path = tmp_path / "record.jsonl"
    assert read_record(path) == []
    second = {**LINE, "generation": 2, "plays": False, "gate": GATE}
    for each in (LINE, {**second, "games": 1}, second):
        add_generation(path, each)
    with path.open("a") as file:
        file.write('[]\n{"generation"')
    assert read_record(path) == [LINE, second]
    assert json.loads(path.read_text().splitlines()[0]) == LINE


def test_the_table_has_a_line_for_each_generation():
    without = {**LINE, "generation": 2, "losses": None, "accuracy": None, "plays": False}
    head, first, second, third = table([LINE, without, {**LINE, "generation": 3, "gate": GATE}])
    assert head.split("  ")[0] == "generation" and head.endswith("plays  gate")
    cells = ["1", "1,200", "34,567", "900", "2.1000", "0.5500", "0.3000", "41.2", "%", "70.0", "%"]
    assert first.split() == [*cells, "0.50", "60.0", "yes", "-"]
    assert second.split()[4:9] == ["-"] * 5
    assert third.endswith("yes  30 % [10, 50] of 10 pairs, not passed")
