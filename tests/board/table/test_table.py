"""Actions of people at a table: every position equals the one of the engine itself."""

import asyncio
import random

import pytest

from gtp_engine.board.table import saving
from gtp_engine.board.table.messages import CannotDo
from gtp_engine.board.table.seat import PERSON, Seat
from gtp_engine.rules import games
from gtp_engine.rules.records.record import plain_text
from support.engine_threads import Dies, Hangs, fault_at, our_engine
from support.seating import OURS, Guest, at_table, direct_view, path_of, steps_of, without_rev
from support.starting import plain
from support.thorough import first_of
from support.waiting import turned_until, until

SIZES = {"small": 4, "usual": 6}
GAMES = sorted(game.name for game in games())


@pytest.mark.parametrize("pie", ["pieces", "sides"])
@pytest.mark.parametrize("game", GAMES)
def test_whole_random_games(game, pie):
    chance = random.Random(f"{game} {pie}")

    async def scene(guest: Guest) -> None:
        await guest.new(game, 5, pie)
        while guest.table.view["outcome"] is None:
            await guest.plays(chance.choice(steps_of(guest.table.view)))
            shown = without_rev(guest.table.view)
            assert shown == direct_view(game, 5, pie, path_of(guest))
        assert steps_of(guest.table.view) == []

    at_table(scene, game)


@pytest.mark.parametrize("game", first_of(GAMES))
def test_wandering_through_the_tree(game):
    """Undo, redo, jumps and other turns: the view is always that of the path."""
    chance = random.Random(game)

    async def scene(guest: Guest) -> None:
        await guest.new(game, 4, "pieces")
        table = guest.table
        for _ in range(120):
            act = chance.random()
            if act < 0.6 and (steps := steps_of(table.view)):
                await guest.plays(chance.choice(steps))
            elif act < 0.75 and guest.state["can_undo"]:
                await table.undo()
            elif act < 0.85 and guest.state["can_redo"]:
                await table.redo()
            else:
                await table.goto(chance.choice(table.nodes()["set"])["id"])
            assert without_rev(table.view) == direct_view(game, 4, "pieces", path_of(guest))
        assert any(len(children) > 1 for children in children_of(table.nodes()["set"]).values())

    at_table(scene, game)


