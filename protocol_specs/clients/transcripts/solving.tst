# Exact results.
game-pie off
game-set seed 1

# The smallest boards: Black wins Implo in one turn, Boloa and Pilo in more.
game-select implo 2
10 game-solve
#? [black wins\npv A1\npositions [0-9]+ hits [0-9]+ seconds [0-9]+\.[0-9]{3}]
game-select boloa 2
20 game-solve 60
#? [black wins\npv pA1 [^\n]*\npositions .*]
game-select pilo 2
30 game-solve 60
#? [blue wins\npv [AB][12] .*]

# A corner stone is a mistake in Boloa; who may swap does so.
game-select boloa 2
play b sa1
40 game-solve 60
#? [white wins\npv sA2 .*]
game-pie pieces
game-select boloa 2
play b pa1
50 game-solve 60
#? [white wins\npv swap .*]
play w swap
60 game-solve 60
#? [white wins\npv pA2 .*]

# A stored certificate answers at once, for both colors, until it may not.
game-pie off
game-select boloa 4
play b sa1
70 game-solve 0
#? [white wins\npv sA2\npositions 0 hits 0 seconds 0\.000]
play w sa2
80 game-solve 0
#? [white wins\npositions 0 hits 0 seconds 0\.000]
game-set swap_maps off
90 game-solve 0
#? [not solved\n.*]
game-set swap_maps on

# Too much for the time, or no time at all.
game-select implo 9
100 game-solve 0.01
#? [not solved\npositions [0-9]+ hits [0-9]+ seconds [0-9.]+]
110 game-solve 0
#? [not solved\npositions 0 hits 0 seconds [0-9.]+]

# The game stays what it was.
120 game-history
#? []

# What makes no sense.
130 game-solve -1
#? [syntax: game-solve \[SECONDS\]]*
140 game-solve soon
#? [syntax: game-solve \[SECONDS\]]*
150 game-solve 1000001
#? [syntax: game-solve \[SECONDS\]]*
play b resign
160 game-solve
#? [the game is over]*
