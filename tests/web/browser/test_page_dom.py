"""What the page draws and sends, by the messages of a server that each test plays.

No server runs: the browser gets the files of the page from the test, and its WebSocket is a
stand-in that keeps what the page sends. The views come from an engine in this process.
"""

import json
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import pytest

from gtp_engine.look.loader import look_text
from gtp_engine.web.static import PAGE, TYPES, page_files
from support.boards import position
from support.driver import Driver

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
        send(text) { window.sent.push(JSON.parse(text)); }
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


class ToldPage:
    """A page whose server is the test: `tell` sends it a message, `sent` is what it has sent."""

    def __init__(self, page) -> None:
        self.page = page
        self.faults = []
        self.held = None
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.add_init_script(SERVER)
        page.route("**/*", serve)
        page.set_default_timeout(20_000)

    def begin(self) -> None:
        """Load the page anew, as a browser does that keeps nothing, and greet it."""
        self.page.goto("about:blank")
        self.page.goto(f"{ADDRESS}#board")
        self.page.evaluate("localStorage.clear()")
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
    name = route.request.url.removeprefix(ADDRESS).partition("#")[0] or "index.html"
    kind = TYPES[name.rpartition(".")[2]]
    if name == "look.json":
        return route.fulfill(body=look_text(), content_type=kind)
    body = page_files()[name][0] if name in page_files() else Path(PAGE, name).read_bytes()
    return route.fulfill(body=body, content_type=kind)


@pytest.fixture(scope="module")
def tab(browsers):
    with browsers.shown() as chromium:
        context = chromium.new_context(**DESK)
        page = ToldPage(context.new_page())
    yield page
    with browsers.shown():
        context.close()


@pytest.fixture
def told(tab, chromium):
    """A page that has been greeted. At the end it must not have complained."""
    tab.begin()
    yield tab
    faults, tab.faults = tab.faults, []
    assert faults == []


def drive(game: str, picture: str, *plays: str, **content: str) -> Driver:
    driver = Driver(game)
    driver.session.set_position(position(game, picture, **content))
    for play in plays:
        driver(f"play {play}")
    return driver


# The board ---------------------------------------------------------------------------------------

BOARDS = [
    drive("pilo", "B1 W2 . \n # B3 W1 \n . . B1"),
    drive("boloa", "b B . \n . w W \n . . b"),
    drive("robble", "B . W \n W B . \n . . B"),
    drive("implo", ". B . . \n . B W . \n W . . . \n . . . B", "b d4"),
]


@pytest.mark.parametrize("driver", BOARDS, ids=lambda driver: driver.session.game.name)
def test_each_piece_stands_on_its_point_and_looks_as_its_kind(told, driver):
    view = told.show(driver)
    drawn = told.page.evaluate(PIECES)
    assert [at for at, _ in drawn] == [piece["at"] for piece in view["pieces"]]
    looks = {}
    for piece, (_, symbol) in zip(view["pieces"], drawn, strict=True):
        kind = (piece["shape"], piece["color"], piece.get("height"))
        assert looks.setdefault(kind, symbol) == symbol
    assert len(set(looks.values())) == len(looks)
    heights = [piece["height"] for piece in view["pieces"] if piece.get("height", 1) > 1]
    defined = "all => all.map(one => one.textContent).filter(Boolean)"
    assert sorted(told.page.locator("#board defs > g[id]").evaluate_all(defined)) >= sorted(
        {str(height) for height in heights}
    )


@pytest.mark.parametrize("driver", BOARDS, ids=lambda driver: driver.session.game.name)
def test_each_point_has_a_button_with_its_name_and_whether_it_can_be_clicked(told, driver):
    view = told.show(driver)
    size = view["game"]["size"]
    script = "all => all.map(one => [one.dataset.vertex, one.ariaLabel, one.tabIndex])"
    points = told.page.locator("#board [data-vertex]").evaluate_all(script)
    rows = [f"{letter}{row}" for row in range(size, 0, -1) for letter in "ABCDEFGHJ"[:size]]
    assert [at for at, _, _ in points] == rows
    assert sorted(index for _, _, index in points) == [-1] * (size * size - 1) + [0]
    pieces = {piece["at"]: piece["text"] for piece in view["pieces"]}
    for at, name, _ in points:
        assert name.split(", ")[0] == at
        assert name.removeprefix(f"{at}, ").startswith(pieces.get(at, "empty"))
    others = view["tools"][1:]  # the first tool is chosen
    chosen = [each for each in view["options"] if each["verb"] not in others]
    assert told.legal() == {at for each in chosen for at in [each["at"], *each["area"]]}


def test_pieces_of_a_later_view_replace_those_of_an_earlier_one(told):
    driver = drive("pilo", "B1 W1 . \n . . . \n . . .")
    told.show(driver)
    driver("play b a3-b3")
    view = told.show(driver)
    assert [at for at, _ in told.page.evaluate(PIECES)] == [each["at"] for each in view["pieces"]]
    told.show(Driver("pilo", 3))
    assert told.page.evaluate(PIECES) == []


def test_the_last_turn_is_marked(told):
    driver = Driver("robble", 5)
    driver("play b c2")
    told.show(driver)
    assert told.page.evaluate(MARKS, "last") == ["C2"]
    driver("play w e4")
    told.show(driver)
    assert told.page.evaluate(MARKS, "last") == ["E4"]


