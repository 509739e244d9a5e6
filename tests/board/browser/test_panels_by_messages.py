"""Dialogs, players, turns, hints and reports of a search, by messages of a server."""

import json
from pathlib import Path

import pytest

from support.driver import Driver
from support.thorough import first_of
from support.told_page import ENGINE, HUMAN, MARKS, NODES, STACKS, at_node, drive

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
    first_of(
        [
            ("black", HUMAN, {"kind": "engine", "engine": "B", "level": 2}),
            ("white", {"kind": "engine", "engine": "B", "level": 2}, HUMAN),
            ("both", HUMAN, HUMAN),
        ]
    ),
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
    told.page.wait_for_function("document.getElementById('page').inert")
    told.page.wait_for_function("window.sent.some(({kind}) => kind === 'new')")
    wanted = {"game": "pilo", "size": 7, "pie": "sides", "clock": {"main": 180, "increment": 2}}
    assert told.sent("new") == [wanted | {"black": black, "white": white}]
    told.show(Driver("pilo", 7), tree=2)
    assert not told.page.evaluate("document.getElementById('page').inert")


@pytest.mark.parametrize(
    "time, numbers, clock",
    first_of(
        [
            ("increment", {"Minutes for the game": "7", "Seconds of each turn": "3"}, (420, 3)),
            ("delay", {"Minutes for the game": "0.5", "Seconds of each turn": "0"}, (30, 0)),
            ("turn", {"Hours for each turn": "36"}, (None, 129600)),
        ]
    ),
)
def test_a_clock_has_numbers_of_ones_own(told, time, numbers, clock):
    told.show(Driver("robble", 5))
    told.button("New game").first.click()
    panel = told.page.locator("#new-game")
    panel.get_by_role("combobox", name="Clock", exact=True).select_option("own")
    panel.get_by_role("combobox", name="Time for", exact=True).select_option(time)
    assert panel.get_by_role("spinbutton").count() == len(numbers)
    for name, number in numbers.items():
        panel.get_by_role("spinbutton", name=name).fill(number)
    panel.get_by_role("button", name="New game").click()
    told.page.wait_for_function("window.sent.some(({kind}) => kind === 'new')")
    main, each = clock
    sent = ({} if main is None else {"main": main}) | {time: each}
    assert told.sent("new")[0]["clock"] == sent
    told.show(Driver("robble", 5), clock=sent | {"black": 9.0, "white": 9.0, "running": None})
    told.button("New game").first.click()
    for name, number in numbers.items():
        assert panel.get_by_role("spinbutton", name=name).input_value() == number
    panel.get_by_role("button", name="Cancel").click()


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


def test_a_card_tells_the_name_and_the_level_of_the_opponent(told):
    catalog = json.loads(Driver()("game-catalog"))
    offer = {"level": "adaptive", "name": "Adaptive", "text": "It follows your results."}
    adapts = ENGINE | {"level": "adaptive"}
    seat = told.page.locator('#players [data-color="white"]')
    shown = "one => one.selectedOptions[0].text"
    for engines, sitting, called in (
        ("AB", ENGINE, "White A"),
        ("AB", adapts, "White A, adapts"),
        ("A", adapts, "White adapts"),
        ("A", ENGINE, "White"),
    ):
        listed = [{"name": name, "title": name, "running": True} for name in engines]
        told.hello(catalog=catalog | {"levels": [offer, *catalog["levels"]]}, engines=listed)
        told.show(Driver("robble", 5), seats={"black": HUMAN, "white": sitting}, adaptive=3)
        assert seat.locator(".called").inner_text().split() == called.split()
        assert seat.locator("select").evaluate(shown) == "First evening"
    own = told.page.locator('#players [data-color="black"]')
    assert own.locator("select").evaluate(shown) == "You"
    told.show(Driver("robble", 5), seats={"black": HUMAN | {"name": "Ann"}, "white": HUMAN})
    assert own.locator("select").evaluate(shown) == "Ann"
    assert seat.locator("select").evaluate(shown) == "A person"
    assert seat.locator(".called").inner_text() == "White"


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


# The rows of turns that are whole in the list, in their panel and in the window.
ROWS = """() => {
    const boxes = (those) => [...document.querySelectorAll(those)]
        .map((one) => one.getBoundingClientRect());
    const frames = boxes("#turn-list, #turns");
    const top = Math.max(...frames.map((one) => one.top)) - 1;
    const bottom = Math.min(innerHeight, ...frames.map((one) => one.bottom)) + 1;
    const whole = boxes("#turn-list .turn").filter((one) => one.top >= top && one.bottom <= bottom);
    return new Set(whole.map((one) => one.top)).size;
}"""


