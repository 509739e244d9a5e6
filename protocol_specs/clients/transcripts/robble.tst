# Robble: pushing, driving off, changing color; draws, and the end on a full board.
game-pie pieces
game-select robble 5
game-set visits 20
game-set seed 1

# White's stone pushes Black's to the empty square behind it.
10 play b c3
#? []
20 play w d3
#? []
30 game-board
#? [\. \. \. \. \.\n\. \. \. \. \.\n\. B \. W \.\n\. \. \. \. \.\n\. \. \. \. \.]
40 showboard
#? [Robble 5x5\n.*\n 3  \.   B   \.  \(W\)  \.  3\n.*\nTurn 2: White D3\n.*]

# Own stones are pushed, too.
50 play b b2
#? []
60 game-board
#? [\. \. \. \. \.\n\. B \. \. \.\n\. \. \. W \.\n\. B \. \. \.\n\. \. \. \. \.]
70 undo
#? []
80 game-board
#? [\. \. \. \. \.\n\. \. \. \. \.\n\. B \. W \.\n\. \. \. \. \.\n\. \. \. \. \.]

# All four at once: B3 is pushed up, A2 and B1 are driven off, C2 with a stone behind it
# changes color.
game-position robble 4 ..../.B../W.WB/.B.. b
90 play b b2
#? []
100 game-board
#? [\. B \. \.\n\. \. \. \.\n\. B B B\n\. \. \. \.]

# What changes color is the other one's, whoever it was.
game-position robble 4 ..../..../..BW/.... b
110 play b b2
#? []
120 game-board
#? [\. \. \. \.\n\. \. \. \.\n\. B W W\n\. \. \. \.]

# Refused: occupied squares, and what the game does not have.
130 play w c2
#? [illegal move]*
140 game-explain w c2
#? [R8: C2 is not empty]
150 play w pass
#? [illegal move]*
160 play w c2-c3
#? [invalid color or coordinate]*
170 play w pc3
#? [invalid color or coordinate]*
180 play w e1
#? [invalid color or coordinate]*
190 play b c3
#? [illegal move]*

# The third time that A1 is Black's and White is to move: a draw.
game-select robble 2
play b a1
play w b1
play b a1
play w b1
200 final_score
#? [cannot score]*
210 game-over
#? [false]
220 play b a1
#? []
230 game-over
#? [true]
240 final_score
#? [0]
250 game-result
#? [0 the position appeared for the third time]
260 game-status
#? [.*\nover yes\nresult 0\nreason the position appeared for the third time]
270 play w b1
#? [illegal move]*
280 genmove w
#? [pass]
290 play b pass
#? []
300 final_score
#? [0]
310 gg-undo 3
#? []
320 final_score
#? [cannot score]*

# The position text remembers the appearances.
330 game-position
#? [robble 2 \.\./\.W b pie=off seen=wr,b6,wr]
game-position robble 2 ../.W b pie=off seen=wr,b6,wr
340 play b a1
#? []
350 final_score
#? [0]

# A full board is the end: equal groups cancel, and the biggest one left wins. Black has 5 and
# 4, White 5 and 2.
game-position robble 4 BBBW/BWWW/WBWB/WBBB w
360 game-over
#? [true]
370 final_score
#? [B\+]
380 game-result
#? [B\+ a group of 4 stones against 2 after equal groups cancel]
390 genmove w
#? [pass]

# All groups cancel: who made the last move loses; White did not make it here.
game-position robble 4 BBBB/BBBB/WWWW/WWWW w
400 final_score
#? [W\+]
game-position robble 4 BBBB/BBBB/WWWW/WWWW b
410 final_score
#? [B\+]

# The engine plays squares.
game-select robble 4
420 genmove b
#? [\w\d]
430 genmove w
#? [\w\d|swap]

# The swap, by its names and by a click on the stone.
clear_board
play b b2
440 play w swap
#? []
450 game-board
#? [\. \. \. \.\n\. \. \. \.\n\. W \. \.\n\. \. \. \.]
460 game-to_move
#? [black]
470 undo
#? []
game-set moves clicks
480 play w b2
#? []
game-set moves turns
490 game-history
#? [1 black B2\n2 white swap]
500 play b a2
#? []
510 game-board
#? [\. \. \. \.\n\. \. \. \.\nB \. W \.\n\. \. \. \.]

# A second swap there is not.
520 play w swap
#? [illegal move]*
530 game-explain w swap
#? [R17: .*]

# The swap of sides: the board stays, and White is to move.
game-pie sides
clear_board
play b b2
540 play w swap
#? [illegal move]*
550 play w SWAP-SIDES
#? []
560 game-board
#? [\. \. \. \.\n\. \. \. \.\n\. B \. \.\n\. \. \. \.]
570 play b a1
#? [illegal move]*
580 play w c2
#? []
590 game-history
#? [1 black B2\n2 white swap-sides\n3 white C2]

# What a turn did, with the sentences that say so: pushed, flipped, pushed, driven off, all at once.
game-position robble 5 ...../.B.../B.WB./.W.../..... w
play w b3
600 game-view
#? [.*"why":\[\{"phase":1,[^}]*"rule":"R8"[^}]*\},\{"phase":2,[^}]*"rule":"R9","text":"The stone on B4 moves to B5, the empty square behind it"[^}]*\},\{"phase":2,[^}]*"rule":"R11","text":"The stone on C3 becomes black: there is a stone behind it, on D3"[^}]*\},\{"phase":2,[^}]*"rule":"R9"[^}]*\},\{"phase":2,[^}]*"rule":"R10","text":"The stone on A3 leaves the board: the edge is behind it"[^}]*\}\].*]
