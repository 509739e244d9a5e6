"""The queue of messages for a page that reads slowly."""

from gtp_engine.board.server.outbox import Letter, Outbox
from gtp_engine.board.server.token_limits import Allowance
from support.waiting import TurnedClock

ANEW = [Letter("nodes", "all nodes"), Letter("state", "newest state")]


def all_of(box):
    found = []
    while (letter := box.take()) is not None:
        found.append(letter.text)
    return found


def test_messages_come_in_order():
    box = Outbox(lambda: ANEW)
    for number in range(3):
        box.put(Letter("told", str(number)))
    assert all_of(box) == ["0", "1", "2"]
    assert (len(box), box.size) == (0, 0)


def test_only_the_newest_frame_waits():
    box = Outbox(lambda: ANEW)
    for number in range(1000):
        box.put(Letter("frame", f"frame {number}"))
    assert all_of(box) == ["frame 999"]


def test_a_newer_state_comes_after_the_nodes_that_it_points_into():
    box = Outbox(lambda: ANEW)
    box.put(Letter("state", "at node 1"))
    box.put(Letter("nodes", "node 2 is new"))
    box.put(Letter("state", "at node 2"))
    assert all_of(box) == ["node 2 is new", "at node 2"]


def test_a_page_that_does_not_read_gets_the_newest_of_all():
    box = Outbox(lambda: ANEW)
    sizes = []
    for number in range(5000):
        box.put(Letter("nodes", f"{number:01000}"))
        sizes.append(box.size)
    assert max(sizes) <= 2**20
    assert all_of(box) == ["all nodes", "newest state"]
    box.put(Letter("told", "again in order"))
    assert all_of(box) == ["again in order"]


def test_bytes_are_bounded_too():
    box = Outbox(lambda: ANEW)
    for _ in range(20):
        box.put(Letter("record", "x" * 2**20))
        assert box.size <= 2**23
    assert all_of(box) == ["all nodes", "newest state"]


def test_what_a_hidden_page_need_not_see_is_forgotten():
    box = Outbox(lambda: ANEW)
    box.put(Letter("frame", "a frame"))
    box.put(Letter("told", "a sentence"))
    box.forget("frame")
    box.forget("frame")
    assert box.size == len("a sentence")
    assert all_of(box) == ["a sentence"]


def test_an_allowance_is_a_burst_and_then_a_rate():
    clock = TurnedClock()
    allowance = Allowance(50, 100, clock)
    assert sum(allowance.take() for _ in range(1000)) == 100
    clock.turn(1)
    assert sum(allowance.take() for _ in range(1000)) == 50
    clock.turn(3600)
    assert sum(allowance.take() for _ in range(1000)) == 100
    clock.turn(1)
    assert allowance.take(50)
    assert not allowance.take(0.5)
