"""A table whose game is kept: with people and engines, and when the journal fails."""

import pytest

from gtp_engine.board.journal.file import JournalFailed
from gtp_engine.board.journal.journal import Journal
from gtp_engine.board.journal.keeper import Keeper
from gtp_engine.board.table.clock_kinds import Timing
from gtp_engine.board.table.messages import CannotDo
from gtp_engine.board.table.seat import PERSON, Seat
from gtp_engine.rules.records.marks import shown_marks
from support.seating import Guest, at_table
from support.starting import engine_command
from support.waiting import turn_loop, until

RANDOM = f"{engine_command()} --player random"


def keeping(guest: Guest, journal: Journal, key: str = "1") -> Keeper:
    return Keeper(guest.table, journal, key)


def seen(guest: Guest) -> tuple:
    """What a page sees of the game, whatever the ids of its nodes are."""
    nodes = {None: None}
    told = []
    for node in guest.table.nodes()["set"]:
        nodes[node["id"]] = len(told)
        told.append(node | {"id": len(told), "parent": nodes[node["parent"]]})
    state = guest.state
    same = ("seats", "paused", "resting", "pie")
    return told, nodes[state["node"]], {key: state[key] for key in same}, without_rev(state["view"])


def without_rev(view: dict) -> dict:
    return {key: value for key, value in view.items() if key != "rev"}


def test_a_game_goes_on_as_it_was():
    """Variations, comments, the shown node, seats, names and a game that was set up."""
    journal = Journal()

    async def played(guest: Guest) -> None:
        keeper = keeping(guest, journal)
        await guest.new("implo", 5, "pieces", PERSON, Seat("R", 2))
        await guest.table.pause(True)
        await guest.table.keeping.name_people({"black": "Ann", "white": "ignored"})
        await guest.plays("C3", "D3")
        await guest.table.goto(1)
        await guest.plays("swap")
        await guest.table.goto(2)
        await guest.table.comment(2, "a comment")
        await guest.table.promote(3)
        await guest.until(lambda: guest.kinds("state")[-1] == guest.state)
        seen_before.append(seen(guest))
        keeper.close()

    async def resumed(guest: Guest) -> None:
        keeper = keeping(guest, journal)
        assert await keeper.resume()
        assert seen(guest) == seen_before[0]
        assert keeper.game == 1 and journal.listed(0, 9)[0] == 1
        await guest.table.goto(guest.table.nodes()["set"][-1]["id"])
        await guest.plays("A1")
        assert journal.load(1).tree.end.word == "swap"
        assert [node.word for node in journal.load(1).tree][-1] == "A1"

    seen_before: list = []
    at_table(played, R=RANDOM)
    journal._claimed.clear()
    at_table(resumed, R=RANDOM)


def test_a_turn_is_kept_before_anybody_hears_of_it():
    journal = Journal()

    async def scene(guest: Guest) -> None:
        keeping(guest, journal)
        told = []
        guest.table.listen(
            lambda message: (
                told.append((message["kind"], len(journal.load(1).tree)))
                if message["kind"] == "nodes" and not message["reset"]
                else None
            )
        )
        await guest.new("robble", 4)
        await guest.plays("A1", "B2", "C3")
        assert told == [("nodes", 2), ("nodes", 3), ("nodes", 4)]

    at_table(scene)


def test_games_without_a_turn_are_not_kept_and_each_other_one_is():
    journal = Journal()

    async def scene(guest: Guest) -> None:
        keeper = keeping(guest, journal)
        for size in (4, 5, 6):
            await guest.new("robble", size)
        assert keeper.game is None and journal.listed(0, 9)[0] == 0
        await guest.plays("A1")
        await guest.new("pilo", 5)
        await guest.table.open_record(b"(;GAME[robble]SZ[4];B[A1];W[B2](;B[C3])(;B[D4]))")
        await guest.table.drop(guest.state["node"])
        found = [(game.game, game.size, game.turns) for game in journal.listed(0, 9)[1]]
        assert found == [("robble", 4, 3), ("robble", 6, 1)]
        assert len(journal.load(2).tree) == 4

    at_table(scene)


