"""What a request may say, and what every unfit one is answered."""

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gtp_engine.gtp.analysis.reading import ACTION_FIELDS, ACTIONS, FIELDS
from gtp_engine.gtp.analysis.refusal import CODES
from gtp_engine.gtp.analysis.request import WITHOUT_EFFECT
from support.analyzing import SMALL, Analyst, answered, one_answer, refusal
from support.driver import Driver

IMPLO = {"game": "implo", "size": 3}


def refused(line: bytes) -> dict:
    """The only answer to a line, an error."""
    with Analyst() as analyst:
        (error,) = analyst.ask(line)
    assert error["code"] in CODES and error["error"]
    return error


@pytest.mark.parametrize(
    "line",
    [
        b"{",
        b"hello",
        b"[]",
        b"1",
        b"null",
        b'"text"',
        b"\xff\xfe",
        b'{"id": NaN}',
        b'{"id": "a", "action": "clear_cache", "x": 1e999}',
        b'{"id": -Infinity}',
        b'{"id": ' + b"9" * 5000 + b"}",
        b"[" * 100_000,
        b'{"a":' * 100_000,
    ],
    ids=lambda line: str(line[:12]),
)
def test_what_is_no_object_is_bad_json(line):
    assert refused(line)["code"] == "bad-json"


def test_blank_lines_and_a_byte_order_mark_are_skipped():
    with Analyst() as analyst:
        line = b"\xef\xbb\xbf" + json.dumps({"id": "a", **SMALL}).encode() + b"\r"
        assert answered(analyst.ask(b"", b" \t\r", line)) == [("a", 0)]


@pytest.mark.parametrize("ident", [None, True, 1.5, 2**60, [], {}, "x" * 1001])
def test_an_unfit_id_is_not_returned(ident):
    error = refused(json.dumps({"id": ident, **SMALL}).encode())
    assert (error["code"], error["field"]) == ("bad-field", "id") and "id" not in error


def test_a_missing_id():
    assert refused(json.dumps(SMALL).encode())["field"] == "id"


@pytest.mark.parametrize("ident", ["", "a", "ä", 0, -3, 2**53])
def test_ids_are_returned_as_they_are(ident):
    with Analyst() as analyst:
        assert [line["id"] for line in analyst.ask({"id": ident, **SMALL})] == [ident]


UNFIT = {
    "game": [1, "chess", None],
    "size": ["5", 1, 20, 5.0, True],
    "boardXSize": [1, "9"],
    "boardYSize": [20, None],
    "pie": ["on", True, None],
    "initialPosition": [1, "", "implo", "implo 3 .../.../... x", "implo 3 .../.../.... b"],
    "sgf": [1, "", "(;GM[1]SZ[9])", "(" * 1000, "x" * (2**20 + 1)],
    "moves": ["a1", [["b"]], [["b", 1]], [["x", "a1"]], [[0, "a1"]], [["b", "a1", 2]], {"b": "a1"}],
    "initialPlayer": ["x", 1, None, ""],
    "analyzeTurns": [[], 0, [-1], [0.0], "none", ["all"], [True], [5]],
    "maxVisits": [0, -1, "100", 1.5, 10**9 + 1, True, None],
    "maxTime": [0, "1", 10**7, None],
    "priority": ["high", 1.5, 2**60],
    "priorities": [1, ["a"], []],
    "reportDuringSearchEvery": [0, -1, "1"],
    "firstReportDuringSearchAfter": [0, True],
    "avoidMoves": [{}, [{}], [{"player": "b", "moves": ["a1"]}], [["b", "a1"]]],
    "allowMoves": [[{"player": "b", "moves": "a1", "untilDepth": 1}]],
    "analysisPVLen": [0, 1001],
    "maxMoves": [-1, "all"],
    "includeOwnership": ["true", 1, None],
    "includeMovesOwnership": [0],
    "includePolicy": ["yes"],
    "includePlayed": [1],
    "includeWhy": [[]],
    "ordered": ["no"],
    "overrideSettings": [[], "x", 1],
}


@pytest.mark.parametrize(
    ("field", "value"), [(field, value) for field in UNFIT for value in UNFIT[field]], ids=str
)
def test_an_unfit_value_is_refused_by_its_field(field, value):
    given = {"game": "robble", "size": 4} | {field: value}
    if field in ("initialPosition", "sgf"):
        given = {field: value}
    code = "bad-sgf" if field == "sgf" and isinstance(value, str) and len(value) < 2**20 else ""
    assert refusal(**given) == {"code": code or "bad-field", "field": field}


