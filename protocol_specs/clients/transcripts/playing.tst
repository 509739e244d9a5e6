# Playing, taking back and looking at the game; with Implo on five lines unless said otherwise.
game-pie pieces
game-select implo 5
game-set visits 20
game-set seed 1

# Colors b, w, black and white, and vertices, in any letter case. (checklist 35)
10 play b c3
#? []
20 play WHITE D4
#? []
30 play Black b2
#? []
40 play w B4
#? []
50 play bLACK d2
#? []
60 game-history
#? [1 black C3\n2 white D4\n3 black B2\n4 white B4\n5 black D2]

# A zero before the number. (checklist 39)
70 play w e01
#? []
80 game-history
#? [.*\n6 white E1]

# Whatever is no color or no word for a turn. (checklist 37)
90 play
#? [invalid color or coordinate]*
100 play b
#? [invalid color or coordinate]*
110 play x d4
#? [invalid color or coordinate]*
120 play d4
#? [invalid color or coordinate]*
130 play bd4
#? [invalid color or coordinate]*
140 play blac d4
#? [invalid color or coordinate]*
150 play d4 b
#? [invalid color or coordinate]*
160 play b c1-
#? [invalid color or coordinate]*
170 play b c1/
#? [invalid color or coordinate]*
180 play b /
#? [invalid color or coordinate]*

# Whatever is no vertex: no column I, nothing off the board. (checklist 38)
190 play b i4
#? [invalid color or coordinate]*
200 play b z9
#? [invalid color or coordinate]*
210 play b d0
#? [invalid color or coordinate]*
220 play b d6
#? [invalid color or coordinate]*
230 play b f1
#? [invalid color or coordinate]*
240 play b d20
#? [invalid color or coordinate]*
250 play b d
#? [invalid color or coordinate]*
260 play b 44
#? [invalid color or coordinate]*
270 play b d-1
#? [invalid color or coordinate]*
280 play b aa1
#? [invalid color or coordinate]*

# A vertex off the board is called so for the wrong color, too.
290 play w f6
#? [invalid color or coordinate]*

# Occupied: the exact text and no more. (checklist 40)
300 play b c3
#? [illegal move]*
310 play b d4
#? [illegal move]*

# The same color twice: our games alternate. (checklist 41)
320 play w a1
#? [illegal move]*

# No pass while the game goes on, in a game without passing. (checklist 36)
330 play b pass
#? [illegal move]*
340 play b PASS
#? [illegal move]*

# Two turns at once are too many.
350 play b a1/a2
#? [illegal move]*

# Swapping is for White's first turn.
360 play b swap
#? [illegal move]*

# The color that is not to move, and no color, get no move. (checklist 44)
370 genmove w
#? [illegal move]*
380 genmove
#? [invalid color]*
390 genmove x
#? [invalid color]*

# After all these failures nothing has changed. (checklist 61)
400 game-history
#? [1 black C3\n2 white D4\n3 black B2\n4 white B4\n5 black D2\n6 white E1]
410 game-position
#? [implo 5 \.{5}/\.W\.W\./\.\.B\.\./\.B\.B\./\.\.\.\.W b pie=off]

# genmove plays what it answers: upper-case letters. (checklist 43)
420 genmove b
#? [\w\d.*]
430 game-to_move
#? [white]
440 game-history
#? [.*\n6 white E1\n7 black \w\d\S*]
450 genmove WHITE
#? [\w\d.*]

# One undo takes back one play, also one by genmove. (checklist 46, 47)
460 undo
#? []
470 game-to_move
#? [white]
480 undo
#? []
490 game-history
#? [.*\n6 white E1]

# A number behind undo does not count. (checklist 48)
500 undo 2
#? []
510 game-history
#? [.*\n5 black D2]

# gg-undo takes back several, or nothing at all. (checklist 48)
520 gg-undo 2
#? []
530 game-history
#? [1 black C3\n2 white D4\n3 black B2]
540 gg-undo 4
#? [cannot undo]*
550 gg-undo -1
#? [cannot undo]*
560 gg-undo x
#? [cannot undo]*
570 game-history
#? [1 black C3\n2 white D4\n3 black B2]
580 gg-undo
#? []
590 gg-undo 2
#? []
600 game-position
#? [implo 5 \.{5}(/\.{5}){4} b pie=pieces]

# Nothing left to take back. (checklist 46, 61)
610 undo
#? [cannot undo]*
620 gg-undo 1
#? [cannot undo]*
630 gg-undo 0
#? []
640 game-position
#? [implo 5 \.{5}(/\.{5}){4} b pie=pieces]

# Resigning ends the game. (checklist 42)
play b c3
650 play b resign
#? [illegal move]*
660 play w Resign
#? []
670 final_score
#? [B\+R]
680 game-result
#? [B\+R White resigned]
690 play b a1
#? [illegal move]*
700 play b resign
#? [illegal move]*

