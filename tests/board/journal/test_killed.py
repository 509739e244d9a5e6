"""A board that is killed at any moment loses no turn that a page has seen.

`python tests/board/journal/test_killed.py --kills 200` kills so often, and reports what it saw.
"""

import argparse
import asyncio
import random
import tempfile
from collections import Counter
from pathlib import Path

import pytest

from support.pages import Visitor, started
from support.seating import steps_of
from support.thorough import first_of
from support.waiting import until, waiting_for

HUMAN = {"kind": "human"}
ACTS = {"step": 12, "goto": 3, "comment": 2, "drop": 1, "promote": 1, "new": 1}
GAMES = ("robble", "implo", "pilo", "boloa")


class Watcher:
    """A page that remembers what it was told of the game, and plays at random.

    What it has asked for may have happened although it was not told so.

    dropping   -- the paths of nodes that it wants to be dropped
    commenting -- the comments that it has asked for, by path
    leaving    -- whether it wants another game
    answers    -- the number of answers to `rules`
    """

    def __init__(self, page: Visitor, rng: random.Random) -> None:
        self.page, self.rng = page, rng
        self.nodes: dict[int, dict] = {}
        self.state: dict = {}
        self.done: Counter = Counter()
        self.dropping: list[tuple[str, ...]] = []
        self.commenting: dict[tuple[str, ...], str] = {}
        self.leaving = False
        self.answers = 0

    async def hear(self) -> None:
        """Take all that comes, until the server is gone."""
        while (message := await self.page.hear()) is not None:
            if message["kind"] == "nodes":
                self.take(message)
            elif message["kind"] == "state":
                self.state = message
            elif message["kind"] == "rules":
                self.answers += 1

    def take(self, told: dict) -> None:
        if told["reset"]:
            self.nodes, self.dropping, self.commenting, self.leaving = {}, [], {}, False
        gone = [self.path(number) for number in told["drop"]]
        self.dropping = [path for path in self.dropping if path not in gone]
        for number in told["drop"]:
            del self.nodes[number]
        for node in told["set"]:
            self.nodes[node["id"]] = node
            if self.commenting.get(path := self.path(node["id"])) == node["comment"]:
                del self.commenting[path]

    def seen(self) -> set[tuple]:
        """What was surely seen of each node, by its path: ids change when a board starts again."""
        if self.leaving:
            return set()
        found = set()
        for number, node in self.nodes.items():
            path = self.path(number)
            if any(path[: len(each)] == each for each in self.dropping):
                continue
            found.add((path,))
            if path not in self.commenting:
                found.add((path, node["comment"]))
        return found

    def path(self, number: int) -> tuple[str, ...]:
        words = []
        while (node := self.nodes[number])["parent"] is not None:
            words.append(node["word"])
            number = node["parent"]
        return tuple(words[::-1])

    async def play(self) -> None:
        """One action of a person; the server may be gone."""
        rng, state = self.rng, self.state
        act = rng.choices(list(ACTS), list(ACTS.values()))
        fields: dict = {}
        others = [number for number in self.nodes if number]
        match act[0]:
            case "step" if words := steps_of(state["view"]):
                fields = {"rev": state["rev"], "word": rng.choice(words)}
            case "goto":
                fields = {"node": rng.choice(list(self.nodes))}
            case "comment":
                fields = {"node": rng.choice(list(self.nodes)), "text": f"said {rng.random()}"}
            case "drop" | "promote" if others:
                fields = {"node": rng.choice(others)}
            case "new" if len(self.nodes) > 12:
                fields = {"game": rng.choice(GAMES), "size": 5, "pie": "pieces"}
                fields |= {"black": HUMAN, "white": HUMAN}
        if fields:
            self.done[act[0]] += 1
            if act[0] == "drop":
                self.dropping.append(self.path(fields["node"]))
            elif act[0] == "comment":
                self.commenting[self.path(fields["node"])] = fields["text"]
            self.leaving = self.leaving or act[0] == "new"
            await self.page.send(act[0], **fields)

    async def answered(self) -> None:
        """Wait until the server has come to what was asked last."""
        before = self.answers
        await self.page.send("rules")
        await until(lambda: self.answers > before)


async def killed(path: Path, rng: random.Random, seen: set[tuple] | None) -> tuple[set, Counter]:
    """Play at a board with this journal, and kill it. Returns what its page saw at last.

    seen -- what a page saw of the board before: all of it must be there again
    """
    async with started("--journal", str(path)) as (process, address):
        page = await Visitor.enter(address)
        watcher = Watcher(page, rng)
        hearing = asyncio.create_task(watcher.hear())
        await until(lambda: watcher.state)
        if seen is not None:
            assert seen <= watcher.seen() | {((),), ((), "")}, seen - watcher.seen()
        last = len(page.heard) + rng.randrange(2, 100)
        while len(page.heard) < last:
            await watcher.play()
            if rng.random() < 0.5:  # else the server is hurried
                await watcher.answered()
        process.kill()
        async with waiting_for("the end of the page's socket"):
            await hearing
        return watcher.seen(), watcher.done


async def killed_often(kills: int, seed: int, told=None) -> Counter:
    """Kill boards with one journal, one after the other. Returns how often people did what."""
    rng, done = random.Random(seed), Counter()
    with tempfile.TemporaryDirectory() as folder:
        seen = None
        for number in range(kills):
            seen, acts = await killed(Path(folder, "j.db"), rng, seen)
            done += acts
            if told:
                told(number + 1, len(seen), done)
    return done


@pytest.mark.parametrize(("seed", "kills"), first_of([(1, 3), (2, 8)]))
def test_no_turn_that_a_page_saw_is_lost(seed, kills):
    done = asyncio.run(killed_often(kills, seed))
    assert done["step"] > kills


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    print(
        asyncio.run(
            killed_often(options.kills, options.seed, lambda *said: print(*said, flush=True))
        )
    )