def test_without_motion_a_turn_is_outlined_for_a_moment_when_it_comes_and_when_it_is_replayed(told):
    driver = Driver("robble", 5)
    told.show(driver)
    told.page.evaluate(WATCHED)
    driver("play b c2")
    told.show(driver)
    told.page.wait_for_function("outlined.length > 0")
    told.button("Show the last turn again").click()
    told.page.wait_for_function("outlined.length > 1")
    assert told.page.evaluate("() => outlined") == ["C2", "C2"]
    told.page.wait_for_function("!document.querySelector('#board .marks.pulse > *')")


def test_what_people_marked_is_on_the_shown_node_alone(told):
    driver = Driver("robble", 5)
    driver("play b c2")
    marks = [
        {"kind": "circle", "at": "B2"},
        {"kind": "triangle", "at": "D4"},
        {"kind": "label", "at": "E1", "text": "x"},
        {"kind": "arrow", "at": "A1", "to": "A3"},
    ]
    told.nodes((1, 0, "black", "C2"), n1={"marks": marks})
    told.show(driver, node=1)
    for kind, at in {"circle": "B2", "triangle": "D4", "label": "E1", "pointer": "A2"}.items():
        assert told.page.evaluate(MARKS, kind) == [at]
    assert told.text("#board .mark.label") == "x"
    begins = told.page.locator("#board .mark.pointer path").first.evaluate(BEGINNING)
    assert begins == "A1", "an arrow leads from its first point to its second"
    told.show(driver, node=0)
    assert told.page.locator("#board .marks.notes > *").count() == 0


def test_marks_are_drawn_with_the_right_button(told):
    told.show(Driver("robble", 5))
    told.point("B2").click(button="right")
    assert told.sent("marks") == [{"node": 0, "marks": [{"kind": "circle", "at": "B2"}]}]
    assert told.page.evaluate(MARKS, "circle") == ["B2"]
    told.point("B2").click(button="right")
    assert told.sent("marks")[-1] == {"node": 0, "marks": []}
    assert told.sent("try") == told.sent("step") == []


def test_arrows_are_drawn_by_keys_from_their_beginning(told):
    told.show(Driver("robble", 5))
    told.point("C3").focus()
    for key in ("m", "Enter", "ArrowRight", "ArrowUp", "Enter"):
        told.page.keyboard.press(key)
    arrow = {"kind": "arrow", "at": "C3", "to": "D4"}
    assert told.sent("marks") == [{"node": 0, "marks": [arrow]}]
    told.page.keyboard.press("m")
    told.page.keyboard.press("Enter")
    assert [each["word"] for each in told.sent("step")] == ["D4"]


# Clicks, keys, and the focus ---------------------------------------------------------------------

STACKS = "B1 W1 . \n . B2 . \n . W1 ."


def test_a_step_of_two_clicks_is_sent_when_it_is_whole(told):
    view = told.show(drive("pilo", STACKS))
    told.point("A3").click()
    assert told.sent("step") == []
    assert "selected" in told.point("A3").get_attribute("aria-label")
    assert told.legal() >= {"B3"}
    told.point("B3").click()
    assert told.sent("step") == [{"rev": view["rev"], "word": "A3-B3"}]


def test_a_selection_is_raised_and_ends_with_escape(told):
    told.show(drive("pilo", STACKS))
    before = told.page.evaluate(PIECES)
    legal = told.legal()
    told.point("A3").click()
    assert told.page.locator('#board .pieces > use[transform*="scale"]').count() == 1
    told.point("A3").press("Escape")
    assert sorted(told.page.evaluate(PIECES)) == sorted(before)
    assert told.page.locator('#board .pieces > use[transform*="scale"]').count() == 0
    assert told.legal() == legal
    assert "selected" not in told.point("A3").get_attribute("aria-label")


def test_keys_move_the_focus_and_play(told):
    told.show(Driver("robble", 5))
    told.point("C3").focus()
    for key, vertex in (
        ("ArrowUp", "C4"),
        ("ArrowRight", "D4"),
        ("ArrowDown", "D3"),
        ("ArrowLeft", "C3"),
        ("Home", "A3"),
        ("End", "E3"),
        ("Control+Home", "A5"),
        ("Control+End", "E1"),
        ("ArrowRight", "E1"),
    ):
        told.page.keyboard.press(key)
        assert told.focused() == vertex, key
    stops = "all => all.filter(one => one.tabIndex === 0).map(one => one.dataset.vertex)"
    assert told.page.locator("#board [data-vertex]").evaluate_all(stops) == ["E1"]
    for _ in range(3):
        told.page.keyboard.down("Enter")  # held, it repeats
    told.page.keyboard.up("Enter")
    assert [each["word"] for each in told.sent("step")] == ["E1"]


def test_a_board_that_waits_for_others_takes_no_click(told):
    driver = Driver("robble", 5)
    told.show(driver, seats={"black": ENGINE, "white": HUMAN})
    assert told.legal() == set()
    told.point("C3").click()
    assert told.sent("step") == []
    driver("play b a1")
    told.show(driver, seats={"black": ENGINE, "white": HUMAN})
    assert "C3" in told.legal()
    told.page.evaluate("() => { socket.readyState = 3; socket.onclose({}); }")
    assert told.legal() == set()
    told.page.wait_for_function("document.querySelectorAll('#board .legal').length")  # connected
    assert "C3" in told.legal()


