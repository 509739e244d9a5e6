"""Records at the board: variations are written, read back, and played as far as they are legal."""

import asyncio
import random
import threading

import pytest

from gtp_engine.board.table import loading
from gtp_engine.board.table.messages import CannotDo
from gtp_engine.rules import games
from gtp_engine.rules.records.record import Record, possible_records
from support.engine_threads import Dies, our_engine
from support.seating import Guest, at_table, steps_of
from support.waiting import PATIENCE

GAMES = sorted(game.name for game in games())

START = "(;FF[4]GAME[implo]SZ[4]PIE[off]"


def lines_of(guest: Guest) -> list[tuple[str, ...]]:
    """The whole turns from the start to each end and each branching, and comments, in order."""
    nodes = {node["id"]: node for node in guest.table.nodes()["set"]}
    found = []
    for node in nodes.values():
        if node["open"]:
            continue
        words: list[str] = []
        said = node["comment"]
        while node["parent"] is not None:
            parent = nodes[node["parent"]]
            if words and node["open"]:
                words[-1] = f"{node['word']}/{words[-1]}"
            else:
                words.append(node["word"])
            node = parent
        found.append((*words[::-1], said))
    return found


@pytest.mark.parametrize("game", GAMES)
def test_a_tree_is_written_and_read_back(game):
    chance = random.Random(game)

    async def scene(guest: Guest) -> None:
        table = guest.table
        await guest.new(game, 4, "pieces")
        for number in range(60):
            steps = steps_of(table.view)
            if steps and chance.random() < 0.8:
                await guest.plays(chance.choice(steps))
                await table.comment(guest.state["node"], f"Nr. {number}: [a\\]\n\u2603 ;(b)")
            else:
                await table.goto(chance.choice(table.nodes()["set"])["id"])
        await table.comment(0, "The start")
        written = (await table.save_record("plain"))["text"]
        before = lines_of(guest)
        await guest.new(game, 3)
        await table.open_record(written)
        assert lines_of(guest) == before
        assert (await table.save_record("plain"))["text"] == written
        assert table.state()["pie"] == "pieces"
        assert len(before) > 20

    at_table(scene, game)


@pytest.mark.parametrize("game", GAMES)
def test_the_engine_reads_what_is_written(game, drive, tmp_path):
    """Its own `loadsgf` takes the plain form; the display form comes back here."""
    chance = random.Random(game)
    texts: list[str] = []
    position: list[str] = []

    async def scene(guest: Guest) -> None:
        await guest.new(game, 4, "sides")
        while steps := steps_of(guest.table.view):
            await guest.plays(chance.choice(steps))
        position.append(guest.table.view["position"])
        texts.append((await guest.table.save_record("plain"))["text"])
        display = (await guest.table.save_record("display"))["text"]
        await guest.new(game, 4)
        await guest.table.open_record(display)
        assert guest.table.view["position"] == position[0]
        assert {node["comment"] for node in guest.table.nodes()["set"][1:]} == {""}

    at_table(scene, game)
    path = tmp_path / "game.sgf"
    path.write_text(texts[0])
    drive(f"loadsgf {path}")
    assert drive("game-position") == position[0]
    assert f"RE[{drive('final_score')}]" in texts[0]


def test_a_set_up_position_comes_back():
    async def scene(guest: Guest) -> None:
        await guest.table.set_position("implo 3 .B./BBb/ww. b pie=off open=yes")
        await guest.plays("A3")
        shown = guest.table.view["position"]
        written = (await guest.table.save_record("plain"))["text"]
        assert "POS[implo 3 .B./BBb/ww. b" in written
        await guest.new("robble", 4)
        await guest.table.open_record(written)
        assert guest.table.view["position"] == shown

    at_table(scene)


def test_a_variation_that_breaks_a_rule_is_left_out():
    text = f"{START}C[All];B[A1](;W[B1];B[C1])(;W[A1];B[C1](;W[C2])(;W[C3]))(;W[D1]))"

    async def scene(guest: Guest) -> None:
        await guest.table.open_record(text)
        assert [node["word"] for node in guest.table.nodes()["set"]] == ["", "A1", "B1", "C1", "D1"]
        assert guest.line() == ["A1", "B1", "C1"]
        assert "1 variation is not shown, but kept" in guest.told()[0]

    at_table(scene)


def test_variations_without_end_are_left_out(monkeypatch):
    monkeypatch.setattr(loading, "MOST_SECONDS", -1.0)

    async def scene(guest: Guest) -> None:
        await guest.table.open_record(f"{START};B[A1](;W[B1])(;W[C1])(;W[D1]))")
        assert [node["word"] for node in guest.table.nodes()["set"]] == ["", "A1", "B1"]
        assert "2 variations are not shown, but kept" in guest.told()[0]

    at_table(scene)


