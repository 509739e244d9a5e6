"""The specifications agree with the program."""

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from documents.game_pages import game_page
from documents.reference import documented_games, fields, pages
from gtp_engine import __version__
from gtp_engine.gtp.client.transcript import parse
from gtp_engine.gtp.commands import registry
from support.cases import Case, cases_of
from support.driver import Driver
from support.versions import happened

ROOT = Path(__file__).parents[2]
SPECS = ROOT / "protocol_specs"
PAGES = [*sorted(SPECS.rglob("*.md")), ROOT / "README.md"]
LINKED = [
    *PAGES,
    *sorted((ROOT / ".github").glob("*.md")),
    *sorted((ROOT / "gtp_engine").rglob("*.md")),
]
COMMANDS = {command.name: command for command in registry()}


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


# What these answer changes with time or with the next game, or ends the process.
WITHOUT_EXAMPLE = {
    "gomill-describe_engine",
    "list_commands",
    "game-catalog",
    "game-samples",
    "game-commands",
    "game-rule_sentences",
    "game-lessons",
    "game-puzzles",
    "game-endgames",
    "game-summary",
    "quit",
    "cputime",
    "game-list",
    "gomill-cpu_time",
}
WITHOUT_EXAMPLE |= {"kata-list-params", "kata-get-params"}
# Its answer stands on the page of each game.
WITHOUT_EXAMPLE |= {"game-rules"}


def examples(text: str) -> list[str]:
    """The blocks of a page that show a dialogue."""
    blocks = re.findall(r"^```\n(> .*?)^```", text, re.MULTILINE | re.DOTALL)
    return [block for block in blocks if block.startswith("> ")]


def other_answers(text: str) -> Iterator[str]:
    """Send the lines after `> ` to a new engine; tells what it answers otherwise than the text."""
    drive = Driver()
    for part in re.split(r"^> ", text, flags=re.MULTILINE)[1:]:
        line, _, expected = part.partition("\n")
        response = drive.send(line)
        got = "" if response is None else str(response)
        if not happened(expected, got):
            yield f"{line!r} is answered\n{got}\nnot\n{expected}"


def test_the_dialogues_on_the_pages_happen_as_written():
    wrong = [
        f"{name(page)}: {other}"
        for page in PAGES
        for block in examples(page.read_text())
        for other in other_answers(block)
    ]
    assert not wrong, "\n".join(wrong)


def test_what_a_command_says_without_its_arguments_is_documented(drive):
    for command in COMMANDS.values():
        if any(argument.required for argument in command.arguments):
            text = drive.fails(command.name)
            told = fields(command.doc)["Fails"]
            shown = "`syntax: ...`" if text.startswith("syntax: ") else f"`{text}`"
            assert shown in told or "as `" in told or told.startswith("as "), command.name


def test_the_reference_comes_from_the_code():
    """If this fails, run: python tests documents.reference protocol_specs"""
    other = [page for page, text in pages().items() if (SPECS / page).read_text() != text]
    assert not other, other


@pytest.fixture
def game(documented):
    """Each game that has a page."""
    return documented


def test_the_rules_on_a_game_s_page_come_from_the_package(game):
    """If this fails, run: python tests documents.reference protocol_specs"""
    page = (SPECS / "games" / f"{game.name}.md").read_text()
    assert page == game_page(game, page)
    assert page.startswith(f"# {game.title}\n")
    assert "\n## Rulings\n" in page


def test_the_rules_in_short_stand_on_a_game_s_page(game, drive):
    """Numbered; pictures stand between them."""
    drive(f"game-select {game.name}")
    page = (SPECS / "games" / f"{game.name}.md").read_text().partition("\n## In short\n")[2]
    words = " ".join(page.partition("\n## ")[0].replace("*", "").split())
    numbered = [f"{at}. {line}" for at, line in enumerate(drive("game-rules").splitlines(), 1)]
    assert numbered
    assert [line for line in numbered if line not in words] == []


def test_there_is_a_page_for_each_family_and_no_other():
    pages = {page.stem for page in (SPECS / "clients/commands").glob("[a-z]*.md")}
    assert pages == set(registry().families())


