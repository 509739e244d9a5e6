"""Single games between engines: rules, the pie, clocks, and blame for faults."""

from contextlib import closing
from pathlib import Path

import pytest

from gtp_engine.arena.playing.pool import EnginePool
from gtp_engine.arena.playing.referee import GameTask, play_game
from gtp_engine.arena.playing.running_engine import Remark, RunningEngine, Void, read_remark
from gtp_engine.arena.setup.config import Engine, Terms
from gtp_engine.arena.setup.schedule import games_of
from gtp_engine.arena.setup.tables import make_match
from gtp_engine.arena.values import Fault, Identity
from gtp_engine.base.affinity import usable_processors
from gtp_engine.rules import find_game, games
from gtp_engine.rules.notation.turns import read_turn
from gtp_engine.rules.step import SWAP_SIDES, SWAPS, Pie
from support.matches import without_pauses
from support.starting import RANDOM, ROBBLE, engine_command, python_command, robble_command
from support.thorough import first_of, thorough

LINUX = Path("/proc/self/schedstat").exists()


@pytest.fixture
def play(monkeypatch):
    """Plays the games of a match one by one; between small engines if no others are named."""
    without_pauses(monkeypatch)
    pool = EnginePool()

    def play(first=ROBBLE, second=ROBBLE, opening=(), seed=5, clocks=(), **match):
        """clocks -- of engines by their names; one without a clock cannot lose on time."""
        engines = [
            {"name": name, "command": command, "settings": {"seed": "{seed}"}}
            | ({"time": clocks[name]} if name in clocks else {})
            for name, command in (("A", first), ("B", second))
        ]
        match = make_match({"engines": engines, "games": 2, "comments": False} | match)
        return [play_game(GameTask(key, match, opening, seed), pool) for key in games_of(match)]

    yield play
    pool.close()


def replayed(record):
    """The position at the end of a record, by the rules alone, and who then plays BLACK."""
    board = record.result.key.board
    position = find_game(board.game).start(board.size, Pie(board.pie))
    clicks, names = (), list(record.result.key.engines)
    for word in record.result.opening:
        reading = read_turn(position, (), word)
        if SWAP_SIDES in reading.steps:
            names.reverse()
        position = reading.position
    for turn in record.turns:
        assert turn.engine == names[position.to_move]
        assert turn.color is position.to_move
        reading = read_turn(position, clicks, turn.word)
        if SWAP_SIDES in reading.steps:
            names.reverse()
        position, clicks = reading.position, reading.clicks
    return position, names


@pytest.mark.parametrize("pie", first_of([pie.value for pie in Pie]))
def test_our_engine_plays_all_games_to_their_end(play, pie):
    records = play(RANDOM, RANDOM, boards=[f"{game.name} 3" for game in games()], pie=pie)
    keys = [(record.result.key.board.game, record.result.key.engines) for record in records]
    assert keys == [(game.name, names) for game in games() for names in (("A", "B"), ("B", "A"))]
    for record in records:
        position, names = replayed(record)
        outcome = position.outcome()
        assert outcome is not None
        assert record.result.result == str(outcome)
        assert record.result.reason == outcome.reason
        assert record.result.winner == (None if outcome.winner is None else names[outcome.winner])
        assert record.result.fault is None
        assert record.evidence == ()
        assert record.result.length == len(record.turns)


@pytest.mark.parametrize("pie", [Pie.PIECES, Pie.SIDES], ids=lambda pie: pie.value)
def test_the_swap_of_an_opening_is_no_engines(play, pie):
    for record in play(boards=["robble 3"], pie=pie.value, opening=("C3", str(SWAPS[pie]))):
        assert record.result.fault is None
        assert not record.result.swapped
        replayed(record)


@pytest.mark.parametrize("pie", [Pie.PIECES, Pie.SIDES], ids=lambda pie: pie.value)
def test_a_swap_is_noticed(play, pie):
    """On the smallest board random players swap soon."""
    word = str(SWAPS[pie])
    for seed in range(40):
        (record, _) = play(boards=["robble 2"], pie=pie.value, seed=seed)
        swapped = any(turn.word == word for turn in record.turns)
        assert record.result.swapped == swapped
        if swapped:
            break
    assert swapped
    replayed(record)


def test_the_same_seed_is_the_same_game(play):
    one, same, other = (play(boards=["robble 3"], seed=seed) for seed in (9, 9, 10))
    words = [
        [[turn.word for turn in record.turns] for record in each] for each in (one, same, other)
    ]
    assert words[0] == words[1] != words[2]