def test_every_field_has_unfit_values():
    assert {*UNFIT, "id"} == FIELDS.keys()


RESTRICTED = [{"player": "b", "moves": ["a1"], "untilDepth": 1}]


@pytest.mark.parametrize(
    ("field", "given"),
    [
        ("game", {"size": 3}),
        ("sgf", {"sgf": "(;GAME[implo]SZ[3])", "initialPosition": "implo 3 .../.../... b"}),
        ("game", {"sgf": "(;GAME[implo]SZ[3])", "game": "robble"}),
        ("size", {"initialPosition": "implo 3 .../.../... b", "size": 4}),
        ("boardXSize", {"game": "implo", "boardXSize": 5, "boardYSize": 6}),
        ("boardXSize", {"game": "implo", "size": 5, "boardXSize": 6, "boardYSize": 6}),
        ("boardXSize", {"game": "implo", "size": 5, "boardXSize": 5, "boardYSize": 6}),
        ("boardXSize", {"game": "implo", "size": 5, "boardYSize": 6}),
        ("boardXSize", {"game": "implo", "size": 4, "boardXSize": 5, "boardYSize": 6}),
        ("initialStones", {**IMPLO, "initialStones": [["B", "A1"]]}),
        ("priorities", {**IMPLO, "priorities": [1]}),
        ("priorities", {**IMPLO, "priorities": [1], "analyzeTurns": "all"}),
        ("priorities", {**IMPLO, "priorities": [1, 2], "analyzeTurns": [0]}),
        ("priorities", {**IMPLO, "priorities": [1], "priority": 1, "analyzeTurns": [0]}),
        ("allowMoves", {**IMPLO, "allowMoves": RESTRICTED, "avoidMoves": RESTRICTED}),
        ("allowMoves", {**IMPLO, "allowMoves": RESTRICTED * 2}),
        ("includePlayed", {**IMPLO, "allowMoves": RESTRICTED, "includePlayed": True}),
        ("includePlayed", {**IMPLO, "avoidMoves": RESTRICTED, "includePlayed": True}),
        ("avoidMoves", {**IMPLO, "avoidMoves": [{**RESTRICTED[0], "moves": ["k9x"]}]}),
        ("overrideSettings", {**IMPLO, "overrideSettings": {"exploration": "much"}}),
        ("overrideSettings", {**IMPLO, "overrideSettings": {"exploration": [1]}}),
        ("overrideSettings", {**IMPLO, "overrideSettings": {"weights": "/etc/passwd"}}),
        ("overrideSettings", {**IMPLO, "overrideSettings": {"seed": "random"}}),
        ("overrideSettings", {**IMPLO, "overrideSettings": {"reportAnalysisWinratesAs": "RED"}}),
    ],
    ids=str,
)
def test_what_does_not_go_together_is_refused(field, given):
    assert refusal(**given) == {"code": "bad-field", "field": field}


@pytest.mark.parametrize("seed", [-5, 10**19, "-5"], ids=str)
def test_a_seed_out_of_range_is_told_with_its_range(seed):
    given = {"id": "a", **SMALL, "overrideSettings": {"seed": seed}}
    told = f"overrideSettings: seed: expected integer 0..{10**19 - 1}, got: {seed}"
    assert refused(json.dumps(given).encode())["error"] == told


@pytest.mark.parametrize(
    ("moves", "more"),
    [
        ([["b", "b2"], ["w", "a1"], ["b", "b2"]], {"turn": 3, "rule": "I16"}),
        ([["w", "b2"]], {"turn": 1, "rule": "I15"}),
        ([["b", "b2"], ["b", "a1"]], {"turn": 2, "rule": "I15"}),
        ([["b", "e5"]], {"turn": 1}),
        ([["b", "nonsense"]], {"turn": 1}),
        ([["b", "swap"]], {"turn": 1, "rule": "I23"}),
        ([["b", "resign"], ["w", "a1"]], {"turn": 2}),
    ],
    ids=str,
)
def test_an_illegal_turn_names_its_place_and_its_rule(moves, more):
    found = refusal(**IMPLO, moves=moves, analyzeTurns=[0])
    assert found == {"code": "illegal-turn", "field": "moves", **more}