def test_every_command_is_documented_field_by_field():
    """A field that has nothing to say is left out."""
    unsaid = {"none", "empty", "never"}
    for command in COMMANDS.values():
        found = fields(command.doc)
        assert ("Arguments" in found) == bool(command.arguments), command.name
        assert ("Example" in found) != (command.name in WITHOUT_EXAMPLE), command.name
        assert not {text.strip() for text in found.values()} & {"", *unsaid}, command.name


def test_the_transcripts_touch_every_command_with_success_and_failure():
    """Those that are documented to fail with both, the others with success alone."""
    touched = {True: set(), False: set()}
    for path in (SPECS / "clients/transcripts").glob("*.tst"):
        for trial in parse(path.read_text()):
            fails = trial.expectation is not None and trial.expectation.fails
            touched[fails].update(trial.line.split()[:2])
    failing = {each for each in COMMANDS if "Fails" in fields(COMMANDS[each].doc)}
    assert COMMANDS.keys() - touched[False] == set(), "no transcript shows them succeed"
    assert failing - touched[True] == set(), "no transcript shows them fail"


def test_help_in_a_terminal_shows_no_links(drive):
    for name in COMMANDS:
        assert "](" not in drive(f"game-help {name}")


def sentences(game) -> set[str]:
    """The numbers of a game's specification."""
    text = (SPECS / "games" / f"{game.name}.md").read_text()
    return set(re.findall(r"^\*\*([A-Z][0-9]+)\.\*\*", text, re.MULTILINE))


def test_sentences_are_numbered_without_gaps(game):
    letter = game.citations.turns[0]
    numbers = sentences(game)
    assert numbers == {f"{letter}{number}" for number in range(1, len(numbers) + 1)}


@pytest.mark.parametrize("path", ["rules/{}.py", "kernel/games/{0}/{0}.hpp"])
def test_code_cites_only_sentences_that_exist(game, path):
    file = ROOT / "gtp_engine" / path.format(game.name)
    if "kernel" in path and not file.exists():
        pytest.skip("the game has no header")
    code = file.read_text()
    letter = game.citations.turns[0]
    cited = set(re.findall(rf"\b{letter}[0-9]+\b", code))
    assert cited <= sentences(game)
    assert len(cited) >= 0.6 * len(sentences(game))


def sentence_tests(game) -> dict[str, list[ast.FunctionDef]]:
    """The functions `test_i16_...` of a game's tests, by the sentence that they name."""
    letter = game.citations.turns[0]
    found = {}
    for item in syntax(f"tests/rules/test_{game.name}.py").body:
        if isinstance(item, ast.FunctionDef):
            named = re.match(f"test_{letter.lower()}([0-9]+)_", item.name)
            if named:
                found.setdefault(f"{letter}{named[1]}", []).append(item)
    return found


def sentence_cases(game) -> dict[str, list[Case]]:
    """The cases of tests/rules that draw a board for a sentence."""
    found = {}
    for case in cases_of(game):
        for sentence in case.sentences:
            found.setdefault(sentence, []).append(case)
    return found


def syntax(path: str) -> ast.Module:
    return ast.parse((ROOT / path).read_text())


def constants(tree: ast.AST) -> set[str]:
    """The texts in a piece of code."""
    found = {item.value for item in ast.walk(tree) if isinstance(item, ast.Constant)}
    return {value for value in found if isinstance(value, str)}


def asserts(tree: ast.AST) -> bool:
    return any(
        isinstance(item, ast.Assert) or (isinstance(item, ast.Attribute) and item.attr == "raises")
        for item in ast.walk(tree)
    )


def calls(tree: ast.AST, *names: str) -> set[ast.Call]:
    found = (item for item in ast.walk(tree) if isinstance(item, ast.Call))
    return {call for call in found if ast.unparse(call.func) in names}


def in_events(tree: ast.AST) -> set[ast.Call]:
    """The calls inside events, which cite the rule of what happened."""
    return {call for event in calls(tree, "BoardEvent") for call in calls(event, "Saying")}


def test_every_sentence_has_a_case_or_a_test(game):
    tests = sentence_tests(game)
    assert tests.keys() | sentence_cases(game).keys() == sentences(game)
    assert not [test.name for each in tests.values() for test in each if not asserts(test)]


