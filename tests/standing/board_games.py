"""Random games through the sockets of a board. An independent engine checks each view.

`python tests standing.board_games --games 1000` plays all games of the board, with several pages
that take turns, and with undo and redo. After every word all pages have the same view. It agrees
with `game-board`, `game-legal_steps`, `game-legal_turns`, `game-to_move`, `game-status` and
`game-result` of the independent engine. The script knows no rules, and learns how pieces are
written.
"""

import argparse
import asyncio
import json
import random
import time
from concurrent.futures import ThreadPoolExecutor

from gtp_engine.gtp.client.blocking import BlockingEngine
from support.pages import Visitor, started
from support.starting import engine_command
from support.waiting import PATIENCE, waiting_for

PEOPLE = {"black": {"kind": "human"}, "white": {"kind": "human"}}
PAGES = 6  # each may send 50 messages a second
MOST_WORDS = 400


class Reader:
    """A page that always reads, and remembers the newest state and the whole tree.

    It counts the frames of the analysis, and keeps what it was told in sentences.
    """

    def __init__(self, page):
        self.page = page
        self.hello = self.state = None
        self.nodes = {}
        self.said = []
        self.frames = 0
        self.news = asyncio.Event()
        self.task = asyncio.create_task(self.read())

    async def read(self):
        while (text := await self.page.socket.read_message()) is not None:
            message = json.loads(text)
            match message["kind"]:
                case "state":
                    self.state = message
                case "nodes":
                    if message["reset"]:
                        self.nodes = {}
                    self.nodes |= {node["id"]: node for node in message["set"]}
                case "told" | "refused":
                    self.said.append(message["text"])
                case "hello":
                    self.hello = message
                case "frame":
                    self.frames += 1
            self.news.set()
        self.news.set()

    async def changed(self, rev):
        """The state after a change since `rev`."""
        await self.until(lambda state: state["rev"] > rev)
        return self.state

    async def until(self, true):
        """Wait for a state; fails where none comes, or something else is said."""
        async with waiting_for("a certain state"):
            while self.state is None or not true(self.state):
                assert not self.said, self.said
                assert not self.task.done(), "the socket was closed"
                self.news.clear()
                await self.news.wait()


class Judge:
    """The independent engine, asked in a thread of its own: this one runs an event loop."""

    def __init__(self):
        self.thread = ThreadPoolExecutor(1)
        self.engine = self.do(BlockingEngine, engine_command())
        self.words = {}

    def do(self, work, *arguments):
        return self.thread.submit(work, *arguments).result()

    def close(self):
        self.do(self.engine.close)
        self.thread.shutdown()

    def ask(self, line):
        response = self.do(self.engine.ask, line, PATIENCE).response
        assert response.success, f"{line}: {response.text}"
        return response.text

    def compare(self, view):
        """Hold a view against what the engine says of its own game."""
        self.compare_pieces(view)
        leaves = list(leaves_of(view["options"]))
        buttons = [button["step"] for button in view["buttons"]]
        steps = self.ask("game-legal_steps").split()
        assert sorted(leaves + buttons) == sorted(steps)
        if not view["turn"]["open"]:
            turns = self.ask("game-legal_turns 20000").split()
            assert {turn.partition("/")[0] for turn in turns} == set(steps)
        assert self.ask("game-to_move") == view["turn"]["to_move"]
        status = dict(line.split(" ", 1) for line in self.ask("game-status").splitlines())
        assert status["turn"].startswith("open") == view["turn"]["open"], status
        result = self.ask("game-result")
        assert (result == "none") == (view["outcome"] is None)
        if view["outcome"] is not None:
            outcome = view["outcome"]
            found = f"{outcome['result']} {outcome['text']}"
            assert found.lower() == result.lower()
            assert not steps

    def compare_pieces(self, view):
        rows = [line.split() for line in self.ask("game-board").splitlines()]
        size = view["game"]["size"]
        assert (len(rows), {len(row) for row in rows}) == (size, {size})
        columns = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
        said = {
            f"{columns[column]}{size - row}": word
            for row, words in enumerate(rows)
            for column, word in enumerate(words)
            if word != "."
        }
        assert said.keys() == {piece["at"] for piece in view["pieces"]}
        for piece in view["pieces"]:
            traits = view["game"]["name"], piece["kind"], piece["color"], piece["height"]
            word = said[piece["at"]]
            assert self.words.setdefault(traits, word) == word
        # Two pieces that are written alike are alike.
        assert len({(name[0], word) for name, word in self.words.items()}) == len(self.words)


