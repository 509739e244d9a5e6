"""Views of positions from pictures: the data that a front end gets."""

import json
from typing import Any

import pytest

from gtp_engine.engine.view.facts import drawn
from support.boards import position
from support.driver import Driver

View = dict[str, Any]


def viewed(game: str, picture: str, *plays: str, **content: str) -> View:
    """The view of a position that a picture shows, after some plays."""
    drive = Driver(game)
    drive.session.set_position(position(game, picture, **content))
    for play in plays:
        drive(f"play {play}")
    return json.loads(drive("game-view"))


def numbers(view: View) -> str:
    """The numbers of the pieces as a board, `.` for none."""
    size = view["game"]["size"]
    table = [["."] * size for _ in range(size)]
    for piece in view["pieces"]:
        column, row = "ABCDEFGHJKLMNOPQRST".index(piece["at"][0]), int(piece["at"][1:])
        table[size - row][column] = str(piece["id"])
    return "\n".join(" ".join(line) for line in table)


def board(text: str) -> str:
    return "\n".join(" ".join(line.split()) for line in text.strip().splitlines())


def events(view: View) -> list[str]:
    """The events of the last turn, one line each."""
    told = []
    for event in view["last"]["events"]:
        where = f"{event['from']} {event['to']}" if "to" in event else event["at"]
        value = event.get("value", "")
        if event["do"] == "place":
            value = f"{event['color'] or 'neutral'} {event['kind']}"
        words = (event["phase"], event["do"], event["id"], where, value, event["rule"])
        told.append(" ".join(str(word) for word in words if word != ""))
    return told


def why(view: View) -> list[str]:
    return [f"{each['phase']} {each['rule']} {each['text']}" for each in view["last"]["why"]]


def option(view: View, verb: str, at: str) -> dict[str, Any]:
    """The one option of a verb at a vertex."""
    (found,) = [each for each in view["options"] if (each["verb"], each["at"]) == (verb, at)]
    return found


# Boloa -----------------------------------------------------------------------------------------

PAWNS = """
. w .
. b .
. . .
"""


def test_boloa_has_two_tools_and_displacements_of_two_points():
    view = viewed("boloa", PAWNS)
    assert view["tools"] == ["stone", "pawn"]
    assert view["turn"]["wants"] == "Place a pawn, place a stone or displace a pawn"
    assert option(view, "pawn", "A1")["step"] == "pA1"
    assert option(view, "stone", "A1")["step"] == "sA1"
    displacing = option(view, "displacing-stone", "B2")
    assert [each["step"] for each in displacing["then"]] == ["sB2-A2", "sB2-B1", "sB2-B3", "sB2-C2"]
    assert [each.get("removes") for each in displacing["then"]] == [None, None, ["B3"], None]
    assert view["verbs"]["pawn"]["shape"] == "pawn"
    assert view["verbs"]["stone"]["shape"] == "stone"
    assert view["game"]["edges"] == {
        "top": "black",
        "bottom": "black",
        "left": "white",
        "right": "white",
    }


def test_boloa_a_displaced_pawn_moves_and_the_stone_is_new():
    view = viewed("boloa", PAWNS, "b sb2-b3")
    assert numbers(view) == board("""
        . 1 .
        . 3 .
        . . .
    """)
    assert events(view) == [
        "1 remove 2 B3 B12",
        "1 move 1 B2 B3 B11",
        "2 place 3 B2 black stone B10",
    ]
    assert view["last"]["points"] == view["last"]["changed"] == ["B2", "B3"]


def test_boloa_smothered_pawns_stay_the_same_pieces():
    view = viewed(
        "boloa",
        """
        . . . .
        . . . .
        W . W .
        b b w W
        """,
        "b sb2",
    )
    assert numbers(view) == board("""
        . . . .
        . . . .
        2 7 5 .
        1 3 4 6
    """)
    assert events(view) == [
        "1 place 7 B2 black stone B10",
        "2 shape 1 A1 stone B13",
        "2 shape 3 B1 stone B13",
        "2 color 4 C1 black B13",
        "2 shape 4 C1 stone B13",
    ]
    assert why(view) == [
        "1 B10 Black puts a stone on B2",
        "2 B13 Party A1 B1 C1: 2 black against 1 white, so all become black stones",
    ]
    assert view["last"]["why"][1]["points"] == ["A1", "B1", "C1"]
    assert view["last"]["points"] == ["B2"]
    assert view["last"]["changed"] == ["A1", "B1", "B2", "C1"]


