# What gomill and match runners like it ask for.
game-pie pieces
game-set player mcts
game-set visits 20
game-set seed 1

# What plays, and by what: name and version, game, size, and every setting.
game-select robble 5
10 gomill-describe_engine
#? [Patchpie .*\ngame robble\nsize 5\npie pieces\nmoves turns\nplayer mcts\n.*\nvisits 20\n.*\nseed 1\n.*]

# Without a search there is nothing to tell; a search tells who wins, and what it expects.
20 gomill-explain_last_move
#? []
play b c3
30 gomill-explain_last_move
#? []
genmove w
40 gomill-explain_last_move
#? [(Black|White) wins [0-9.]+%, [0-9]+ visits, [A-E1-5a-z ]+; .*]
# It is told of the last turn that the engine chose, also when others played since.
play b resign
50 gomill-explain_last_move
#? [(Black|White) wins .*]
game-set player random
clear_board
genmove b
60 gomill-explain_last_move
#? []

# The record, with properties of the controller's; not such as say what the game is.
70 gomill-savesgf - EV=The\_league pb=me
#? [\(;FF.4.*EV\[The league\].*PB\[me\].*TURN\[B .*\]\)]
80 gomill-savesgf /dev/null/game.sgf
#? [cannot write file]*
90 gomill-savesgf
#? [invalid arguments]*
100 gomill-savesgf - SZ=9
#? [invalid arguments]*
110 gomill-savesgf - PB
#? [invalid arguments]*
111 gomill-savesgf - AP=Mine
#? [invalid arguments]*
112 gomill-savesgf - HA=3
#? [invalid arguments]*
113 gomill-savesgf - EV=One ev=Two
#? [invalid arguments]*

120 gomill-cpu_time
#? [[0-9]+\.[0-9]{3}]