def test_the_kind_of_piece_is_chosen_by_button_and_by_letter(told):
    told.show(drive("boloa", ". . . \n . . . \n . . ."))
    tools = told.page.get_by_role("group", name="What a click places").locator("button")
    names = tools.evaluate_all("all => all.map(one => one.textContent)")
    assert names == ["Stone", "Pawn"]
    pressed = "all => all.map(one => one.ariaPressed)"
    assert tools.evaluate_all(pressed) == ["true", "false"]
    tools.nth(1).click()
    assert tools.evaluate_all(pressed) == ["false", "true"]
    told.point("A1").click()
    told.point("A1").press("s")
    assert tools.evaluate_all(pressed) == ["true", "false"]
    told.point("B2").click()
    assert [each["word"] for each in told.sent("step")] == ["pA1", "sB2"]
    told.show(Driver("robble", 5))
    assert not told.page.get_by_role("group", name="What a click places").is_visible()


def test_a_refusal_says_why_offers_what_goes_and_leaves_with_the_next_press(told):
    view = told.show(drive("robble", "B . . \n . . . \n . . ."))
    told.point("A3").click()
    assert told.sent("why") == [{"rev": view["rev"], "word": "A3"}]
    offer = {"step": "swap", "text": "the stone becomes yours"}
    refusal = {"word": "A3", "text": "A3 is not empty", "rule": "R3", "points": ["A3", "B2"]}
    told.tell("refused", rev=view["rev"], **refusal, instead=[offer])
    assert told.text("#note .refused p") == "A3 is not empty. R3"
    assert told.page.locator("#note .refused .rule").get_attribute("data-rule") == "R3"
    assert told.page.evaluate(MARKS, "refused") == ["A3", "B2"]
    told.button("The stone becomes yours").click()
    assert told.sent("step") == [{"rev": view["rev"], "word": "swap"}]
    told.point("B2").hover()
    told.page.mouse.down()
    assert told.page.locator("#note .refused").count() == 0
    assert told.page.evaluate(MARKS, "refused") == []


def test_a_refusal_leaves_with_the_next_position(told):
    driver = Driver("robble", 5)
    view = told.show(driver)
    told.tell("refused", rev=view["rev"], word="A9", text="A9 is off the board", rule=None)
    assert told.text("#note .refused") == "A9 is off the board."
    driver("play b a1")
    told.show(driver)
    assert told.page.locator("#note .refused").count() == 0


# The text below the board, and its buttons -------------------------------------------------------


def test_who_is_to_move_and_what_is_wanted(told):
    driver = drive("implo", ". B . \n W . . \n . . .", to_move="w")
    view = told.show(driver)
    title = view["game"]["colors"]["white"]["title"]
    line = told.text("#turn-line")
    assert line == f"{title} turn {view['turn']['number']} {view['turn']['wants']}"
    card = "all => all.filter(one => one.matches('.to-move')).map(one => one.dataset.color)"
    assert told.page.locator("#players .player").evaluate_all(card) == ["white"]


def test_an_open_turn_shows_its_steps_and_can_be_taken_back_by_steps(told):
    driver = drive("implo", ". B . . \n . B W . \n W . . . \n . . . B")
    view = told.show(driver, can_undo=True)
    assert not told.button("Step").is_visible()
    first = next(each for each in view["options"] if "step" in each)
    while not view["turn"]["open"]:
        driver(f"play {view['turn']['to_move']} {first['step']}")
        view = told.show(driver, can_undo=True)
        first = next(each for each in view["options"] if "step" in each)
    assert told.text("#turn-line .steps") == f"{' / '.join(view['turn']['steps'])} /"
    assert told.button("Whole turn").is_visible()
    told.button("Step").click()
    assert told.sent("undo") == [{}]


def test_a_forced_pass_is_one_button_that_takes_the_focus(told):
    told.show(drive("pilo", "B1 . \n . ."))
    told.point("A2").focus()
    view = told.show(drive("pilo", "# # \n W1 #"))
    (button,) = view["buttons"]
    assert button["forced"]
    shown = told.button(button["title"], "#status .actions")
    assert "primary" in shown.get_attribute("class")
    assert told.page.evaluate("() => document.activeElement.textContent") == button["title"]
    shown.click()
    assert told.sent("step") == [{"rev": view["rev"], "word": button["step"]}]