def test_boloa_a_swap_turns_and_moves_the_pieces():
    view = viewed("boloa", ". . .\n. . .\n. b .", "w swap", to_move="w", pie="pieces")
    assert events(view) == ["1 move 1 B1 A2 B17", "2 color 1 A2 white B17"]
    assert (view["last"]["turn"], view["last"]["text"]) == ("swap", "White swaps")


def test_a_swap_says_what_it_will_do():
    view = viewed("boloa", ". . .\n. . .\n. b .", to_move="w", pie="pieces")
    assert view["buttons"] == [
        {
            "step": "swap",
            "title": "Swap",
            "swaps": True,
            "text": "The black pawn on B1 becomes White's and goes to A2, then Black is to move",
            "forced": False,
            "rule": "B17",
        }
    ]
    (sides,) = viewed("robble", ". .\nB .", to_move="w", pie="sides")["buttons"]
    assert sides["step"] == "swap-sides"
    assert sides["text"] == "The players exchange colors: who was White is Black from now on"


# Implo -----------------------------------------------------------------------------------------


def test_implo_a_patch_is_one_option_with_an_area_its_owner_and_what_goes():
    view = viewed(
        "implo",
        """
        . B .
        B B b
        w w .
        """,
        open="yes",
    )
    assert view["turn"] == {
        "number": 1,
        "to_move": "black",
        "open": True,
        "steps": [],
        "wants": "Resolve a patch",
        "text": "Black is to move. Resolve a patch",
    }
    assert view["areas"][1]["name"] == "a patch of White"
    assert view["areas"][1]["text"] == "Patch C1: owner White, removes nothing"
    assert view["listed"] == [
        "Black marker: C2",
        "3 times black stone: A2, B2, B3",
        "2 times white marker: A1, B1",
    ]
    assert [area["points"] for area in view["areas"]] == [["A3"], ["C1"], ["C3"]]
    assert [area["owner"] for area in view["areas"]] == ["black", "white", "black"]
    assert [area["rule"] for area in view["areas"]] == ["I9", "I10", "I9"]
    assert option(view, "resolve", "A3")["removes"] == ["A2", "B2", "B3"]
    assert option(view, "resolve", "A3")["owner"] == "black"
    assert "removes" not in option(view, "resolve", "C1")
    assert view["tools"] == view["buttons"] == []


def test_implo_markers_are_new_pieces_and_the_turn_goes_on():
    view = viewed("implo", ". B .\nB B b\nw w .", "b a3", open="yes")
    assert numbers(view) == board("""
        7 . .
        . . 6
        1 3 .
    """)
    assert events(view)[0] == "1 place 7 A3 black marker I11"
    assert sorted(events(view)[1:]) == [f"2 remove {gone} I11" for gone in ("2 A2", "4 B2", "5 B3")]
    assert view["turn"]["steps"] == ["A3"]
    big = option(view, "resolve", "A2")
    assert (big["area"], big["step"], big["owner"]) == (["B2", "B3", "C3"], "A2", "white")


def test_implo_tied_groups_are_chosen_by_a_second_click():
    view = viewed(
        "implo",
        """
        W . B
        w w w
        . w .
        """.replace("W", "B"),
        open="yes",
    )
    choice = option(view, "resolve-removing", "B3")
    assert choice["area"] == []
    assert [(each["at"], each["step"], each["removes"]) for each in choice["then"]] == [
        ("A3", "B3xA3", ["A3"]),
        ("C3", "B3xC3", ["C3"]),
    ]
    assert {each["owner"] for each in choice["then"]} == {"black"}


# Robble ----------------------------------------------------------------------------------------


def test_robble_an_option_shows_the_stones_that_it_drives_off():
    view = viewed("robble", ". . W\n. . .\nB . .")
    removes = {each["at"]: each.get("removes") for each in view["options"]}
    assert {at: points for at, points in removes.items() if points} == {
        "A2": ["A1"],
        "B1": ["A1"],
        "B3": ["C3"],
        "C2": ["C3"],
    }


def test_robble_stones_move_leave_and_change_color_at_once():
    view = viewed(
        "robble",
        """
        . . . . .
        . B . . .
        B . W B .
        . W . . .
        . . . . .
        """,
        "w b3",
        to_move="w",
    )
    assert numbers(view) == board("""
        . 3 . . .
        . . . . .
        . 6 4 5 .
        . . . . .
        . 2 . . .
    """)
    assert events(view) == [
        "1 place 6 B3 white stone R8",
        "2 remove 1 A3 R10",
        "2 color 4 C3 black R11",
        "2 move 2 B2 B1 R9",
        "2 move 3 B4 B5 R9",
    ]
    assert view["game"]["on"] == "cells"
    assert view["turn"]["wants"] == "Place a stone"