@pytest.mark.parametrize(
    ("words", "environment", "reserved", "told"),
    [
        ((), {}, False, "1"),
        ((), {}, True, "auto"),
        ((), {"PATCHPIE_THREADS": "3"}, False, "3"),
        (("--threads", "2"), {}, False, "2"),
    ],
)
def test_engines_have_one_thread_unless_their_processors_are_reserved(
    monkeypatch, words, environment, reserved, told
):
    monkeypatch.delenv("PATCHPIE_THREADS", raising=False)
    processors = tuple(usable_processors() or (0,)) if reserved else ()
    engine = Engine("A", engine_command(*words), environment=environment)
    with closing(RunningEngine(engine, Terms(processors=processors))) as running:
        assert running.tell("game-settings threads").startswith(f"threads {told} ")


def test_an_opening_is_given_to_both(play):
    for record in play(RANDOM, RANDOM, boards=["implo 3"], opening=("a1", "c3"), pie="off"):
        position, _ = replayed(record)
        assert position.outcome() is not None
        assert record.result.opening == ("a1", "c3")
        assert "A1" not in [turn.word[:2] for turn in record.turns]


def test_engines_that_answer_clicks_take_part(play):
    boards = ["implo 3", "boloa 3", "pilo 3"]
    for record in play(f"{RANDOM} --moves clicks", RANDOM, boards=boards, pie="off"):
        assert record.result.fault is None
        position, _ = replayed(record)
        assert position.outcome() is not None


def test_what_engines_think_is_kept(play):
    command = engine_command("--visits", "20", "--backend", "python")
    few = {"max_turns": 6}
    (record, _) = play(command, boards=["robble 3"], comments=True, adjudication=few)
    thoughts = {turn.engine: turn for turn in record.turns}
    assert thoughts["A"].visits == 20
    assert 0 <= thoughts["A"].value <= 1
    assert "visits" in thoughts["A"].comment
    assert thoughts["B"][4:7] == (None, None, "")


@pytest.mark.parametrize(
    ("game", "text", "remark"),
    [
        ("implo", "Black wins 53.1%, 200 visits, C4", (0.531, 200)),
        ("implo", "White wins 60.0%, 10 visits", (0.4, 10)),
        ("implo", "White wins 60.0%, 10 visits, C4; 5.0 points better, 3 visits", (0.4, 10)),
        ("pilo", "Blue wins 75%", (0.75, None)),
        ("pilo", "Orange wins 75%, 3 visits", (0.25, 3)),
        ("pilo", "Orange wins 100.0%, 1 visit, pass", (0.0, 1)),
        ("pilo", "it felt right", (None, None)),
        ("pilo", "99999999999999999999999 visits", (None, None)),
        ("pilo", "", (None, None)),
    ],
)
def test_explanations_are_read(game, text, remark):
    assert read_remark(game, text) == Remark(*remark, text)


FAULTS = [
    ("crash-at-start", Fault.START, "B+F"),
    ("hang-at-start", Fault.START, "B+F"),
    ("die", Fault.CRASH, "B+F"),
    ("die-mid-word", Fault.CRASH, "B+F"),
    ("fork-and-die", Fault.CRASH, "B+F"),
    ("close-output", Fault.CRASH, "B+F"),
    ("garbage", Fault.PROTOCOL, "B+F"),
    ("answer-twice", Fault.PROTOCOL, "B+F"),
    ("endless-line", Fault.PROTOCOL, "B+F"),
    ("endless-lines", Fault.PROTOCOL, "B+F"),
    ("silent", Fault.STALL, "B+F"),
    ("half-line", Fault.STALL, "B+F"),
    ("illegal-turn", Fault.ILLEGAL, "B+F"),
    ("eat-memory", Fault.MEMORY, "B+F"),
]


@thorough
@pytest.mark.parametrize(("flaw", "fault", "result"), FAULTS, ids=[row[0] for row in FAULTS])
def test_faults_are_told_apart_and_the_match_goes_on(play, flaw, fault, result):
    rogue = robble_command(flaw, "--at", "2")
    patience = 1.0 if fault is Fault.STALL else 20.0
    limits = {"patience": patience, "memory": 300}
    if flaw == "hang-at-start":
        limits["starting"] = 2.0
    record, other = play(second=rogue, boards=["robble 4"], **limits)
    assert (record.result.fault, record.result.winner) == (fault, "A")
    assert record.result.result == result
    assert other.result.fault is fault
    assert other.result.result == "W+F"
    engines = {each.engine: each.lines for each in record.evidence}
    if fault is Fault.START:
        assert any("> 1 list_commands" in line for line in engines["B"])
        assert any(line.startswith("! rogue: ") for line in engines["B"])
    else:
        assert any("genmove w" in line for line in engines["B"])
        assert any("genmove b" in line for line in engines["A"])


