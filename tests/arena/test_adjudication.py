"""Games that the arena ends before the rules do: by reported chances, by a count, by proof."""

import pytest

from gtp_engine.arena.playing.adjudication import Adjudicator, check_judge
from gtp_engine.arena.playing.pool import EnginePool
from gtp_engine.arena.playing.referee import GameTask, play_game
from gtp_engine.arena.setup.config import Adjudicating, WrongMatch
from gtp_engine.arena.setup.schedule import games_of
from gtp_engine.arena.setup.tables import make_match
from gtp_engine.arena.values import Adjudication, Board, TurnRecord
from gtp_engine.cli.arena_games import sgf_of
from gtp_engine.rules import find_game
from gtp_engine.rules.notation.turns import read_turn
from gtp_engine.rules.points.color import BLACK, WHITE
from gtp_engine.rules.step import Pie
from gtp_engine.search.budget import Budget
from gtp_engine.search.solver import solve
from support.starting import PLAIN, RANDOM, ROBBLE, engine_command, python_command, robble_command
from support.thorough import first_of

BOARD = Board("robble", 4, "off")
START = find_game("robble").start(4, Pie.OFF)


@pytest.fixture
def pool():
    pool = EnginePool()
    yield pool
    pool.close()


def ended(pool, chances, **rules):
    """The verdict on a game in which A (Black) and B tell these chances of their own, in turn; and
    after how many turns."""
    adjudicator = Adjudicator(Adjudicating(**rules), BOARD, pool)
    for number, chance in enumerate(chances.split(), 1):
        color = BLACK if number % 2 else WHITE
        value = None if chance == "-" else float(chance) if color is BLACK else 1 - float(chance)
        turn = TurnRecord("AB"[color], color, "A1", 1.0, value)
        verdict = adjudicator.verdict(turn, START, "AB")
        if verdict is not None:
            return verdict.winner, verdict.why, number
    return None


RESIGN, TURNS = Adjudication.RESIGN, Adjudication.MAX_TURNS


@pytest.mark.parametrize(
    ("chances", "rules", "told"),
    [
        ("0.01 0.5 0.01 0.5", {"resign": 0.02, "resign_turns": 2}, (WHITE, RESIGN, 3)),
        ("0.5 0.01 0.5 0.02", {"resign": 0.02, "resign_turns": 2}, (BLACK, RESIGN, 4)),
        ("0.01 0.5 0.03 0.5 0.01", {"resign": 0.02, "resign_turns": 2}, None),
        ("0.01 0.5 - 0.5 0.01", {"resign": 0.02, "resign_turns": 2}, None),
        ("- - - -", {"resign": 0.5, "resign_turns": 1}, None),
        ("0 0 0 0", {}, None),
        (
            "0.01 0.9 0.01 0.99 0.01 0.99",
            {"resign": 0.02, "resign_turns": 2, "resign_both": True},
            (WHITE, RESIGN, 6),
        ),
        ("0.01 0.9 0.01 0.9", {"resign": 0.02, "resign_turns": 1, "resign_both": True}, None),
        ("0.01", {"resign": 0.02, "resign_turns": 1, "resign_both": True}, None),
        ("0.5 0.5 0.5 0.5", {"max_turns": 3}, (None, TURNS, 3)),
        ("0.5 0.5", {"max_turns": 3}, None),
    ],
)
def test_chances_and_counts(pool, chances, rules, told):
    assert ended(pool, chances, **rules) == told


def play(pool, first=ROBBLE, second=ROBBLE, games=2, **match):
    """The games of a match without comments, of small engines."""
    engines = [
        {"name": name, "command": command, "settings": {"seed": "{seed}"}}
        for name, command in (("A", first), ("B", second))
    ]
    match = make_match({"engines": engines, "games": games, "comments": False} | match)
    return [play_game(GameTask(key, match, (), 5 + key.number), pool) for key in games_of(match)]


def test_a_long_game_is_a_draw(pool):
    for record in play(pool, boards=["robble 5"], adjudication={"max_turns": 4}):
        result = record.result
        assert (result.length, result.winner, result.result) == (4, None, "0")
        assert result.adjudicated is TURNS
        assert result.reason == "adjudicated: no result after 4 turns"
        assert "GC[adjudicated: no result after 4 turns]" in sgf_of(result, record.turns)
    for record in play(pool, boards=["robble 5"], adjudication={"max_turns": 1}):
        assert record.result.reason == "adjudicated: no result after 1 turn"


def test_a_game_that_ends_in_time_is_not_adjudicated(pool):
    for record in play(pool, boards=["robble 2"], adjudication={"max_turns": 200}):
        assert record.result.adjudicated is None