# Pilo ------------------------------------------------------------------------------------------

STACKS = """
.  .  .  .
.  .  .  .
.  B2 .  W2
W1 .  .  .
"""


def test_pilo_captures_have_their_way():
    view = viewed("pilo", STACKS)
    assert view["game"]["colors"]["white"] == {"title": "Orange", "ink": "orange"}
    (capture,) = option(view, "capture", "B2")["then"]
    assert (capture["step"], capture["captures"], capture["path"]) == ("B2-D2", ["D2"], ["C2"])
    assert "removes" not in capture
    assert [piece["text"] for piece in view["pieces"]] == [
        "orange stack",
        "blue stack, height 2",
        "orange stack, height 2",
    ]
    assert view["turn"]["wants"] == "Place a disk or capture a stack"


def test_pilo_a_stack_moves_and_grows_and_a_block_is_new():
    view = viewed("pilo", STACKS, "b b2-d2")
    assert numbers(view) == board("""
        . . . .
        . . . .
        . 4 . 2
        1 . . .
    """)
    assert events(view) == [
        "1 remove 3 D2 P14",
        "1 move 2 B2 D2 P12",
        "2 height 2 D2 3 P14",
        "3 place 4 B2 neutral block P14",
    ]
    assert view["pieces"][-1]["text"] == "block"
    when = "if the game ended now"
    assert view["score"] == {"black": 0, "white": 0, "unit": "points", "when": when}


def test_pilo_an_area_of_nobody_is_one_without_a_group_that_remains():
    """P20 and P21: one stack of each color cancels, two against one do not."""
    view = viewed("pilo", "B1 B1 W1\n# # #\nB1 . W1")
    areas = [(area["points"], area["owner"], area["rule"]) for area in view["areas"]]
    assert areas == [
        (["A1", "B1", "C1"], None, "P21"),
        (["A3", "B3", "C3"], "black", "P20"),
    ]


def test_pilo_a_forced_pass_is_a_button():
    view = viewed("pilo", "B1 B2 #\n# # W2\nW3 # #", to_move="w", passes="1")
    (button,) = view["buttons"]
    assert (button["step"], button["forced"], button["rule"]) == ("pass", True, "P16")
    assert button["text"] == "No play on the board is legal: Orange must pass"
    assert view["options"] == []
    assert view["turn"]["wants"] == "Pass"


# The end ---------------------------------------------------------------------------------------

ENDS = [
    ("boloa", ". B .\nW B w\n. B .", "black", "B+", "B16", ["B1", "B2", "B3"]),
    ("implo", "w w w\nb b b\nb W W", "black", "B+", "I20", ["A1", "A2", "B2", "C2"]),
    ("robble", "B B W\nB B W\nW B W", "black", "B+", "R14", ["A2", "A3", "B1", "B2", "B3"]),
    ("pilo", "B1 B2 #\n# # W2\nB3 # #", "black", "B+2", "P22", ["A1", "A3", "B3"]),
]


@pytest.mark.parametrize(("game", "picture", "winner", "result", "rule", "points"), ENDS)
def test_an_outcome_tells_the_points_that_decided(game, picture, winner, result, rule, points):
    more = {"passes": "2"} if game == "pilo" else {}
    view = viewed(game, picture, to_move="w", **more)
    outcome = view["outcome"]
    assert (outcome["winner"], outcome["result"], outcome["rule"]) == (winner, result, rule)
    assert (outcome["points"], outcome["margin"]) == (points, 2 if game == "pilo" else None)
    assert outcome["title"] == ("Blue wins by 2" if game == "pilo" else "Black wins")
    assert outcome["text"][0] == outcome["text"][0].upper()
    assert view["options"] == view["buttons"] == []
    assert view["turn"]["wants"] == ""
    areas = [(area["points"], area["owner"]) for area in view["areas"]]
    if game == "pilo":
        assert areas == [(["A1"], "black"), (["A3", "B3"], "black"), (["C2"], "white")]
    else:
        assert areas == []


