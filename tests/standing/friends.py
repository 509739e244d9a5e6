"""Two people and a spectator at a board, through freezes, cuts, kills of the board, and reloads.

The host and the spectator have desktop pages, the guest a phone; each reaches the board by a proxy
of its own, so this machine must be in a network. People click at random what is legal. The games
have all kinds of clocks, and each second one is a rematch; most end by the rules, some by a
resignation or on time. `python tests standing.friends --game NAME` plays those of one kind.

Faults are: a turn that a page has shown and the next board does not know; pages or a journal that
disagree about a position, a turn or a result; a clock that differs from the spectator's account by
more than a second; a click that was neither played nor taken back; somebody who is away and is not
called so, or is called so and is there; a page that waits for ever or complains.
"""

import argparse
import random
import re
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from queue import Empty

from board.browser.test_friends import invited
from gtp_engine.board.journal.journal import Journal
from standing.findings import Findings
from standing.spectator import Spectator
from standing.turn_account import CLOSE, Account
from support import screens
from support.freezing import FreezingProxy
from support.pages import COMMAND
from support.screens import DESK
from support.waiting import PATIENCE

GAMES = {"robble": (4, 5), "implo": (4, 5), "boloa": (4, 5), "pilo": (4, 5)}
"""The kinds of games, and the sizes of boards."""

CLOCKS = (
    {"kind": "increment", "Minutes for the game": "1.5", "Seconds of each turn": "0"},
    {"kind": "increment", "Minutes for the game": "1", "Seconds of each turn": "4"},
    {"kind": "delay", "Minutes for the game": "1", "Seconds of each turn": "6"},
    {"kind": "turn", "Hours for each turn": "0.1"},
)

PHONE = DESK | {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}

TROUBLED, SLEEPS, RESIGNS = 0.25, 0.01, 0.01
"""How likely a turn is to meet trouble, to be slept through, and to be a resignation."""

SOON = 60.0
"""Seconds that somebody may sleep for."""

SETTLED = 45.0
"""Seconds after a trouble within which all pages show the same again."""

TOLD = 25.0
"""Seconds within which the others are told that somebody is away, or is back."""

CLICK = 6.0
"""Seconds in which a browser on a busy machine clicks at what is there to click."""

ANSWERED = 15.0
"""Seconds after which a click on a page that has its board is lost."""

# What a page says of the connection when the board, or the way to it, is gone.
LOST = re.compile(r"error: (WebSocket connection to|Failed to load resource: net::)|warning: WebS")

VERDICT = """() => document.querySelector("#status .strip.ended #turn-line")?.textContent ?? null"""
CONNECTED = """() => document.querySelector("#veil").hidden"""
AWAY = """() => [...document.querySelectorAll(".absence:not([hidden])")].map((one) =>
    one.closest(".player").dataset.color)"""
TIMES = """() => Object.fromEntries([...document.querySelectorAll("#players .player .time")].map(
    (face) => [face.closest(".player").dataset.color,
        face.matches(".uncertain") || face.hidden ? null : face.textContent]))"""


class Lost(AssertionError):
    """Something that people see is not as it must be; the text says what."""


class Server:
    """The process of a board, which may be killed, and started again with its journal."""

    def __init__(self, folder: Path) -> None:
        """Start it."""
        self.journal = folder / "journal.db"
        self.errors = folder / "stderr"
        self.start()

    def start(self) -> None:
        """Start it; its address is the same each time."""
        command = [*COMMAND, "--no-open", "--journal", str(self.journal)]
        with open(self.errors, "ab") as errors:
            self._process = subprocess.Popen(command, stdout=-1, stderr=errors, text=True)
        assert self._process.stdout is not None
        self.address = self._process.stdout.readline().strip()

    def kill(self) -> None:
        """End it as a power cut would, but for the disk."""
        self._process.kill()
        self._process.communicate(timeout=PATIENCE)