def test_a_game_of_the_list_is_opened_and_left():
    journal = Journal()

    async def scene(guest: Guest) -> None:
        keeper = keeping(guest, journal)
        await guest.new("robble", 4)
        await guest.plays("A1", "B2")
        await guest.new("robble", 5)
        await guest.plays("C3")
        await keeper.open(1)
        assert guest.line() == ["A1", "B2"]
        assert journal.tables() == [] and journal.shown_at("1") == [1]
        with pytest.raises(CannotDo, match="not in the journal"):
            await keeper.open(77)
        journal.claim(2)
        with pytest.raises(CannotDo, match="at another table"):
            await keeper.open(2)
        assert guest.line() == ["A1", "B2"]
        changed = [game.id for game in journal.listed(0, 9)[1]]
        assert changed == [2, 1]  # looking at a game does not change it

    at_table(scene)


def test_a_deleted_game_is_not_opened_from_an_older_list():
    """It would be lost with all that was added to it."""
    journal = Journal()

    async def scene(guest: Guest) -> None:
        keeper = keeping(guest, journal)
        await guest.new("robble", 4)
        await guest.plays("A1", "B2")
        await guest.new("robble", 5)
        await guest.plays("C3")
        journal.delete(1)
        with pytest.raises(CannotDo, match="That game was deleted"):
            await keeper.open(1)
        assert guest.line() == ["C3"] and keeper.game == 2
        journal.delete(1, False)
        await keeper.open(1)
        assert guest.line() == ["A1", "B2"]

    at_table(scene)


def test_the_clocks_go_on_with_the_next_turn():
    journal = Journal()

    async def played(guest: Guest) -> None:
        keeper = keeping(guest, journal)
        await guest.table.new_game("robble", 5, "off", PERSON, PERSON, Timing(300, 5))
        await guest.plays("A1", "B2")
        guest.clock.turn(7)
        await guest.plays("C3")
        await guest.until(lambda: guest.kinds("state")[-1] == guest.state)
        guest.clock.turn(20)
        keeper.close()

    async def resumed(guest: Guest) -> None:
        assert await keeping(guest, journal).resume()
        clock = guest.state["clock"]
        assert (clock["main"], clock["increment"], clock["running"]) == (300, 5, None)
        assert (clock["black"], clock["white"]) == (303, 285)
        await guest.plays("D4")
        assert guest.state["clock"]["running"] == "black"

    at_table(played)
    journal._claimed.clear()
    at_table(resumed)


def test_a_running_clock_is_kept_from_time_to_time():
    """Nobody gets the time of a turn back because the board was killed meanwhile."""
    journal = Journal()

    def kept() -> list:
        return [node.times for node in journal.load(1).tree][2:]

    async def scene(guest: Guest) -> None:
        keeping(guest, journal)
        await guest.table.new_game("robble", 5, "off", PERSON, PERSON, Timing(300, 5))
        await guest.plays("A1", "B2", "C3")
        await guest.until(lambda: guest.kinds("state")[-1] == guest.state)
        assert kept() == [(None, 305), (310, None)]
        guest.clock.turn(20)
        turn_loop(1)
        await until(lambda: kept() == [(None, 305), (310, 285)])
        await guest.plays("D4")
        # Who takes D4 back gets its time back, too.
        await until(lambda: kept() == [(None, 305), (310, None), (None, 290)])

    at_table(scene)


def test_a_turn_with_its_own_time_goes_on_at_the_next_board():
    journal = Journal()
    timing = Timing(0, 86400, "turn")

    async def played(guest: Guest) -> None:
        keeper = keeping(guest, journal)
        await guest.table.new_game("robble", 5, "off", PERSON, PERSON, timing)
        await guest.plays("A1", "B2", "C3")
        await guest.until(lambda: guest.kinds("state")[-1] == guest.state)
        guest.clock.turn(80_000)
        keeper.close()

    async def resumed(guest: Guest) -> None:
        assert await keeping(guest, journal).resume()
        guest.clock.turn(400)
        assert guest.state["clock"] == {
            "turn": 86400,
            "black": 86400,
            "white": 6000,
            "running": "white",
        }

    at_table(played)
    journal._claimed.clear()
    at_table(resumed)


@pytest.mark.parametrize("timing", [Timing(300, 5, "delay"), Timing(90, 0)])
def test_the_kind_of_clock_is_kept(timing):
    journal = Journal()
    shown = []

    async def played(guest: Guest) -> None:
        keeper = keeping(guest, journal)
        await guest.table.new_game("robble", 5, "off", PERSON, PERSON, timing)
        await guest.plays("A1", "B2", "C3")
        await guest.until(lambda: guest.kinds("state")[-1] == guest.state)
        shown.append(guest.state["clock"] | {"running": None})
        keeper.close()

    async def resumed(guest: Guest) -> None:
        assert await keeping(guest, journal).resume()
        shown.append(guest.state["clock"])

    at_table(played)
    journal._claimed.clear()
    at_table(resumed)
    assert shown[0] == shown[1]