def test_what_nobody_knows_is_warned_of_and_the_rest_is_answered():
    given = dict.fromkeys([*WITHOUT_EFFECT], []) | {"overrideSettings": {"wideRootNois": 0.1}}
    restricted = [{"player": "b", "moves": ["a1"], "untilDepth": 5}]
    with Analyst() as analyst:
        lines = analyst.ask(
            {
                "id": "a",
                **SMALL,
                **given,
                "mine": 1,
                "avoidMoves": restricted,
            }
        )
    *warnings, answer = lines
    assert answered([answer]) == [("a", 0)]
    fields = ["avoidMoves", "mine", "overrideSettings"]
    assert sorted(each["field"] for each in warnings) == fields
    assert all(each["id"] == "a" and each["warning"] for each in warnings)


def test_a_line_of_unknown_fields_does_not_flood_the_client():
    with Analyst() as analyst:
        lines = analyst.ask({"id": "a", **SMALL, **{f"k{n}": n for n in range(1000)}})
    assert len(lines) == 21


@pytest.mark.parametrize("action", ACTIONS)
def test_actions_return_their_line(action):
    line = {"id": 5, "action": action, "terminateId": "none", "unknown": [None, "é"]}
    with Analyst() as analyst:
        (found,) = analyst.ask(line)
    assert found.items() >= line.items()
    added = {"query_version": 4, "query_models": 1, "terminate": 1, "terminate_all": 1}
    assert len(found) - len(line) == added.get(action, 0)


@pytest.mark.parametrize(
    ("field", "given"),
    [
        ("action", {"action": "explode"}),
        ("action", {"action": 1}),
        ("action", {"action": None}),
        ("terminateId", {"action": "terminate"}),
        ("terminateId", {"action": "terminate", "terminateId": []}),
        ("turnNumbers", {"action": "terminate_all", "turnNumbers": 1}),
        ("turnNumbers", {"action": "terminate_all", "turnNumbers": []}),
    ],
    ids=str,
)
def test_unfit_actions(field, given):
    assert refusal(**given) == {"code": "bad-field", "field": field}
    assert set(ACTION_FIELDS) <= ACTIONS.keys()


def test_the_start_of_a_game_in_all_forms():
    """The same position from moves, a record, a position text, and a record with moves."""
    drive = Driver("implo", 3)
    for line in ("play b b2", "play w a1"):
        drive(line)
    record, position = drive("printsgf"), drive("game-position")
    moves = [["b", "b2"], ["w", "a1"]]
    drive("undo")
    half = drive("printsgf")
    forms = [
        {**IMPLO, "moves": moves},
        {"game": "implo", "boardXSize": 3, "boardYSize": 3, "moves": moves},
        {"sgf": record},
        {"sgf": half, "moves": moves[1:]},
        {"sgf": record, "game": "implo", "size": 3, "analyzeTurns": [2]},
        {"initialPosition": position},
    ]
    found = [one_answer(**form) for form in forms]
    assert [each["turnNumber"] for each in found] == [2, 2, 2, 2, 2, 0]
    for each in found:
        del each["turnNumber"]
        assert each == found[0]
    assert found[0]["rootInfo"]["position"] == position


def test_a_position_that_was_answered_may_be_asked_about_however_long_its_text():
    """In Robble it holds the earlier positions."""
    drive = Driver("robble", 19)
    for line in ("game-pie off", "game-set player random", "game-set seed 1"):
        drive(line)
    moves = [[color, drive(f"genmove {color}")] for color in "bw" * 40]
    position = one_answer(game="robble", size=19, pie="off", moves=moves)["rootInfo"]["position"]
    assert len(position) > 8000
    assert one_answer(initialPosition=position)["rootInfo"]["position"] == position


def searched(**fields) -> set[str]:
    """The first turns that a request has searched, of a 2x2 board."""
    return {
        row["move"]
        for row in one_answer(game="robble", size=2, maxVisits=60, **fields)["moveInfos"]
    }


@pytest.mark.parametrize("moves", [[], [["b", "a1"]]], ids=["black moves", "white moves"])
def test_restrictions_hold_for_their_own_color_alone(moves):
    """With one restriction for each color, that of the color to move counts."""
    game = {"pie": "off", "moves": moves}
    free = searched(**game)
    mover, other = ("w", "b") if moves else ("b", "w")
    first, second = sorted(free)[:2]

    def restricted(player: str, turn: str) -> dict:
        return {"player": player, "moves": [turn], "untilDepth": 1}

    for field, found in (("avoidMoves", free - {first}), ("allowMoves", {first})):
        assert searched(**game, **{field: [restricted(mover, first)]}) == found
        assert searched(**game, **{field: [restricted(other, first)]}) == free
        both = [restricted(other, second), restricted(mover, first)]
        assert searched(**game, **{field: both}) == found