class Seat:
    """Somebody at a page, with a way to the board that can fail.

    name -- `host`, `guest` or `spectator`
    """

    def __init__(self, name: str, screen: screens.Screen, proxy: FreezingProxy) -> None:
        self.name, self.screen, self.proxy = name, screen, proxy
        self.here = True
        self.sent = 0
        screen.page.on("websocket", lambda socket: socket.on("framesent", self._sends))
        screen.socket.on("framesent", self._sends)

    def _sends(self, text: str) -> None:
        self.sent += '"kind":"step"' in text or '"kind":"try"' in text

    @property
    def state(self) -> dict:
        """The last position that its page was told."""
        return self.screen.heard["state"]

    def asks(self, script: str) -> object:
        """What a function of JavaScript gives on its page."""
        return self.screen.page.evaluate(script)

    def rest(self, seconds: float) -> None:
        """Let time pass; all pages go on."""
        self.screen.page.wait_for_timeout(1000 * seconds)

    @property
    def connected(self) -> bool:
        """Whether the page has its board."""
        return self.here and bool(self.asks(CONNECTED))

    def complaints(self) -> list[str]:
        """What its page has complained of, beside connections that were lost."""
        faults, self.screen.faults = self.screen.faults, []
        return [each for each in faults if not LOST.match(each)]


