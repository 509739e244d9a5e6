"""The effects of steps on the pieces as events, and the sentences about them."""

import random
import re

import pytest

from gtp_engine.rules import find_game
from gtp_engine.rules.boloa import PAWN_AT
from gtp_engine.rules.events import BoardEvent, Deed, words_by_point
from gtp_engine.rules.game import Position
from gtp_engine.rules.notation.position_text import read_position
from gtp_engine.rules.notation.rule_text import rule_text
from gtp_engine.rules.notation.turns import read_turn
from gtp_engine.rules.points.points import named, point_set, vertices
from gtp_engine.rules.points.vertex import PATTERN, Vertex
from gtp_engine.rules.step import SWAP_PIECES, SWAP_SIDES, SWAPS, Pie, Step
from support.boards import position
from support.playing import every_position, random_game


def replayed(before: Position, events: list[BoardEvent]) -> dict:
    """The words by point that the events make of a board; they must fit it."""
    words = dict(words_by_point(before))
    for phase in sorted({event.phase for event in events}):
        changes = [each for event in events if event.phase == phase for each in event.changes]
        for each in changes:
            if each.deed is Deed.REMOVE:
                del words[each.at]
        for each in changes:
            if each.deed is Deed.BECOME:
                assert words[each.at] != each.word
                words[each.at] = each.word
        moves = [each for each in changes if each.deed is Deed.MOVE]
        for each, word in [(each, words.pop(each.at)) for each in moves]:
            assert each.to not in words
            words[each.to] = word
        for each in changes:
            if each.deed is Deed.PLACE:
                assert each.at not in words
                words[each.at] = each.word
    return words


def told(events: list[BoardEvent]) -> list[str]:
    """Events as text."""
    return [
        " ".join(
            [f"{event.phase} {event.saying.rule}:"]
            + [
                " ".join(filter(None, (each.deed.value, str(each.at), str(each.to or each.word))))
                for each in event.changes
            ]
        )
        for event in events
    ]


def test_events_turn_a_board_into_the_one_after(any_game):
    game = any_game
    rng = random.Random(17)
    for size in (3, 5):
        for pie in Pie:
            for before, step in random_game(game.start(size, pie), rng):
                events = before.events(step)
                after = before.play_unchecked(step)
                assert replayed(before, events) == words_by_point(after), (before, step)
                assert all(event.saying.text and event.saying.rule for event in events)


@pytest.mark.parametrize("name", ["boloa"])
def test_a_swap_mirrors_where_colors_own_edges(name):
    before = position(
        name,
        """
        . . .
        . . .
        . b .
        """,
        "w",
        pie="pieces",
    )
    events = before.events(SWAP_PIECES)
    assert told(events) == ["1 B17: move B1 A2", "2 B17: become A2 w"]
    assert named(events[0].saying.points) == "A2 B1"


def test_a_swap_of_sides_moves_nothing():
    start = find_game("robble").start(3, Pie.SIDES)
    before = start.play_unchecked(start.legal_steps()[0])
    assert told(before.events(SWAP_SIDES)) == ["1 R17:"]


def happens(before: Position, word: str) -> list[str]:
    """What the steps of a word do, a line for each event with what it says and what it changes."""
    steps, *_ = read_turn(before, (), word)
    lines = []
    for step in steps:
        for event in before.events(step):
            deeds = ", ".join(
                " ".join(filter(None, (each.deed.value, str(each.at), str(each.to or each.word))))
                for each in event.changes
            )
            lines.append(f"{event.phase} {event.saying.rule} {event.saying.text} [{deeds}]")
        before = before.play_unchecked(step)
    return lines


def test_boloa_a_pawn_moves_a_stone_drops_and_parties_turn_at_once():
    before = position(
        "boloa",
        """
        . . . .
        B W . .
        b b . .
        B w . .
        """,
        "w",
    )
    assert happens(before, "sB2-B1") == [
        "1 B11 the pawn on B2 moves to B1 [move B2 B1]",
        "1 B12 the pawn that was on B1 leaves the board [remove B1]",
        "2 B10 White puts a stone on B2 [place B2 W]",
        "3 B13 the pawn on A2 is smothered and becomes a black stone [become A2 B]",
    ]


def test_boloa_a_party_has_the_color_of_its_majority():
    before = position(
        "boloa",
        """
        . . . .
        . . . .
        W . W .
        b b w W
        """,
    )
    assert happens(before, "sB2") == [
        "1 B10 Black puts a stone on B2 [place B2 B]",
        "2 B13 party A1 B1 C1: 2 black against 1 white, so all become black stones"
        " [become A1 B, become B1 B, become C1 B]",
    ]


def test_boloa_a_tie_goes_to_the_opponent():
    before = position(
        "boloa",
        """
        . . . .
        . . . .
        W . W .
        b w W .
        """,
    )
    assert happens(before, "sB2")[1:] == [
        "2 B14 party A1 B1: 1 black against 1 white in Black's turn, so both become white stones"
        " [become A1 W, become B1 W]",
    ]


def test_boloa_a_party_of_one_color_keeps_it():
    before = position(
        "boloa",
        """
        . . . .
        . W . .
        W . W .
        b b W .
        """,
        "w",
    )
    assert happens(before, "sB2")[1:] == [
        "2 B13 party A1 B1 is smothered: both become black stones [become A1 B, become B1 B]",
    ]


def test_boloa_a_pawn_can_be_smothered_where_it_is_put():
    before = position(
        "boloa",
        """
        . . .
        W . .
        . W .
        """,
    )
    assert happens(before, "pA1") == [
        "1 B9 Black puts a pawn on A1 [place A1 b]",
        "2 B13 the pawn on A1 is smothered and becomes a black stone [become A1 B]",
    ]


