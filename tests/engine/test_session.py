"""A game in progress: history, selections, the end, the player's part."""

import pytest

from gtp_engine.engine.choosing import choose, player_of, suggest
from gtp_engine.engine.record_loading import replay
from gtp_engine.engine.refusals import CannotUndo
from gtp_engine.engine.session import MOST_PASSES_AFTER_END, Session
from gtp_engine.engine.settings import DEFAULTS, Settings, settings
from gtp_engine.rules import find_game
from gtp_engine.rules.points.color import BLACK, WHITE, Color
from gtp_engine.rules.step import IllegalStep
from gtp_engine.search.levels import LADDER
from gtp_engine.search.named_players import make_player
from support.driver import Driver

# One placement on C2 makes three patches of Black's turn: A3, C1 and C3.
PENDING = "implo 3 .B./BBb/ww. b open=yes"


def session(game: str = "implo", size: int = 6, **settings) -> Session:
    return Session(find_game(game), size, Settings(**settings))


def test_a_turn_is_one_entry_and_one_undo():
    drive = Driver("implo", 2)
    drive("play b a1")
    assert drive("game-history") == "1 black A1"
    assert drive("final_score") == "B+"
    drive("undo")
    assert drive("game-board") == ". .\n. ."


def test_a_turn_said_in_parts_is_one_turn_of_several_entries(drive):
    drive(f"game-position {PENDING}")
    drive("game-resolve c1")
    assert drive("game-to_move") == "black"
    assert "turn open" in drive("game-status")
    drive("play b a3")
    drive("gg-undo 2")
    assert drive("game-position") == PENDING.replace(" b open", " b pie=off open")


def test_a_half_clicked_selection_is_an_open_turn_and_one_undo():
    drive = Driver("pilo", 3)
    for line in ("play b a1", "play w c1", "play b a1"):
        drive(line)
    status = drive("game-status")
    assert "turn open" in status
    assert "selected A1" in status
    assert drive("game-legal_steps") == "A1-C1"
    assert drive.fails("play w b2") == "illegal move"
    assert drive.fails("play b b2") == "illegal move"
    drive("undo")
    assert "selected none" in drive("game-status")


def test_genmove_completes_a_selection():
    drive = Driver("pilo", 3)
    for line in ("play b a1", "play w c1", "play b a1", "game-set visits 5"):
        drive(line)
    assert drive("genmove b") == "A1-C1"


def test_genmove_completes_an_open_turn(drive):
    drive(f"game-position {PENDING}")
    drive("game-set visits 30")
    word = drive("genmove b")
    assert word.split("/")[0] in ("A3", "C1", "C3")
    assert drive("game-history") == f"1 black {word}"
    assert drive("game-to_move") == "white"


def test_after_the_end_passes_change_nothing_and_are_bounded():
    game = session("robble", 5)
    game.play(BLACK, "resign")
    for _ in range(MOST_PASSES_AFTER_END):
        game.play(WHITE, "pass")
    with pytest.raises(IllegalStep):
        game.play(BLACK, "pass")
    assert game.commit(choose(game, BLACK)) == "pass"
    assert game.result == "W+R"
    game.undo(MOST_PASSES_AFTER_END + 1)
    assert game.result is None


def test_nothing_is_taken_back_beyond_the_start():
    game = session()
    game.play(BLACK, "C4")
    with pytest.raises(CannotUndo):
        game.undo(2)
    assert len(game.history()) == 1


def test_resigning_ends_the_game_for_the_color_that_is_to_move():
    game = session()
    with pytest.raises(IllegalStep):
        game.play(WHITE, "resign")
    game.play(BLACK, "RESIGN")
    assert game.outcome.winner is WHITE
    with pytest.raises(IllegalStep):
        game.play(BLACK, "C4")
    assert game.commit(choose(game, BLACK)) == "pass"


def test_a_loss_on_time_is_a_result_of_its_own():
    game = session()
    game.play(BLACK, "c4")
    with pytest.raises(IllegalStep):
        game.play(BLACK, "timeout")
    game.play(WHITE, "TIMEOUT")
    assert (game.result, game.outcome.winner) == ("B+T", BLACK)
    assert game.outcome.reason == "White lost on time"
    game.undo()
    assert game.outcome is None


def test_a_long_game_is_replayed_move_by_move_after_clear_board():
    drive = Driver("robble", 5)
    drive("game-set player random")
    words = []
    while drive("game-over") == "false":
        color = drive("game-to_move")
        words.append((color, drive(f"genmove {color}")))
    board = drive("game-board")
    drive("clear_board")
    for color, word in words:
        drive(f"play {color} {word}")
    assert drive("game-board") == board


