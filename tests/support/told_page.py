"""The page at a server that each test plays: what it is told, and what it sends.

No server runs: the browser gets the files of the page from the test, and its WebSocket is a
stand-in that keeps what the page sends. The views come from an engine in this process.
"""

import json
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from gtp_engine.board.server.static import PAGE, TYPES, page_files
from support.boards import position
from support.driver import Driver
from support.screens import SECONDS
from support.waiting import PATIENCE

ADDRESS = "http://board.test/"
DESK = {"viewport": {"width": 1440, "height": 800}, "reduced_motion": "reduce"}

SERVER = """
    window.sent = [];
    window.WebSocket = class {
        constructor() {
            window.socket = this;
            this.readyState = 0;
            setTimeout(() => { this.readyState = 1; this.onopen(); });
        }
        send(text) {
            const message = JSON.parse(text);
            if (message.kind === "alive") setTimeout(() => this.onmessage({ data: text }));
            else window.sent.push(message);
        }
        close() {}
    };
    window.tell = (message) => window.socket.onmessage({ data: JSON.stringify(message) });
"""

# The pieces in the order of their ids: the button that the middle of each lies on, and its symbol.
PIECES = """() => [...document.querySelectorAll("#board .pieces > use")].map((piece) => {
    const { x, y } = new DOMPoint(0, 0).matrixTransform(piece.getScreenCTM());
    const over = document.elementsFromPoint(x, y).find((one) => one.dataset?.vertex);
    return [over?.dataset.vertex, piece.getAttribute("href")];
})"""

# The signs of one kind on the board, each by the point whose button its middle lies on.
MARKS = """(kind) => [...document.querySelectorAll(`#board .mark.${kind}`)].map((mark) => {
    const box = mark.getBoundingClientRect();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    return document.elementsFromPoint(x, y).find((one) => one.dataset?.vertex)?.dataset.vertex;
}).sort()"""

# The point on which a path begins.
BEGINNING = """(path) => {
    const { x, y } = path.getPointAtLength(0).matrixTransform(path.getScreenCTM());
    return document.elementsFromPoint(x, y).find((one) => one.dataset?.vertex)?.dataset.vertex;
}"""

# Keeps in `outlined` the point in the middle of each outline that flashes.
WATCHED = """() => {
    window.outlined = [];
    const keep = (mark) => {
        const box = mark.getBoundingClientRect();
        const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
        const over = document.elementsFromPoint(x, y).find((one) => one.dataset?.vertex);
        window.outlined.push(over?.dataset.vertex);
    };
    new MutationObserver((changes) => changes.forEach(({ addedNodes }) => addedNodes.forEach(keep)))
        .observe(document.querySelector("#board .marks.pulse"), { childList: true });
}"""

HUMAN = {"kind": "human"}
ENGINE = {"kind": "engine", "engine": "A", "level": 3}
REVISIONS = count(1)
VISITS = count(1)