def test_time_is_not_given_back_by_another_game_of_the_list():
    journal = Journal()

    async def scene(guest: Guest) -> None:
        keeper = keeping(guest, journal)
        await guest.table.new_game("robble", 5, "off", PERSON, PERSON, Timing(60, 0))
        await guest.plays("A1", "B2", "C3")
        await guest.until(lambda: guest.kinds("state")[-1] == guest.state)
        guest.clock.turn(50)
        await guest.new("robble", 4)
        await keeper.open(1)
        assert (guest.state["clock"]["black"], guest.state["clock"]["white"]) == (60, 10)

    at_table(scene)


def test_a_record_without_times_has_none_after_a_restart():
    journal = Journal()

    async def opened(guest: Guest) -> None:
        keeper = keeping(guest, journal)
        await guest.table.open_record("(;GAME[robble]SZ[5]PIE[off]TM[60];B[A1];W[B1]WL[7])")
        await guest.plays("C3")
        await guest.until(lambda: guest.kinds("state")[-1] == guest.state)
        keeper.close()

    async def resumed(guest: Guest) -> None:
        assert await keeping(guest, journal).resume()
        text = (await guest.table.save_record("plain"))["text"]
        assert ";B[A1];W[B1]WL[7];B[C3]BL[60]" in text.replace("\n", "")

    at_table(opened)
    journal._claimed.clear()
    at_table(resumed)


def test_a_game_that_is_over_is_in_the_list_only_and_its_players_stay():
    journal = Journal()

    async def scene(guest: Guest) -> None:
        keeper = keeping(guest, journal)
        await guest.new("robble", 4, black=PERSON, white=Seat("R", 2))
        await guest.table.resign("black")
        await guest.table.set_seats(PERSON, PERSON)
        await guest.until(lambda: guest.kinds("state")[-1] == guest.state)
        (game,) = journal.listed(0, 9)[1]
        assert (game.result, game.winner, game.level, game.human) == ("W+R", "white", "2", "black")
        saved = (await guest.table.save_record("plain"))["text"]
        assert "PW[R]" in saved and "WR[level 2]" in saved and "RE[W+R]" in saved
        keeper.close()
        assert journal.shown_at("1") == []

    at_table(scene, R=RANDOM)


@pytest.mark.parametrize("ended", [False, True])
def test_a_table_that_closes_lets_go_of_its_game(ended):
    """Only a game that a board showed when it ended is shown by the next one."""
    journal = Journal()

    async def scene(guest: Guest) -> None:
        keeper = keeping(guest, journal)
        await guest.plays("C3")
        assert not journal.claim(1)
        keeper.close(ended)
        assert journal.shown_at("1") == ([] if ended else [1])
        assert journal.claim(1)

    at_table(scene)


def test_what_cannot_be_shown_is_told_and_stays_in_the_list():
    journal = Journal()

    async def played(guest: Guest) -> None:
        keeping(guest, journal)
        await guest.new("robble", 4)
        await guest.plays("A1")
        with journal._file.writing() as db:
            db.execute("update nodes set word = 'nonsense' where word = 'A1'")

    async def resumed(guest: Guest) -> None:
        assert not await keeping(guest, journal).resume()
        await guest.hears("The last game cannot be shown. The board engine cannot follow the game")
        await guest.plays("C3")
        assert journal.listed(0, 9)[0] == 2

    at_table(played)
    journal._claimed.clear()
    at_table(resumed)


def test_a_game_with_only_a_mark_is_kept():
    journal = Journal()

    async def scene(guest: Guest) -> None:
        keeper = keeping(guest, journal)
        await guest.new("robble", 5)
        root = guest.state["node"]
        await guest.table.study.mark(root, [])
        assert keeper.game is None
        await guest.table.study.mark(root, [{"kind": "arrow", "at": "A1", "to": "B2"}])
        assert len(shown_marks(journal.load(1).tree.root.read.properties, 5)) == 1

    at_table(scene)


