"""What tests do with browsers that Playwright does not drive: Firefox and WebKit."""

import asyncio
import json
from abc import ABC, abstractmethod
from contextlib import AbstractAsyncContextManager

from support.waiting import waiting_for

BETWEEN = 0.02  # seconds between two looks at a page


class OtherPage(ABC):
    """A page of such a browser.

    asked  -- the addresses that the page asked for
    faults -- errors and warnings of its console

    Both are there at its end.
    """

    asked: list[str]
    faults: list[str]

    @abstractmethod
    async def run(self, expression: str):
        """What an expression is worth, by way of JSON."""

    @abstractmethod
    async def perform(self, source: dict) -> None:
        """Do what a source of input, such as the mouse, has to do, as WebDriver writes it."""

    async def until(self, expression: str):
        """The value of an expression, as soon as it is true."""
        try:
            async with waiting_for(expression):
                while not (value := await self.run(expression)):
                    await asyncio.sleep(BETWEEN)
        except AssertionError as late:
            late.add_note(f"the page shows: {await self.run('document.body.innerText')}")
            raise
        return value

    async def result(self, body: str):
        """What the body of an asynchronous function gives; its error, as text, if it fails."""
        await self.run(
            f"(async () => {{ {body} }})().then((found) => window.found = [found], "
            "(error) => window.found = [String(error)]) && 0"
        )
        (found,) = await self.until("window.found")
        return found

    async def click(self, selector: str) -> None:
        """Click in the middle of an element with the mouse."""
        x, y = await self.run(
            f"(({{left, top, width, height}}) => [left + width / 2, top + height / 2])"
            f"(document.querySelector({json.dumps(selector)}).getBoundingClientRect())"
        )
        move = {"type": "pointerMove", "x": round(x), "y": round(y)}
        press = [{"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        await self.perform({"type": "pointer", "id": "mouse", "actions": [move, *press]})


class OtherBrowser(ABC):
    """Such a browser, which runs."""

    @abstractmethod
    def page(self, address: str) -> AbstractAsyncContextManager[OtherPage]:
        """A page with a memory of its own, which ends with the block."""