@pytest.mark.parametrize(("winner", "loser"), [("black", "white"), ("white", "black")])
def test_an_end_tells_the_winner_and_what_decided(told, winner, loser):
    one, other = winner[0], loser[0]
    driver = drive("boloa", f"{one.upper()} . {other} \n {one.upper()} . . \n . . .", to_move=one)
    if winner == "white":
        driver = drive("boloa", f"W W . \n . . . \n {other} . .", to_move="w")
    view = told.show(driver)
    assert view["outcome"] is None
    driver(f"play {one} {'sA1' if winner == 'black' else 'sC3'}")
    view = told.show(driver)
    assert view["outcome"]["winner"] == winner
    titles = {color: each["title"] for color, each in view["game"]["colors"].items()}
    assert told.text("#turn-line strong") == f"{titles[winner]} wins"
    assert view["outcome"]["text"] in told.text("#turn-line .wants")
    assert told.page.locator("#turn-line .rule").inner_text() == view["outcome"]["rule"]
    won = "all => all.filter(one => one.matches('.won')).map(one => one.dataset.color)"
    assert told.page.locator("#players .player").evaluate_all(won) == [winner]
    assert told.page.locator("#players .to-move").count() == 0
    assert told.legal() == set()
    decided = (
        "all => all.filter(one => /decided/.test(one.ariaLabel)).map(one => one.dataset.vertex)"
    )
    found = told.page.locator("#board [data-vertex]").evaluate_all(decided)
    assert sorted(found) == sorted(view["outcome"]["points"])
    assert told.page.locator("#board .decisive > *").count() > 0


def test_an_engine_that_thinks_can_be_told_to_play(told):
    thinking = {"engine": "A", "color": "black", "seconds": 3}
    told.show(Driver("robble", 5), seats={"black": ENGINE, "white": HUMAN}, thinking=thinking)
    assert told.text("#turn-line .clock").startswith("A is thinking, ")
    assert told.page.locator("#players .thinks").get_attribute("data-color") == "black"
    told.button("Play now").click()
    assert told.sent("interrupt") == [{}]
    told.show(Driver("robble", 5), seats={"black": ENGINE, "white": HUMAN}, resting=True)
    assert told.page.locator("#turn-line .clock").count() == 0
    assert told.page.locator("#players .thinks").count() == 0
    told.button("Let the engine play").click()
    assert told.sent("pause") == [{"on": False}]


def test_notes_of_the_server_an_error_stays_until_it_is_closed(told):
    driver = Driver("robble", 5)
    told.show(driver)
    told.tell("told", level="info", text="Saved")
    told.tell("told", level="error", text="The file is damaged")
    assert told.text("#note .info") == "Saved"
    driver("play b a1")
    told.show(driver)
    assert told.page.locator("#note .info").count() == 0
    assert told.text("#note .error") == "The file is damaged"
    told.button("Close", "#note").click()
    assert told.page.locator("#note .error").count() == 0


def test_who_has_which_color_after_a_swap_is_told_with_its_position_alone(told):
    driver = Driver("robble", 5)
    told.show(driver, swap_note="White has taken the stone.")
    assert told.text("#note") == "White has taken the stone."
    told.show(driver)
    assert told.text("#note") == ""


def test_an_engine_that_has_failed_can_be_started_again(told):
    running = {"name": "A", "title": "A", "running": True, "down": False, "fault": None}
    fallen = running | {"running": False, "down": True, "fault": "A has ended"}
    lacking = running | {"name": "B", "title": "B", "missing": ["B cannot review."]}
    told.show(Driver("robble", 5), engines=[fallen, lacking])
    assert told.text("#note .error p") == "A has ended."
    assert "B cannot review." in told.text("#note")
    told.button("Restart A").click()
    assert told.sent("restart") == [{"engine": "A"}]
    told.show(Driver("robble", 5), engines=[running, lacking])
    assert told.page.locator("#note .error").count() == 0


def test_the_effects_of_the_last_turn_are_told_and_stay_opened(told):
    driver = drive("pilo", STACKS, "b a3-b3")
    view = told.show(driver)
    effects = view["last"]["why"]
    assert effects
    told.page.locator("#note details.last summary").click()
    rows = told.page.locator("#note details.last li")
    assert [" ".join(text.split()) for text in rows.all_inner_texts()] == [
        " ".join(filter(None, [f"{each['text']}.", each["rule"]])) for each in effects
    ]
    told.show(driver)
    assert told.page.locator("#note details.last").get_attribute("open") is not None


# Controls ----------------------------------------------------------------------------------------

NODES = [(1, 0, "black", "C2"), (2, 1, "white", "D4"), (3, 2, "black", "A1"), (4, 1, "white", "E5")]


def at_node(told, number: int, **fields) -> None:
    """Show a node of NODES, whose tree the page has got: C2, then D4 and A1, or E5."""
    driver = Driver("robble", 5)
    words = {0: [], 1: ["b c2"], 2: ["b c2", "w d4"], 3: ["b c2", "w d4", "b a1"]}
    for play in words.get(number, ["b c2", "w e5"]):
        driver(f"play {play}")
    told.show(driver, node=number, can_undo=number > 0, **fields)


def enabled(told) -> list[str]:
    script = """all => all.filter(one => !one.disabled && one.offsetParent)
        .map(one => one.ariaLabel ?? one.textContent)"""
    return told.page.locator("#status .controls button").evaluate_all(script)


def test_controls_that_lead_nowhere_are_off(told):
    first, back = "To the start", "One turn back"
    last, forward = "To the end", "One turn forward"
    told.nodes(*NODES)
    at_node(told, 0)
    assert [each for each in enabled(told) if each in (first, back, forward, last)] == [
        forward,
        last,
    ]
    assert "Take back" not in enabled(told) and "Show the last turn again" not in enabled(told)
    at_node(told, 2)
    others = {"Take back", "Hint", "Show the last turn again", "Resign"}
    assert {first, back, forward, last} | others <= set(enabled(told))
    at_node(told, 3)
    assert [each for each in enabled(told) if each in (first, back, forward, last)] == [first, back]
    told.page.evaluate("() => { socket.readyState = 3; socket.onclose({}); }")
    assert not {"Take back", "Hint", "Resign"} & set(enabled(told))


