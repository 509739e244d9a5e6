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

game-pie pieces
# Swapping: not before Black's first turn. (checklist 61)
game-select implo 5
360 game-swap
#? [illegal move]*
370 game-swap pieces
#? [illegal move]*
380 game-swap both
#? [syntax: game-swap .*]*
play b c4
390 game-swap sides
#? [illegal move]*

# With pieces: they change color, and Black is to move.
400 game-swap
#? []
410 game-to_move
#? [black]
420 game-board
#? [\. \. \. \. \.\n\. \. W \. \.\n\. \. \. \. \.\n\. \. \. \. \.\n\. \. \. \. \.]
430 game-history
#? [1 black C4\n2 white swap]
440 game-swap
#? [illegal move]*
450 undo
#? []
460 game-to_move
#? [white]
470 game-swap pieces
#? []
480 game-to_move
#? [black]

# With sides: the board stays, and White, now the first player, is to move.
game-pie sides
clear_board
play b c4
490 game-swap pieces
#? [illegal move]*
500 game-swap
#? []
510 game-to_move
#? [white]
520 game-board
#? [\. \. \. \. \.\n\. \. B \. \.\n\. \. \. \. \.\n\. \. \. \. \.\n\. \. \. \. \.]
530 game-history
#? [1 black C4\n2 white swap-sides]
540 game-swap
#? [illegal move]*
550 game-swap sides
#? [illegal move]*
560 undo
#? []
570 game-swap sides
#? []

# A change of the setting waits for the next game; until then the form has to be said.
clear_board
play b c4
game-pie pieces
580 game-swap sides
#? []
590 game-history
#? [1 black C4\n2 white swap-sides]

# Without the pie rule there is no swap.
game-pie off
clear_board
play b c4
600 game-swap
#? [illegal move]*
610 game-swap pieces
#? [illegal move]*
620 game-swap sides
#? [illegal move]*

# A click on Black's piece swaps only for clients with clicks; others have to say it.
game-pie pieces
clear_board
play b c4
630 play w c4
#? [illegal move]*
640 game-explain w c4
#? [I23: to swap, say swap; a click swaps only if `moves` is `clicks`]
645 game-explain w c4/a1
#? [I23: to swap, say swap; a click swaps only if `moves` is `clicks`]
650 game-history
#? [1 black C4]
game-set moves clicks
660 play w c4
#? []
670 game-history
#? [1 black C4\n2 white swap]
game-set moves turns
game-select boloa 4
play b pa1
680 play w a1
#? []
690 play w a1
#? []
700 game-history
#? [1 black pA1\n2 white swap]

# After the end there is no swap, whoever ended the game.
game-select implo 4
play b a1
play w resign
710 game-position
#? [implo 4 \.\.\.\./\.\.\.\./\.\.\.\./B\.\.\. w pie=off]
720 game-status
#? [.*\npie off\n.*\nover yes\n.*]
undo
730 game-position
#? [.* pie=pieces]
game-select implo 2
play b a1
740 game-position
#? [implo 2 .* pie=off]

# Stored values as JSON, for a map on the empty board.
game-pie pieces
game-select boloa 3
200 game-opening_values
#? [\{"text":"Every first turn is solved\.","openings":\[\{"turns":\["pA1","pA3","pC1","pC3"\],"points":\["A1","A3","C1","C3"\],"verb":"pawn","value":1\.0,"margin":0\.0,"swap":"yes"\},.*]
play b pa1
210 game-opening_values
#? [\{"text":"The game has begun: a swap map is about the first turn\.","openings":\[\]\}]
game-select pilo 11
220 game-opening_values
#? [\{"text":"Pilo has no swap map for size 11; it has maps for sizes 2, 3, 4, 6, 7, 8, 9, 10\.","openings":\[\]\}]