def test_implo_markers_come_and_then_the_group_goes():
    before = position(
        "implo",
        """
        . B .
        B B b
        w w .
        """,
        open="yes",
    )
    assert happens(before, "A3/C1") == [
        "1 I9 Black owns patch A3: the biggest group beside it is Black's, 3 against 0 []",
        "1 I11 black markers fill A3 [place A3 b]",
        "2 I11 Black's biggest group beside it is removed: A2 B2 B3"
        " [remove A2, remove B2, remove B3]",
        "1 I10 White owns patch C1: no stones are beside it, and Black placed the last stone []",
        "1 I11 white markers fill C1 [place C1 w]",
        "1 I13 no stones are beside it to remove []",
        "1 I10 White owns patch A2 B2 B3 C3: no stones are beside it, and Black placed the last"
        " stone []",
        "1 I11 white markers fill A2 B2 B3 C3 [place A2 w, place B2 w, place B3 w, place C3 w]",
        "1 I13 no stones are beside it to remove []",
    ]


def test_implo_who_resolves_chooses_among_tied_groups():
    before = position(
        "implo",
        """
        w w w w
        b b b b
        b B . W
        b b W b
        """,
        open="yes",
    )
    assert happens(before, "C2xD2")[:3] == [
        "1 I10 White owns patch C2: the biggest groups beside it are equal, 1 against 1,"
        " and Black placed the last stone []",
        "1 I11 white markers fill C2 [place C2 w]",
        "2 I12 of White's equally big groups beside it Black removes D2 [remove D2]",
    ]


def test_robble_all_neighbors_act_at_once():
    before = position(
        "robble",
        """
        . . . . .
        . B . . .
        B . W B .
        . W . . .
        . . . . .
        """,
        "w",
    )
    assert happens(before, "B3") == [
        "1 R8 White puts a stone on B3 [place B3 W]",
        "2 R9 the stone on B4 moves to B5, the empty square behind it [move B4 B5]",
        "2 R11 the stone on C3 becomes black: there is a stone behind it, on D3 [become C3 B]",
        "2 R9 the stone on B2 moves to B1, the empty square behind it [move B2 B1]",
        "2 R10 the stone on A3 leaves the board: the edge is behind it [remove A3]",
    ]


def test_pilo_a_capture_moves_removes_grows_and_leaves_a_block():
    before = position(
        "pilo",
        """
        .  .  .  .
        .  .  .  .
        .  B2 .  W2
        W1 .  .  .
        """,
    )
    assert happens(before, "B2-D2") == [
        "1 P12 Blue's stack on B2 goes to D2, where Orange's is as high, 2 [move B2 D2]",
        "1 P14 Orange's stack on D2 is removed [remove D2]",
        "2 P14 Blue's stack on D2 gets one disk more: 3 [become D2 B3]",
        "3 P14 a block is put on B2, where the stack came from [place B2 #]",
    ]
    assert happens(before, "A2") == ["1 P11 Blue puts a disk on A2 [place A2 B1]"]


def test_pilo_a_pass_is_told():
    before = position("pilo", "B2 #\n# B2", "w")
    assert happens(before, "pass") == ["1 P16 Orange has neither a disk to place nor a capture []"]


def test_the_marks_of_a_step_show_every_piece_that_it_takes(game, rng):
    """Before a step is played, each piece that leaves the board can be shown on its point."""
    taking = 0
    for at in every_position(game, range(3, 6), 4, rng):
        for step in set(at.legal_steps()) - set(SWAPS.values()):
            marks, changes = at.marks(step), [c for e in at.events(step) for c in e.changes]
            leaves = point_set(each.at for each in changes if each.deed is Deed.REMOVE)
            assert marks.removes | marks.captures == leaves
            assert any(at.taken(step)) == bool(leaves)
            taking += bool(leaves)
    assert bool(taking) == (game.position_type.board_taken is not Position.board_taken)


def test_every_event_cites_a_sentence_that_there_is(game):
    rules = {each.rule for each in rule_text(game).sentences}
    if not rules:
        pytest.skip("the game has no text")
    rng = random.Random(5)
    for before, step in random_game(game.start(4, Pie.PIECES), rng):
        for event in before.events(step):
            assert event.saying.rule in rules
            assert not event.saying.text.endswith(".")
            changed = {change.at for change in event.changes}
            assert changed <= set(vertices(event.saying.points))


def test_after_the_end_an_objection_tells_the_points_that_decided():
    over = position(
        "boloa",
        """
        . B .
        W B w
        . B .
        """,
        "w",
    )
    objection = over.objection(PAWN_AT[Vertex.parse("A1")])
    assert str(objection).startswith("B16: the game is over: ")
    assert named(objection.points) == "B1 B2 B3"


def test_an_objection_tells_the_points_that_it_names(game):
    """All of them, also where it tells more; those that stand on no board apart."""
    rng = random.Random(3)
    told = 0
    for before, _ in random_game(game.start(4, Pie.PIECES), rng):
        for _ in range(60):
            kind = rng.choice(before.kinds)
            places = list(vertices(before.board))
            step = Step(kind, tuple(rng.choices(places, k=kind.template.count("{}"))))
            objection = before.objection(before.canonical(step))
            if objection is None:
                continue
            words = re.findall(rf"\b{PATTERN}\b", objection.text)
            assert {Vertex.parse(word) for word in words} <= set(vertices(objection.points))
            told += bool(words)
    assert told > 50


def test_a_swap_names_the_players_as_the_game_does():
    position = read_position("pilo 4 ..../.B1../..../.... w pie=pieces")
    (event,) = position.events(SWAP_PIECES)
    assert event.saying.text == "all pieces change color; Blue plays next"