def test_controls_lead_along_the_line(told):
    told.nodes(*NODES)
    at_node(told, 2)
    for name in ("To the start", "One turn back", "One turn forward", "To the end"):
        told.button(name).click()
    assert [each["node"] for each in told.sent("goto")] == [0, 1, 3, 3]
    told.button("Take back").click()
    assert told.sent("undo") == [{}]
    told.button("Hint").click()
    assert told.sent("hint") == [{}]


def test_forward_goes_where_one_came_from(told):
    told.nodes(*NODES)
    at_node(told, 4)
    at_node(told, 1)
    told.button("One turn forward").click()
    assert told.sent("goto") == [{"node": 4}]


def test_keys_take_back_and_play_again_but_not_while_something_is_typed(told):
    told.nodes(*NODES)
    at_node(told, 2)
    told.point("C3").focus()
    for key in ("Control+z", "Control+Shift+Z", "Control+y", "PageUp", "PageDown"):
        told.page.keyboard.press(key)
    assert told.sent("undo") == [{}]
    assert told.sent("redo") == [{}, {}]
    assert [each["node"] for each in told.sent("goto")] == [1, 3]
    told.page.get_by_placeholder("Type a turn").press("Control+z")
    assert told.sent("undo") == [{}]


def test_resigning_is_confirmed_first(told):
    told.nodes(*NODES)
    at_node(told, 2)
    told.button("Resign").click()
    assert "Black loses" in told.text("dialog.ask") or "loses the game" in told.text("dialog.ask")
    told.button("Play on", "dialog.ask").click()
    assert told.page.locator("dialog.ask").count() == 0
    assert told.sent("resign") == []
    told.button("Resign").click()
    told.page.keyboard.press("Escape")
    assert told.sent("resign") == []
    told.button("Resign").click()
    told.button("Resign", "dialog.ask").click()
    told.page.wait_for_function("window.sent.some(({kind}) => kind === 'resign')")
    assert told.sent("resign") == [{"color": "black"}]


def test_the_one_color_of_the_person_resigns_also_while_the_other_is_to_move(told):
    told.nodes(*NODES)
    at_node(told, 1, seats={"black": HUMAN, "white": ENGINE})
    told.button("Resign").click()
    told.button("Resign", "dialog.ask").click()
    told.page.wait_for_function("window.sent.some(({kind}) => kind === 'resign')")
    assert told.sent("resign") == [{"color": "black"}]


# Dialogs -----------------------------------------------------------------------------------------


def test_a_swap_is_asked_about_once(told):
    driver = Driver("robble", 5)
    driver("play b c2")
    view = told.show(driver)
    panel = told.page.locator("#swap")
    (swap,) = view["buttons"]
    assert told.text("#swap-text") == f"{swap['text']}."
    assert told.page.evaluate("() => document.activeElement.textContent") == "Play on"
    assert told.sent("preview") == [{"rev": view["rev"], "word": "swap"}]
    after = Driver("robble", 5)
    after("play b c2")
    after("play w swap")
    seen = json.loads(after("game-view")) | {"rev": view["rev"]}
    told.tell("preview", rev=view["rev"], word="swap", view=seen)
    assert panel.locator(".picture .pieces > use").count() == len(seen["pieces"])
    told.button("Play on", "#swap").click()
    assert not panel.is_visible()
    assert told.focused() is not None
    told.show(driver)
    assert not panel.is_visible(), "the question was answered"
    told.show(Driver("robble", 5))
    view = told.show(driver)
    told.button("Swap", "#swap").click()
    assert not panel.is_visible()
    assert told.sent("step") == [{"rev": view["rev"], "word": "swap"}]


def test_rules_need_neither_pictures_nor_texts(told):
    """Without pictures there is no column for them."""
    told.show(Driver("robble", 5))
    view = json.loads(Driver("robble", 5)("game-view"))
    steps = [{"text": "Place a stone.", "pictures": [view]}, {"text": "Win.", "pictures": []}]
    told.tell("rules", game="robble", sentences=[], summary=steps)
    column = told.page.locator("#rules .summary li > div")
    assert (column.count(), told.text("#rules .summary")) == (2, "Place a stone. Win.")
    told.tell("rules", game="robble", sentences=[], summary=[{"text": "Win.", "pictures": []}])
    assert (column.count(), told.text("#rules .summary")) == (0, "Win.")
    told.tell("rules", game="robble", sentences=[], summary=[{"text": "", "pictures": []}])
    assert told.text("#rules .summary") == "The rules of this game are not written here."


def test_the_question_about_a_swap_ends_when_there_is_none(told):
    driver = Driver("robble", 5)
    driver("play b c2")
    panel = told.page.locator("#swap")
    told.show(driver)
    assert panel.is_visible()
    told.show(driver, seats={"black": HUMAN, "white": ENGINE}, resting=True)
    assert not panel.is_visible()
    told.show(driver)
    assert panel.is_visible(), "the person is asked anew"
    told.show(Driver("robble", 5))
    assert not panel.is_visible()


