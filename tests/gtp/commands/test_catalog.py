"""The first queries of a front end: games, rules in words, levels, commands and their effects."""

import json
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from gtp_engine.engine.session import Session
from gtp_engine.engine.settings import settings
from gtp_engine.gtp.commands import catalog, parameters, registry
from gtp_engine.gtp.wire.registry import Argument, Registry
from gtp_engine.rules import default_game, games
from gtp_engine.rules.notation.rule_text import rule_text, sentence
from support.driver import Driver

SAMPLES = ("b", "a1", "1", "0.1")
"""Words for arguments that are no free text."""


def answer(line: str, drive: Driver | None = None) -> object:
    text = (drive or Driver())(line)
    assert "\n" not in text and text.isascii()
    return json.loads(text)


def test_a_catalog_begins_games_of_every_kind_at_every_level(any_game):
    found = answer("game-catalog")
    assert any_game.name in [game["name"] for game in found["games"]]
    for game in found["games"]:
        drive = Driver()
        for size in (game["default_size"], *game["sizes"]):
            drive(f"game-select {game['name']} {size}")
        low, high = game["recommended"] or game["sizes"]
        assert game["sizes"][0] <= low <= game["default_size"] <= high <= game["sizes"][1]
        assert f"To move: {game['colors']['black']}" in drive("showboard")
        assert all(line and len(line) < 300 for line in game["summary"])
    drive = Driver()
    for level in found["levels"]:
        drive(f"game-set level {level['level']}")
        word = level["name"].lower().replace(" ", "-")
        drive(f"game-set level {word}")
        assert drive("game-settings level").startswith(f"level {level['level']} ")
    assert found["default_game"] in [game["name"] for game in found["games"]]
    assert 0 < found["mistake"] < found["blunder"] < 1
    assert drive("name") == found["engine"] and drive("version") == found["version"]


def test_a_text_of_the_rules_is_short_and_has_all_sentences(any_game):
    """A game may have no text; then it has its summary."""
    text = rule_text(any_game)
    assert 1 <= len(text.short) <= 12 and all(text.short)
    found = answer("game-rule_sentences", Driver(any_game.name))
    assert [each["rule"] for each in found] == [each.rule for each in text.sentences]
    letter = any_game.citations.turns[0]
    assert [each["rule"] for each in found] == [f"{letter}{n}" for n in range(1, len(found) + 1)]
    assert all(each["heading"] for each in found)
    words = [*text.short, *(each["text"] for each in found)]
    assert not [line for line in words if set("*`[]|#") & set(line)]
    cited = any_game.citations
    for rule in filter(None, (cited.board, cited.turns, cited.pie, cited.passes)):
        assert bool(sentence(any_game, rule)) == bool(text.markdown)


def test_commands_say_what_they_are():
    found = answer("game-commands")
    assert [each["name"] for each in found] == Driver()("list_commands").split()
    for each in found:
        assert Driver()(f"game-help {each['name']}").startswith(
            f"{each['syntax']}\n{each['summary']}"
        )


def test_a_client_is_known_by_the_names_of_its_commands():
    """GoGui's mark it, also as a second name; those about rules set `moves` to `clicks`."""
    ours = {"game-to_move", "game-board", "showboard"}
    for name in ours | {each.name for each in registry() if each.name.startswith("gogui-")}:
        drive = Driver()
        if drive.send(name).success:
            assert drive.session.gogui == (name not in ours), name
            clicks = drive("game-settings moves").startswith("moves clicks")
            assert clicks == name.startswith("gogui-rules_"), name


@pytest.mark.parametrize("name", ["game-set", "kata-set-param", "game-dialog"])
def test_a_setting_may_be_a_file_in_quotes(name, drive, tmp_path, monkeypatch):
    checked, seam = [], "gtp_engine.engine.session.check_weights"
    monkeypatch.setattr(seam, lambda game, path, backend: checked.append(path))
    path = f"{tmp_path}/with blank/x#1.weights"
    drive(f'{name} weights "{path}"')
    assert checked == [drive.session.settings.weights] == [path]