def leaves_of(options):
    """The steps that a list of options leads to."""
    for option in options:
        if "then" in option:
            yield from leaves_of(option["then"])
        else:
            yield option["step"]


class Driver:
    """Plays games through some pages, and counts."""

    def __init__(self, readers, rng):
        self.readers = readers
        self.rng = rng
        self.judge = Judge()
        self.views = self.sent = 0

    async def send(self, kind, **fields):
        """Send a message through one page after the other."""
        self.sent += 1
        await self.readers[self.sent % len(self.readers)].page.send(kind, **fields)

    async def seen(self, rev):
        """Wait until all pages show a change after `rev`, and all the same; the view."""
        for reader in self.readers:
            await reader.changed(rev)
        first = self.readers[0].state
        for reader in self.readers[1:]:
            assert reader.state["view"] == first["view"]
            assert reader.state["rev"] == first["rev"]
            assert reader.nodes == self.readers[0].nodes
        self.judge.compare(first["view"])
        self.views += 1
        return first

    async def play(self, game, size, pie):
        """One game, to its end or to MOST_WORDS."""
        rev = self.readers[0].state["rev"]
        self.judge.ask(f"game-select {game} {size}")
        self.judge.ask(f"game-pie {pie}")
        await self.send("new", game=game, size=size, pie=pie, **PEOPLE)
        state = await self.seen(rev)
        for _ in range(MOST_WORDS):
            view = state["view"]
            if view["outcome"] is not None:
                return
            word = self.choose(view)
            self.judge.ask(f"play {view['turn']['to_move']} {word}")
            await self.send("step", rev=state["rev"], word=word)
            state = await self.seen(state["rev"])
            if self.rng.random() < 0.05:
                state = await self.back_and_forth(state, view, word)

    async def back_and_forth(self, state, before, word):
        """Take the last word back, and play it again by redo; the pieces have their numbers."""
        after = state["view"]
        self.judge.ask("undo")
        await self.send("undo")
        state = await self.seen(state["rev"])
        assert same(state["view"], before)
        self.judge.ask(f"play {before['turn']['to_move']} {word}")
        await self.send("redo")
        state = await self.seen(state["rev"])
        assert same(state["view"], after)
        return state

    def choose(self, view):
        buttons = [button["step"] for button in view["buttons"]]
        if buttons and self.rng.random() < 0.3:
            return self.rng.choice(buttons)
        return self.rng.choice([*leaves_of(view["options"])] or buttons)


def same(one, other):
    """Whether two views are equal but for the number of changes."""
    return {**one, "rev": 0} == {**other, "rev": 0}


async def play_games(count, seed, sizes=(2, 7), told=None):
    """Play games of all kinds in turn; the number of views that were compared, and seconds."""
    rng = random.Random(seed)
    async with started() as (_, address):
        readers = [Reader(await Visitor.enter(address)) for _ in range(PAGES)]
        for reader in readers:
            await reader.until(lambda state: True)
        games = readers[0].hello["catalog"]["games"]
        driver = Driver(readers, rng)
        begun = time.perf_counter()
        try:
            for number in range(count):
                game = games[number % len(games)]
                low, high = max(sizes[0], game["sizes"][0]), min(sizes[1], game["sizes"][1])
                pie = rng.choice(["pieces", "sides", "off"])
                await driver.play(game["name"], rng.randint(low, high), pie)
                if told:
                    told(number + 1, driver.views, time.perf_counter() - begun)
        finally:
            driver.judge.close()
            for reader in readers:
                reader.task.cancel()
                await asyncio.wait([reader.task])
        return driver.views, time.perf_counter() - begun


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--largest", type=int, default=7)
    options = parser.parse_args()

    def told(games, views, seconds):
        if games % 20 == 0:
            print(f"{games} games, {views} views equal, {seconds:.0f} s", flush=True)

    done = play_games(options.games, options.seed, (2, options.largest), told)
    views, seconds = asyncio.run(done)
    print(f"{options.games} games, {views} views equal, {seconds:.0f} s")


if __name__ == "__main__":
    main()
