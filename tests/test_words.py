"""Pages say the words of the glossary, and none of those that it tells to avoid.

The docstrings of the commands stand on pages, too (tests/reference.py).
"""

import re

import pytest
from test_specs import LINKED, ROOT, SPECS

PAGES = {str(page.relative_to(ROOT)): page for page in LINKED if SPECS / "lab" not in page.parents}

# Pages on which a word is another program's, or means something else. "move" stands for all
# words of the glossary that end so.
CITED = {
    ("protocol_specs/clients/analysis-engine.md", "winrate"): "a key of KataGo",
    ("protocol_specs/clients/commands/analysis.md", "winrate"): "a key of KataGo",
    ("protocol_specs/clients/commands/analysis.md", "move"): "a key of KataGo",
    ("protocol_specs/clients/go-clients.md", "winrate"): "shown by Lizzie and Sabaki",
    ("protocol_specs/clients/go-clients.md", "move"): "of Go",
    ("protocol_specs/clients/protocol.md", "move"): "a key of KataGo",
    ("protocol_specs/clients/records.md", "move"): "of Go",
    ("protocol_specs/clients/changes.md", "move"): "a key of KataGo",
    ("protocol_specs/games/pilo.md", "enemy"): "the designer's rules",
    ("gtp_engine/rules/texts/pilo.md", "enemy"): "the designer's rules",
    ("protocol_specs/games/implo.md", "move"): "the designer's rules",
    ("gtp_engine/rules/texts/implo.md", "move"): "the designer's rules",
    ("protocol_specs/games/robble.md", "move"): "the designer's rules",
    ("gtp_engine/rules/texts/robble.md", "move"): "the designer's rules",
    ("protocol_specs/matches/statistics.md", "cell"): "of a table",
    ("protocol_specs/play/levels.md", "cell"): "of a table",
    ("protocol_specs/matches/tuning.md", "simulation"): "of a tuning",
    ("gtp_engine/look/README.md", "cell"): "a unit of drawing",
}


def avoided() -> dict[str, str]:
    """What to say instead of each word, from the table in the glossary."""
    table = (SPECS / "glossary.md").read_text().partition("\n## Say and avoid\n")[2]
    rows = re.findall(r"^\| (.+?) \| (`.+`) \|$", table, re.MULTILINE)
    return {word: say for say, words in rows for word in re.findall("`(.+?)`", words)}


def prose(page: str) -> str:
    """A page without code, quotations and the targets of links. Each word stays on its line."""
    cited = (r"^```.*?^```", r"^    .*?$", r"`[^`]*`", r'"(?:(?!\n\n)[^"])*"', r"\]\([^)]*\)")
    for pattern in cited:
        page = re.sub(pattern, _line_breaks, page, flags=re.MULTILINE | re.DOTALL)
    return page


def _line_breaks(found: re.Match[str]) -> str:
    return "\n" * found[0].count("\n")


def found(page: str) -> list[tuple[int, str, str]]:
    """Line, word and what to say instead, of each word to avoid in a text."""
    places = []
    for word, say in avoided().items():
        pattern = r"\b" + word.replace(" ", r"\s+") + r"s?\b"
        for match in re.finditer(pattern, page, re.IGNORECASE):
            places.append((page.count("\n", 0, match.start()) + 1, word, say))
    return places


def cited(name: str, word: str) -> bool:
    return (name, word.split()[-1]) in CITED


def test_the_glossary_tells_words_to_avoid():
    assert avoided()["rollout"] == "playout"
    text = 'The `rollout` of "a\nrollout"\n\n    rollout\n\nA Rollout, [a](rollout) the\nmoves.'
    assert [(line, word) for line, word, _ in found(prose(text))] == [
        (6, "the move"),
        (6, "rollout"),
    ]


@pytest.mark.parametrize("name", PAGES)
def test_a_page_avoids_the_words_that_the_glossary_forbids(name):
    """If a page must cite such a word, write it as code, or name the page in CITED."""
    wrong = [
        f"{name}:{line}: {word!r}; say: {say}"
        for line, word, say in found(prose(PAGES[name].read_text()))
        if not cited(name, word)
    ]
    assert not wrong, "\n".join(wrong)


def test_each_exception_is_needed():
    needed = {
        (name, word.split()[-1])
        for name, page in PAGES.items()
        for _, word, _ in found(prose(page.read_text()))
    }
    assert set(CITED) <= needed