class Evening:
    """Several games of one kind at one board."""

    def __init__(self, server: Server, seats: list[Seat], spectator: Spectator, rng) -> None:
        """Nothing is played yet.

        log -- what was done, and when
        """
        self.server, self.seats, self.spectator, self.rng = server, seats, spectator, rng
        self.host, self.guest, self.watcher = seats
        self.log: list[str] = []
        self.slowest = self.furthest = 0.0
        self.tried: dict[str, int] = {}
        self._account: Account | None = None
        self._state: dict = {}
        self._nodes: dict[int, dict] = {}
        self._line: list[str] = []
        self._begun = time.monotonic()

    def __str__(self) -> str:
        return (
            f"all pages agreed within {self.slowest:.1f} s, "
            f"and all clocks within {self.furthest:.2f} s"
        )

    def note(self, text: str) -> None:
        """Write a line of the log."""
        self.log.append(f"{time.monotonic() - self._begun:8.2f} {text}")

    def count(self, what: str) -> None:
        """Count something that was tried."""
        self.tried[what] = self.tried.get(what, 0) + 1

    # What the spectator hears ------------------------------------------------------------------

    def hear(self) -> None:
        """Take all that the spectator has heard so far. Raises Wrong and Lost."""
        while True:
            try:
                now, message = self.spectator.heard.get_nowait()
            except Empty:
                return
            if message["kind"] == "nodes":
                if message["reset"]:
                    self._nodes = {}
                self._nodes |= {node["id"]: node for node in message["set"]}
            elif message["clock"] is not None:
                self._take(message, now)

    def _take(self, state: dict, now: float) -> None:
        line = self._words(state["node"])
        account = self._account
        if account is None or (account.over and not line):
            self.note(f"a game begins: {state['clock']}")
            self._account = Account(state, now)
        else:
            if line[: len(self._line)] != self._line:
                raise Lost(f"turns were lost: {self._line} is now {line}")
            if line != self._line:
                self.note(f"played: {line[len(self._line) :]}, {state['clock']}")
            account.take(state, now)
        self._state, self._line = state, line

    def _words(self, number: int) -> list[str]:
        words = []
        while (node := self._nodes[number])["parent"] is not None:
            words.append(node["word"])
            number = node["parent"]
        return words[::-1]

    @property
    def account(self) -> Account:
        """The account of the game."""
        assert self._account is not None
        return self._account

    def until(
        self, holds: Callable[[], object], most: float, what: str | Callable[[], str]
    ) -> None:
        """Wait for something on the pages. Raises Lost, with what is wrong after `most` seconds."""
        end = time.monotonic() + most
        while True:
            self.hear()
            if holds():
                return
            if time.monotonic() > end:
                raise Lost(what if isinstance(what, str) else what())
            self.host.rest(0.03)

    # A game ------------------------------------------------------------------------------------

    def play(self, game: str, clock: dict[str, str], again: bool) -> None:
        """Play a game from its beginning to its end, and look at what is left of it.

        again -- as a rematch, if there was a game before
        """
        before = self._account
        if again and before is not None:
            self.rematch()
        else:
            self.begin(game, clock)
        self.until(lambda: self._account is not before, SETTLED, "the new game does not come")
        self.settle()
        while not self.account.over:
            self.turn()
        self.settle()
        self.furthest = max(self.furthest, self.account.furthest)
        for seat in self.seats:
            self.note(f"{seat.name} reads: {seat.asks(VERDICT)}")
            if seat.asks(VERDICT) is None:
                raise Lost(f"the page of the {seat.name} has no end of the game")
            if complaints := seat.complaints():
                raise Lost(f"the page of the {seat.name} complains: {complaints}")
        self.check_journal()

    def begin(self, game: str, clock: dict[str, str]) -> None:
        """Begin a game by the dialog of the host; the guest agrees if it is asked."""
        rng, page = self.rng, self.host.screen.page
        chosen = {
            "Game": game,
            "Size": str(rng.choice(GAMES[game])),
            "You play": rng.choice(["black", "white"]),
            "Pie rule": rng.choice(["off", "pieces", "sides"]),
            "Clock": "own",
            "Time for": clock["kind"],
        }
        self.note(f"new game: {chosen} {clock}")
        page.get_by_role("button", name="New game").locator("visible=true").first.click()
        dialog = page.locator("#new-game")
        for label, value in chosen.items():
            field = dialog.get_by_role("combobox", name=label, exact=True)
            if field.is_visible():
                field.select_option(value)
        for label, value in clock.items():
            if label != "kind":
                dialog.get_by_label(label).fill(value)
        dialog.locator("button[type=submit]").click()
        if self._account is not None:
            self._agree(self.guest)

    def rematch(self) -> None:
        """One of the players wants the same again, with colors exchanged; the other agrees."""
        asking, asked = self.rng.sample([self.host, self.guest], 2)
        self.note(f"the {asking.name} wants a rematch")
        asking.screen.page.get_by_role("button", name="Rematch").click()
        self._agree(asked)

    def _agree(self, seat: Seat) -> None:
        bar = seat.screen.page.locator("#asked:not([hidden])")
        bar.get_by_role("button", name="Agree").click()

    def turn(self) -> None:
        """The player to move does something, perhaps in trouble."""
        rng, mover = self.rng, self.mover
        self.until(
            lambda: self.account.over or mover is not self.mover or mover.asks(screens.OFFERED),
            SETTLED,
            f"the {mover.name} is to move, and cannot",
        )
        if self.account.over or mover is not self.mover:
            return
        mover.rest(rng.uniform(0, 0.4))
        what = rng.random()
        if what < SLEEPS and self._sleep(mover):
            return
        if SLEEPS <= what < SLEEPS + RESIGNS and self._line:
            self._resign(mover)
        elif rng.random() < TROUBLED:
            self._troubled(mover)
        else:
            before, sent = self.account.reached, mover.sent
            self._click(mover)
            if mover.sent == sent:
                raise Lost(f"the {mover.name} cannot click")
            self._check_click(mover, before)
            self._check_clocks(rng.choice(self.seats))

    @property
    def mover(self) -> Seat:
        """The player to move."""
        color = self._state["view"]["turn"]["to_move"]
        return self.guest if self._state["seats"][color].get("guest") else self.host

    def _sleep(self, mover: Seat) -> bool:
        """Wait for the end of the time, if it comes soon; tell whether it did."""
        left = self.account.at(time.monotonic())
        color = self._state["view"]["turn"]["to_move"]
        if self._state["clock"]["running"] != color or left[color] > SOON:
            return False
        self.note(f"the {mover.name} sleeps")
        self.count("losses on time")
        self.until(lambda: self.account.over, left[color] + 10, "the time does not end")
        return True

    def _resign(self, mover: Seat) -> None:
        self.note(f"the {mover.name} resigns")
        self.count("resignations")
        page = mover.screen.page
        page.get_by_role("button", name="Resign").locator("visible=true").click()
        page.locator("dialog.ask").get_by_role("button", name="Resign").click()
        self.until(lambda: self.account.over, SETTLED, "the resignation has no effect")

    def _click(self, mover: Seat) -> None:
        """Click until a step is sent; nothing if nothing can be clicked now."""
        before, page = mover.sent, mover.screen.page
        for _ in range(12):
            offered = mover.asks(screens.OFFERED)
            if offered is None or mover.sent > before:
                return
            if offered["answers"]:
                answers = page.locator("#swap .answers button")
                place = answers.nth(self.rng.randrange(offered["answers"]))
            elif offered["legal"]:
                vertex = self.rng.choice(sorted(offered["legal"]))
                self.note(f"the {mover.name} clicks {vertex}")
                place = mover.screen.point(vertex)
            else:
                place = page.locator("#status .actions").locator(".primary, .step").first
            with suppress(screens.driver().TimeoutError):  # the page has changed meanwhile
                place.click(timeout=CLICK * screens.SECONDS)
            mover.rest(0.03)

    def _check_click(self, mover: Seat, before: tuple[int, int]) -> None:
        """Wait for what becomes of a step that was sent. Raises Lost."""
        self.count("clicks")
        self.until(
            lambda: self.account.over or self.account.reached != before,
            ANSWERED,
            f"a click of the {mover.name} is lost",
        )

    # Trouble -----------------------------------------------------------------------------------

    def _troubled(self, mover: Seat) -> None:
        """A click while something happens to one of the pages, or to all; or just before that."""
        rng = self.rng
        kind = rng.choices(list(TROUBLES), list(TROUBLES.values()))[0]
        victim = rng.choice([mover, mover, *self.seats])
        early, before, sent = rng.random() < 0.5, self.account.reached, mover.sent
        self.note(f"{kind} of the {victim.name}, {'before' if early else 'after'} a click")
        self.count(kind)
        if not early:
            self._click(mover)
        with getattr(self, f"_{kind}")(victim):
            if early and victim.here:
                self.host.rest(rng.uniform(0, 0.5))
                self._click(mover)
        self.settle()
        forgets = kind in ("reload", "absence") and victim is mover
        if mover.sent > sent and not forgets:
            self._check_click(mover, before)

    @contextmanager
    def _freeze(self, victim: Seat) -> Iterator[None]:
        victim.proxy.freeze()
        yield
        self.host.rest(self.rng.uniform(0.2, 8))
        victim.proxy.thaw()

    @contextmanager
    def _cut(self, victim: Seat) -> Iterator[None]:
        victim.proxy.cut()
        yield

    @contextmanager
    def _gap(self, victim: Seat) -> Iterator[None]:
        victim.proxy.freeze()
        victim.proxy.cut()
        yield
        self.host.rest(self.rng.uniform(0.5, 8))
        victim.proxy.thaw()

    @contextmanager
    def _reload(self, victim: Seat) -> Iterator[None]:
        victim.screen.page.reload()
        yield

    @contextmanager
    def _kill(self, victim: Seat) -> Iterator[None]:
        self.host.rest(self.rng.choice([0, 0, 4]))
        now = time.monotonic()
        self.server.kill()
        self.host.rest(0.2)  # the spectator hears what was said before
        self.hear()
        self.account.killed(now)
        yield
        self.host.rest(self.rng.uniform(0, 2))
        self.server.start()

    @contextmanager
    def _absence(self, victim: Seat) -> Iterator[None]:
        victim.here = False
        victim.screen.page.goto("about:blank")
        yield
        self._await_absence(victim)
        victim.screen.page.goto(f"{victim.proxy.address}#board")
        victim.here = True

    @contextmanager
    def _silence(self, victim: Seat) -> Iterator[None]:
        victim.proxy.freeze()
        yield
        self._await_absence(victim)
        victim.proxy.thaw()

    def _await_absence(self, victim: Seat) -> None:
        """Until all others are told that a player is away, unless the game ends before."""
        others = [seat for seat in self.seats if seat is not victim]
        if victim is self.watcher:
            self.host.rest(self.rng.uniform(0, 3))
            return

        def told() -> bool:
            seats = self._state["seats"]
            away = [color for color in seats if (victim is self.guest) == ("guest" in seats[color])]
            return all(seat.asks(AWAY) == away for seat in others)

        self.until(
            lambda: self.account.over or told(),
            TOLD,
            f"the {victim.name} is away, and the others are not told so",
        )

    # What must hold ------------------------------------------------------------------------------

    def settle(self) -> None:
        """Wait until all pages show the same, and that everybody is there. Raises Lost."""
        begun = time.monotonic()
        self.until(lambda: not self._apart(), SETTLED, self._apart)
        self.slowest = max(self.slowest, time.monotonic() - begun)
        for seat in self.seats:
            try:
                seat.screen.agrees()
            except BaseException as error:  # pytest's
                raise Lost(f"the page of the {seat.name}: {error}") from None

    def _apart(self) -> str:
        """What is not yet as it should be."""
        shown = self._state["view"]["position"], self.account.over
        for seat in self.seats:
            if not seat.connected:
                return f"the {seat.name} is not connected"
            if away := seat.asks(AWAY):
                return f"the {seat.name} is told that {away} is away"
            view = seat.state["view"]
            if (view["position"], view["outcome"] is not None) != shown:
                return f"the {seat.name} has another position"
        return ""

    def _check_clocks(self, seat: Seat) -> None:
        """Hold the clocks on a page against the account. Raises Lost."""
        self.count("looks at clocks")
        shown: dict[str, str] = {}

        def right() -> bool:
            shown.update(seat.asks(TIMES))
            left = self.account.at(time.monotonic())
            return all(is_shown(left[color], text) for color, text in shown.items() if text)

        self.until(
            right, ANSWERED, lambda: f"the page of the {seat.name} has wrong clocks: {shown}"
        )

    def check_journal(self) -> None:
        """Hold the game in the journal against what was seen. Raises Lost."""
        journal = Journal(self.server.journal, second=True)
        try:
            kept = journal.load(journal.shown_at("1")[0])
        finally:
            journal.close()
        node, words, turns = kept.tree.root, [], []
        while node.children:
            node = node.children[0]
            words.append(node.word)
            if not node.open:
                left = node.times[node.color != "black"] if node.times else None
                turns.append((node.color, left))
        outcome = self._state["view"]["outcome"]
        if (words, node.result) != (self._line, outcome["result"]):
            raise Lost(f"the journal has {words}, {node.result}, not {self._line}, {outcome}")
        swapped = [one[0] == other[0] for one, other in pairwise([*turns, ("", None)])]
        for (color, left), turn, again in zip(turns, self.account.turns, swapped, strict=True):
            # After a swap of the pieces the clock of the same color has run on.
            if again and color == turn.color:
                continue
            if color != turn.color or left is None or abs(left - max(0.0, turn.left)) > CLOSE:
                raise Lost(f"the journal has {turns}, not {self.account.turns}")