def test_nobody_is_asked_about_the_swap_of_an_engine(told):
    driver = Driver("robble", 5)
    driver("play b c2")
    told.show(driver, seats={"black": HUMAN, "white": ENGINE}, resting=True)
    assert not told.page.locator("#swap").is_visible()


@pytest.mark.parametrize(
    ("side", "black", "white"),
    [
        ("black", HUMAN, {"kind": "engine", "engine": "B", "level": 2}),
        ("white", {"kind": "engine", "engine": "B", "level": 2}, HUMAN),
        ("both", HUMAN, HUMAN),
    ],
)
def test_a_new_game_is_what_its_dialog_says(told, side, black, white):
    told.show(Driver("robble", 5))
    told.button("New game").first.click()
    panel = told.page.locator("#new-game")

    def field(name):
        return panel.get_by_role("combobox", name=name, exact=True)

    assert (field("Game").input_value(), field("Size").input_value()) == ("robble", "5")
    field("Game").select_option("pilo")
    field("Size").select_option("7")
    field("You play").select_option(side)
    field("Pie rule").select_option("sides")
    if side == "both":
        assert not field("Engine").is_visible() and not field("Strength").is_visible()
    else:
        field("Engine").select_option("B")
        field("Strength").select_option("2")
    field("Clock").select_option("180+2")
    panel.get_by_role("button", name="New game").click()
    assert not panel.is_visible()
    told.page.wait_for_function("window.sent.some(({kind}) => kind === 'new')")
    wanted = {"game": "pilo", "size": 7, "pie": "sides", "clock": {"main": 180, "increment": 2}}
    assert told.sent("new") == [wanted | {"black": black, "white": white}]


def test_a_new_game_may_have_a_handicap_where_the_game_has_one(told):
    told.show(Driver("robble", 5))
    told.button("New game").first.click()
    panel = told.page.locator("#new-game")
    games = json.loads(Driver()("game-catalog"))["games"]
    handicap = panel.get_by_role("combobox", name="Handicap", exact=True)
    for game in games:
        panel.get_by_role("combobox", name="Game", exact=True).select_option(game["name"])
        assert handicap.is_visible() == bool(game["handicap"])
        if game["handicap"]:
            most = handicap.locator("option").last
            assert most.get_attribute("value") == str(game["handicap"])
            handicap.select_option("2")
            chosen = game["name"]
    panel.get_by_role("combobox", name="Game", exact=True).select_option(chosen)
    handicap.select_option("2")
    panel.get_by_role("button", name="New game").click()
    told.page.wait_for_function("window.sent.some(({kind}) => kind === 'new')")
    assert told.sent("new")[0]["handicap"] == 2


def test_a_game_that_is_begun_is_only_replaced_after_a_question(told):
    told.nodes(*NODES)
    at_node(told, 2)
    told.button("New game").first.click()
    told.page.locator("#new-game").get_by_role("button", name="New game").click()
    told.button("Play on", "dialog.ask").click()
    assert told.sent("new") == []
    told.button("New game").first.click()
    told.page.locator("#new-game").get_by_role("button", name="New game").click()
    told.button("New game", "dialog.ask").click()
    told.page.wait_for_function("window.sent.some(({kind}) => kind === 'new')")
    told.button("New game").first.click()
    told.button("Cancel", "#new-game").click()
    assert not told.page.locator("#new-game").is_visible()
    assert len(told.sent("new")) == 1


def test_settings_are_applied_at_once_and_kept(told):
    told.show(Driver("robble", 5))
    letters = "#board .board-picture text"
    shown = told.page.locator(letters).count()
    told.button("Settings", "#tools").click()
    panel = told.page.locator("#settings")
    panel.get_by_role("switch", name="Coordinates").uncheck()
    panel.get_by_role("combobox", name="Theme").select_option("dark")
    assert told.page.locator(letters).count() < shown
    assert told.page.evaluate("() => document.documentElement.dataset.theme") == "dark"
    kept = json.loads(told.page.evaluate("() => localStorage.getItem('board-settings')"))
    assert (kept["coordinates"], kept["theme"]) == (False, "dark")
    told.button("Done", "#settings").click()
    assert not panel.is_visible()


def test_a_tab_shows_its_panel_and_no_other(told):
    told.show(Driver("robble", 5))
    for name, panel in {"Rules": "rules", "Record": "files", "Analysis": "analysis"}.items():
        told.button(name, "#tabs").click()
        current = "all => all.map(one => one.textContent)"
        assert told.page.locator("#tabs [aria-current]").evaluate_all(current) == [name]
        for other in ("rules", "files", "analysis"):
            assert told.page.locator(f"#{other}").is_visible() == (other == panel)


def test_a_position_that_is_typed_stays_and_is_set_up(told):
    view = told.show(Driver("robble", 5))
    told.button("Record", "#tabs").click()
    text = told.page.get_by_role("textbox", name="Position as text")
    assert text.input_value() == view["position"]
    text.fill(" robble 3  .../.../... b ")
    told.show(Driver("robble", 5))
    assert text.input_value() == " robble 3  .../.../... b "
    told.button("Set up", "#files").click()
    told.page.wait_for_function("window.sent.some(({kind}) => kind === 'position')")
    assert told.sent("position") == [{"text": "robble 3 .../.../... b"}]
    text.blur()
    view = told.show(Driver("pilo", 4))
    assert text.input_value() == view["position"]


