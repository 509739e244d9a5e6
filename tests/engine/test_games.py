"""Views of random games of every kind, compared with the other commands."""

import json
import random
from typing import Any

import pytest

from gtp_engine.rules.game import Game
from support.driver import Driver
from support.thorough import first_of

View = dict[str, Any]
Pieces = dict[int, dict[str, Any]]

TRAITS = ("shape", "kind", "color", "height")


def seen(drive: Driver) -> View:
    """The view, which must be one line of ASCII."""
    text = drive("game-view")
    assert text.isascii()
    assert "\n" not in text
    return json.loads(text)


def pieces_of(view: View) -> Pieces:
    """The pieces of a view by number, without their texts."""
    found = {piece["id"]: {key: piece[key] for key in ("at", *TRAITS)} for piece in view["pieces"]}
    assert len(found) == len(view["pieces"])
    return found


def board_of(drive: Driver, game: Game) -> dict[str, tuple]:
    """What stands on each vertex, from `game-board`."""
    rows = [line.split() for line in drive("game-board").splitlines()]
    letters = "ABCDEFGHJKLMNOPQRST"
    return {
        f"{letters[column]}{len(rows) - row}": (
            game.look.shape(word).value,
            {"B": "black", "W": "white"}.get(word[0].upper()),
            int(word[1:] or 1),
        )
        for row, words in enumerate(rows)
        for column, word in enumerate(words)
        if word != "."
    }


def replayed(pieces: Pieces, events: list[dict[str, Any]]) -> Pieces:
    """The pieces after some events, as a front end makes them; every event must fit."""
    pieces = {number: dict(piece) for number, piece in pieces.items()}
    for phase in sorted({event["phase"] for event in events}):
        due = [event for event in events if event["phase"] == phase]
        for event in due:
            number, what = event["id"], event["do"]
            if what == "place":
                assert number not in pieces
                pieces[number] = {key: event[key] for key in ("at", *TRAITS)}
                continue
            piece = pieces[number]
            assert piece["at"] == event.get("from", event.get("at"))
            if what == "remove":
                assert event["was"] == {key: piece[key] for key in TRAITS}
                del pieces[number]
            elif what == "move":
                piece["at"] = event["to"]
            else:
                assert what in TRAITS
                assert event["was"] == piece[what] != event["value"]
                piece[what] = event["value"]
                if what == "shape":
                    piece["kind"] = event["kind"]
        places = [piece["at"] for piece in pieces.values()]
        assert len(places) == len(set(places)), "two pieces on one point"
    return pieces


def steps_offered(view: View) -> list[str]:
    """All steps of a view's options and buttons; each path names what its step names."""
    found = [button["step"] for button in view["buttons"]]
    for option in view["options"]:
        found += _offered([option], view["verbs"][option["verb"]]["template"], ())
    return found


def _offered(level: list[dict[str, Any]], template: str, path: tuple[str, ...]) -> list[str]:
    found = []
    for option in level:
        here = (*path, option["at"])
        if "then" in option:
            found += _offered(option["then"], template, here)
        else:
            assert option["step"] == template.format(*here)
            found.append(option["step"])
    return found


def check(drive: Driver, game: Game, before: View | None) -> View:
    """The view of a session, compared with all that is known beside it."""
    view = seen(drive)
    pieces = pieces_of(view)
    there = {
        piece["at"]: (piece["shape"], piece["color"], piece["height"]) for piece in pieces.values()
    }
    assert there == board_of(drive, game)
    assert sorted(steps_offered(view)) == sorted(drive("game-legal_steps").split())
    assert view["turn"]["to_move"] == drive("game-to_move")
    status = dict(line.split(" ", 1) for line in drive("game-status").splitlines())
    assert view["turn"]["open"] == (status["turn"] == "open")
    assert (view["outcome"] is not None) == (status["over"] == "yes")
    assert bool(view["turn"]["wants"]) == bool(steps_offered(view))
    played = int(status["turns"])
    assert view["turn"]["number"] == played + (not view["turn"]["open"])
    last = view["last"]
    if before is not None and last is not None and last["number"] == played:
        assert f"{last['color']} {last['turn']}" == status["last"]
        new = [event for event in last["events"] if event["play"] == last["plays"]]
        assert replayed(pieces_of(before), new) == pieces
        _check_sentences(last)
    return view


