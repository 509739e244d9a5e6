"""Items about the games: every turn is compared with our own rules."""

from collections.abc import Callable, Iterator

from gtp_engine.arena.checking.check_subject import (
    CheckItem,
    Flaws,
    Skipped,
    Subject,
    first_word,
    flaw,
    play_line,
    shown,
)
from gtp_engine.rules.game import Game, Position
from gtp_engine.rules.notation.position_text import write_position
from gtp_engine.rules.notation.turns import Unreadable, canonical_clicks, read_turn
from gtp_engine.rules.points.color import BLACK, WHITE
from gtp_engine.rules.points.points import vertices
from gtp_engine.rules.step import PASS, SWAPS, IllegalStep, Pie, Step
from gtp_engine.rules.turns import random_turn, settle

_LONGEST_GAME = 2000  # turns
_REPLAYED = 3  # number of games of random turns
_OPENING_TURNS = 4  # self-play begins with fewer random turns than this
_ILLEGAL_STEPS = 12  # tried per position
_POSITIONS = 8  # positions of a random game that are tried
_SCORE = "final_score"
_ILLEGAL = "? illegal move"


def _each_game(examine: Callable[[Subject, Game], Flaws]) -> Callable[[Subject], Flaws]:
    """A check of each game that the engine knows."""

    def examine_all(subject: Subject) -> Flaws:
        for game in subject.known_games():
            yield from examine(subject, game)

    return examine_all


def _list(subject: Subject) -> Flaws:
    if not subject.games:
        yield flaw("game-list", "one game per line, including a known one", "no known one")
    yield from subject.expect("game-select no-such-game", "? unknown game")
    for game in subject.games:
        yield from subject.expect(f"game-select {game.name} 1000", "? unacceptable size")
        yield from subject.expect(f"game-select {game.name}", "=")


def _self_play(subject: Subject, game: Game) -> Flaws:
    """Complete games; the first turns are random, all others are the engine's choice."""
    subject.note += f"{', ' * bool(subject.note)}{subject.options.games} games of {game.name}"
    for number in range(subject.options.games):
        position = subject.new_game(game)
        where = f"{game.name}, game {number + 1}"
        for turn in range(_LONGEST_GAME):
            if position.outcome() is not None:
                yield from _result(subject, position, where)
                break
            if turn < number % _OPENING_TURNS:
                _, steps, after = random_turn(position, subject.rng.choice)
                yield from subject.expect(play_line(position, steps), "=")
                position = after
                continue
            line = f"genmove {position.to_move.letter}"
            word = shown(subject.ask(line)).removeprefix("= ")
            if word.lower() == "resign":
                winner = position.to_move.opponent.sign
                yield from _score(subject, f"{winner}+R", where)
                break
            if (wrong := _flaw_of(position, word)) is not None:
                sent = f"{where}, {write_position(position)}, {line}"
                yield flaw(sent, "a legal turn", f"{word}: {wrong}")
                return
            position = read_turn(position, (), word).position
            yield from subject.agree(position, f"{where}, {line}")
        else:
            yield flaw(where, f"an end within {_LONGEST_GAME} turns", "none")


def _flaw_of(position: Position, word: str) -> str | None:
    """Why a word is not a whole legal turn; None if it is one."""
    try:
        reading = read_turn(position, (), word)
    except Unreadable:
        return "it is not a turn"
    except IllegalStep as error:
        return str(error)
    return "the turn is not complete" if reading.clicks or reading.position.open else None


def _result(subject: Subject, position: Position, where: str) -> Flaws:
    yield from _score(subject, str(position.outcome()), where)


def _score(subject: Subject, expected: str, where: str) -> Flaws:
    if _SCORE in subject.commands:
        got = shown(subject.ask(_SCORE))
        if got != f"= {expected}":
            yield flaw(f"{where}, {_SCORE}", f"= {expected}", got)


def _follow(subject: Subject, game: Game) -> Iterator[tuple[Position, Flaws]]:
    """The positions of a random game; each is yielded when the engine has been told of it."""
    position = subject.new_game(game)
    yield position, iter(())
    while position.outcome() is None:
        _, steps, after = random_turn(position, subject.rng.choice)
        line = play_line(position, steps)
        flaws = (*subject.expect(line, "="), *subject.agree(after, line))
        position = after
        yield position, iter(flaws)
        if flaws:
            return