# Players -----------------------------------------------------------------------------------------


def test_players_have_their_names_scores_and_seats(told):
    driver = drive("pilo", STACKS)
    view = told.show(driver, seats={"black": HUMAN, "white": ENGINE})
    for color in ("black", "white"):
        card = told.page.locator(f'#players [data-color="{color}"]')
        title = view["game"]["colors"][color]["title"]
        assert card.locator(".name").inner_text() == title
        assert card.locator(".score").inner_text() == str(view["score"][color])
        seat = card.get_by_role("combobox", name=f"Who plays {title}")
        chosen = json.loads(seat.input_value())
        assert chosen == {"black": HUMAN, "white": ENGINE}[color]
    orange = told.page.locator('#players [data-color="white"] select')
    orange.select_option(json.dumps(HUMAN, separators=(",", ":")))
    assert told.sent("seats") == [{"black": HUMAN, "white": HUMAN}]


def test_only_the_clock_of_the_player_to_move_runs_and_a_low_one_warns(told):
    clock = {"main": 60, "increment": 0, "black": 75.0, "white": 9.45, "running": None}
    told.show(Driver("robble", 5), clock=clock)
    face = {
        color: told.page.locator(f'#players [data-color="{color}"] .time')
        for color in ("black", "white")
    }
    assert face["black"].inner_text() == "1:15" and face["white"].inner_text() == "9.4"
    low = {color: "low" in each.get_attribute("class") for color, each in face.items()}
    assert low == {"black": False, "white": True}
    told.show(Driver("robble", 5), clock=clock | {"running": "white"})
    runs = {color: "runs" in each.get_attribute("class") for color, each in face.items()}
    assert runs == {"black": False, "white": True}
    white = "document.querySelector('#players [data-color=\"white\"] .time').textContent"
    told.page.wait_for_function(f"Number({white}) < 9.3")
    assert face["black"].inner_text() == "1:15"
    told.show(Driver("robble", 5), clock=clock | {"white": 60.0})
    assert face["white"].inner_text() == "1:00"
    assert not {"low", "runs"} & set(face["white"].get_attribute("class").split())
    told.show(Driver("robble", 5), clock=None)
    assert not face["black"].is_visible()


# Turns -------------------------------------------------------------------------------------------


def test_turns_and_variations_are_listed_and_lead_to_their_positions(told):
    said = {"n3": {"comment": "Good <b>"}, "n2": {"loss": 0.3, "best": "E5"}}
    told.nodes(*NODES, **said)
    at = Driver("robble", 5)
    for play in ("b c2", "w d4"):
        at(f"play {play}")
    told.show(at, node=2)
    turns = told.page.locator("#turn-list [data-ids]")
    turns.nth(3).wait_for()
    words = turns.locator(".word")
    assert words.all_inner_texts() == ["C2", "D4", "E5", "A1"]
    assert told.page.locator("#turn-list .variation .word").all_inner_texts() == ["E5"]
    assert told.text("#turn-list .comment") == "Good <b>"
    now = told.page.locator('#turn-list [aria-current="true"]')
    assert now.get_attribute("data-ids") == "2"
    assert now.locator(".loss.blunder").inner_text() == "??"
    assert now.get_attribute("title") == "30 % given away; better was E5"
    told.page.locator('#turn-list [data-ids="4"]').click()
    assert told.sent("goto") == [{"node": 4}]
    now.press("ArrowDown")
    focused = told.page.evaluate("() => document.activeElement.dataset.ids")
    order = turns.evaluate_all("all => all.map(one => one.dataset.ids)")
    assert focused == order[order.index("2") + 1]
    with told.at_once():
        told.nodes(*NODES, (6, 3, "white", "A2"), **said)
        told.show(at, node=6)
    told.page.locator('#turn-list [aria-current="true"][data-ids="6"]').wait_for()
    assert now.count() == 1, "the turn before it is still listed, and no longer current"
    with told.at_once():
        told.nodes(*NODES, (5, 1, "white", "B1"), (6, 3, "white", "A2"))
        told.show(at, node=4)
    told.page.locator('#turn-list [aria-current="true"][data-ids="4"]').wait_for()
    assert now.count() == 1
    assert words.all_inner_texts() == ["C2", "D4", "E5", "B1", "A1", "A2"]


def test_the_comment_of_a_position_is_sent_when_it_is_left(told):
    told.nodes(*NODES)
    at_node(told, 2)
    pen = told.page.get_by_role("textbox", name="Comment on this position")
    told.page.locator('#turn-list [aria-current="true"]').wait_for()
    pen.fill("why not E5")
    at_node(told, 3)
    told.page.wait_for_function("window.sent.some(({kind}) => kind === 'comment')")
    assert told.sent("comment") == [{"node": 2, "text": "why not E5"}]
    assert pen.input_value() == ""
    pen.blur()
    assert len(told.sent("comment")) == 1


