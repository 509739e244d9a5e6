"""The games of requests: what a request leaves out, who begins, and what the next request keeps."""

import pytest

from gtp_engine.engine.session import Session
from gtp_engine.gtp.analysis.games import GameReader, UsualGame
from gtp_engine.gtp.analysis.reading import read_object
from gtp_engine.gtp.analysis.refusal import RefusedLine
from support.analyzing import Analyst, one_answer, refusal

TURNS = [["b", "b2"], ["w", "a1"], ["b", "b1"], ["w", "a2"], ["b", "c3"]]
ONE_STONE = "robble 3 .../.B./... w"


def asked(reader: GameReader, **fields):
    """What a reader makes of a request."""
    return reader.read(read_object({"id": "a", **fields}).request)


def last_position(**fields) -> str:
    return one_answer(**fields)["rootInfo"]["position"]


@pytest.mark.parametrize(
    ("given", "position"),
    [
        ({}, "implo 3 .../.../... b pie=off"),
        ({"boardXSize": 4, "boardYSize": 4}, "implo 4 ..../..../..../.... b pie=off"),
        ({"size": 2}, "implo 2 ../.. b pie=off"),
        ({"game": "pilo"}, "pilo 3 .../.../... b pie=off"),
        ({"pie": "sides"}, "implo 3 .../.../... b pie=sides"),
        ({"initialPosition": "robble 2 ../.. b pie=sides"}, "robble 2 ../.. b pie=sides"),
        ({"sgf": "(;GAME[boloa]SZ[2]PIE[pieces])"}, "boloa 2 ../.. b pie=pieces"),
    ],
    ids=str,
)
def test_the_command_line_says_what_a_request_leaves_out(given, position):
    with Analyst(game=UsualGame("implo", 3, "off")) as analyst:
        (line,) = analyst.ask({"id": "a", **given})
    assert line["rootInfo"]["position"] == position


@pytest.mark.parametrize("player", ["b", "Black"])
def test_who_moves_first_anyway_may_be_said(player):
    assert last_position(game="implo", size=3, initialPlayer=player).split()[3] == "b"


def test_the_other_color_moves_first_where_the_rules_allow_it():
    start = "robble 3 ..B/.W./... b"
    assert last_position(initialPosition=start, initialPlayer="W").split()[3] == "w"
    assert last_position(initialPosition=start, initialPlayer="B").split()[3] == "b"


@pytest.mark.parametrize(
    "given",
    [
        {"game": "implo", "size": 3, "pie": "off", "initialPlayer": "w"},
        {"game": "implo", "size": 3, "initialPlayer": "w"},
        {"initialPosition": ONE_STONE, "initialPlayer": "b"},
        {"sgf": "(;GAME[implo]SZ[3]PIE[off];B[B2])", "initialPlayer": "b"},
    ],
    ids=str,
)
def test_the_answer_is_never_about_the_other_color(given):
    assert refusal(**given) == {"code": "bad-field", "field": "initialPlayer"}


def test_the_colors_of_moves_say_who_moves():
    """As in KataGo, whose clients send the same initialPlayer with each request."""
    line = one_answer(game="implo", size=3, pie="off", moves=TURNS[:1], initialPlayer="W")
    assert line["rootInfo"]["currentPlayer"] == "W"


def test_a_request_without_any_game_is_refused():
    assert refusal(size=3) == {"code": "bad-field", "field": "game"}


REQUESTS = [
    *({"moves": TURNS[:count]} for count in (0, 3, 5, 1, 4, 2)),
    {"moves": [["b", "b2"], ["w", "c3"]]},
    {"moves": [["b", "b2"], ["w", "b2"], ["b", "a1"]]},  # illegal, and not kept
    {"moves": [["b", "b2"], ["w", "c3"], ["b", "a1"]]},
    {"moves": [["b", "b2"], ["w", "resign"], ["b", "pass"]]},
    {"moves": TURNS, "pie": "off"},
    {"moves": TURNS, "size": 4},
    {"moves": [["b", "b2"], ["w", "swap"]]},
    {"moves": TURNS, "game": "robble"},
]


def test_a_kept_game_changes_no_answer():
    """Each request after all others gives what it gives alone."""

    def read(reader, request):
        try:
            found = asked(reader, **request)
        except RefusedLine as refused:
            return refused.told()
        return [
            (*each[:4], each.open, each.turn and each.turn.frames[-1].play.word)
            for each in found.positions.values()
        ]

    usual = {"game": "implo", "size": 3, "analyzeTurns": "all", "includePlayed": True}
    requests = [usual | each for each in REQUESTS]
    alone = [read(GameReader(UsualGame()), each) for each in requests]
    kept = GameReader(UsualGame())
    assert [read(kept, each) for each in requests] == alone
    assert [read(kept, each) for each in reversed(requests)] == alone[::-1]


def test_the_request_before_does_not_decide_whether_one_is_refused():
    """Also where it is wrong only beside a record."""
    record = {"sgf": "(;GAME[robble]SZ[3];B[B2])"}
    wrong = [{"boardXSize": 9}, {"boardYSize": 9}, {"size": 9}, {"game": "implo"}]
    for fields in wrong:
        reader = GameReader(UsualGame())
        asked(reader, **record)
        with pytest.raises(RefusedLine):
            asked(reader, **record, **fields)
        asked(reader, **record, boardXSize=3)


@pytest.mark.parametrize(
    ("given", "form"),
    [
        ({"initialPosition": "robble 3 .../.../... b pie=off"}, "off"),
        ({"initialPosition": "robble 3 .../.../... b"}, "off"),
        ({"initialPosition": "robble 3 .../.../... b pie=sides"}, "sides"),
        ({"sgf": "(;GAME[robble]SZ[3]PIE[pieces];B[B2])"}, "pieces"),
        ({"sgf": "(;GAME[robble]SZ[3]PIE[off];B[B2])"}, "off"),
    ],
    ids=str,
)
def test_another_form_of_the_pie_rule_than_that_of_the_start_is_refused(given, form):
    moves = {} if "sgf" in given else {"moves": [["b", "b2"]]}
    for pie in ("pieces", "sides", "off"):
        if pie == form:
            assert one_answer(**given, **moves, pie=pie)["rootInfo"]
        else:
            assert refusal(**given, **moves, pie=pie) == {"code": "bad-field", "field": "pie"}


def test_a_record_that_names_no_form_of_the_pie_rule_takes_that_of_the_request():
    record = "(;GAME[robble]SZ[3];B[B2])"
    for pie in ("pieces", "sides", "off"):
        assert last_position(sgf=record, pie=pie).split()[4] == f"pie={pie}"


def test_the_next_request_plays_only_its_own_turns(monkeypatch):
    """Clients send a request for each node of a game, with all turns before it."""
    played, play = [], Session.play

    def noted(session, color, word):
        played.append(word)
        play(session, color, word)

    monkeypatch.setattr(Session, "play", noted)
    reader = GameReader(UsualGame())
    for count in range(len(TURNS) + 1):
        asked(reader, game="implo", size=3, pie="off", moves=TURNS[:count])
    assert played == [word for _, word in TURNS]
