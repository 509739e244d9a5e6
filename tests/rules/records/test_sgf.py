"""The codec alone: text to a tree and back, in every character set."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sgfmill import sgf_grammar

from gtp_engine.rules.records import sgf
from gtp_engine.rules.records.charsets import readings
from gtp_engine.rules.records.record import plain_text, read_record
from gtp_engine.rules.records.sgf import (
    BadRecord,
    SgfNode,
    raw_of,
    read_tree,
    split_games,
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
    read, lost, guessed = read_tree(text)
    assert shape(read) == shape(tree)
    assert (lost, guessed) == ((), ())
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
        root = read_tree(readings(data)[0].text).root
    except BadRecord:
        return
    assert shape(read_tree(write_tree(root)).root) == shape(root)


@pytest.mark.parametrize(
    "text, said",
    [
        ("", "there is no `(;` in it"),
        ("hello", "there is no `(;` in it"),
        ("(;A[1](;B[2])(;B[3]", "line 1, column 20: the game does not end"),
        ("(;A[1]\n;B", "line 2, column 2: a property without a value"),
        ("(;A[1]\n;B[2]!", "line 2, column 6: that is not SGF"),
        ("(;A[1]\n;B[2", "line 2, column 3: a value does not end"),
        ("(;A;B[1])", "line 1, column 3: a property without a value"),
        ("(;A[1];B TE)", "line 1, column 8: a property without a value"),
        ("(A[" * 300_000 + "(;A", "column 900003: a property without a value"),
        ("(;2A[1])", "line 1, column 3: that is not SGF"),
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
    assert shape(read_tree(text).root) == shape(read_tree(f"; ; {text} (;;;;;;)").root)
    with pytest.raises(BadRecord, match="more than 3 nodes"):
        read_tree("(;A[1];B[];C[];D[])")


def test_what_is_in_front_of_a_game_and_behind_it_is_no_part_of_it():
    root, lost, _ = read_tree("Dear Ann,\n(;A[1]) and so on")
    assert (root.properties, lost) == ({"A": ["1"]}, ())
    root, lost, _ = read_tree("(;A[1]) and (;B[2])")
    assert (root.properties, lost) == ({"A": ["1"]}, ("the further games of the file",))


PROPERTY_FIRST = "what stands before the first `;` was read as part of the root"
NO_END = "the last `)` is missing: the game was read to the end of the file"


@pytest.mark.parametrize(
    ("text", "meant", "guessed"),
    [
        ("(;LZ2[x]A1b[y];KTV1[z])", "(;LZ2[x]A1[y];KTV1[z])", ()),
        ("(FF[4];A[1];B[2])", "(;FF[4]A[1];B[2])", (PROPERTY_FIRST,)),
        ("(FF[4]A[1];B[2];W[3])", "(;FF[4]A[1];B[2];W[3])", (PROPERTY_FIRST,)),
        ("(A[1](;B[2])(;B[3]))", "(;A[1](;B[2])(;B[3]))", (PROPERTY_FIRST,)),
        ("(A[1])", "(;A[1])", (PROPERTY_FIRST,)),
        ("Dear Ann (see A[1]) (X[2]) (Y[z] or so (;A[1])", "(;A[1])", ()),
        ("(;A[1]", "(;A[1])", (NO_END,)),
        ("(;A[1]\n;B[2]\n\n", "(;A[1];B[2])", (NO_END,)),
        ("(;A[1](;B[2];W[3])(;B[4])", "(;A[1](;B[2];W[3])(;B[4]))", (NO_END,)),
        ("(;A[1];B[2]TE;W[3]KO DM[1])", "(;A[1];B[2]TE[];W[3]KO[]DM[1])",
         ("TE has no value: it was read as TE[]", "KO has no value: it was read as KO[]")),
        ("(;A[1];B[2]TE;W[3]TE", "(;A[1];B[2]TE[];W[3]TE[])",
         ("TE has no value: it was read as TE[]", NO_END)),
    ],
)  # fmt: skip
def test_what_a_text_means_plainly_is_read_and_told(text, meant, guessed):
    read, right = read_tree(text), read_tree(meant)
    assert shape(read.root) == shape(right.root)
    assert (read.lost, read.guessed) == ((), guessed)
    assert right.guessed == ()


@pytest.mark.parametrize("text", ["(A[1]!", "(A[])", "(A[]b "])
def test_where_a_game_begins_is_found_in_one_pass(text):
    """Parentheses in front of a game are no burden."""
    root, _, guessed = read_tree(f"{text * 50_000}(;A[1])"[-(2**18) :])
    assert (root.properties, guessed) == ({"A": ["1"]}, ())


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


@pytest.mark.parametrize(
    ("text", "games"),
    [
        ("(;A[1])", ["(;A[1])"]),
        (
            "a word (;A[)(];B[\\](;])\n(;C[2](;D[3])(;E[4]))",
            ["(;A[)(];B[\\](;])", "(;C[2](;D[3])(;E[4]))"],
        ),
        ("so (A[1];B[2]) ", ["(A[1];B[2])"]),
        ("(;A[1])(;B[2](;C[3]", ["(;A[1])", "(;B[2](;C[3]"]),
        ("(;A[1])(;B[2", ["(;A[1])", "(;B[2"]),
        ("(;A[\u00e4])(;B[\U0001f600])", ["(;A[\u00e4])", "(;B[\U0001f600])"]),
    ],
)
def test_a_file_is_split_into_its_games(text, games):
    assert split_games(text) == games


@pytest.mark.parametrize("text", ["", "no game", "(A)"])
def test_where_no_game_begins_nothing_is_split(text):
    with pytest.raises(BadRecord, match="not an SGF file"):
        split_games(text)


@given(st.lists(TREES, min_size=1, max_size=4))
def test_games_that_were_written_one_after_the_other_are_found_again(trees):
    texts = [write_tree(tree) for tree in trees]
    assert split_games("".join(texts)) == [text.rstrip("\n") for text in texts]