class TestSettings:
    def test_a_new_pie_rule_holds_at_once_only_before_the_first_turn(self, drive):
        drive("game-pie off")
        assert "pie=off" in drive("game-position")
        drive("play b c4")
        drive("game-pie sides")
        assert "pie=off" in drive("game-position")
        drive("clear_board")
        assert "pie=sides" in drive("game-position")

    @pytest.mark.parametrize(
        ("key", "value"),
        [
            ("level", "0"), ("level", "99"), ("level", "1e1"), ("visits", "-1"),
            ("visits", "1.5"), ("seconds", "nan"), ("seconds", "-1"), ("seconds", "1e9"),
            ("resign", "0.6"), ("player", "alpha"), ("seed", "x"), ("pie", ""), ("seed", "9" * 20),
        ],
    )  # fmt: skip
    def test_wrong_values_are_refused(self, key, value):
        with pytest.raises(ValueError, match="expected "):
            Settings().change(key, value)

    def test_clear_board_and_boardsize_keep_settings_komi_and_time(self, drive):
        for line in ("komi 6.5", "game-set visits 7", "time_settings 60 10 3"):
            drive(line)
        for line in ("clear_board", "boardsize 5", "game-select pilo 4"):
            drive(line)
            assert drive("get_komi") == "6.5"
            assert "visits 7 " in drive("game-settings")
            assert drive.session.state.clocks[BLACK].left == 60


class TestTheBudget:
    def budget(self, drive, *lines: str) -> tuple:
        for line in lines:
            drive(line)
        budget = drive.session.budget()
        self.most = budget.longest
        return budget.visits, budget.seconds

    def test_a_level_is_a_number_of_visits_within_bearable_time(self, drive):
        for number, level in enumerate(LADDER[:-1], 1):
            assert self.budget(drive, f"game-set level {number}") == (level.visits, 10)
            assert self.most is None

    def test_the_highest_level_is_bound_by_time_alone(self, drive):
        assert self.budget(drive, "game-set level full-strength") == (None, 5)
        assert self.most == 10

    def test_the_highest_level_uses_the_clock(self, drive):
        """Nearly 32 turns may come on an empty board of Implo with 64 points."""
        visits, seconds = self.budget(
            drive, "game-set level full-strength", "time_settings 4800 0 0"
        )
        assert visits is None
        assert seconds == pytest.approx(0.9 * 4800 / (3 + 0.45 * 64))
        assert self.most == pytest.approx(2.5 * seconds)
        assert self.budget(drive, "game-set level master") == (LADDER[-2].visits, 10)

    def test_seconds_are_for_each_turn(self, drive):
        assert self.budget(drive, "game-set seconds 3") == (None, 3)
        assert self.most == 3
        assert self.budget(drive, "time_settings 6 0 0")[1] < 0.2
        assert self.most < 0.5

    def test_a_turn_gets_seconds_that_turns_of_its_color_left(self, drive):
        """A player of ours chose them. What was taken back, or came from the client, left none."""

        def played(color: Color, seconds: float) -> None:
            decision = choose(drive.session, color)
            drive.session.commit(decision._replace(seconds=seconds))

        def longest() -> float:
            self.budget(drive, "game-set visits 0")
            drive("game-set visits 1")
            return self.most

        for line in ("game-pie off", "game-set seconds 3", "game-set visits 1"):
            drive(line)
        played(BLACK, 1.0)  # leaves two seconds
        assert longest() == 3, "White has left none"
        played(WHITE, 4.0)
        assert longest() == 4, "Black may take half of them"
        played(BLACK, 1.0)  # and two more
        assert longest() == 3, "nothing is owed"
        drive(f"play w {drive.session.legal_steps()[0]}")
        assert longest() == 5
        drive("gg-undo 2")
        assert longest() == 4
        drive("clear_board")
        assert longest() == 3
        for seconds in (1.0, 3.0, 9.0, 3.0):  # what Black saved on its first turn its second takes
            played(drive.session.position.to_move, seconds)
        assert longest() == 3

    def test_timing_may_be_fixed(self, drive):
        assert self.budget(drive, "game-set level full-strength", "game-set timing fixed") == (
            None,
            5,
        )
        assert self.most is None

    def test_few_visits_play_one_random_game_each(self, drive, monkeypatch):
        """Whether a level bounds them or a number does; what was asked for comes first."""
        asked: list[int | None] = []

        def spy(game, name, seed, backend, options, leeway):
            asked.append(options.leaf_playouts)
            return make_player(game, name, seed, backend, options, leeway)

        monkeypatch.setattr("gtp_engine.engine.choosing.make_player", spy)
        for line in (
            "level full-strength",
            "level master",
            "visits 50",
            "leaf_playouts 3",
            "visits 0",
        ):
            drive(f"game-set {line}")
            player_of(drive.session, "1")
        assert asked == [None, 1, 1, 3, 3]

    def test_the_chance_of_the_last_turn_is_remembered(self, drive):
        """That of the color to move, from its side; None where it has not thought yet."""

        def before() -> float | None:
            drive("game-set visits 0")
            budget = drive.session.budget()
            drive("game-set visits 30")
            return budget.before

        for line in (
            "game-pie off",
            "game-set level full-strength",
            "game-set visits 30",
            "genmove b",
        ):
            drive(line)
        assert before() is None
        drive("genmove w")
        black, white = (play.thought.value for play in drive.session.history())
        assert before() == black
        drive(f"play b {drive.session.legal_steps()[0]}")
        assert before() == 1 - white
        drive("gg-undo 2")
        assert before() is None


