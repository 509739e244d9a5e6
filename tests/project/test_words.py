"""Pages say the words of the glossary, and none of those that it tells to avoid.

The docstrings of the commands stand on pages, too (tests/documents/reference.py).
"""

import re
from functools import cache

from project.test_specs import LINKED, ROOT, SPECS

PAGES = {str(page.relative_to(ROOT)): page for page in LINKED}

# The pages on which a word is somebody else's: a key of KataGo, a turn of Go. "move" stands for all
# words of the glossary that end so.
CITED = {
    "winrate": {
        "protocol_specs/clients/analysis-engine.md",
        "protocol_specs/clients/commands/analysis.md",
        "protocol_specs/clients/go-clients.md",
    },
    "move": {
        "protocol_specs/clients/changes.md",
        "protocol_specs/clients/commands/analysis.md",
        "protocol_specs/clients/go-clients.md",
        "protocol_specs/clients/protocol.md",
        "protocol_specs/clients/records.md",
    },
}

# Code, quotations, italics and the targets of links.
NOT_OURS = (
    r"^```.*?^```",
    r"^    .*?$",
    r"`[^`]*`",
    r'"(?:(?!\n\n)[^"])*"',
    r"(?<!\*)\*(?:(?!\n\n)[^*])+\*(?!\*)",
    r"\]\([^)]*\)",
)


@cache
def avoided() -> dict[str, str]:
    """What to say instead of each word, from the table in the glossary."""
    table = (SPECS / "glossary.md").read_text().partition("\n## Say and avoid\n")[2]
    rows = re.findall(r"^\| (.+?) \| (`.+`) \|$", table, re.MULTILINE)
    return {word: say for say, words in rows for word in re.findall("`(.+?)`", words)}


def places(page: str) -> list[tuple[int, str, str]]:
    """Each word to avoid in a text: its line, the word, and what to say instead."""
    for pattern in NOT_OURS:
        page = re.sub(pattern, _line_breaks, page, flags=re.MULTILINE | re.DOTALL)
    return [
        (page.count("\n", 0, match.start()) + 1, word, say)
        for word, say in avoided().items()
        for match in re.finditer(_pattern(word), page, re.IGNORECASE)
    ]


def _pattern(word: str) -> str:
    """The word or its plural; a line break may stand for a blank."""
    return r"\b" + word.replace(" ", r"\s+") + r"s?\b"


def _line_breaks(found: re.Match[str]) -> str:
    return "\n" * found[0].count("\n")


def test_words_are_found_but_not_in_code_quotations_and_links():
    quoted = '`rollout`, "a\nrollout", *rollout*, [a](rollout)\n\n    rollout\n'
    text = f"{quoted}\nA Rollout, the\nmoves."
    assert sorted(places(text)) == [
        (6, "rollout", "playout"),
        (6, "the move", "turn, step, click"),
    ]


def test_pages_avoid_the_words_that_the_glossary_forbids():
    """Write a cited word as code or in quotation marks, or name its page in CITED."""
    wrong = [
        f"{name}:{line}: {word!r}; say: {say}"
        for name, page in PAGES.items()
        for line, word, say in places(page.read_text())
        if name not in CITED.get(word.split()[-1], ())
    ]
    assert not wrong, "\n".join(wrong)


def test_each_page_in_the_list_cites_the_word():
    for word, names in CITED.items():
        for name in names:
            found = {each.split()[-1] for _, each, _ in places(PAGES[name].read_text())}
            assert word in found, f"{name}: {word}"