TROUBLES = {
    "freeze": 4,
    "cut": 3,
    "gap": 3,
    "reload": 4,
    "kill": 3,
    "absence": 1,
    "silence": 1,
}
"""What may happen, and how often: see the methods of Evening."""


def is_shown(left: float, text: str) -> bool:
    """Whether a clock with a text such as `1:04`, or `9.4`, shows what is left, nearly."""
    shown = 0.0
    for part in text.split(":"):
        shown = 60 * shown + float(part)
    return shown - CLOSE <= max(0.0, left) <= shown + CLOSE + (":" in text)


@contextmanager
def evening(browser, folder: Path, rng: random.Random) -> Iterator[Evening]:
    """Three people come together at a new board."""
    with ExitStack() as stack:
        server = Server(folder)
        stack.callback(server.kill)

        def seat(name: str, address: str, settings: dict) -> Seat:
            proxy = stack.enter_context(FreezingProxy(address).running())
            context = browser.new_context(**settings)
            stack.callback(context.close)
            return Seat(name, screens.Screen(context, proxy.address), proxy)

        host = seat("host", server.address, DESK)
        to_play, to_watch = invited(host.screen, "To watch")
        host.screen.page.locator("#invite").get_by_role("button", name="Done").click()
        guest = seat("guest", to_play, PHONE)
        watcher = seat("spectator", to_watch, DESK)
        spectator = stack.enter_context(Spectator(to_watch).watching())
        yield Evening(server, [host, guest, watcher], spectator, rng)


