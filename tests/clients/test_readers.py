"""Whole games of each kind, watched with all commands of KataGo and Leela Zero.

The rules of four clients read the responses. These clients know only vertices.
"""

import pytest

from support.driver import Driver
from support.readers import READERS, VERTEX, Info
from support.thorough import first_of

ANALYSES = [
    "{dialect}-analyze {color} 50",
    "{dialect}-analyze {color} interval 50 minmoves 8 maxmoves 12",
]
SIZES = [3, 4]
PASSES_AT_THE_END = 2
MOST_ANSWERS = 400


def reports(text: str) -> tuple[list[str], str]:
    """The reports of a stream, and the word behind `play`, "" for none."""
    lines = text.strip("\n").split("\n")
    *infos, last = [*lines, ""] if lines[-1].startswith("info ") else lines
    return infos, last.removeprefix("play ")


def read(line: str, kata: bool) -> list[Info]:
    """What all clients have read, and they have read the same."""
    first, *others = [reader(line, kata) for reader in READERS.values()]
    told = [(info.move, info.numbers["visits"], info.pv) for info in first]
    for other in others:
        assert [(info.move, info.numbers["visits"], info.pv) for info in other] == told
    return first


def check_moves(drive: Driver, infos: list[Info]) -> None:
    """One entry for each move, which `play` takes, and lines of one word for each turn."""
    moves = [info.move for info in infos]
    assert len(set(moves)) == len(moves)
    state = drive.session.state
    for info in infos:
        assert info.pv[0] == info.move
        color = drive.session.position.to_move
        for word in info.pv:
            drive(f"play {color} {word.lower()}")
            if drive("game-over") == "true":
                break
            if len(info.pv) > 1 and word is not info.pv[-1]:
                assert drive.session.position.to_move is color.opponent, info
                assert not drive.session.turn_open, info
            color = drive.session.position.to_move
        drive.session.state = state


def check_analyses(drive: Driver, color: str) -> None:
    for dialect in ("kata", "lz"):
        for analysis in ANALYSES:
            text = drive(analysis.format(dialect=dialect, color=color))
            for line in reports(text)[0]:
                check_moves(drive, read(line, dialect == "kata"))


def watched_game(name: str, size: int, command: str) -> tuple[list[Driver], list[tuple[str, str]]]:
    """Two engines, each asked in turn as Sabaki and a server ask, which hear each other's words."""
    engines = [Driver(name, size) for _ in range(2)]
    for number, engine in enumerate(engines):
        engine("game-set visits 12")
        engine(f"game-set seed {number}")
    words: list[tuple[str, str]] = []
    kata = command.startswith("kata")
    while [word for _, word in words[-PASSES_AT_THE_END:]] != ["pass"] * PASSES_AT_THE_END:
        color = "BW"[len(words) % 2]
        mover, other = engines[len(words) % 2], engines[1 - len(words) % 2]
        to_move = mover.session.position.to_move.sign
        if to_move == color and mover("game-over") == "false":
            check_analyses(mover, color)
        infos, word = reports(mover(f"{command} {color} 50"))
        assert infos
        last = read(infos[-1], kata)
        assert word == "pass" or VERTEX.fullmatch(word)
        assert word in [info.move for info in last]
        other(f"play {color} {word}")
        assert mover("game-position") == other("game-position")
        words.append((color, word))
        assert len(words) < MOST_ANSWERS
    return engines, words


@pytest.mark.parametrize("command", first_of(["kata-genmove_analyze", "lz-genmove_analyze"]))
@pytest.mark.parametrize("size", first_of(SIZES))
def test_every_report_of_a_whole_game_is_read_by_every_client(game, size, command):
    (first, second), words = watched_game(game.name, size, command)
    assert first("final_score") == second("final_score")
    # A client that takes the word behind `play` for the move sends it back, in any letter case.
    again = Driver(game.name, size)
    again("game-set moves clicks")
    for color, word in words:
        again(f"play {color} {word.lower()}")
    assert again("final_score") == first("final_score")


def test_a_swap_is_the_vertex_of_the_piece_that_changes_hands(game):
    drive = Driver(game.name, 5)
    drive("game-set weights off")
    drive("game-set visits 200")
    drive("game-set seed 1")
    opening = next(word for word in drive("game-legal_turns").split() if "C3" in word)
    drive(f"play b {opening}")
    (line,), _ = reports(drive("kata-search_analyze w"))
    infos = read(line, kata=True)
    swap = next(info for info in infos[:2] if info.move == "C3")
    assert int(swap.numbers["visits"]) >= 200
    for _ in range(2 if game.name == "boloa" else 1):
        drive("play w C3")
    assert drive("game-history").endswith("white swap")


def test_steps_that_begin_with_the_same_click_are_one_move():
    """In Boloa on an empty board each point but a few takes a stone and several pawns."""
    drive = Driver("boloa", 3)
    for line in ("game-pie off", "game-set visits 400", "game-set seed 1"):
        drive(line)
    (line,), _ = reports(drive("kata-search_analyze b maxmoves 99 rootInfo true"))
    told, _, root = line.partition(" rootInfo ")
    infos = read(told, kata=True)
    assert len(drive("game-legal_steps").split()) > 9 >= len(infos)
    visits = sum(int(info.numbers["visits"]) for info in infos)
    assert abs(visits - int(root.split()[1])) <= 1
    # All but what was never visited.
    assert 0.99 < sum(float(info.numbers["prior"]) for info in infos) < 1.0001


def test_who_has_asked_for_turns_gets_turns():
    drive = Driver("boloa", 4)
    for line in ("game-set moves turns", "game-set visits 10"):
        drive(line)
    _, word = reports(drive("kata-genmove_analyze b"))
    assert word[0] in "ps"
    assert drive("game-to_move") == "white"


@pytest.mark.parametrize("search", ["kata-search", "kata-search_analyze"])
def test_a_search_that_plays_nothing_changes_no_setting(search):
    drive = Driver("boloa", 4)
    drive("game-set visits 10")
    before = drive.session.state
    word = drive(search).split()[-1]
    assert VERTEX.fullmatch(word)
    assert drive.session.state == before


def test_a_click_of_several_is_told_with_what_was_thought():
    """The second click of a turn takes no search; the color that waits passes."""
    drive = Driver("boloa", 4)
    drive("game-set visits 10")
    drive("kata-genmove_analyze b")
    (waiting,), word = reports(drive("kata-genmove_analyze w"))
    assert word == "pass"
    assert [info.move for info in read(waiting, kata=True)] == ["pass"]
    (line,), word = reports(drive("kata-genmove_analyze b"))
    (info,) = read(line, kata=True)
    assert info.move == word != "pass"
    assert 0 < float(info.numbers["winrate"]) < 1


def test_a_broken_report_is_refused():
    """The rules are no rubber stamp: what Sabaki 0.60 threw on, and what it dropped."""
    good = "info move C3 visits 5 winrate 0.5 prior 0.1 lcb 0.4 order 0 pv C3"
    assert all(reader(good, True)[0].move == "C3" for reader in READERS.values())
    for bad in (" D3-D4", "/E1", " sC3"):
        with pytest.raises(ValueError, match="pv"):
            READERS["sabaki"](good + bad, True)
    with pytest.raises(ValueError, match="move"):
        READERS["sabaki"](good.replace("move C3", "move swap"), True)


def test_the_largest_boards_have_vertices_too(game):
    drive = Driver(game.name, 19)
    drive("game-set visits 5")
    (line,), _ = reports(drive("kata-search_analyze b"))
    assert read(line, kata=True)