def _random_games(subject: Subject, game: Game) -> Flaws:
    for _ in range(_REPLAYED):
        for position, flaws in _follow(subject, game):
            yield from flaws
            if position.outcome() is not None:
                yield from _result(subject, position, game.name)


def _after_the_end(subject: Subject, game: Game) -> Flaws:
    *_, (position, _) = _follow(subject, game)
    if position.outcome() is None:
        raise Skipped("the engine could not follow a game to its end")
    for color in (BLACK, WHITE):
        yield from subject.expect(f"genmove {color.letter}", "= pass")
        yield from subject.expect(f"play {color.letter} pass", "=")
        word = first_word(game.start(position.size))
        yield from subject.expect(f"play {color.letter} {word}", _ILLEGAL)
    yield from _result(subject, position, f"{game.name}, after the end")


def _no_score_yet(subject: Subject, game: Game) -> Flaws:
    subject.new_game(game)
    yield from subject.expect(_SCORE, "? cannot score")


def _illegal_steps(subject: Subject, game: Game) -> Flaws:
    for position in _some_positions(subject, game):
        for _ in range(_ILLEGAL_STEPS):
            word = str(_any_step(subject, position))
            if _is_illegal(position, word):
                yield from subject.expect(f"play {position.to_move.letter} {word}", _ILLEGAL)
        yield from subject.agree(position, "illegal turns")


def _is_illegal(position: Position, word: str) -> bool:
    try:
        read_turn(position, (), word)
    except IllegalStep:
        return True
    except Unreadable:
        pass
    return False


def _any_step(subject: Subject, position: Position) -> Step:
    """A random step of a random kind, legal or not."""
    places = list(vertices(position.board))
    kind = subject.rng.choice((*position.game.kinds, *(step.kind for step in SWAPS.values())))
    count = kind.template.count("{}")
    return Step(kind, tuple(subject.rng.choice(places) for _ in range(count)))


def _some_positions(subject: Subject, game: Game) -> Iterator[Position]:
    """Some positions in the middle of a random game, also on the engine's board."""
    for number, (position, flaws) in enumerate(_follow(subject, game)):
        if any(True for _ in flaws):
            raise Skipped("the engine could not follow a game")
        if position.outcome() is not None or number == 6 * _POSITIONS:
            return
        if number % 6 < 2:
            yield position


def _legal_steps(subject: Subject, game: Game) -> Flaws:
    for position in _some_positions(subject, game):
        expected = {str(step) for step in position.legal_steps()}
        got = set(subject.ask("game-legal_steps").text.split())
        if got != expected:
            sent = f"{write_position(position)}, game-legal_steps"
            missing, more = " ".join(sorted(expected - got)), " ".join(sorted(got - expected))
            yield flaw(sent, f"also {missing}" if missing else "less", more or "less")


def _position_texts(subject: Subject, game: Game) -> Flaws:
    texts = [write_position(position) for position in _some_positions(subject, game)]
    for text in texts:
        yield from subject.expect(f"game-position {text}", "=")
        yield from subject.expect("game-position", f"= {text}")


def _parts(subject: Subject, game: Game) -> Flaws:
    """A game whose turns are sent step by step, without the forced steps."""
    yield from _in_words(subject, game, lambda position, step: [str(step)])


def _clicks(subject: Subject, game: Game) -> Flaws:
    """A game of clicks; a pass has no click, so it is sent as a word."""
    yield from _in_words(
        subject,
        game,
        lambda position, step: [str(vertex) for vertex in canonical_clicks(position, step)],
    )


def _in_words(subject: Subject, game: Game, words: Callable[[Position, Step], list[str]]) -> Flaws:
    position = subject.new_game(game)
    while position.outcome() is None:
        step = subject.rng.choice(position.legal_steps())
        for word in [str(step)] if step == PASS else words(position, step):
            found = list(subject.expect(f"play {position.to_move.letter} {word}", "="))
            yield from found
            if found:
                return
        _, position = settle(position.play_unchecked(step))
        found = list(subject.agree(position, f"{game.name}, {step}"))
        yield from found
        if found:
            return
    yield from _result(subject, position, game.name)


