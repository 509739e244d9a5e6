# The pie rule: what first turns are worth. Nothing is left to chance.
game-set seed 1
game-set backend python

# Solved boards are stored: no search, whatever the time.
game-select boloa 3
10 game-swap_map 1000000 0
#? [pA1 alike 4 value 1\.000 exact visits [0-9]+ stored swap yes\n.*\nsB1 alike 2 value 0\.000 exact visits [0-9]+ stored swap no\n.*fairness 1\.000 engine \S+]

# A drawn turn is the same either way; a turn that ends the game cannot be swapped.
game-select robble 2
20 game-swap_map
#? [A1 alike 4 value 0\.500 exact visits [0-9]+ stored swap either\nfairness 0\.500 engine \S+]
game-select implo 2
30 game-swap_map
#? [A1 alike 4 value 1\.000 exact visits [0-9]+ stored swap never\nfairness 1\.000 engine \S+]

# The list is of the empty board, in the middle of a game, too, and under any pie rule.
play b a1
40 game-swap_map
#? [A1 alike 4 .*]
game-pie off
50 game-swap_map
#? [A1 alike 4 .*]

# Boards without a map are searched, as long as that was asked for, and it is said what was not.
game-select robble 4
game-set swap_maps off
60 game-swap_map 30 60
#? [([ABC][12] alike [48] value 0\.[0-9]{3} interval 0\.[0-9]{3} 0\.[0-9]{3} visits 30 searched swap (yes|no)\??\n){3}fairness 0\.5[0-9]{2} engine \S+]
70 game-swap_map 30 0
#? [unknown A1 A2 B2]

# Pictures show all images; a circle is where White should swap.
game-set swap_maps on
game-select implo 2
80 game-gfx_openings
#? [COLOR #3b7dd8 A1\nLABEL A1 100\n.*TEXT Most even: A1, Black wins 100 %; White should swap after 0 of 4 turns]
game-select boloa 2
90 game-gfx_openings
#? [CIRCLE A1 A2 B1 B2\nCOLOR #3b7dd8 A1\nLABEL A1 p100\n.*White should swap after 4 of 8 turns]
game-set swap_maps off
game-select boloa 9
100 game-gfx_openings 1000 0
#? [TEXT No opening was searched in time]

# What makes no sense.
110 game-swap_map 0
#? [syntax: game-swap_map \[VISITS\] \[SECONDS\]]*
120 game-swap_map 10 -1
#? [syntax: game-swap_map \[VISITS\] \[SECONDS\]]*
130 game-swap_map many
#? [syntax: game-swap_map \[VISITS\] \[SECONDS\]]*
140 game-gfx_openings 1 soon
#? [syntax: game-gfx_openings \[VISITS\] \[SECONDS\]]*