@pytest.mark.parametrize(("black", "white", "loser"), [(98, 1, "W"), (2, 99, "B")])
@pytest.mark.parametrize("both", [True, False])
def test_who_gave_itself_up_loses_also_after_a_swap_of_sides(
    pool, tmp_path, black, white, loser, both
):
    """The chances are of the colors before it; who said `swap-sides` has Black then."""
    engine = tmp_path / "sides.py"
    engine.write_text(
        "import sys\n"
        f"said = {{'b': ['c3', 'Black wins {black}%'], "
        f"'w': ['swap-sides', 'White wins {white}%']}}\n"
        "for line in sys.stdin:\n"
        "    number, name, *words = line.split()\n"
        "    if name == 'genmove':\n"
        "        turn, chance = said[words[0]]\n"
        "    texts = {'list_commands': 'gomill-explain_last_move'}\n"
        "    if name in ('genmove', 'gomill-explain_last_move'):\n"
        "        texts |= {'genmove': turn, 'gomill-explain_last_move': chance}\n"
        "    print(f'={number} {texts.get(name, str())}', end='\\n\\n', flush=True)\n"
    )
    rules = {"resign": 0.05, "resign_turns": 1, "resign_both": both}
    match = {"boards": ["robble 5"], "pie": "sides", "adjudication": rules, "comments": True}
    for record in play(pool, python_command(engine), python_command(engine), **match):
        result, begun = record.result, dict(zip("BW", record.result.key.engines))
        agreed = ", and its opponent agreed" if both else ""
        gave = f"adjudicated: {begun[loser]} gave itself at most 5.0% in 1 turn{agreed}"
        assert (result.reason, result.loser) == (gave, begun[loser])
        if len(record.turns) == 2:
            assert result.swapped and result.result == f"{loser}+"  # the other color by now


@pytest.mark.parametrize("pie", first_of(["sides", "off"]))
def test_a_judge_claims_what_is_proven(pool, pie):
    """Each claim is proven here, too; with `swap-sides` it is for who has the color then."""
    rules = {"judge": engine_command("--backend", "python"), "judge_seconds": 60}
    records = play(pool, RANDOM, RANDOM, boards=["pilo 3"], pie=pie, games=4, adjudication=rules)
    claims = [record for record in records if record.result.adjudicated is Adjudication.JUDGE]
    assert claims
    for record in claims:
        position, names = find_game("pilo").start(3, Pie(pie)), list(record.result.key.engines)
        for turn in record.turns:
            position = read_turn(position, (), turn.word).position
            if turn.word == "swap-sides":
                names.reverse()
        found = solve(position, Budget(), "python")
        winner = {1: names[BLACK], 0: names[WHITE], 0.5: None}[found.value]
        assert record.result.winner == winner
        assert record.result.result == {1: "B+", 0: "W+", 0.5: "0"}[found.value]


@pytest.mark.parametrize(
    "answer",
    first_of(["not solved", "? cannot", "black probably wins", "Black wins 99.9%", "blackwins"]),
)
def test_a_judge_that_proves_nothing_ends_nothing(pool, tmp_path, answer):
    """Nor does one that fails: the game goes on without it."""
    engine = tmp_path / "judge.py"
    head = answer if answer.startswith("?") else f"= {answer}"
    engine.write_text(
        "import sys\n"
        "for line in sys.stdin:\n"
        "    number, name, *_ = line.split()\n"
        f"    said = {head!r} if name == 'game-solve' else '= '\n"
        "    print(said[0] + number + said[1:], end='\\n\\n', flush=True)\n"
    )
    rules = {"judge": python_command(engine), "judge_seconds": 0.1}
    for record in play(pool, boards=["robble 3"], adjudication=rules):
        assert record.result.adjudicated is None
        assert record.result.fault is None


@pytest.mark.parametrize(
    ("judge", "told"),
    [
        ("no-such-program", "the judge fails: the engine cannot be started"),
        (PLAIN, "has no command game-solve"),
    ],
)
def test_a_judge_is_tried_before_the_first_game(pool, judge, told):
    engines = [{"name": name, "command": ROBBLE} for name in "AB"]
    match = make_match({"engines": engines, "adjudication": {"judge": judge}})
    with pytest.raises(WrongMatch, match=f"adjudication: {told}|adjudication: the judge {told}"):
        check_judge(match, pool)


@pytest.mark.parametrize("judge", [robble_command("crash-at-start"), "no-such-program"])
def test_a_game_goes_on_without_a_judge_that_fails(pool, judge):
    for record in play(pool, boards=["robble 3"], adjudication={"judge": judge}):
        assert (record.result.adjudicated, record.result.fault) == (None, None)