# So does running out of time, for the color to move.
undo
701 play b timeout
#? [illegal move]*
702 play w Timeout
#? []
703 final_score
#? [B\+T]
704 game-result
#? [B\+T White lost on time]
705 play b timeout
#? [illegal move]*
undo
play w resign

# After the end genmove does not fail: it passes; passes are accepted, count as plays, and
# change nothing else. (checklist 36, 45, 46)
710 genmove b
#? [pass]
720 play w pass
#? []
730 play b PASS
#? []
740 genmove b
#? [pass]
750 final_score
#? [B\+R]
760 gg-undo 4
#? []
770 game-over
#? [true]
780 undo
#? []
790 game-over
#? [false]
800 play w b2
#? []

# The picture: a title first, letters without I, the last turn in parentheses. (checklist 38, 59)
game-select robble 3
810 showboard
#? [Robble 3x3\n    A   B   C\n 3  \.   \.   \.  3\n 2  \.   \.   \.  2\n 1  \.   \.   \.  1\n    A   B   C\nPieces: .*\nTo move: Black, 9 steps possible]
play b b2
820 showboard
#? [Robble 3x3\n    A   B   C\n 3  \.   \.   \.  3\n 2  \.  \(B\)  \.  2\n 1  \.   \.   \.  1\n    A   B   C\nTurn 1: Black B2\nPieces: .*\nTo move: White, 8 steps possible, or swap]
boardsize 10
830 showboard
#? [Robble 10x10\n    A   B   C   D   E   F   G   H   J   K\n10  \..*\.  10\n 9  \..*]

# For programs: who is to move, which steps and turns are legal, the board.
boardsize 2
840 game-to_move
#? [black]
850 game-legal_steps
#? [A1 A2 B1 B2]
860 game-legal_turns
#? [A1 A2 B1 B2]
play b a1
870 game-to_move
#? [white]
880 game-legal_steps
#? [A2 B1 B2 swap]
890 game-legal_turns
#? [A2 B1 B2 swap]
900 game-legal_turns 4
#? [A2 B1 B2 swap]
910 game-legal_turns 3
#? [too many turns]*
920 game-legal_turns 0
#? [.*1 to \d+]*
930 game-legal_turns few
#? [the limit is an integer from 1 to 20000]*
940 game-board
#? [\. \.\nB \.]
950 game-status
#? [game robble\nsize 2\npie pieces\nto_move white\nturns 1\nturn complete\nselected none\nlast black A1\nover no]

# Why something is illegal: the number of a rule, and why.
960 game-explain w b1
#? [legal]
970 game-explain w swap
#? [legal]
980 game-explain b b1
#? [R7: White is to move]
990 game-explain w b1/b2
#? [R7: .*]
1000 game-explain w pass
#? [R7: .*]
1010 game-explain w c1
#? [invalid color or coordinate: C1 is not on the board: columns A to B, rows 1 to 2]*
1020 game-explain w i1
#? [invalid color or coordinate: I1 .*]*
1030 game-explain w
#? [invalid color or coordinate]*
1050 game-explain x b1
#? [invalid color or coordinate]*
play w b1
1060 game-explain b b1
#? [R8: B1 is not empty]
1070 game-explain b swap
#? [R17: .*]

# What play accepts is legal: resigning, and a pass after the end.
1080 game-explain b resign
#? [legal]
1090 game-explain w resign
#? [R7: Black is to move]
play b resign
1100 game-explain w pass
#? [legal]
1110 game-explain w a2
#? [the game is over: Black resigned]
1120 game-explain w resign
#? [the game is over: Black resigned]
1130 game-legal_steps
#? []
1140 game-legal_turns
#? []
1150 game-status
#? [game robble\nsize 2\n.*\nlast black resign\nover yes\nresult W\+R\nreason Black resigned]
1160 showboard
#? [Robble 2x2\n.*\nGame over: W\+R, Black resigned]

# The rules in short.
1170 game-rules
#? [The goal is .*\nBlack and White put stones .*\n.* draw\.\n.*]
game-select implo
1180 game-rules
#? [The goal is .*\nBlack and White place stones .* patch.*]
game-select boloa
1190 game-rules
#? [The goal is to connect .*]
game-select pilo
1200 game-rules
#? [The goal is .*\nBlue and Orange .* disk .*]
1210 game-history
#? []

# A game's own names of the colors; no other game knows them.
game-select pilo 4
1300 play Blue a1
#? []
1310 play orange b2
#? []
1320 game-history
#? [1 black A1\n2 white B2]
1330 gogui-play_sequence blue c3 ORANGE d4
#? []
1340 reg_genmove blue
#? [.+]
1350 kata-analyze orange
#? [illegal move]*
game-select robble 4
1360 play blue a1
#? [invalid color or coordinate]*
