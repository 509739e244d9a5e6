"""The table on top of the lab has a row for each experiment that led to a decision."""

import re
from pathlib import Path

from project.test_specs import anchors

LAB = Path(__file__).parents[2] / "protocol_specs" / "lab"
PAGES = sorted(set(LAB.glob("*.md")) - {LAB / "README.md"})


def table() -> list[list[str]]:
    """The cells of the rows."""
    _, _, text = (LAB / "README.md").read_text().partition("\n## All experiments\n")
    return [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")]


def test_each_decision_has_a_row():
    linked = {link for *_, links in table() for link in re.findall(r"\((.+?)\)", links)}
    assert len(PAGES) > 10
    for page in PAGES:
        entries = re.split(r"^## (.+)$", page.read_text(), flags=re.MULTILINE)[1:]
        decided = [
            re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
            for title, text in zip(entries[::2], entries[1::2])
            if re.search(r"\*\*Deci(sion|ded)", text)
        ]
        assert set(decided) <= anchors(page)
        assert [entry for entry in decided if f"{page.name}#{entry}" not in linked] == []


def test_each_row_says_what_was_gained_and_decided():
    head, _, *rows = table()
    assert head == ["technique", "game", "gain, Elo with 95 % interval", "kept", "entry"]
    assert len(rows) > 100
    for row in rows:
        assert len(row) == 5 and all(row)
        assert re.match(r"yes|no|until|0\.", row[3])
