"""The engine that analyses: it follows the game, gives hints, and rests when nobody looks."""

import pytest
from seating import Guest, at_table, plain, rogue

from gtp_engine.client.messages import CannotDo


async def frames(guest: Guest, node: int) -> None:
    """Wait for the next frame about a node."""
    seen = len(guest.heard)
    await guest.until(
        lambda: any(
            message["kind"] == "frame" and message["node"] == node for message in guest.heard[seen:]
        )
    )


def sent_to_analyst(guest: Guest) -> list[str]:
    return [
        said["text"]
        for said in guest.kinds("console")
        if (said["engine"], said["direction"]) == ("analyst", ">")
    ]


def test_the_analysis_follows_the_game():
    async def scene(guest: Guest) -> None:
        table = guest.table
        assert not table.engines()[1]["running"]
        await table.analyse(True)
        await frames(guest, 0)
        await guest.plays("C3")
        await frames(guest, 1)
        await table.undo()
        await guest.plays("D3")
        await frames(guest, 2)
        frame = guest.kinds("frame")[-1]
        assert frame["rev"] == table.rev and frame["data"]["color"] == "white"
        assert "held" in frame["data"] and frame["data"]["turns"]
        known = {node["id"]: node["chance"] for node in table.nodes()["set"]}
        assert all(0 <= known[node] <= 1 for node in (0, 1, 2))
        await table.analyse(False)
        assert not guest.state["analysing"]
        assert guest.told() == []

    at_table(scene)


def test_a_frame_of_another_position_is_not_told():
    async def scene(guest: Guest) -> None:
        await guest.table.analyse(True)
        await frames(guest, 0)
        for word in ("C3", "D3", "E3", "B3"):
            await guest.plays(word)
            seen, node = len(guest.heard), guest.state["node"]
            await frames(guest, node)
            told = [each for each in guest.heard[seen:] if each["kind"] == "frame"]
            assert {each["node"] for each in told} == {node}

    at_table(scene)


def test_it_rests_when_nobody_looks():
    async def scene(guest: Guest) -> None:
        await guest.table.analyse(True)
        await frames(guest, 0)
        await guest.table.set_visible(False)
        await guest.plays("C3", "D3")
        assert [line for line in sent_to_analyst(guest) if line.startswith("play")] == []
        await guest.table.set_visible(True)
        await frames(guest, guest.state["node"])
        lines = [line for line in sent_to_analyst(guest) if line.startswith("play")]
        assert lines == ["play black C3", "play white D3"]

    at_table(scene)


def test_the_end_of_the_game_is_not_analysed():
    async def scene(guest: Guest) -> None:
        await guest.table.analyse(True)
        await frames(guest, 0)
        await guest.table.resign("black")
        await guest.table.undo()
        await frames(guest, 0)
        assert guest.told() == []

    at_table(scene)


def test_hints_beside_the_analysis():
    async def scene(guest: Guest) -> None:
        await guest.table.analyse(True)
        await frames(guest, 0)
        hint = await guest.table.hint(0.2)
        assert hint["kind"] == "hint" and "wins" in hint["lines"][0]
        await guest.plays(hint["word"])
        await frames(guest, 1)
        await guest.table.resign("white")
        hint = await guest.table.hint(0.2)
        assert hint["word"] is None and "resigned" in hint["lines"][0]

    at_table(scene)


def test_an_analyst_that_dies_comes_back():
    async def scene(guest: Guest) -> None:
        await guest.table.analyse(True)
        await frames(guest, 0)
        await guest.table.restart("analyst")
        await frames(guest, 0)
        await guest.table.console("analyst", "quit")
        await guest.hears("analyst exited")
        await frames(guest, 0)
        await guest.plays("C3")
        await frames(guest, 1)

    at_table(scene)


def test_an_analyst_that_cannot_is_named():
    async def scene(guest: Guest) -> None:
        await guest.table.analyse(True)
        await guest.hears("analyst cannot analyse")
        await guest.until(lambda: not guest.state["analysing"])
        with pytest.raises(CannotDo):
            await guest.table.hint()
        await guest.plays("C3")

    at_table(scene, analyst=plain())


def test_an_analyst_that_stays_down_switches_the_analysis_off():
    async def scene(guest: Guest) -> None:
        await guest.table.analyse(True)
        await guest.hears("cannot read the weights")
        await guest.until(lambda: not guest.state["analysing"])
        with pytest.raises(CannotDo, match="analyst is down"):
            await guest.table.hint()

    at_table(scene, analyst=rogue("crash-at-start"))
