"""Firefox and WebKit: a whole game by clicks, a guest, and a replay from the disk."""

import asyncio
import json
import random

from gtp_engine.cli.engine import main
from support import screens
from support.driver import Driver
from support.pages import Visitor
from support.thorough import thorough

PRIMARY = "#status .actions :is(.primary, .step)"


@thorough
def test_a_person_plays_an_engine(other_browser, serve):
    address = serve("--game", "implo", "--size", "4", "--level", "1")
    page, turns = asyncio.run(played(other_browser, address))
    assert turns > 4
    assert page.faults == []
    own = "/".join(address.split("/")[:3])
    assert [url for url in page.asked if not url.startswith((own, "data:", "ws" + own[4:]))] == []


@thorough
def test_a_replay_opens_from_the_disk(other_browser, tmp_path):
    record, path = tmp_path / "game.sgf", tmp_path / "game.html"
    drive = Driver("robble", 3)
    for line in ("game-pie off", "play b b2", "play w a1"):
        drive(line)
    drive(f"printsgf {record}")
    assert main(["replay", str(record), "-o", str(path)]) == 0
    page = asyncio.run(stepped(other_browser, path.as_uri()))
    assert page.faults == []
    assert [url for url in page.asked if not url.startswith("data:")] == []


@thorough
def test_a_guest_plays(other_browser, serve):
    page, host = asyncio.run(visited(other_browser, serve("--game", "robble", "--size", "5")))
    assert page.faults == []
    assert [node["word"] for nodes in host for node in nodes["set"][-1:]][-2:] == ["A1", "B1"]


async def visited(browser, address):
    """The page of a guest after a turn, and what the host, who has no browser, heard of turns."""
    host = await Visitor.enter(address)
    await host.hear("state")
    await host.send("network", on=True)
    await host.send("invite", role="white", base=address[: address.rstrip("/").rindex("/") + 1])
    while not (guests := (await host.hear("tables"))["list"][0]["guests"]):
        pass
    seats = {"black": {"kind": "human"}, "white": {"kind": "human", "guest": "white"}}
    clock = {"main": 300, "increment": 5}
    async with browser.page(guests[0]["address"]) as page:
        await page.until("document.querySelectorAll('#board [data-vertex]').length")
        await host.send("new", game="robble", size=5, pie="off", clock=clock, **seats)
        await page.until("document.querySelectorAll('.player.timed').length")
        while not (state := await host.hear("state"))["clock"]:
            pass
        await host.send("step", rev=state["rev"], word="A1")
        await page.until("document.title.startsWith('Your turn')")
        await page.click('#board [data-vertex="B1"]')
        while (await host.hear("nodes"))["set"][-1]["word"] != "B1":
            pass
        host.leave()
        return page, [each for each in host.heard if each["kind"] == "nodes"]


async def stepped(browser, address):
    """The page after two steps."""
    async with browser.page(address) as page:
        for number in (1, 2):
            await page.until("document.querySelectorAll('#turn-list .turn').length")
            await page.click('#status [aria-label="One step forward"]')
            await page.until(f"location.hash === '#{number}'")
        return page


async def played(browser, address):
    """The page at the end of a game, and how many turns that had."""
    choice = random.Random(2)
    async with browser.page(address) as page:
        while not (offered := await page.until(f"({screens.OFFERED})()"))["over"]:
            before = await page.run(f"({screens.STANDING})()")
            vertex = offered["legal"] and choice.choice(sorted(offered["legal"]))
            await page.click(f'#board [data-vertex="{vertex}"]' if vertex else PRIMARY)
            await page.until(f"({screens.STANDING})() !== {json.dumps(before)}")
        return page, len(await page.run('[...document.querySelectorAll("#turn-list .turn")]'))
