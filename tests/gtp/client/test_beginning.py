"""The commands that begin a game."""

from gtp_engine.gtp.client.beginning import beginning

OURS = {"game-select", "game-pie", "game-position", "boardsize", "clear_board"}


def test_an_engine_is_told_what_it_knows():
    game = ("pilo", 5, "sides")
    assert beginning(OURS, *game) == ["game-pie sides", "game-select pilo 5"]
    assert beginning({"game-select"}, *game) == ["game-select pilo 5"]
    assert beginning({"boardsize"}, *game) == ["boardsize 5", "clear_board"]
    assert beginning({"game-pie"}, *game) == ["game-pie sides", "boardsize 5", "clear_board"]
    assert beginning(OURS, *game, "pilo 5 x")[1:] == [
        "game-select pilo 5",
        "game-position pilo 5 x",
    ]