def test_a_stream_that_is_not_declared_is_a_defect():
    commands = Registry()

    @commands.command("trickle")
    def trickle(_):
        return lambda emit: emit("drop")

    @commands.command("flow", streams=True)
    def flow(_):
        return lambda emit: emit("drop")

    with pytest.raises(TypeError, match="trickle streams"):
        commands.get("trickle").call(None, ())
    assert callable(commands.get("flow").call(None, ()))


def test_a_command_that_is_declared_to_stream_does():
    from inspect import get_annotations

    from gtp_engine.gtp.wire.registry import Stream

    told = {each["name"] for each in answer("game-commands") if each["streams"]}
    assert told == {
        each.name for each in registry() if get_annotations(each.handler)["return"] is Stream
    }


# Which commands touch files ----------------------------------------------------------------

WATCHED: list[str] = []
TOUCHED: list[str] = []


def watch(event: str, arguments: tuple) -> None:
    """Note each use of a path in a watched folder, whoever asks the system for it."""
    if WATCHED and any(str(each).startswith(WATCHED[0]) for each in arguments if each):
        TOUCHED.append(event)


def takes(argument: Argument, word: str) -> bool:
    context = [Session(default_game())] if argument.depends else []
    try:
        argument.convert(word, *context)
    except ValueError:
        return False
    return True


def varied(choices: list[list[str]]) -> Iterator[list[str]]:
    """One word of each list: the first ones, and then with one of them changed."""
    if not all(choices):
        return
    first = [words[0] for words in choices]
    yield first
    for at, words in enumerate(choices):
        for word in words[1:]:
            yield [*first[:at], word, *first[at + 1 :]]


def lines_with(path: Path, command) -> list[str]:
    """The command with a path in the place of each argument that takes one.

    Before it stand all words that may matter: those of a choice, and the names of settings; of
    several arguments one varies at a time.
    """
    keys = [*(each.name for each in settings()), *parameters._KATAGO]
    lines = []
    for last, argument in enumerate(command.arguments):
        ends = [str(path)]
        if argument.many:
            ends += [json.dumps({key: str(path)}) for key in keys]
        before = [
            [word for word in (*keys, *SAMPLES, *each.name.split("|")) if takes(each, word)]
            for each in command.arguments[:last]
        ]
        for end in ends:
            if takes(argument, end):
                lines += [" ".join((command.name, *words, end)) for words in varied(before)]
    return lines


def test_every_command_that_touches_files_says_so(tmp_path, monkeypatch):
    """Each command gets a path wherever it takes one; who then uses it, now or later, is seen.

    A path of its own: what was read once is not read again.
    """
    monkeypatch.setitem(globals(), "WATCHED", [str(tmp_path)])
    sys.addaudithook(watch)
    found = set()
    lines = [line for each in registry() for line in lines_with(tmp_path / each.name, each)]
    assert len(lines) > 300
    try:
        for line in lines:
            TOUCHED.clear()
            drive = Driver("implo", 2)
            drive("game-set visits 1")
            if drive.send(line).success:
                drive.send("kata-search")
            if TOUCHED:
                found.add(line.split()[0])
    finally:
        WATCHED.clear()
    assert found == {each["name"] for each in answer("game-commands") if each["files"]}


def test_the_catalog_reads_no_words_of_games():
    """All that it says of a game comes from the game's own files."""
    source = Path(catalog.__file__).read_text().lower()
    assert not [game.name for game in games() if game.name in source]


NOT_UTF_8 = "caf\udce9"
"""A word as it is read from bytes that are not UTF-8."""


def test_no_answer_holds_half_a_character_of_an_argument_that_is_not_utf_8(tmp_path, monkeypatch):
    """Not even escaped in JSON: programs that read it refuse the line, or fail later."""
    monkeypatch.chdir(tmp_path)
    beginnings = ("", "b ", "weights ", "pie ")
    for command, words in product(registry(), beginnings):
        line = f"{command.name} {words}{NOT_UTF_8}"
        if command.name != "quit" and (reply := Driver("robble", 3).send(line)) is not None:
            assert str(reply).encode()
            assert "\\udc" not in reply.text, f"{line}: {reply.text}"
    drive = Driver("robble", 3)
    drive.fails(f"loadsgf {NOT_UTF_8}.sgf")
    assert "caf\N{REPLACEMENT CHARACTER}" in answer("game-record_report", drive)["reason"]