def play_kind(browser, game: str, games: int, seed: int, found: Findings) -> None:
    """Play so many games of a kind at one board; after a fault at a new one."""
    played = 0
    while played < games:
        rng = random.Random(f"{seed} {game} {played}")
        with tempfile.TemporaryDirectory() as place, evening(browser, Path(place), rng) as people:
            try:
                while played < games:
                    played += 1
                    people.play(game, CLOCKS[(played - 1) // 2 % len(CLOCKS)], played % 2 == 0)
                    found.tried[f"games of {game}"] += 1
            except Exception:
                for each in people.seats:
                    each.screen.page.screenshot(path=Path(place, f"{each.name}.png"))
                told = "\n".join(people.log).encode()
                found.fault(traceback.format_exc(), told, "log", Path(place))
            found.tried.update(people.tried)
            print(f"{game}, {played} games: {people}", file=sys.stderr, flush=True)


def run(games: float, seed: int, folder: Path, kinds: Iterable[str] = GAMES) -> Findings:
    """Play so many games of each kind."""
    found = Findings("friends", folder)
    with screens.driver().sync_playwright() as player, screens.chromium(player) as browser:
        for game in kinds:
            play_kind(browser, game, int(games), seed, found)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", choices=GAMES, required=True)
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, required=True)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    print(run(options.games, options.seed, options.folder, [options.game]))


if __name__ == "__main__":
    main()