class TestThePlayersPart:
    def test_a_seed_repeats_a_game(self):
        def game(seed: str) -> list[str]:
            one = session("robble", 4, visits=8, seed=seed)
            while one.outcome is None:
                one.commit(choose(one, one.position.to_move))
            return [play.word for play in one.history()]

        assert game("5") == game("5")
        assert game("5") != game("6")

    def test_a_suggestion_is_not_played_and_always_the_same(self):
        one = session("implo", 5, visits=10)
        assert len({suggest(one, BLACK) for _ in range(3)}) == 1
        assert one.history() == []

    # White has three turns left, and each of them leaves Black's chain to close.
    LOST = "boloa 3 W../WBW/WBB w"

    @pytest.mark.parametrize(("threshold", "resigns"), [("0", False), ("0.1", True)])
    def test_it_resigns_a_lost_game_where_the_setting_allows(self, drive, threshold, resigns):
        for line in (f"game-set resign {threshold}", "game-set visits 200"):
            drive(line)
        drive(f"game-position {self.LOST}")
        assert (drive("genmove w") == "resign") == resigns
        assert drive("game-result").startswith("B+R White resigned") == resigns

    def test_genmove_for_the_wrong_color_is_illegal(self, drive):
        assert drive.fails("genmove w") == "illegal move"
        assert drive("game-history") == ""

    def test_an_interrupt_ends_a_search(self):
        one = session("implo", 6, seconds=60.0)
        one.interrupt.set()
        assert one.commit(choose(one, BLACK))


@pytest.mark.parametrize("setting", settings(), ids=lambda setting: setting.name)
def test_no_setting_loses_a_position_that_was_set_up_or_a_game(setting, tmp_path):
    """A game without a turn takes another pie rule; one that was set up keeps its own."""
    values = setting.values.words or (str(DEFAULTS.shown(setting.name)),)
    for lines in (
        ["game-position implo 5 ...../..B../...../...../..... w pie=pieces"],
        ["game-position implo 5 ...../..B../..W../...../..... b pie=off"],
        ["game-select implo 5", "play b c3", "play w d4"],
        ["game-select implo 5", "play b c3", "play w swap", "undo"],
    ):
        drive = Driver()
        for line in lines:
            drive(line)
        before = drive.session.frame
        for value in values:
            drive.send(f"game-set {setting.name} {value}")
            assert drive.session.frame is before, f"{setting.name} {value} after {lines}"


@pytest.mark.parametrize("pie", ["off", "sides", "pieces"])
def test_a_game_without_a_turn_takes_the_pie_rule_that_is_set(pie):
    drive = Driver("implo", 5)
    drive(f"game-set pie {pie}")
    assert drive("game-position") == f"implo 5 ...../...../...../...../..... b pie={pie}"


@pytest.mark.parametrize("value", ["sides", "off"])
def test_another_pie_rule_keeps_the_record_that_was_loaded_and_the_clocks(drive, value):
    text = "(;GAME[robble]SZ[5]PIE[sides]PB[Ann]KM[2];B[C3];W[D4])"
    replay(drive.session, text.encode())
    for line in ("time_settings 60 0 0", "time_left b 7 0", "gg-undo 2"):
        drive(line)
    before = drive.session.state
    drive(f"game-pie {value}")
    now = drive.session.state
    assert (now.frame is before.frame) == (value == "sides")
    assert (now.start.pie.value, now.clocks, now.komi) == (value, before.clocks, 2)
    written = drive("printsgf")
    assert f"PIE[{value}]" in written and "PB[Ann]" in written and "W[D4]" in written


def test_a_seed_counts_for_turns_and_for_analysis_and_without_one_only_analysis_repeats():
    usual, seeded = Settings(), Settings(seed="7")
    assert (usual.chance_seed, usual.analysis_seed, usual.repeatable) == (None, "0", False)
    assert (seeded.chance_seed, seeded.analysis_seed, seeded.repeatable) == ("7", "7", True)
    assert Settings(visits=9).repeatable


@pytest.mark.parametrize("command", ["boardsize", "rectangular_boardsize"])
@pytest.mark.parametrize("sizes", ["5 6", "6 5", "5 1", "1 5", "1 1", "20 20", "0 0"])
def test_a_board_is_square_and_another_one_changes_nothing(command, sizes):
    drive = Driver("robble", 4)
    drive("play b a1")
    before = drive.session.frame
    assert drive.fails(f"{command} {sizes}") == "unacceptable size"
    assert drive.session.frame is before
    drive(f"{command} 5 5")
    assert drive.session.position.size == 5