def test_equal_variations_are_one():
    text = f"{START}(;B[A1];W[B1]C[one])(;B[A1]C[two];W[C1])(;B[A1];W[B1]))"

    async def scene(guest: Guest) -> None:
        await guest.table.open_record(text)
        nodes = guest.table.nodes()["set"]
        assert [(node["word"], node["comment"]) for node in nodes] == [
            ("", ""),
            ("A1", "two"),
            ("B1", "one"),
            ("C1", ""),
        ]

    at_table(scene)


def test_a_main_line_that_breaks_a_rule_is_refused():
    async def scene(guest: Guest) -> None:
        await guest.plays("C3")
        before = guest.state
        with pytest.raises(CannotDo, match=r"Turn 2 of the file .* White A1. A1 is not empty"):
            await guest.table.open_record(f"{START};B[A1];W[A1])")
        assert guest.state == before
        await guest.plays("D3")
        assert len(guest.table.view["pieces"]) == 2

    at_table(scene)


def test_the_game_goes_on_while_a_record_is_read(monkeypatch):
    """Nobody hears the engine that reads it, and no node has the id of another."""
    go_on = threading.Event()

    def slow(source: bytes | str) -> list[Record]:
        assert go_on.wait(PATIENCE)
        return possible_records(source)

    monkeypatch.setattr(loading, "possible_records", slow)

    async def scene(guest: Guest) -> None:
        opened = asyncio.create_task(guest.table.open_record(f"{START};B[A1](;W[B1])(;W[C1]))"))
        await guest.plays("C3", "D3")
        assert guest.line() == ["C3", "D3"]
        seen = {node["id"] for node in guest.table.nodes()["set"]}
        go_on.set()
        await opened
        assert guest.line() == ["A1", "B1"]
        assert seen & {node["id"] for node in guest.table.nodes()["set"]} == {0}
        assert not [line for line in guest.kinds("console") if line["text"].endswith("C1")]
        await guest.plays("C3")

    at_table(scene)


def test_a_record_that_breaks_its_engine_breaks_nothing_else():
    """Only the engine that reads dies, and is started again."""
    lines = []

    def manner(line: str) -> None:
        if "black A2" in line:
            lines.append(line)
            if len(lines) == 1:
                raise Dies(9)

    async def scene(guest: Guest) -> None:
        await guest.plays("C3")
        await guest.table.open_record(f"{START};B[A1];W[B1];B[A2])")
        assert len(lines) > 1
        assert guest.line() == ["A1", "B1", "A2"]
        assert guest.told() == []

    at_table(scene, board=our_engine(manner=manner))


def test_clicks_and_a_result_by_resignation():
    text = "(;FF[4]RU[implo]SZ[4]PIE[off]RE[B+R];B[aa];W[dd];B[ba])"

    async def scene(guest: Guest) -> None:
        await guest.table.open_record(text)
        assert guest.line() == ["A4", "D1", "B4", "resign"]
        assert guest.table.view["outcome"]["result"] == "B+R"

    at_table(scene)


def test_what_the_engine_does_not_take():
    refused = "The board engine cannot (follow the game|set up this position)"

    async def scene(guest: Guest) -> None:
        for text in (
            "(;GAME[chess]SZ[8])",
            "(;GAME[implo]SZ[99])",
            "(;GAME[implo]SZ[4]POS[implo 3 x b])",
        ):
            before = guest.state
            with pytest.raises(CannotDo, match=refused):
                await guest.table.open_record(text)
            assert guest.state == before
        await guest.plays("C3")

    at_table(scene)


def test_a_guessed_character_set_is_told_and_keeps_every_turn():
    """As ISO 8859-1 the second turn would be a part of the comment, and the next save lose it."""
    text = "(;GAME[robble]SZ[5]PIE[off]PB[ソ];B[C3]C[ソ];W[D4];B[A1];W[E1])"

    async def scene(guest: Guest) -> None:
        for named in ("", "CA[nonsense]"):
            await guest.table.open_record(text.replace("PB", f"{named}PB").encode("cp932"))
            assert guest.line() == ["C3", "D4", "A1", "E1"]
            assert guest.told()[-1].endswith(": it was read as Shift_JIS, a guess.")
        heard = len(guest.told())
        await guest.table.open_record(text.replace("PB", "CA[x-sjis]PB").encode("cp932"))
        assert guest.line() == ["C3", "D4", "A1", "E1"]
        assert len(guest.told()) == heard

    at_table(scene)
