# A review: each turn of the game, searched before and after it.
game-set seed 1
game-pie off

# Nothing was played, so there is nothing to say.
10 game-review 50
#? []
11 game-review 0
#? [syntax: game-review \[VISITS\]]*
12 game-review many
#? [syntax: game-review \[VISITS\]]*

# Black's B2 throws away a won game, and that is proven.
game-select implo 3
play b b2
play w a1
20 game-review 2000
#? [.*"color": "black", "word": "B2", "chance": 1\.0, "proven": 1\.0, "after": 0\.0, "after_proven": 0\.0, "best": "[A-C][1-3]", "best_line": \["[A-C][1-3].*\], "loss": 1\.0, "visits": [0-9]+, "why": \["[A-C][1-3] wins, but B2 loses", .*\n\{"number": 2, "color": "white", "word": "A1", .*\}\s*]

# Reviewing plays nothing.
30 game-history
#? [1 black B2\n2 white A1]

# The game as a page, and its review.
39 game-replay_page
#? [(?s)<!DOCTYPE html>.*</html>]
40 game-review_page
#? [(?s)<!DOCTYPE html>.*</html>]
play b c3
41 game-review_page
#? [this game has no review]*