def test_a_full_disk_is_told_once_and_the_game_goes_on(monkeypatch, tmp_path):
    journal = Journal(tmp_path / "j.db")
    write = journal.write

    def full(*args, **named):
        raise JournalFailed(f"{journal.path} cannot grow")

    async def scene(guest: Guest) -> None:
        keeping(guest, journal)
        await guest.new("robble", 5)
        await guest.plays("A1")
        await guest.until(lambda: guest.kinds("state")[-1]["rev"] == guest.table.rev)
        monkeypatch.setattr(journal, "write", full)
        await guest.plays("B2")
        await guest.hears("not kept now")
        # A page drops a sentence when a state with another `rev` follows.
        assert guest.kinds("state")[-1]["rev"] == guest.table.rev
        assert [each["kind"] for each in guest.heard][-2:] == ["state", "told"]
        await guest.plays("C3")
        await guest.table.undo()
        await guest.plays("D4")
        await guest.table.drop(3)
        assert guest.told() == ["Your games are not kept now: j.db cannot grow."]
        monkeypatch.setattr(journal, "write", write)
        await guest.plays("E5")
        await guest.hears("kept again")
        assert guest.told()[1:] == ["Your games are kept again."]
        assert [node.word for node in journal.load(1).tree] == ["", "A1", "B2", "D4", "E5"]

    at_table(scene)


def test_variations_keep_their_order_when_elder_ones_are_removed():
    journal = Journal()

    async def played(guest: Guest) -> None:
        keeper = keeping(guest, journal)
        await guest.new("robble", 5)
        for word in ("A1", "B2", "C3"):
            await guest.table.goto(0)
            await guest.plays(word)
        first, second, _ = guest.table.nodes()["set"][1:]
        await guest.table.drop(first["id"])
        await guest.table.drop(second["id"])
        await guest.table.goto(0)
        await guest.plays("D4")
        assert [node["word"] for node in guest.table.nodes()["set"][1:]] == ["C3", "D4"]
        keeper.close()

    at_table(played)
    (game,) = journal.shown_at("1")
    assert [node.word for node in journal.load(game).tree][1:] == ["C3", "D4"]


OPENED = b"(;GAME[robble]SZ[4]PIE[off]PB[Ann]PW[Ben]DT[2020-01-01];B[A1];W[B2])"


def test_an_opened_record_stays_one_after_its_last_turn_was_removed():
    journal = Journal()

    async def played(guest: Guest) -> None:
        keeper = keeping(guest, journal)
        await guest.table.open_record(OPENED)
        await guest.table.drop(guest.state["node"])
        keeper.close()

    async def resumed(guest: Guest) -> None:
        assert await keeping(guest, journal).resume()
        text = (await guest.table.save_record("plain"))["text"]
        assert all(told in text for told in ("PB[Ann]", "PW[Ben]", "DT[2020-01-01]"))

    at_table(played)
    at_table(resumed)


def test_the_result_is_that_of_the_main_line():
    """It is asked for when another line, or a shorter one, becomes the main line."""
    journal = Journal()

    async def scene(guest: Guest) -> None:
        keeping(guest, journal)
        await guest.new("robble", 4)
        await guest.plays("A1", "resign")
        resigned = guest.state["node"]
        assert "RE[B+R]" in (await guest.table.save_record("plain"))["text"]
        await guest.table.goto(1)
        await guest.plays("B2", "resign")
        other = guest.state["node"]
        assert "RE[B+R]" in (await guest.table.save_record("plain"))["text"]
        await guest.table.promote(other)
        assert "RE[W+R]" in (await guest.table.save_record("plain"))["text"]
        assert journal.listed(0, 1)[1][0].result == "W+R"
        await guest.table.promote(resigned)
        assert journal.listed(0, 1)[1][0].result == "B+R"
        await guest.table.drop(other)
        await guest.table.drop(resigned)
        assert "RE[" not in (await guest.table.save_record("plain"))["text"]
        assert journal.listed(0, 1)[1][0].result == ""

    at_table(scene)


def test_a_table_goes_on_with_the_newest_game_that_no_other_has():
    """Each of several boards at one journal has left a game at its first table."""
    journal = Journal()

    async def scene(guest: Guest) -> None:
        for turn in ("A1", "B2", "C3"):
            await guest.new("robble", 4)
            keeper = keeping(guest, journal)
            await guest.plays(turn)
            keeper.close()
        journal.claim(3)
        keeper = keeping(guest, journal)
        assert await keeper.resume()
        assert keeper.game == 2
        journal.claim(1)
        assert not await keeping(guest, journal).resume()
        assert [node["word"] for node in guest.table.nodes()["set"]] == ["", "B2"]

    at_table(scene)