@pytest.mark.parametrize("moves", [[], [["b", "a1"]]], ids=["black moves", "white moves"])
def test_values_are_told_from_either_side(moves):
    """Each bound is worse for the color to move; leads and held points change their sign."""
    asked = {"game": "pilo", "size": 3, "pie": "off", "moves": moves, "includeOwnership": True}
    asked |= {"includeMovesOwnership": True, "maxVisits": 60}
    told = {
        side: one_answer(**asked, overrideSettings={"reportAnalysisWinratesAs": side})
        for side in ("BLACK", "WHITE", "SIDETOMOVE")
    }
    mover, other = ("WHITE", "BLACK") if moves else ("BLACK", "WHITE")
    assert told["SIDETOMOVE"] == told[mover]
    assert any(told[mover]["ownership"]) and told[mover]["rootInfo"]["scoreLead"]
    own, opposite = (told[side]["moveInfos"] for side in (mover, other))
    for row, turned in zip(own, opposite, strict=True):
        assert row["lcb"] <= row["winrate"] and turned["lcb"] >= turned["winrate"]
        assert turned["lcb"] == pytest.approx(1 - row["lcb"], abs=2e-6)
        assert turned["winrate"] == pytest.approx(1 - row["winrate"], abs=2e-6)
        assert turned["scoreLead"] == -row["scoreLead"]
        assert turned["ownership"] == [-each for each in row["ownership"]]
    assert told[other]["ownership"] == [-each for each in told[mover]["ownership"]]
    assert told[other]["rootInfo"]["scoreLead"] == -told[mover]["rootInfo"]["scoreLead"]


def test_words_may_have_any_letter_case():
    usual = {"game": "robble", "size": 2, "pie": "sides", "moves": [["b", "a1"]]}
    usual |= {"avoidMoves": [{"player": "w", "moves": ["a2"], "untilDepth": 1}]}
    usual["overrideSettings"] = {"reportAnalysisWinratesAs": "WHITE", "weights": "off"}
    other = {"game": "ROBBLE", "size": 2, "pie": "Sides", "moves": [["Black", "A1"]]}
    other |= {"avoidMoves": [{"player": "WHITE", "moves": ["A2"], "untilDepth": 1}]}
    other |= {"analyzeTurns": "ALL"}
    other["overrideSettings"] = {"reportAnalysisWinratesAs": "White", "weights": "Off"}
    with Analyst() as analyst:
        *_, found = analyst.ask({"id": "a", **other})
    assert found == one_answer(**usual)


@pytest.mark.parametrize(
    "sgf",
    [
        "(;GAME[implo]SZ[3];B[B2];W[A1];B[A1])",
        "(;GAME[implo]SZ[3];B[B2]W[A1])",
        "(;GAME[go]SZ[3])",
        "()",
    ],
)
def test_a_bad_record(sgf):
    assert refusal(sgf=sgf) == {"code": "bad-sgf", "field": "sgf"}


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(max_size=8)
    | st.sampled_from(["a1", "b", "implo", "all", "terminate", "query_version"]),
    lambda parts: st.lists(parts, max_size=4) | st.dictionaries(st.text(max_size=5), parts),
    max_leaves=8,
)
KEYS = st.sampled_from([*FIELDS, *WITHOUT_EFFECT, "action", "terminateId", "turnNumbers"])


@given(line=st.dictionaries(KEYS, JSON, max_size=6) | JSON, fits=st.booleans())
@example(line={"id": "a", "game": "implo", "size": 2, "maxVisits": 1, "pie": "off"}, fits=True)
def test_every_line_gets_its_answer_and_the_next_one_too(line, fits):
    if isinstance(line, dict) and fits:
        line = {**SMALL, "maxVisits": 1, **line, "id": "a"}
        line.pop("maxTime", None)
    with Analyst(visits=1) as analyst:
        lines = analyst.ask(json.dumps(line).encode())
        told = [each for each in lines if "warning" not in each]
        assert told
        assert len(told) == 1 or (len(answered(told)) == len(told))
        assert answered(analyst.ask({"id": "next", **SMALL})) == [("next", 0)]


@given(st.binary(max_size=60).filter(lambda line: b"\n" not in line))
def test_garbage_is_refused(line):
    with Analyst() as analyst:
        (told,) = analyst.ask(line) if line.strip() else [{"code": "bad-json"}]
    assert told["code"] in ("bad-json", "bad-field")
