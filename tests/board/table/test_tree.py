"""The tree of a game, without any engine."""

import pytest

from gtp_engine.board.table import variations as trees
from gtp_engine.board.table.messages import CannotDo
from gtp_engine.board.table.saving import heading, players_at_end
from gtp_engine.board.table.seat import Seat
from gtp_engine.board.table.variations import GameNode, GameTree, readable, turns, visit


def grown(*words: str) -> tuple[GameTree, list[GameNode]]:
    """A tree with one line; a word that ends in `/` leaves its turn open."""
    tree, nodes, color = GameTree(), [], "black"
    for word in words:
        node = tree.add(nodes[-1] if nodes else tree.root, color, word.rstrip("/"))
        node.open = word.endswith("/")
        nodes.append(node)
        if not node.open:
            color = "white" if color == "black" else "black"
    return tree, nodes


def test_numbers_count_whole_turns():
    _, nodes = grown("A", "B/", "C/", "D", "E")
    assert [(node.word, node.number) for node in nodes] == [
        ("A", 1),
        ("B", 2),
        ("C", 2),
        ("D", 2),
        ("E", 3),
    ]
    assert turns(nodes) == [("black", "A"), ("white", "B/C/D"), ("black", "E")]
    assert turns(nodes[2:]) == [("white", "C/D"), ("black", "E")]


def test_the_line_goes_on_where_it_was_left():
    tree, (first, second) = grown("A", "B")
    other = tree.add(first, "white", "C")
    assert first.line() == [second]
    visit(other)
    assert first.line() == [other]
    tree.drop(other)
    assert first.line() == [second]
    assert [node.word for node in tree] == ["", "A", "B"]


def test_a_tree_is_bounded(monkeypatch):
    monkeypatch.setattr(trees, "MOST_NODES", 3)
    tree, (_, second) = grown("A", "B")
    third = tree.add(second, "black", "C")
    with pytest.raises(CannotDo, match="is full with 3 turns"):
        tree.add(third, "white", "D")
    tree.drop(third)
    assert tree.add(second, "black", "D").id == 4  # an id never comes again


def test_trees_of_a_table_share_no_ids():
    first = GameTree()
    second = GameTree(first.ids)
    ids = [tree.add(tree.root, "black", "A").id for tree in (first, second, first)]
    assert ids == [1, 2, 3]


def test_a_comment_has_lines_and_no_control_characters():
    assert readable("a\r\nb\x0bc\u2028d\te\x1b\x9b.\x00") == "a\nb\nc\nd\te."


def test_comments_are_bounded(monkeypatch):
    monkeypatch.setattr(trees, "LONGEST_COMMENT", 5)
    monkeypatch.setattr(trees, "MOST_COMMENTS", 8)
    tree, (first, second) = grown("A", "B")
    with pytest.raises(CannotDo, match="5 characters"):
        tree.comment(first, "123456")
    tree.comment(first, "12345")
    with pytest.raises(CannotDo, match="too long in total"):
        tree.comment(second, "1234")
    tree.comment(first, "1")
    tree.comment(second, "1234")
    tree.drop(second)
    tree.comment(first, "12345")
    assert second.comment == "1234" and first.comment == "12345"


@pytest.mark.parametrize(
    "value",
    [None, {}, {"kind": "dog"}, {"kind": "engine"}, {"kind": "engine", "engine": 1}, []]
    + [{"kind": "engine", "engine": "A", "level": level} for level in ("5", 1.5, True, [])],
)
def test_what_is_no_seat(value):
    with pytest.raises(ValueError, match="a seat is"):
        Seat.read(value)


def test_a_seat_is_read_as_it_is_shown():
    for seat in (Seat(), Seat("A"), Seat("A", 3), Seat("A", "adaptive")):
        assert Seat.read(seat.shown()) == seat


def test_a_promoted_variation_comes_first_and_the_others_keep_their_order():
    tree, (first, _) = grown("A", "B")
    for word in "CDE":
        tree.add(first, "white", word)
    fourth = first.children[2]
    assert tree.promote(fourth) == first.children
    assert [node.word for node in first.children] == ["D", "B", "C", "E"]
    assert tree.promote(first.children[3])[0] is first.children[0]
    assert [node.word for node in first.children] == ["E", "D", "B", "C"]
    assert tree.promote(first.children[0]) == []


def test_a_promoted_turn_brings_all_turns_before_it():
    tree, (first, second) = grown("A", "B")
    other = tree.add(tree.root, "black", "X")
    replies = [tree.add(other, "white", word) for word in "YZ"]
    tree.promote(replies[1])
    assert [node.word for node in tree.main_line()] == ["X", "Z"]
    assert tree.root.children == [other, first] and first.children == [second]


@pytest.mark.parametrize(
    ("words", "turned"),
    [(["A"], False), (["A", "swap"], False), (["A", "swap-sides"], True)]
    + [(["A", "swap-sides", "B", "C"], True)],
)
def test_players_have_the_other_colors_after_a_swap_of_sides(words, turned):
    tree, _ = grown(*words)
    ann, engine = Seat(name="Ann"), Seat("Patchpie", 3)
    tree.players = {"black": ann, "white": engine}
    first, second = (engine, ann) if turned else (ann, engine)
    assert players_at_end(tree) == {"black": first, "white": second}
    root = heading(tree)
    names = "Patchpie" if turned else "Ann", "Ann" if turned else "Patchpie"
    assert (root.text("PB"), root.text("PW")) == names
    assert root.text("BR" if turned else "WR") == "level 3"
