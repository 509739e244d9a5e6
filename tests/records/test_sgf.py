"""The codec alone: text to a tree and back, in every character set."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sgfmill import sgf_grammar

from gtp_engine.records import sgf
from gtp_engine.records.charsets import readings
from gtp_engine.records.record import plain_text, read_record
from gtp_engine.records.sgf import (
    BadRecord,
    SgfNode,
    raw_of,
    read_tree,
    text_of,
    write_tree,
)
from support.thorough import first_of, given_few_or_many

NAMES = st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ", min_size=1, max_size=3)
# SGF reads a tab as a blank, and every line end as one.
TEXTS = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\r\t\v\f"), max_size=20
)
NODES = st.dictionaries(NAMES, st.lists(TEXTS.map(raw_of), min_size=1, max_size=3), max_size=4)
TREES = st.recursive(
    NODES.map(SgfNode),
    lambda trees: st.builds(
        lambda node, children: SgfNode(node, children=children), NODES, st.lists(trees, max_size=3)
    ),
    max_leaves=12,
)


def shape(node: SgfNode) -> tuple:
    """A tree as a value; the order of the properties counts."""
    return list(node.properties.items()), [shape(child) for child in node.children]


@given_few_or_many(20, 60, TREES)
def test_a_tree_is_its_text(tree):
    text = write_tree(tree)
    read, lost = read_tree(text)
    assert shape(read) == shape(tree)
    assert lost == []
    assert write_tree(read) == text


@given_few_or_many(20, 60, TREES)
def test_others_read_what_is_written(tree):
    """sgfmill sees the same properties along the main line."""
    found = list(
        sgf_grammar.main_sequence_iter(sgf_grammar.parse_sgf_game(write_tree(tree).encode()))
    )
    node, ours = tree, [tree]
    while node.children:
        node = node.children[0]
        ours.append(node)
    assert [
        {name: [raw.decode() for raw in values] for name, values in each.items()} for each in found
    ] == [each.properties for each in ours]


@given(TEXTS)
def test_a_text_is_its_raw_value(text):
    assert text_of(raw_of(text)) == text


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(data):
    try:
        root, _ = read_tree(readings(data)[0].text)
    except BadRecord:
        return
    assert shape(read_tree(write_tree(root))[0]) == shape(root)


@pytest.mark.parametrize(
    "text, said",
    [
        ("", "there is no `(;` in it"),
        ("hello", "there is no `(;` in it"),
        ("(;", "line 1, column 3: the game does not end"),
        ("(;A[1]\n;B[2]", "line 2, column 6: the game does not end"),
        ("(;A[1]\n;B[2", "line 2, column 3: a value does not end"),
        ("(;A;B[1])", "line 1, column 3: a property without a value"),
        ("(;[1])", "line 1, column 3: a value without a property"),
        ("(;A[1](B[1]))", "line 1, column 8: a property outside a node"),
        ("(;A[ö]ö[1])", "line 1, column 7: that is not SGF"),
        (" " * (2**20 + 1), "larger than 1048576 bytes"),
        ("(;A[1]" + ";" * 10**6, "more than 40000 nodes"),
        ("(;A[1]" + "(;C[])" * 148_000 + ")", "more than 40000 nodes"),
        ("(;A[1]" + "(;C[]" * 148_000, "more than 40000 nodes"),
        ("(;A[1]" + "(" * 500_000, "more than 40000 nodes"),
        ("(;C[" * 250_000, "line 1, column 4: a value does not end"),
    ],
)
def test_what_is_no_sgf_is_refused_with_its_place(text, said):
    with pytest.raises(BadRecord) as refused:
        read_tree(text)
    assert said in str(refused.value)


def test_only_nodes_of_the_game_count(monkeypatch):
    monkeypatch.setattr(sgf, "MOST_NODES", 3)
    text = "(;A[;;;;((((\\]];B[];C[(;(;(;])"
    assert shape(read_tree(text)[0]) == shape(read_tree(f"; ; {text} (;;;;;;)")[0])
    with pytest.raises(BadRecord, match="more than 3 nodes"):
        read_tree("(;A[1];B[];C[];D[])")


def test_what_is_in_front_of_a_game_and_behind_it_is_no_part_of_it():
    root, lost = read_tree("Dear Ann,\n(;A[1]) and so on")
    assert (root.properties, lost) == ({"A": ["1"]}, [])
    root, lost = read_tree("(;A[1]) and (;B[2])")
    assert (root.properties, lost) == ({"A": ["1"]}, ["the further games of the file"])


@pytest.mark.parametrize("size", first_of([2000, 9000]))
def test_the_depth_and_the_width_of_a_hostile_file_cost_no_stack(size):
    start = "(;GAME[robble]SZ[3]"
    for text in (
        start + "(;B[A1]" * size + ")" * (size + 1),
        start + "(;B[A1])" * size + ")",
        "(" * 100_000 + start[1:] + ";B[A1]" * size + ")" * 100_000,
    ):
        record = read_record(text)
        assert sum(1 for _ in record) == size + 1
        assert sum(1 for _ in read_record(plain_text(record))) == size + 1