def test_a_resignation_is_an_outcome_without_points():
    view = viewed("boloa", PAWNS, "b sa1", "w resign")
    assert view["outcome"] == {
        "winner": "black",
        "result": "B+R",
        "margin": None,
        "title": "Black wins",
        "text": "White resigned",
        "rule": None,
        "points": [],
    }
    last = view["last"]
    assert (last["turn"], last["color"], last["number"]) == ("resign", "white", 2)
    assert last["text"] == "White resigned"
    assert last["events"] == last["why"] == last["changed"] == []


def test_no_rule_of_a_game_is_cited_for_a_game_that_a_player_ended(game):
    """Neither for a resignation nor for a loss on time; nor for the turns refused after it."""
    for word, how in {"resign": "resigned", "timeout": "lost on time"}.items():
        drive = Driver(game.name, 4)
        step = drive("game-legal_steps").split()[0]
        drive(f"play b {word}")
        outcome, reason = json.loads(drive("game-view"))["outcome"], f"{game.color_names[0]} {how}"
        assert (outcome["text"], outcome["rule"]) == (reason, None)
        refused = json.loads(drive(f"game-objection w {step}"))
        assert (refused["text"], refused["rule"]) == (f"The game is over: {reason}", None)
        assert drive("game-explain") == f"the game is over: {reason}"


def test_passes_after_the_end_are_no_turns():
    ended = viewed("boloa", PAWNS, "b sa1", "w resign")
    passed = viewed("boloa", PAWNS, "b sa1", "w resign", "b pass", "w pass")
    assert passed == ended | {"rev": ended["rev"] + 2}


def test_the_pass_of_a_color_that_waits_is_in_no_turn(drive):
    for line in ("game-set moves clicks", "game-position implo 3 .B./BBb/ww. b open=yes"):
        drive(line)
    drive("play w pass")
    assert json.loads(drive("game-view"))["last"] is None
    drive("play b a3")
    last = json.loads(drive("game-view"))["last"]
    assert (last["color"], last["turn"], last["plays"]) == ("black", "A3", 1)


def test_a_game_tells_in_which_directions_neighbors_lie():
    assert viewed("pilo", STACKS)["game"]["neighbors"] == [[0, 1], [1, 0], [0, -1], [-1, 0]]


# The session -----------------------------------------------------------------------------------


def test_a_half_made_selection_leaves_the_steps_that_it_begins():
    """Who clicks by the protocol, like GoGui, and another front end at the same engine."""
    view = viewed("boloa", PAWNS, "b b2")
    assert [each["at"] for each in view["options"]] == ["B2"]
    assert view["turn"]["selected"] == ["B2"]
    assert view["turn"]["open"] is True
    assert view["last"]["events"] == []


def test_revisions_count_changes_of_the_game(drive):
    def rev() -> int:
        return json.loads(drive("game-view"))["rev"]

    first = rev()
    drive("play b c4")
    assert rev() == first + 1
    drive.fails("play b c5")
    drive("game-preview w c5")
    drive("komi 3")
    drive("game-set visits 10")
    assert rev() == first + 1
    drive("undo")
    drive("clear_board")
    assert rev() == first + 3


@pytest.mark.parametrize(
    ("game", "word", "begun", "steps"),
    [
        ("boloa", "pD4", False, [{"at": "D4", "shape": "pawn"}]),
        ("boloa", "sD4-D5", False, [{"at": "D4", "to": "D5", "shape": "stone"}]),
        ("pilo", "B2-D2", False, [{"at": "B2", "to": "D2"}]),
        (
            "implo",
            "D4/E5/A1xB2",
            False,
            [{"at": "D4", "shape": "stone"}, {"at": "E5"}, {"at": "A1", "to": "B2"}],
        ),
        ("implo", "D4/E5", True, [{"at": "D4"}, {"at": "E5"}]),
        ("robble", "pass", False, []),
        ("robble", "swap", False, []),
        ("robble", "expected", False, []),
    ],
)
def test_a_turn_is_drawn_by_the_points_of_its_steps_and_what_they_place(game, word, begun, steps):
    game = Driver(game).session.game
    assert drawn(game, [word], begun=begun) == [steps]
    assert drawn(game, ["pass", word], begun=begun) == drawn(game, ["pass", word], begun=False)


def turns_of(drive: Driver) -> dict[str, int | None]:
    return {piece["at"]: piece["turn"] for piece in json.loads(drive("game-view"))["pieces"]}


