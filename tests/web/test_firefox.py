"""A whole game in Firefox: a person by clicks, against our engine."""

import asyncio
import json
import random

import firefox
import screens
from thorough import thorough

PRIMARY = "#status .actions :is(.primary, .step)"


@thorough
def test_a_person_plays_an_engine(tmp_path):
    program = firefox.firefox() or screens.missing("Firefox")
    with screens.serving("--size", "4", "--level", "1") as address:
        page, turns = asyncio.run(played(program, tmp_path, address))
    assert turns > 4
    assert page.faults == []
    own = "/".join(address.split("/")[:3])
    assert [url for url in page.asked if not url.startswith((own, "data:", "ws" + own[4:]))] == []


async def played(program, profile, address):
    """The page at the end of a game, and how many turns that had."""
    choice = random.Random(2)
    async with firefox.firefox_page(program, profile, address) as page:
        while not (offered := await page.until(f"({screens.OFFERED})()"))["over"]:
            before = await page.run(f"({screens.STANDING})()")
            vertex = offered["legal"] and choice.choice(sorted(offered["legal"]))
            await page.click(f'#board [data-vertex="{vertex}"]' if vertex else PRIMARY)
            await page.until(f"({screens.STANDING})() !== {json.dumps(before)}")
        return page, len(await page.run('[...document.querySelectorAll("#turn-list .turn")]'))