def _check_sentences(last: dict[str, Any]) -> None:
    """Each event belongs to a sentence of its phase and rule that names its vertex."""
    for event in last["events"]:
        about = [
            each
            for each in last["why"]
            if all(each[key] == event[key] for key in ("phase", "play", "rule"))
        ]
        at = event.get("from", event.get("at"))
        assert any(at in each["points"] for each in about), event
    assert all(each["text"][0] == each["text"][0].upper() for each in last["why"])


@pytest.mark.parametrize("pie", ["pieces", "sides"])
@pytest.mark.parametrize("size", first_of([4, 3, 5]))
def test_views_of_a_game_agree_with_the_other_commands(any_game, size, pie, rng):
    drive, other = Driver(any_game.name, size), Driver(any_game.name, size)
    for each in (drive, other):
        each(f"game-pie {pie}")
    view = check(drive, any_game, None)
    swaps = 0
    while view["outcome"] is None:
        steps = steps_offered(view)
        step = rng.choice([each for each in steps if "swap" in each] or steps)
        swaps += "swap" in step
        line = f"{view['turn']['to_move']} {step}"
        preview = json.loads(drive(f"game-preview {line}"))
        drive(f"play {line}")
        other(f"play {line}")
        now = check(drive, any_game, view)
        assert preview == {"view": now}
        assert now["rev"] == view["rev"] + 1
        view = now
    assert swaps == any_game.has_pie
    assert seen(other)["pieces"] == view["pieces"]
    assert view["options"] == view["buttons"] == []


def test_pieces_keep_their_numbers_through_undo_and_redo(any_game, rng):
    drive = Driver(any_game.name, 4)
    views, lines = [seen(drive)], []
    while views[-1]["outcome"] is None and len(lines) < 60:
        step = rng.choice(steps_offered(views[-1]))
        lines.append(f"play {views[-1]['turn']['to_move']} {step}")
        drive(lines[-1])
        views.append(seen(drive))
    for _ in range(5):
        back = rng.randint(1, len(lines))
        drive(f"gg-undo {back}")
        for number in range(len(lines) - back, len(lines)):
            assert without_rev(seen(drive)) == without_rev(views[number])
            drive(lines[number])
        assert without_rev(seen(drive)) == without_rev(views[-1])
        # Another way from the middle, and back again.
        drive(f"gg-undo {back}")
        middle = seen(drive)
        drive(f"play {middle['turn']['to_move']} {rng.choice(steps_offered(middle))}")
        seen(drive)
        drive("undo")
        for line in lines[len(lines) - back :]:
            drive(line)
    revisions = [seen(drive)["rev"] for _ in range(2)]
    assert revisions[0] == revisions[1] > views[-1]["rev"]


def without_rev(view: View) -> View:
    return {key: value for key, value in view.items() if key != "rev"}


def test_a_view_asked_for_late_is_the_same_as_one_asked_for_always(any_game):
    """Nothing depends on which views were asked for before."""
    always, late = Driver(any_game.name, 4), Driver(any_game.name, 4)
    rng = random.Random(8)
    for _ in range(25):
        steps = always("game-legal_steps").split()
        if not steps:
            break
        line = f"play {always('game-to_move')} {rng.choice(steps)}"
        always(line)
        late(line)
        latest = seen(always)
    assert seen(late) == latest


def test_a_whole_turn_has_the_events_of_all_its_plays(rng):
    """They are the same whether it is played in one word or step by step."""
    bits, whole = Driver("implo", 6), Driver("implo", 6)
    longest = 0
    while (before := seen(whole))["outcome"] is None:
        color, now = before["turn"]["to_move"], seen(bits)
        while True:
            bits(f"play {color} {rng.choice(steps_offered(now))}")
            now = seen(bits)
            if not now["turn"]["open"]:
                break
        whole(f"play {color} {now['last']['turn']}")
        after, events = seen(whole), now["last"]["events"]
        assert replayed(pieces_of(before), events) == pieces_of(now) == pieces_of(after)
        assert after["last"]["events"] == [{**event, "play": 1} for event in events]
        assert after["last"]["changed"] == now["last"]["changed"]
        longest = max(longest, now["last"]["plays"])
    assert longest > 1