class ToldPage:
    """A page whose server is the test: `tell` sends it a message, `sent` is what it has sent."""

    def __init__(self, page) -> None:
        self.page = page
        self.faults = []
        self.held = None
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.add_init_script(SERVER)
        page.route("**/*", serve)
        page.set_default_timeout(PATIENCE * SECONDS)

    def begin(self) -> None:
        """Load the page anew, as a browser does that keeps nothing, and greet it."""
        if self.page.url.startswith(ADDRESS):
            self.page.evaluate("localStorage.clear()")
        self.page.mouse.move(0, 0)  # away from what the last test has clicked
        self.page.goto(f"{ADDRESS}?{next(VISITS)}#board")  # another address: so it is loaded
        self.page.wait_for_function("window.sent.length && document.querySelector('#turns .pen')")
        self.hello()

    def tell(self, kind: str, **fields) -> None:
        message = {"kind": kind, **fields}
        if self.held is None:
            self.page.evaluate("(message) => tell(message)", message)
        else:
            self.held.append(message)

    @contextmanager
    def at_once(self):
        """What is told in the block comes before the page draws."""
        self.held = []
        yield
        held, self.held = self.held, None
        self.page.evaluate("(messages) => messages.forEach(tell)", held)

    def hello(self, **fields) -> None:
        catalog = json.loads(Driver()("game-catalog"))
        engines = [{"name": "A", "title": "A", "running": True}, {"name": "B", "title": "B"}]
        known = {"title": "Board", "engines": engines, "catalog": catalog, "readonly": False}
        self.tell("hello", **known | {"start": False} | fields)

    def greeted_again(self) -> None:
        """The page has lost its connection; on the next one it is greeted."""
        self.page.wait_for_function("sent.filter(({ kind }) => kind === 'hello').length === 2")
        self.hello()

    def show(self, driver: Driver, **fields) -> dict:
        """Tell the state of an engine's game; returns the view."""
        view = json.loads(driver("game-view")) | {"rev": next(REVISIONS)}
        self.state = {
            "rev": view["rev"],
            "view": view,
            "tree": 1,
            "node": 0,
            "seats": {"black": HUMAN, "white": HUMAN},
            "thinking": None,
            "paused": False,
            "resting": False,
            "analysing": False,
            "can_undo": False,
            "can_redo": False,
            "clock": None,
            "swap_note": None,
            "pie": "pieces",
            "engines": [],
        } | fields
        if "node" not in fields:
            self.nodes()
        self.tell("state", **self.state)
        return view

    def nodes(self, *nodes: tuple[int, int, str, str], **fields: dict) -> None:
        """Tell the whole tree: `(id, parent, color, word)`, and more of some nodes by `nID`."""
        told = [node(0, None, "", "", 0)]
        numbers = {0: 0}
        for id, parent, color, word in nodes:
            numbers[id] = numbers[parent] + 1
            told.append(node(id, parent, color, word, numbers[id]))
        told = [each | fields.get(f"n{each['id']}", {}) for each in told]
        self.tell("nodes", reset=True, set=told, drop=[])

    def sent(self, kind: str) -> list[dict]:
        """What the page has sent of a kind, without the kind."""
        every = self.page.evaluate("() => window.sent")
        return [
            {name: value for name, value in each.items() if name != "kind"}
            for each in every
            if each["kind"] == kind
        ]

    def button(self, name: str, within: str = "body"):
        return self.page.locator(within).get_by_role("button", name=name, exact=True)

    def point(self, vertex: str):
        return self.page.locator(f'#board [data-vertex="{vertex}"]')

    def text(self, selector: str) -> str:
        """The text of an element as it is shown, with single blanks."""
        script = "one => one.innerText ?? one.textContent"
        return " ".join(self.page.locator(selector).evaluate(script).split())

    def legal(self) -> set[str]:
        every = "all => all.map(one => one.dataset.vertex)"
        return set(self.page.locator("#board .legal").evaluate_all(every))

    def focused(self) -> str | None:
        return self.page.evaluate("() => document.activeElement.dataset.vertex ?? null")


def node(id, parent, color, word, number) -> dict:
    known = {"id": id, "parent": parent, "color": color, "word": word, "number": number}
    told = {"chance": None, "loss": None, "best": None, "why": [], "marks": []}
    return known | {"open": False, "comment": ""} | told


def serve(route) -> None:
    """The answer to a request of the page, as the server of the board gives it."""
    name = route.request.url.removeprefix(ADDRESS).partition("?")[0] or "index.html"
    kind = TYPES[name.rpartition(".")[2]]
    body = page_files()[name][0] if name in page_files() else Path(PAGE, name).read_bytes()
    return route.fulfill(body=body, content_type=kind)


def drive(game: str, picture: str, *plays: str, **content: str) -> Driver:
    driver = Driver(game)
    driver.session.set_position(position(game, picture, **content))
    for play in plays:
        driver(f"play {play}")
    return driver


STACKS = "B1 W1 . \n . B2 . \n . W1 ."
"""A position of Pilo in which stacks of one height see each other."""

NODES = [(1, 0, "black", "C2"), (2, 1, "white", "D4"), (3, 2, "black", "A1"), (4, 1, "white", "E5")]


def at_node(told, number: int, **fields) -> None:
    """Show a node of NODES, whose tree the page has got: C2, then D4 and A1, or E5."""
    driver = Driver("robble", 5)
    words = {0: [], 1: ["b c2"], 2: ["b c2", "w d4"], 3: ["b c2", "w d4", "b a1"]}
    for play in words.get(number, ["b c2", "w e5"]):
        driver(f"play {play}")
    told.show(driver, node=number, can_undo=number > 0, **fields)
