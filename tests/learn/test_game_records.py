"""The files of games for learning: what is written, cut off, set aside and joined."""

from gtp_engine.learn.game_records import (
    GamesFile,
    SearchedPosition,
    SelfplayGame,
    games_in,
    held_out,
    join_games,
)


def game_of(number: int, name: str = "pilo") -> SelfplayGame:
    look = SearchedPosition(1, 0.25, None, [(2, 5), (number, 3)], 2)
    return SelfplayGame(name, 4, number, [1, 2, number], 0.5, 1.0, [look])


def lines_of(*games: SelfplayGame) -> bytes:
    return b"".join(each.line().encode() + b"\n" for each in games)


def test_a_line_that_was_interrupted_is_cut_off_and_its_game_is_played_anew(tmp_path):
    path = tmp_path / "games.jsonl"
    first, second, third = map(game_of, range(3))
    path.write_bytes(lines_of(first, second) + lines_of(third)[:-5])
    games = GamesFile(path, 3)
    assert path.read_bytes() == lines_of(first, second)
    assert (games.count, games.damaged, games.complete) == (2, 0, False)
    assert (games.take(), games.take()) == (2, None)
    games.add(third)
    assert path.read_bytes() == lines_of(first, second, third)
    assert games.complete


def test_damaged_lines_are_set_aside_behind_those_of_before(tmp_path):
    path, aside = tmp_path / "games.jsonl", tmp_path / "games.jsonl.damaged"
    path.write_bytes(lines_of(game_of(0)) + b"no game\n" + lines_of(game_of(2)))
    aside.write_bytes(b"before\n")
    games = GamesFile(path, 3)
    assert (games.count, games.damaged) == (2, 1)
    games.set_damaged_aside()
    assert games.damaged == 0
    assert path.read_bytes() == lines_of(game_of(0), game_of(2))
    assert aside.read_bytes() == b"before\nno game\n"
    assert (games.take(), games.take()) == (1, None)


def test_a_number_that_is_given_back_is_taken_first(tmp_path):
    games = GamesFile(tmp_path / "games.jsonl", 3)
    assert [games.take(), games.take()] == [0, 1]
    games.give_back(0)
    assert games.left == 2
    assert [games.take(), games.take(), games.take()] == [0, 2, None]


def test_only_as_many_damaged_lines_go_aside_as_were_replaced(tmp_path):
    """A repair that was interrupted asks for the rest, and not for those again."""
    path, aside = tmp_path / "games.jsonl", tmp_path / "games.jsonl.damaged"
    path.write_bytes(lines_of(game_of(0)) + b"one\ntwo\n" + lines_of(game_of(3)))
    games = GamesFile(path, 4)
    games.set_damaged_aside(0)
    assert not aside.exists()
    games.add(game_of(games.take()))
    games.set_damaged_aside(1)
    assert (games.count, games.damaged) == (3, 1)
    assert path.read_bytes() == lines_of(game_of(0)) + b"two\n" + lines_of(game_of(3), game_of(1))
    assert aside.read_bytes() == b"one\n"
    again = GamesFile(path, 4)
    assert (again.count, again.damaged) == (3, 1)
    again.set_damaged_aside()
    assert aside.read_bytes() == b"one\ntwo\n"


def test_joined_games_have_new_numbers_in_the_order_of_the_files(tmp_path):
    one, other, joined = (tmp_path / name for name in ("one", "other", "joined"))
    one.write_bytes(lines_of(game_of(3), game_of(0, "robble"), game_of(1)) + b"no game\n")
    other.write_bytes(lines_of(game_of(3), game_of(5)))
    assert join_games("pilo", [one, other], joined) == (4, 1)
    wanted = [game_of(at)._replace(number=new) for new, at in enumerate((3, 1, 3, 5))]
    assert joined.read_bytes() == lines_of(*wanted)
    assert [each.steps[2] for each in games_in(joined, "pilo")] == [3, 1, 3, 5]


def test_joined_games_stay_held_out_or_not(tmp_path):
    """A net that goes on has learned from the others: they could not measure it."""
    one, other, joined = (tmp_path / name for name in ("one", "other", "joined"))
    one.write_bytes(lines_of(*map(game_of, [24, *range(24), *range(25, 60)])))
    other.write_bytes(lines_of(*map(game_of, [3, 49, 4])))
    assert join_games("pilo", [one, other], joined) == (63, 0)
    found = list(games_in(joined, "pilo"))
    assert [each.steps[2] for each in found if held_out(each)] == [24, 49, 49]
    numbers = [each.number for each in found]
    assert numbers == sorted(set(numbers))