def test_a_piece_has_the_turn_in_which_it_appeared():
    """It keeps it while it moves and grows; markers and blocks are new."""
    drive = Driver("pilo", 4)
    drive("game-pie off")
    drive("clear_board")
    for turn in ("b a1", "w b1", "b c2", "w d4", "b a1-b1"):
        drive(f"play {turn}")
    assert turns_of(drive) == {"A1": 5, "B1": 1, "C2": 3, "D4": 4}
    drive("undo")
    assert turns_of(drive) == {"A1": 1, "B1": 2, "C2": 3, "D4": 4}
    drive("play b a2")
    assert turns_of(drive)["A2"] == 5
    drive("game-position implo 3 .../BW./BW. w pie=off")
    drive("play w c2/c1")
    assert turns_of(drive) == {"A1": None, "A2": None, "C1": 1}
    drive("play b b1")
    assert turns_of(drive)["B1"] == 2


def test_a_last_turn_begins_where_its_first_step_is():
    view = viewed("implo", ". . .\nB W .\nB W .", "w c2/c1", to_move="w")
    assert (view["last"]["turn"], view["last"]["began"]) == ("C2/C1", ["C2"])
    view = viewed("boloa", ". . .\n. . .\n. b .", "w sb1-a1", to_move="w", pie="pieces")
    assert view["last"]["began"] == view["last"]["points"][::-1] == ["B1", "A1"]
    view = viewed("boloa", ". . .\n. . .\n. b .", "w swap", to_move="w", pie="pieces")
    assert view["last"]["began"] == []


def test_numbers_begin_anew_with_a_game(drive):
    """What was known of the game before is no more."""
    drive("play b c4")
    drive("game-view")
    drive("clear_board")
    drive("play b d5")
    (piece,) = json.loads(drive("game-view"))["pieces"]
    assert (piece["id"], piece["at"]) == (1, "D5")


def test_an_objection_offers_what_can_be_played_there(drive):
    drive("game-pie off")
    drive("game-select boloa 5")
    drive("play b sb2")
    refused = json.loads(drive("game-objection w sb2"))
    assert refused == {
        "rule": "B10",
        "text": "There is a stone on B2",
        "points": ["B2"],
        "instead": [],
    }
    refused = json.loads(drive("game-objection b sc3"))
    assert refused["text"] == "White is to move"
    drive("play w pa1")
    refused = json.loads(drive("game-objection b sc3"))
    assert refused["rule"] == "B15"
    assert {"B2", "C3"} <= set(refused["points"])
    assert refused["instead"] == [{"step": "pC3", "text": "a pawn on C3"}]
    assert drive("game-objection b pc3") == "null"
    assert drive("game-objection b resign") == "null"
    assert json.loads(drive("game-objection w resign"))["instead"] == []
    assert drive.fails("game-objection b zz") == "invalid color or coordinate"


@pytest.mark.parametrize("pie", ["pieces", "sides"])
@pytest.mark.parametrize(
    ("game", "first", "click", "rule"),
    [
        ("implo", "c3", "c3", "I16"),
        ("boloa", "sc3", "sc3", "B10"),
        ("boloa", "pc3", "pc3", "B9"),
        ("robble", "c3", "c3", "R8"),
        ("pilo", "c3", "c3", "P11"),
    ],
)
def test_a_click_on_the_first_piece_is_refused_and_the_swap_is_offered(
    drive, game, first, click, rule, pie
):
    """Also for a client that has sent clicks: a front end names the swap."""
    drive(f"game-pie {pie}")
    drive(f"game-select {game} 5")
    drive("game-set moves clicks")
    drive(f"play b {first}")
    refused = json.loads(drive(f"game-objection w {click}"))
    assert refused["rule"] == rule and "C3" in refused["text"]
    swap = {"pieces": "swap", "sides": "swap-sides"}[pie]
    assert swap in [each["step"] for each in refused["instead"]] or first == "pc3"
    assert drive(f"game-objection w {swap}") == "null"


def test_a_click_alone_is_no_turn(drive):
    drive("game-select boloa 5")
    drive("play b pb2")
    refused = json.loads(drive("game-objection w c3"))
    assert refused["text"] == "C3 is only a point: say what to play there"
    assert [each["step"] for each in refused["instead"]] == ["pC3", "sC3"]
    assert drive("game-objection w c3/c3") == "null"
    drive("game-position implo 3 .B./BWB/WBW b open=yes")
    tied = json.loads(drive("game-objection b a3"))
    assert tied["rule"] == "I12"
    assert [each["step"] for each in tied["instead"]] == ["A3xA2", "A3xB3"]
