"""Random valid and invalid commands against a naive model of the history."""

import random
from dataclasses import replace

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from gtp_engine.rules import games
from gtp_engine.rules.notation.turns import canonical_clicks, read_turn
from support.driver import Driver
from support.thorough import thorough

QUERIES = ("game-position", "game-history", "game-status", "game-board", "final_score")

NONSENSE = [
    "play b i5", "play x c4", "play b", "play", "play b z99", "play b pass", "play w pass",
    "play b c4/", "play b xc4", "play b pc4/pc4/pc4", "play w swap", "play w swap-sides",
    "genmove x", "genmove", "boardsize", "boardsize 1e9", "boardsize 0", "boardsize 5 6",
    "rectangular_boardsize 5", "komi x", "komi nan", "undo-all", "gg-undo 100000",
    "gg-undo -1", "gg-undo x", "game-select go", "game-select implo 99",
    "game-position implo 3 ... b", "game-position robble 2 BB/B. b seen=q",
    "game-position pilo 2 B9W1/.. b passes=2", "game-position boloa 2 bw/bw b",
    "game-pie maybe", "game-set level 0", "game-set x y", "game-resolve a1 a1", "game-resolve",
    "game-legal_turns 0", "game-perft -1", "game-perft 99", "loadsgf", "loadsgf /dev/null",
    "printsgf /no/such/folder", "final_status_list x", "time_settings 1 2", "time_left b -1 0",
    "kata-time_settings absolute -1", "kgs-time_settings canadian 1", "game-help nothing",
    "reg_genmove", "nosuch", "PLAY b c4", "\x7f\x01?", "play b \u00e9", "play b c4\u0663",
]  # fmt: skip


class SessionMachine(RuleBasedStateMachine):
    """The model: for each entry of the history what every query answered before it."""

    @initialize(
        game=st.sampled_from(games()),
        size=st.integers(2, 6),
        pie=st.sampled_from(["pieces", "sides", "off"]),
    )
    def start(self, game, size, pie):
        self.drive = Driver(game.name, size)
        self.drive(f"game-pie {pie}")
        self.drive("game-set visits 3")
        self.drive("game-set seed 1")
        self.drive("gogui-title")  # so that a swap may be a click
        self.before = []

    def seen(self) -> tuple:
        return tuple(self.drive.send(query) for query in QUERIES)

    def color(self) -> str:
        return str(self.drive.session.position.to_move)

    def over(self) -> bool:
        return self.drive.session.outcome is not None

    @precondition(lambda self: not self.over())
    @rule(seed=st.integers(0, 2**16))
    def play_a_step(self, seed):
        step = random.Random(seed).choice(self.drive.session.legal_steps())
        self.before.append(self.seen())
        self.drive(f"play {self.color()} {step}")

    @precondition(lambda self: not self.over())
    @rule(seed=st.integers(0, 2**16))
    def click(self, seed):
        """One click of a legal step, the next after those already made."""
        session = self.drive.session
        step = random.Random(seed).choice(session.legal_steps())
        clicks = canonical_clicks(session.position, step)
        made = len(session.frame.clicks)
        word = str(clicks[made]) if clicks else str(step)
        self.before.append(self.seen())
        self.drive(f"play {self.color()} {word}")

    @precondition(lambda self: not self.over())
    @rule()
    def let_it_play(self):
        self.before.append(self.seen())
        session = self.drive.session
        position, clicks, color = session.position, session.frame.clicks, self.color()
        word = self.drive(f"genmove {color}")
        read = read_turn(position, clicks, word).position
        assert replace(read, pie=session.position.pie) == session.position

    @precondition(lambda self: self.over())
    @rule(color=st.sampled_from(["b", "w"]))
    def pass_after_the_end(self, color):
        self.before.append(self.seen())
        assert self.drive(f"genmove {color}") == "pass"
        self.before.append(self.seen())
        self.drive(f"play {color} pass")

    @rule(count=st.integers(1, 4))
    def undo(self, count):
        line = "undo" if count == 1 else f"gg-undo {count}"
        if count > len(self.before):
            assert self.drive.fails(line) == "cannot undo"
            return
        self.drive(line)
        self.before, expected = self.before[:-count], self.before[-count]
        assert self.seen() == expected

    @rule(number=st.integers(0, len(NONSENSE) - 1))
    def talk_nonsense(self, number):
        line = NONSENSE[number]
        state = self.drive.session.state
        response = self.drive.send(line)
        if "swap" in line and response.success:
            self.drive("undo")
            return
        if "pass" in line and response.success:
            self.drive("undo")
            return
        assert not response.success, line
        assert response.text != "internal error"
        assert self.drive.session.state is state

    @rule()
    def play_for_the_wrong_color(self):
        other = self.drive.session.position.to_move.opponent
        for line in (f"play {other} a1", f"genmove {other}"):
            if not self.over():
                assert self.drive.fails(line) == "illegal move"

    @rule()
    def clear(self):
        self.drive("clear_board")
        self.before = []

    @rule()
    def go_through_a_record(self):
        from gtp_engine.engine.record_loading import replay
        from gtp_engine.engine.record_writing import written

        again = Driver()
        replay(again.session, written(self.drive.session).text.encode())
        assert [again.send(query) for query in QUERIES] == list(self.seen())

    @invariant()
    def queries_agree(self):
        if not hasattr(self, "before"):
            return
        session = self.drive.session
        assert self.drive("game-over") == str(session.outcome is not None).lower()
        assert bool(self.drive("game-legal_steps")) == (session.outcome is None)
        assert session.frame.number == len(self.before)


class ManySessions(SessionMachine):
    """The same with more examples."""


TestSession, TestManySessions = SessionMachine.TestCase, thorough(ManySessions.TestCase)
TestSession.settings = settings(max_examples=15, stateful_step_count=40, deadline=None)
TestManySessions.settings = settings(TestSession.settings, max_examples=60)