@pytest.mark.parametrize("width", first_of([1366, 1920]))
def test_below_a_review_eight_rows_of_turns_are_in_sight(told, width):
    size = told.page.viewport_size
    told.page.set_viewport_size({"width": width, "height": width * 9 // 16})
    nodes = [(n, n - 1, ("white", "black")[n % 2], "C2") for n in range(1, 41)]
    losses = {f"n{n}": {"chance": 0.5, "loss": 0.3, "best": "D4"} for n in range(1, 41)}
    with told.at_once():
        told.nodes(*nodes, **losses)
        told.show(Driver("robble", 5), node=40, reviewed=True)
    told.button("Learn from your mistakes", "#graph").wait_for()
    told.page.locator("#turn-list [aria-current]").wait_for()
    assert told.page.evaluate(ROWS) >= 8
    told.page.set_viewport_size(size)


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


def test_the_slider_of_a_long_game_asks_for_few_of_the_turns_on_its_way(told):
    """A server ends the connection of a page that sends too much. The last turn is shown."""
    last = 300
    with told.at_once():
        told.nodes(*[(n, n - 1, ("white", "black")[n % 2], "C2") for n in range(1, last + 1)])
        told.show(Driver("robble", 5), node=0)
    told.page.locator("#graph input:enabled").evaluate("""(slider) => {
        for (let n = 0; n <= slider.max; n += 1) {
            slider.value = n;
            slider.dispatchEvent(new Event("input"));
        }
    }""")
    told.tell("state", **told.state | {"node": 1})  # the answer to the first of them
    told.page.wait_for_function(
        f"sent.some(({{kind, node}}) => kind === 'goto' && node === {last})"
    )
    assert len(told.sent("goto")) < last / 5


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
    drawn = [[{"at": "B2", "shape": "stone"}], [{"at": "C3", "to": "D4"}]]
    told.tell("hint", rev=view["rev"], **hint, why=why, line=["B2", "C3-D4"], drawn=drawn)
    note = ".hint"
    assert "Look at the edge." in told.text(note) and "B2" not in told.text(note)
    told.button("Show the turn", note).click()
    assert "Hint: B2" in told.text(note) and "It holds" not in told.text(note)
    assert told.sent("preview")[-1] == {"rev": view["rev"], "word": "B2"}
    told.button("Tell me why", note).click()
    assert told.text(f"{note} li") == "It holds the edge. R5"
    told.button("Show what follows", note).click()
    assert told.text("#board .ghosts") == "12"
    assert told.page.evaluate(MARKS, "label") == ["D4"], "a step that places nothing is a number"
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
    drawn = [[{"at": "C3", "shape": "stone"}], [{"at": "B2", "shape": "stone"}]]
    loss = {"loss": 0.234, "line": ["C3", "B2"], "drawn": drawn, "why": []}
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
        {
            "turn": turn,
            "pv": [turn],
            "drawn": [[{"at": turn, "shape": "stone"}]],
            "visits": visits,
            "chance": chance,
            "proven": None,
        }
        for turn, visits, chance in (("C3", 900, 0.61), ("B2", 90, 0.52), ("D4", 9, 0.4))
    ]
    data = {"color": "black", "chance": 0.61, "proven": None, "visits": 999, "turns": turns}
    told.tell("frame", rev=view["rev"], node=0, data=data)
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
    told.tell("frame", rev=view["rev"], node=0, data=data | {"turns": turns[:2]})
    told.page.locator("#board .candidate").first.wait_for(state="attached")
    assert told.page.locator("#board .candidate").evaluate_all(script) == chips[:2]


# Records -----------------------------------------------------------------------------------------

# No new connection opens.
GONE = "() => { window.WebSocket = class { close() {} }; socket.onclose({}); }"


@pytest.fixture
def files(told):
    """What the browser saves."""
    found = []

    def keep(download):
        found.append(download)

    told.page.on("download", keep)
    yield found
    told.page.remove_listener("download", keep)


def share(told):
    told.button("Share", "#tools").click()


def save(told, text: str) -> str:
    """Press the button, to which the server answers with a record; gives what is saved."""
    told.button("Done", "#share").click()
    told.button("Record", "#tabs").click()
    with told.page.expect_download() as saved:
        told.button("Save SGF").click()
        record(told, text)
    return Path(saved.value.path()).read_text()


def record(told, text: str):
    kind = "application/x-go-sgf"
    told.tell("record", form="plain", name="robble-5.sgf", text=text, type=kind)


def lost(told):
    told.page.evaluate("socket.onclose({})")
    told.greeted_again()


def failed(told):
    told.tell("told", level="error", text="The record cannot be converted.")


def test_without_a_server_a_game_is_shared_as_far_as_the_page_knows_it(told, files):
    told.nodes(*NODES)
    at_node(told, 2)
    told.page.evaluate(GONE)
    share(told)
    told.page.wait_for_function("document.querySelector('#share textarea').value")
    assert ";B[C2]" in save(told, "(;)")
    assert len(files) == 1


@pytest.mark.parametrize("end", [lost, failed])
def test_a_record_that_does_not_come_is_told_and_awaited_no_more(told, end):
    told.show(Driver("robble", 5))
    share(told)
    end(told)
    told.page.locator("#share .done", has_text="The game did not come. Try again.").wait_for()
    assert save(told, "(;A)") == "(;A)"


def test_each_time_that_a_game_is_shared_it_takes_a_record_of_its_own(told, files):
    told.show(Driver("robble", 5))
    share(told)
    told.button("Done", "#share").click()
    share(told)
    for text in ("(;A)", "(;B)"):
        record(told, text)
    told.page.wait_for_function("document.querySelector('#share textarea').value")
    assert save(told, "(;C)") == "(;C)"
    assert len(files) == 1