def children_of(nodes: list[dict]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for node in nodes:
        found.setdefault(node["parent"], []).append(node["id"])
    return found


def test_the_same_turn_again_is_the_same_node():
    async def scene(guest: Guest) -> None:
        await guest.plays("C3", "D3")
        await guest.table.undo()
        await guest.plays("d3")
        assert len(guest.table.nodes()["set"]) == 3
        assert guest.line() == ["C3", "D3"]

    at_table(scene)


def test_a_refused_turn_says_why_and_changes_nothing():
    async def scene(guest: Guest) -> None:
        await guest.plays("C3")
        before = guest.state
        refused = await guest.table.step(guest.table.rev, "C3")
        assert (refused["kind"], refused["rule"], refused["points"]) == ("refused", "I16", ["C3"])
        for word in ("", "C3 D3", "Z99", "C4\nplay b C4", "#", "x" * 5000, "\u2603"):
            refused = await guest.table.step(guest.table.rev, word)
            assert refused["kind"] == "refused", word
            assert refused["text"]
        assert guest.state == before

    at_table(scene)


@pytest.mark.parametrize(("game", "first"), [("implo", "C3"), ("boloa", "pC3"), ("pilo", "C3")])
def test_a_typed_point_neither_swaps_nor_half_selects(game, first):
    """Even where the board engine takes clicks: a person names the swap."""

    async def scene(guest: Guest) -> None:
        await guest.new(game, 5, "pieces")
        await guest.plays(first)
        before = guest.state
        for ask in (guest.table.step, guest.table.why):
            refused = await ask(guest.table.rev, "c3")
            assert refused["kind"] == "refused" and "C3" in refused["text"], refused
        assert guest.state == before
        await guest.plays("swap")

    at_table(scene, board=[*OURS, "--moves", "clicks"])


def test_a_stale_step_gets_the_newest_state():
    async def scene(guest: Guest) -> None:
        rev = guest.table.rev
        await guest.plays("C3")
        for ask in (guest.table.step, guest.table.why, guest.table.preview):
            reply = await ask(rev, "D3")
            assert (reply["kind"], reply["rev"]) == ("state", guest.table.rev)
        assert guest.line() == ["C3"]

    at_table(scene)


def test_why_and_preview_play_nothing():
    async def scene(guest: Guest) -> None:
        await guest.plays("C3")
        rev = guest.table.rev
        assert (await guest.table.why(rev, "C3"))["rule"] == "I16"
        assert (await guest.table.why(rev, "D3"))["kind"] == "told"
        shown = await guest.table.preview(rev, "D3")
        assert {piece["at"] for piece in shown["view"]["pieces"]} == {"C3", "D3"}
        assert (await guest.table.preview(rev, "C3"))["kind"] == "refused"
        assert guest.line() == ["C3"] and guest.table.rev == rev

    at_table(scene)


def test_nodes_are_told_before_the_state_that_points_to_them():
    async def scene(guest: Guest) -> None:
        await guest.plays("C3", "D3", "E3")
        await guest.until(lambda: guest.kinds("state")[-1]["node"] == 3)
        known = set()
        for message in guest.heard:
            if message["kind"] == "nodes":
                known |= {node["id"] for node in message["set"]}
            elif message["kind"] == "state":
                assert message["node"] in known

    at_table(scene)


def test_the_line_that_is_played_against_an_engine_is_the_main_line():
    """Until it has an end: what follows is analysis."""

    async def scene(guest: Guest) -> None:
        def main() -> list[str]:
            return [node.word for node in guest.table.keeping.kept.tree.main_line()]

        await guest.new("robble", 5, white=Seat("A", 1))
        await guest.plays("C3")
        await guest.until(lambda: len(guest.line()) == 2)
        await guest.table.undo()
        await guest.plays("B2")
        await guest.until(lambda: len(guest.line()) == 2)
        assert main() == guest.line()
        await guest.plays("resign")
        assert main() == guest.line()
        assert "RE[W+R]" in (await guest.table.save_record("plain"))["text"]
        await guest.table.undo()
        await guest.plays(next(step for step in steps_of(guest.table.view) if step != "resign"))
        assert main()[-1] == "resign"

    at_table(scene, A=OURS)


def test_people_without_an_opponent_analyze_until_a_line_ends():
    async def scene(guest: Guest) -> None:
        await guest.plays("C3", "D3")
        await guest.table.goto(1)
        await guest.plays("E3")
        assert in_order(guest) == ["C3", "D3", "E3"]
        await guest.plays("resign")
        assert in_order(guest) == ["C3", "E3", "resign", "D3"]

    at_table(scene)


def test_what_is_played_instead_of_a_turn_taken_back_is_the_main_line():
    """So whoever sends a game by mail sends what was played last."""

    async def scene(guest: Guest) -> None:
        await guest.plays("C3", "D3")
        await guest.table.undo()
        await guest.plays("E3")
        assert in_order(guest) == ["C3", "E3", "D3"]
        await guest.table.open_record((await guest.table.save_record("plain"))["text"])
        await guest.plays("A1")
        await guest.table.undo()
        await guest.plays("B1", "C1")
        assert in_order(guest)[:4] == ["C3", "E3", "B1", "C1"]
        await guest.table.goto(guest.table.nodes()["set"][1]["id"])
        await guest.table.undo()
        await guest.plays("B2")  # beside the turns of the record
        assert in_order(guest)[:2] == ["C3", "E3"]

    at_table(scene)


def test_what_replaces_two_turns_taken_back_may_begin_as_they_did():
    async def scene(guest: Guest) -> None:
        await guest.plays("C3", "D3")
        await guest.table.undo()
        await guest.table.undo()
        await guest.plays("C3", "E3", "A1")
        assert in_order(guest) == ["C3", "E3", "A1", "D3"]

    at_table(scene)


def test_a_record_without_turns_is_only_the_beginning_of_a_game():
    async def scene(guest: Guest) -> None:
        await guest.table.open_record("(;GAME[robble]SZ[5]PIE[off])")
        await guest.plays("C3", "D3")
        await guest.table.undo()
        await guest.plays("E3")
        assert in_order(guest) == ["C3", "E3", "D3"]

    at_table(scene)


def test_a_turn_that_was_set_up_half_done_is_taken_back():
    async def scene(guest: Guest) -> None:
        await guest.table.set_position("implo 3 .B./BBb/ww. b pie=off open=yes")
        await guest.plays("A3")
        await guest.table.take_back("black")
        assert guest.line() == []

    at_table(scene)


def test_a_turn_that_is_begun_anew_leaves_no_half_a_turn_in_the_main_line():
    async def scene(guest: Guest) -> None:
        await guest.plays("A4", "D1", "B5")
        assert guest.table.view["turn"]["open"]
        await guest.table.goto(2)
        await guest.plays("C5")
        assert in_order(guest) == ["A4", "D1", "C5", "B5"]

    at_table(scene)


def in_order(guest: Guest) -> list[str]:
    """The words of all turns, the main line first."""
    return [node["word"] for node in guest.table.nodes()["set"]][1:]


def test_a_record_for_which_a_guest_leaves_no_place_changes_nothing():
    async def scene(guest: Guest) -> None:
        await guest.new("robble", 5, white=Seat(guest="white"))
        await guest.plays("A1")
        kept = guest.table.keeping.kept
        with pytest.raises(CannotDo, match="guest"):
            await guest.table.open_record("(;GAME[implo]SZ[9]PIE[off];B[C3])")
        assert guest.table.keeping.kept == kept
        await guest.plays("B1")

    at_table(scene)


def test_dropping_and_promoting():
    async def scene(guest: Guest) -> None:
        table = guest.table
        await guest.plays("C3", "D3")
        await table.undo()
        await guest.plays("E3", "B3")
        await table.promote(guest.state["node"])
        order = [node["word"] for node in table.nodes()["set"]]
        assert order == ["", "C3", "E3", "B3", "D3"]
        await table.drop(3)  # E3, behind which we stand
        assert guest.line() == ["C3"]
        assert guest.kinds("nodes")[-1]["drop"] == [3, 4]
        assert [node["word"] for node in table.nodes()["set"]] == ["", "C3", "D3"]
        with pytest.raises(CannotDo, match="start"):
            await table.drop(0)
        for call in (table.drop(3), table.goto(77), table.comment(3, "?"), table.promote(-1)):
            with pytest.raises(CannotDo, match="no longer exists"):
                await call

    at_table(scene)


def test_a_node_of_another_game_is_not_taken_for_one_of_this():
    async def scene(guest: Guest) -> None:
        await guest.plays("C3")
        old = guest.state["node"]
        written = (await guest.table.save_record("plain"))["text"]
        for begin in (guest.new("implo", 5), guest.table.open_record(written)):
            await begin
            await guest.plays("D3")
            with pytest.raises(CannotDo, match="no longer exists"):
                await guest.table.drop(old)

    at_table(scene)


def test_what_cannot_be_is_said_and_changes_nothing():
    async def scene(guest: Guest) -> None:
        table = guest.table
        await guest.plays("C3")
        before = guest.state
        for call in (
            table.new_game("chess", 8, "off", PERSON, PERSON),
            table.new_game("implo", 20, "off", PERSON, PERSON),
            table.new_game("implo", 5, "maybe", PERSON, PERSON),
            table.new_game("implo", 5, "off", Seat("Nobody"), PERSON),
            table.set_seats(PERSON, Seat("Nobody")),
            table.set_position("implo 3 nonsense b"),
            table.set_position("implo"),
            table.set_position("a\nb\x00"),
            table.open_record("no file"),
            table.save_record("clicks"),
            table.redo(),
            table.resign("black"),
            table.interrupt(),
            table.restart("Nobody"),
            table.console("board", "name\nquit"),
        ):
            with pytest.raises(CannotDo) as error:
                await call
            assert str(error.value)
        assert guest.state == before

    at_table(scene)


def test_a_position_as_text():
    async def scene(guest: Guest) -> None:
        text = "implo 3 .B./BBb/ww. b pie=off open=yes"
        await guest.table.set_position(text)
        assert guest.table.view["position"] == text
        assert guest.table.view["turn"]["open"]
        await guest.plays("A3")
        await guest.table.undo()
        assert guest.table.view["position"] == text
        await guest.table.link("implo", 3, text)
        assert guest.state["can_redo"]  # it was shown already
        await guest.table.link("robble", 4, "")
        assert guest.table.view["position"].startswith("robble 4 ")

    at_table(scene)


def test_resigning():
    async def scene(guest: Guest) -> None:
        await guest.plays("C3")
        await guest.table.resign("white")
        assert guest.table.view["outcome"]["result"] == "B+R"
        with pytest.raises(CannotDo, match="over"):
            await guest.table.resign("black")
        await guest.table.undo()
        assert guest.table.view["outcome"] is None

    at_table(scene)


def test_rules_commands_and_console():
    async def scene(guest: Guest) -> None:
        rules = await guest.table.rules()
        assert rules["summary"] and rules["sentences"][0]["rule"] == "I1"
        commands = await guest.table.commands("board")
        assert "play" in {each["name"] for each in commands["list"]}
        await guest.plays("C3")
        await guest.table.console("board", "clear_board")
        await guest.plays("D3")  # what the console did is undone
        assert len(guest.table.view["pieces"]) == 2
        said = [(each["direction"], each["text"]) for each in guest.table.console_tail()]
        assert (">", "clear_board") in said
        assert max(len(text) for _, text in said) < 2100

    at_table(scene)


def test_a_board_engine_that_is_killed_comes_back_where_it_was():
    async def scene(guest: Guest) -> None:
        await guest.plays("C3", "D3")
        await guest.table.console("board", "quit")
        await guest.plays("E3")
        assert guest.line() == ["C3", "D3", "E3"]
        assert len(guest.table.view["pieces"]) == 3
        await guest.table.restart("board")
        await guest.plays("B3")
        assert len(guest.table.view["pieces"]) == 4

    at_table(scene)


@pytest.mark.parametrize("how", ["die", "hang"])
@pytest.mark.parametrize("line", ["play white D3", "play black E3", "undo", "game-preview"])
def test_a_board_engine_that_fails_in_the_middle(how, line):
    """What was asked for is done all the same, once, by the one that takes its place."""
    hangs = Hangs()

    async def acted(guest: Guest) -> dict:
        await guest.plays("C3", "D3", "E3")
        await guest.table.undo()
        return await guest.table.preview(guest.table.rev, "B3")

    async def scene(guest: Guest) -> None:
        acting = asyncio.create_task(acted(guest))
        if how == "hang":
            await until(hangs.begun.is_set)
            await turned_until(guest.told)
        shown = await acting
        assert len(shown["view"]["pieces"]) == 3
        assert guest.line() == ["C3", "D3"] and len(guest.table.nodes()["set"]) == 4
        assert len(guest.table.view["pieces"]) == 2
        (text,) = guest.told()
        said = "exited with status 9" if how == "die" else "did not respond in time"
        assert said in text

    fault = Dies(9) if how == "die" else hangs
    at_table(scene, board=our_engine(manner=fault_at(line, fault)))


def test_a_board_engine_without_views_is_named():
    with pytest.raises(
        CannotDo, match=r"The board engine cannot show the board and check turns: .* game-view"
    ):
        at_table(lambda guest: None, board=plain())


def test_a_record_is_made_once_until_the_game_changes(monkeypatch):
    """Eight pages that save at once, then again; and each kind of change."""
    made = []

    def counted(record):
        made.append(record)
        return plain_text(record)

    monkeypatch.setattr(saving, "plain_text", counted)

    async def scene(guest: Guest) -> None:
        table = guest.table

        async def text() -> str:
            return (await table.save_record("plain"))["text"]

        await guest.plays("C3", "D4")
        (first,) = set(await asyncio.gather(*(text() for _ in range(8))))
        assert await text() == first
        assert len(made) == 1
        node = guest.state["node"]
        changes = [
            (lambda: table.comment(node, "well played"), "C[well played]"),
            (lambda: table.keeping.name_people({"black": "Ann"}), "PB[Ann]"),
            (lambda: table.study.mark(node, [{"kind": "circle", "at": "C3"}]), "CR[cc]"),
            (lambda: guest.plays("A1"), ";B[A1]"),
            (lambda: table.undo(), ";B[A1]"),
            (lambda: table.drop(guest.state["node"] + 1), "D4"),
            (lambda: table.resign("black"), "RE[W+R]"),
            (lambda: guest.new("robble", 5), "GAME[robble]"),
        ]
        for number, (change, words) in enumerate(changes, 2):
            await change()
            assert words in await text()
            assert len(made) == number

    at_table(scene)
