"""The verdict in words, and the other findings of a report."""

import pytest

from gtp_engine.arena.reporting.findings import MOST_OPENINGS, Findings
from gtp_engine.arena.stats.tally import Tally
from gtp_engine.arena.values import Adjudication, Fault
from support.matches import game_of, games_between, match_of, random_games


def findings_of(match, games, **known) -> Findings:
    tally = Tally(match.pair_test())
    for game in games:
        tally.add(game)
    return Findings(tally, match, **known)


def two(scores: str, **settings) -> Findings:
    return findings_of(match_of("A", "B", **settings), games_between("A", "B", scores))


@pytest.mark.parametrize(
    ("scores", "words"),
    [
        ("", "No game has been played yet"),
        ("1= 10", "A and B cannot be told apart so far"),
        # Four games won say little, however alike they are.
        ("11 11", "A and B cannot be told apart so far"),
        ("1= 11", "A and B cannot be told apart so far"),
        ("11 11 11", "A is probably stronger than B"),
        ("00 00 00", "B is probably stronger than A"),
        ("11 " * 6, "A is stronger than B"),
        ("00 0= " * 20, "B is stronger than A"),
        ("11 00 " * 20, "A and B cannot be told apart so far"),
    ],
)
def test_headlines_of_two(scores, words):
    assert two(scores).headline == words


@pytest.mark.parametrize(
    ("strengths", "words"),
    [
        ({"A": 0, "B": 400, "C": 100}, "B is first of 3, stronger than C"),
        ({"A": 100, "B": 100, "C": 0}, "B is first of 3, but not clearly stronger than A so far"),
    ],
)
def test_headlines_of_many(strengths, words):
    match = match_of(*strengths, games=40)
    assert findings_of(match, random_games(match, strengths)).headline == words


def test_without_games_many_have_no_headline_either():
    assert findings_of(match_of("A", "B", "C"), []).headline == "No game has been played yet"


def test_what_is_said_of_two():
    assert two("11 1= 10 00 1= 11", games=20).sentences == [
        "A scores 66.7 %: +120.4 Elo (95 %: -217.1 to +537.8); 77.3 % likely to be stronger.",
        "12 of 20 games, 6 complete pairs.",
    ]


def test_what_is_said_of_a_clean_sweep():
    """The interval has one end only."""
    assert two("11 11", games=20).sentences[0] == (
        "A scores 100.0 %: -290.5 or more Elo, with 95 % confidence; 87.5 % likely to be stronger."
    )


def test_half_pairs_and_voids_are_mentioned():
    match = match_of("A", "B", games=20)
    told = findings_of(match, games_between("A", "B", "10 1"), voids=2).sentences
    assert told[1:] == [
        "3 of 20 games, 1 complete pair; 1 game of incomplete pairs.",
        "2 void games were not counted.",
    ]


def test_faults_are_mentioned():
    match = match_of("A", "B", games=20)
    games = [
        game_of("A", "B", 0, 0, "A", fault=Fault.CRASH),
        game_of("A", "B", 0, 1, "A", fault=Fault.TIME),
        game_of("A", "B", 1, 0, "A", fault=Fault.CRASH),
    ]
    told = findings_of(match, games).sentences
    assert told[-1] == "B lost 3 games by its own faults (crash 2 and time 1)."


@pytest.mark.parametrize(
    ("scores", "words"),
    [
        ("", "has not decided between +30 and 0 normalised Elo for A: LLR +0.00, bounds -2.94"),
        ("10 1= " * 5, "has not decided between +30 and 0 normalised Elo for A: LLR +0."),
        (
            "11 10 11 10 1= " * 9,
            "has accepted H1: A is +30 rather than 0 normalised Elo, after 37 pairs: LLR",
        ),
        (
            "00 10 00 10 0= " * 9,
            "has accepted H0: A is 0 rather than +30 normalised Elo, after 32 pairs: LLR",
        ),
    ],
    ids=["none", "few", "won", "lost"],
)
def test_what_is_said_of_a_sequential_test(scores, words):
    told = two(scores, games=1000, sprt={"elo0": 0, "elo1": 30}).sentences
    (sentence,) = [line for line in told if "sequential" in line]
    assert sentence.startswith(f"The sequential test {words}")
    assert ("biased" in sentence) == ("accepted" in words)


def test_a_test_is_for_the_first_engine_of_the_match():
    """Also where the store knows the engines in the other order."""
    match = match_of("B", "A", sprt={"elo0": 0, "elo1": 30})
    findings = findings_of(match, games_between("A", "B", "11 " * 60))
    assert findings.test.accepted == "H0"


def test_engines_that_never_met_are_not_compared():
    match = match_of("A", "B", "C", "D")
    games = [*games_between("A", "B", "11 10"), *games_between("C", "D", "11 10")]
    told = findings_of(match, games).sentences
    assert (
        told[0]
        == "No games connect these groups, so their ratings cannot be compared: A and B; C and D."
    )


def names(findings):
    return [(group.name, group.counts.units) for group in findings.openings]


def test_openings_are_told_apart_while_they_are_few():
    match = match_of("A", "B")
    games = [
        *games_between("A", "B", "11", opening=("A1", "B2")),
        *games_between("A", "B", "10 11", opening=("A1", "C2")),
    ]
    assert names(findings_of(match, games)) == [("A1 C2", 4), ("A1 B2", 2)]


def test_many_openings_are_told_by_their_first_turns():
    match = match_of("A", "B")
    words = [(first, second) for first in ("A1", "B1") for second in (f"C{n}" for n in range(20))]
    games = [game for pair in words for game in games_between("A", "B", "10", opening=pair)]
    assert names(findings_of(match, games)) == [("A1 ...", 40), ("B1 ...", 40)]


def test_of_too_many_openings_the_rest_is_one():
    match = match_of("A", "B")
    words = [(f"A{n}",) for n in range(MOST_OPENINGS + 3)]
    games = [game for pair in words for game in games_between("A", "B", "10", opening=pair)]
    found = names(findings_of(match, games))
    assert len(found) == MOST_OPENINGS + 1
    assert found[-1] == ("others", 6)


def test_one_opening_is_no_table():
    assert two("11 10").openings == []


def test_titles():
    assert two("").title == "A against B, robble 5"
    many = findings_of(match_of("A", "B", "C", boards=["implo 6", "pilo 8"]), [])
    assert many.title == "3 engines, implo 6 and pilo 8"


def test_how_many_games_are_planned():
    match = match_of("A", "B", "C", boards=["implo 6", "pilo 8"], games=10)
    assert findings_of(match, []).planned == 60


def test_what_engines_use_is_told_together_where_it_is_the_same():
    both = "implo in the kernel, with the net I\npilo in the kernel, without a net"
    uses = {"A": both, "B": "implo in Python, without a net", "C": both}
    told = findings_of(match_of("A", "B", "C", "D"), [], uses=uses).sentences
    assert told[-2:] == [
        "A and C play implo in the kernel, with the net I; pilo in the kernel, without a net.",
        "B plays implo in Python, without a net.",
    ]


def test_adjudicated_games_are_told():
    tally = Tally()
    for half in (0, 1):
        tally.add(game_of("A", "B", 0, half, "A")._replace(adjudicated=Adjudication.MAX_TURNS))
    told = Findings(tally, match_of("A", "B", games=2)).sentences
    assert "2 games were ended by adjudication (max turns 2)." in told