def test_a_sentence_that_the_engine_cites_is_expected_by_its_case(game):
    """Those of the Citations apart: what all games share cites them, and is tested there."""
    code = syntax(f"gtp_engine/rules/{game.name}.py")
    cited = set()
    for item in calls(code, "Saying", "Outcome") - in_events(code):
        cited |= constants(item) & sentences(game)
    assert cited
    tests, shown = sentence_tests(game), sentence_cases(game)
    unexpected = {
        each
        for each in cited
        if not any(each in constants(test) for test in tests.get(each, ()))
        and not any(each in case.expected for case in shown.get(each, ()))
    }
    assert not unexpected


def test_a_page_about_a_game_has_its_game_and_its_transcript():
    names = [game.name for game in documented_games()]
    about = {path.stem.removesuffix("-strategy") for path in (SPECS / "games").glob("*.md")}
    assert about == {"README", *names}
    for name in names:
        assert (SPECS / "clients/transcripts" / f"{name}.tst").exists()


def test_the_error_texts_of_the_protocol_are_those_of_the_program():
    """Each text in the table of protocol.md stands in the code or in its documentation."""
    table = re.findall(
        r"^\| `([a-z ]+)` \|", (SPECS / "clients/protocol.md").read_text(), re.MULTILINE
    )
    code = "".join(path.read_text() for path in (ROOT / "gtp_engine").rglob("*.py"))
    assert len(table) > 5
    for text in table:
        assert f'"{text}"' in code


def keys_of(found: object) -> set[str]:
    """All keys in a piece of JSON, but for those that are names: of verbs, colors and sides."""
    if isinstance(found, list):
        return set().union(*map(keys_of, found))
    if not isinstance(found, dict):
        return set()
    named = {"verbs", "colors", "edges"}
    below = [value.values() if key in named and value else [value] for key, value in found.items()]
    return found.keys() | set().union(*(keys_of(each) for values in below for each in values))


@pytest.mark.parametrize(
    "lines",
    [
        ("game-select implo 3", "play b b2", "play w a1", "play b b1", "play w a2"),
        ("game-select boloa 3", "play b sb2", "play w pa2", "play b sa2-a3"),
        ("game-select pilo 3", "play b a1", "play w a2", "play b a1-a2"),
        ("game-select robble 3", "play b a1", "game-set moves clicks", "play w resign"),
    ],
    ids=lambda lines: lines[0].split()[1],
)
def test_the_page_of_the_view_explains_every_key(lines):
    page = (SPECS / "clients/view.md").read_text()
    drive = Driver()
    for line in lines:
        drive(line)
        unknown = keys_of(json.loads(drive("game-view"))) - set(re.findall(r"`(\w+)`", page))
        assert not unknown


def test_the_page_of_the_view_shows_a_whole_one(drive):
    page = (SPECS / "clients/view.md").read_text()
    (lines,) = re.findall(r"printf '(.*)' \| bin/gtp-engine", page)
    (shown,) = re.findall(r"^```json\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    *_, answer = map(drive, lines.removesuffix(r"\n").split(r"\n"))
    assert json.loads(shown) == json.loads(answer)


@cache
def anchors(page: Path) -> set[str]:
    """The names by which links reach the headings of a page, as GitHub makes them."""
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in headings}


def test_every_link_leads_somewhere():
    """To a file or folder, and to a heading of it where the link names one."""
    wrong = []
    for page in LINKED:
        text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
        for target in re.findall(r"(?:\]\(|src=\"|srcset=\")([^)\"\s]+)", text):
            path, _, anchor = target.partition("#")
            file = (page.parent / path).resolve() if path else page
            if target.startswith("http") or file.exists() and not anchor:
                continue
            if not file.exists() or anchor not in anchors(file):
                wrong.append(f"{name(page)}: {target}")
    assert not wrong, "\n".join(wrong)


def test_the_page_of_changes_has_this_version():
    page = (SPECS / "clients/changes.md").read_text()
    assert re.search(rf"^## {re.escape(__version__)}\b", page, re.MULTILINE)


def links(page: Path) -> set[Path]:
    """The pages that a page links to; a folder stands for its README."""
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    targets = re.findall(r"\]\(([^)#\s]+)", text)
    found = {(page.parent / target).resolve() for target in targets if ":" not in target}
    found = {path / "README.md" if path.is_dir() else path for path in found}
    return {path for path in found if path.suffix == ".md"}


def test_every_page_is_three_clicks_from_the_readme_at_most():
    reached = {ROOT / "README.md"}
    for _ in range(3):
        reached |= set().union(*map(links, reached))
    assert set(PAGES) - reached == set()