def _patches(subject: Subject, game: Game) -> Flaws:
    """Every patch of every open turn of a game is reported, and resolved by a command."""
    position = subject.new_game(game)
    if position.patch_lines() is None:
        yield from subject.expect("game-patches", "? this game has no patches")
        return
    while position.outcome() is None:
        color = position.to_move.letter
        step = subject.rng.choice(position.legal_steps())
        line = f"play {color} {step}"
        if position.open:
            line = " ".join(("game-resolve", *map(str, step.vertices)))
        yield from subject.expect(line, "=")
        _, position = settle(position.play_unchecked(step))
        lines = "\n".join(position.patch_lines() or ())
        yield from subject.expect("game-patches", f"= {lines}".rstrip())
        found = list(subject.agree(position, line))
        yield from found
        if found:
            return


def _swap(subject: Subject, game: Game) -> Flaws:
    """Each form of the pie rule: one word swaps, only once, and the game continues."""
    for pie, swap in SWAPS.items() if game.has_pie else ():
        start = subject.new_game(game, pie)
        _, steps, position = random_turn(start, subject.rng.choice)
        yield from subject.expect(play_line(start, steps), "=")
        for other in (step for step in SWAPS.values() if step != swap):
            yield from subject.expect(f"play w {other}", _ILLEGAL)
        yield from subject.expect(f"play b {swap}", _ILLEGAL)
        yield from subject.expect(f"play w {swap}", "=")
        position = position.play(swap)
        yield from subject.agree(position, f"play w {swap}")
        line = f"genmove {position.to_move.letter}"
        word = shown(subject.ask(line)).removeprefix("= ")
        if (wrong := _flaw_of(position, word)) is not None:
            yield flaw(f"play w {swap}, {line}", "a legal turn", f"{word}: {wrong}")


def _no_swap(subject: Subject, game: Game) -> Flaws:
    start = subject.new_game(game, Pie.OFF)
    _, steps, _ = random_turn(start, subject.rng.choice)
    yield from subject.expect(play_line(start, steps), "=")
    for swap in SWAPS.values():
        yield from subject.expect(f"play w {swap}", _ILLEGAL)


ITEMS = (
    CheckItem(
        "games.list",
        "`game-list` contains a known game, and `game-select` starts each game by its name",
        "commands/setup.md#game-list",
        _list,
        ("game-list", "game-select"),
    ),
    CheckItem(
        "games.follow",
        "every legal turn is accepted, with the right position and result",
        "notation.md#turns",
        _each_game(_random_games),
        ("play",),
    ),
    CheckItem(
        "games.refuse",
        "every illegal turn is refused",
        "protocol.md#responses",
        _each_game(_illegal_steps),
        ("play",),
    ),
    CheckItem(
        "games.self_play",
        "in whole games of self-play every turn is legal and the result is right",
        "commands/playing.md#genmove",
        _each_game(_self_play),
        ("play", "genmove"),
    ),
    CheckItem(
        "games.parts",
        "a turn may be played in parts, one step at a time",
        "notation.md#turns",
        _each_game(_parts),
        ("play",),
    ),
    CheckItem(
        "games.clicks",
        "a turn may be played in clicks, one vertex at a time",
        "notation.md#turns",
        _each_game(_clicks),
        ("play",),
    ),
    CheckItem(
        "games.swap",
        "the swap word swaps pieces or sides, as the pie rule is set, and the game continues",
        "notation.md#the-pie-rule",
        _each_game(_swap),
        ("play", "genmove", "game-pie"),
    ),
    CheckItem(
        "games.no_swap",
        "nobody can swap when the pie rule is off",
        "notation.md#the-pie-rule",
        _each_game(_no_swap),
        ("play", "game-pie"),
    ),
    CheckItem(
        "games.patches",
        "the patches of an open turn are reported, and can be resolved one by one",
        "commands/patches.md#game-resolve",
        _each_game(_patches),
        ("play", "game-patches", "game-resolve"),
    ),
    CheckItem(
        "games.steps",
        "`game-legal_steps` lists exactly the legal steps",
        "commands/playing.md#game-legal_steps",
        _each_game(_legal_steps),
        ("play", "game-legal_steps"),
    ),
    CheckItem(
        "games.positions",
        "positions are written and read as one line",
        "notation.md#position-text",
        _each_game(_position_texts),
        ("play", "game-position"),
    ),
    CheckItem(
        "games.unscored",
        "there is no score before the end of the game",
        "commands/results.md#final_score",
        _each_game(_no_score_yet),
        (_SCORE,),
    ),
    CheckItem(
        "games.over",
        "after the end of the game `genmove` passes, and only a pass is accepted",
        "protocol.md#history",
        _each_game(_after_the_end),
        ("play", "genmove"),
    ),
)