@thorough
@pytest.mark.parametrize("flaw", ["flood-stderr", "fork-child", "ignore-quit"])
def test_bad_manners_lose_no_game(play, flaw):
    for record in play(second=robble_command(flaw), boards=["robble 3"]):
        assert record.result.fault is None


def test_one_bad_game_of_many(play, tmp_path):
    rogue = robble_command("die", "--at", "2", "--once", tmp_path / "done")
    records = play(second=rogue, boards=["robble 4"], games=8)
    assert [record.result.fault for record in records] == [Fault.CRASH, *[None] * 7]


@thorough
def test_time_is_lost_and_known_from_a_stall(play):
    slow = robble_command("slow", "--at", "2", "--seconds", "0.6")
    record, _ = play(second=slow, boards=["robble 4"], clocks={"B": "0.2/1"}, margin=0.0)
    assert (record.result.fault, record.result.result) == (Fault.TIME, "B+T")
    assert "seconds taken, only 0.20 left" in record.result.reason
    turns = [turn for turn in record.turns if turn.engine == "B"]
    assert all(turn.processor is not None for turn in turns) == LINUX
    assert all(turn.untimed >= 0 and turn.forgiven >= 0 for turn in turns)
    silent = robble_command("silent", "--at", "2")
    record, _ = play(second=silent, boards=["robble 4"], clocks={"B": "0.2/1"})
    assert record.result.fault is Fault.STALL


def test_an_engine_that_cannot_be_told_its_clock_plays_by_it(play):
    """The arena keeps the clock."""
    done = play(robble_command("timeless"), time="60+1", boards=["robble 3"])
    assert [record.result.fault for record in done] == [None, None]
    slow = play(
        robble_command("timeless", "--seconds", "0.3"),
        clocks={"A": "0.1/1"},
        margin=0.0,
        boards=["robble 3"],
    )
    assert [record.result.fault for record in slow] == [Fault.TIME, Fault.TIME]
    assert {record.result.loser for record in slow} == {"A"}


@thorough
def test_a_margin_forgives_and_what_was_measured_is_kept(play):
    """Not what the clock allowed: a turn of 0.6 seconds is no turn of 0.2."""
    slow = robble_command("slow", "--seconds", "0.6")
    late, other = play(second=slow, boards=["robble 3"], time="0.2/1", margin=9)
    assert late.result.fault is other.result.fault is None
    longest = max(late.turns, key=lambda turn: turn.seconds)
    assert longest.seconds >= 0.6
    assert longest.forgiven >= 0.4


def test_an_engine_that_knows_another_game_refuses(play):
    plain = python_command("-c", 'input(); print("= \\n")')
    record, _ = play(second=plain, boards=["robble 3"])
    assert record.result.winner == "A"


def test_resigning_loses(play):
    gives_up = engine_command("--visits", "5", "--resign", "0.5", "--backend", "python")
    strong = engine_command("--visits", "60", "--backend", "python")
    results = [r.result for r in play(strong, gives_up, boards=["robble 4"], games=4)]
    assert "B+R" in {result.result for result in results}
    for result in results:
        if result.result.endswith("R"):
            assert result.winner == "A"
            assert result.reason == "B resigned"


def test_an_engine_that_was_replaced_during_the_match_is_noticed():
    pool = EnginePool({"A": Identity("Small Robble 0")})
    engines = [{"name": name, "command": ROBBLE} for name in "AB"]
    match = make_match({"engines": engines})
    with pytest.raises(Void, match="A is now Small Robble 1.*; it was Small Robble 0"):
        play_game(GameTask(next(games_of(match)), match, (), 1), pool)
    pool.close()


def test_a_closed_pool_blames_nobody(play):
    pool = EnginePool()
    pool.abandon()
    engines = [{"name": name, "command": ROBBLE} for name in "AB"]
    match = make_match({"engines": engines})
    with pytest.raises(Void):
        play_game(GameTask(next(games_of(match)), match, (), 1), pool)