def test_a_variation_can_become_the_main_line_and_turns_can_be_removed(told):
    told.nodes(*NODES)
    at_node(told, 2)
    told.page.locator('#turn-list [aria-current="true"][data-ids="2"]').wait_for()
    main = told.button("Make this the main line")
    assert main.is_disabled()
    at_node(told, 4)
    told.page.locator('#turn-list [aria-current="true"][data-ids="4"]').wait_for()
    main.click()
    assert told.sent("promote") == [{"node": 4}]
    remove = told.button("Remove this turn and all after it")
    remove.click()
    told.button("Keep", "dialog.ask").click()
    assert told.sent("drop") == []
    remove.click()
    told.button("Remove", "dialog.ask").click()
    told.page.wait_for_function("window.sent.some(({kind}) => kind === 'drop')")
    assert told.sent("drop") == [{"node": 4}]
    at_node(told, 0)
    told.page.wait_for_function(
        "document.querySelector('[aria-label=\"Remove this turn and all after it\"]').disabled"
    )


def test_a_turn_is_typed(told):
    view = told.show(Driver("robble", 5))
    field = told.page.get_by_placeholder("Type a turn")
    field.focus()
    offered = told.page.locator("#words option").evaluate_all("all => all.map(one => one.value)")
    assert sorted(offered) == sorted(each["step"] for each in view["options"])
    field.fill(" c 3 ")
    field.press("Enter")
    assert told.sent("step") == [{"rev": view["rev"], "word": "c3"}]
    assert field.input_value() == ""
    told.tell("refused", rev=view["rev"], word="c3", text="No", rule=None)
    assert field.input_value() == "c3", "what was refused can be corrected"
    field.fill("c\u00e4")
    field.press("Enter")
    assert "is no turn" in told.text("#note .refused")
    assert len(told.sent("step")) == 1


# Hints, and reports of a search ------------------------------------------------------------------


def test_a_hint_has_three_stages(told):
    view = told.show(Driver("robble", 5))
    told.button("Hint", "#status").click()
    hint = {"where": {"text": "Look at the edge", "points": ["A1", "A2"]}, "word": "B2"}
    why = [{"text": "It holds the edge", "rule": "R5", "points": ["A1"]}]
    told.tell("hint", rev=view["rev"], **hint, why=why, line=["B2", "C3"])
    note = ".hint"
    assert "Look at the edge." in told.text(note) and "B2" not in told.text(note)
    told.button("Show the turn", note).click()
    assert "Hint: B2" in told.text(note) and "It holds" not in told.text(note)
    assert told.sent("preview")[-1] == {"rev": view["rev"], "word": "B2"}
    told.button("Tell me why", note).click()
    assert told.text(f"{note} li") == "It holds the edge. R5"
    told.button("Play B2", note).click()
    assert told.sent("step") == [{"rev": view["rev"], "word": "B2"}]
    told.show(Driver("robble", 5))
    assert told.page.locator(note).count() == 0


def test_a_mistake_is_asked_about_before_it_is_played(told):
    told.show(Driver("robble", 5))
    told.button("Settings", "#tools").click()
    told.page.locator("#settings").get_by_role("combobox", name="Warn me").select_option("all")
    told.button("Done", "#settings").click()
    view = told.state["view"]
    told.point("C3").click()
    measure = json.loads(Driver()("game-catalog"))["mistake"]
    assert told.sent("try") == [{"rev": view["rev"], "word": "C3", "most": measure}]
    loss = {"loss": 0.234, "line": ["C3", "B2"], "why": []}
    told.tell("sure", rev=view["rev"], word="C3", **loss)
    assert "C3 gives away 23 % of your chance to win." in told.text("#note .sure")
    assert told.page.evaluate("() => document.activeElement.textContent") == "Take it back"
    told.button("Play it anyway").click()
    assert told.sent("step") == [{"rev": view["rev"], "word": "C3"}]
    told.tell("sure", rev=view["rev"], word="C3", **loss)
    told.button("Take it back").click()
    assert told.page.locator("#note .sure").count() == 0
    assert len(told.sent("step")) == 1


def test_candidates_stand_on_their_points(told):
    view = told.show(Driver("robble", 5), analysing=True)
    turns = [
        {"turn": turn, "pv": [turn], "visits": visits, "chance": chance, "proven": None}
        for turn, visits, chance in (("C3", 900, 0.61), ("B2", 90, 0.52), ("D4", 9, 0.4))
    ]
    data = {"color": "black", "chance": 0.61, "proven": None, "visits": 999, "turns": turns}
    told.tell("frame", rev=view["rev"], data=data)
    told.page.locator("#board .candidate").first.wait_for(state="attached")
    script = """all => all.map((one) => {
        const {x, y} = new DOMPoint(0, 0).matrixTransform(one.getScreenCTM());
        const over = document.elementsFromPoint(x, y).find((two) => two.dataset?.vertex);
        return [over.dataset.vertex, one.querySelector("text").textContent, one.matches(".best")];
    }).sort()"""
    chips = told.page.locator("#board .candidate").evaluate_all(script)
    assert chips == [["B2", "\u22129.0", False], ["C3", "61", True], ["D4", "\u221221", False]]
    told.show(Driver("robble", 5))
    told.page.locator("#board .candidate").first.wait_for(state="detached")
    view = told.show(Driver("robble", 5), analysing=True)
    told.tell("frame", rev=view["rev"], data=data | {"turns": turns[:2]})
    told.page.locator("#board .candidate").first.wait_for(state="attached")
    assert told.page.locator("#board .candidate").evaluate_all(script) == chips[:2]
