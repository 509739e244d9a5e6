# Boloa: pawns, stones, stones that displace a pawn, smothered parties, chains.
game-pie pieces
game-select boloa 5
game-set visits 20
game-set seed 1

# A pawn, a stone, and a stone on a pawn, which moves away. Letters in any case.
10 play b pC4
#? []
20 play w SD3
#? []
30 play b sC4-C5
#? []
40 game-board
#? [\. \. b \. \.\n\. \. B \. \.\n\. \. \. W \.\n\. \. \. \. \.\n\. \. \. \. \.]
50 game-history
#? [1 black pC4\n2 white sD3\n3 black sC4-C5]

# A pawn may move onto another one, which leaves the board.
60 play w pB5
#? []
70 play b sc5-b5
#? []
80 game-board
#? [\. b B \. \.\n\. \. B \. \.\n\. \. \. W \.\n\. \. \. \. \.\n\. \. \. \. \.]

# Refused: pieces in the way, no pawn to move, points too far away.
90 game-explain w pb5
#? [B9: B5 is not empty]
100 game-explain w pd3
#? [B\d+: .*D3.*]
110 game-explain w sc4
#? [B10: there is a stone on C4]
120 game-explain w sb5
#? [B11: .*B5.*]
130 game-explain w sb5-c5
#? [B11: there is a stone on C5]
140 game-explain w sb5-c4
#? [B11: C4 is not adjacent to B5]
150 game-explain w sa1-a2
#? [B11: there is no pawn on A1 to move]
160 game-explain w sb5-b4
#? [legal]
170 play w pb5
#? [illegal move]*
180 play w sc4
#? [illegal move]*
190 play w sb5
#? [illegal move]*
200 play w sb5-c4
#? [illegal move]*
210 play w sb5-b6
#? [invalid color or coordinate]*
220 play w b5-b4
#? [invalid color or coordinate]*
230 play w pb4-b3
#? [invalid color or coordinate]*
240 play w pass
#? [illegal move]*
250 game-explain w pass
#? [B8: .*]

# Refused: a diagonal of two stones without a third one beside both.
260 game-explain w se4
#? [B15: .*diagonal.*]
270 play w se4
#? [illegal move]*
280 play w pe4
#? []
290 game-explain b sd5
#? [legal]
300 game-explain b sd3
#? [B10: there is a stone on D3]
310 game-explain b sb3
#? [B15: .*diagonal.*]
320 play b sb3
#? [illegal move]*
330 game-history
#? [.*\n6 white pE4]

# Clicks. A pawn that stands there first, then the point to which it moves; between them the
# pawn is selected.
clear_board
play b pc4
play w sd2
340 play b c4
#? []
350 game-status
#? [.*\nto_move black\nturns 3\nturn open\nselected C4\nlast black C4\nover no]
360 showboard
#? [.*\n 4  \.   \.  \(b\)  \.   \.  4\n.*\nTo move: Black, C4 is selected, to choose: sC4-B4 or sC4-C3 or sC4-C5 or sC4-D4]
370 game-legal_steps
#? [sC4-B4 sC4-C3 sC4-C5 sC4-D4]
380 play b b1
#? [illegal move]*
390 play b c4
#? [illegal move]*
400 play w a1
#? [illegal move]*
410 play b c5
#? []
420 game-board
#? [\. \. b \. \.\n\. \. B \. \.\n\. \. \. \. \.\n\. \. \. W \.\n\. \. \. \. \.]
430 game-history
#? [.*\n3 black sC4-C5]

# Two plays, two undos: a single click is taken back alone.
440 undo
#? []
450 game-status
#? [.*\nselected C4\n.*]
460 undo
#? []
470 game-status
#? [.*\nturns 2\nturn complete\nselected none\n.*]

# An empty point twice is a stone; an empty point and a neighbor of it is a pawn.
480 play b a1
#? []
490 game-legal_steps
#? [pA1 sA1]
500 play b a1
#? []
510 play w e5
#? []
520 play w d5
#? []
530 play b e5/e4
#? []
540 game-history
#? [1 black pC4\n2 white sD2\n3 black sA1\n4 white pE5\n5 black sE5-E4]

# Whoever completes the pair of clicks may be the engine.
550 play w c1
#? []
560 genmove w
#? [(p|s)C1]
570 game-history
#? [.*\n6 white (p|s)C1]

# A smothered party: Black's B2 leaves it no empty neighbor. One pawn of each color, and it is
# Black's turn: both stones are White's.
game-position boloa 4 ..../..../W.W./bwW. b
580 play b sb2
#? []
590 game-board
#? [\. \. \. \.\n\. \. \. \.\nW B W \.\nW W W \.]

# The same by White: both are Black's.
game-position boloa 4 ..../..../W.W./bwW. w
600 play w sb2
#? []
610 game-board
#? [\. \. \. \.\n\. \. \. \.\nW W W \.\nB B W \.]
620 undo
#? []

# White's B1, on the pawn that moves to B2, would turn A1 black: B1 and A2 would be a diagonal.
630 game-explain w sb1-b2
#? [B15: .*diagonal.*]
640 play w sb1-b2
#? [illegal move]*
650 game-board
#? [\. \. \. \.\n\. \. \. \.\nW \. W \.\nb w W \.]

# A chain of stones from bottom to top wins for Black, from left to right for White.
game-select boloa 2
play b sa1
play w pb1
660 final_score
#? [cannot score]*
670 play b sa2
#? []
680 final_score
#? [B\+]
690 game-result
#? [B\+ a chain of black stones connects bottom and top]
700 genmove w
#? [pass]
game-position boloa 3 .../WW./... w
710 play w sc2
#? []
720 game-result
#? [W\+ a chain of white stones connects left and right]

# A chain wins whoever completes it: the pawn that Black's stone smothers becomes White's.
game-position boloa 3 B.B/WwW/.B. b
730 play b sb3
#? []
740 game-result
#? [W\+ a chain of white stones connects left and right]

# The swap: the pawn changes color and is reflected, so that each color keeps its edges.
game-select boloa 5
play b pb4
750 play w swap
#? []
760 game-board
#? [\. \. \. \. \.\n\. \. \. \. \.\n\. \. \. \. \.\n\. \. \. w \.\n\. \. \. \. \.]
770 game-to_move
#? [black]
780 undo
#? []

# By clicks: the pawn twice; once, it could be moved by a stone as well.
790 play w b4
#? []
800 game-legal_steps
#? [sB4-A4 sB4-B3 sB4-B5 sB4-C4 swap]
810 play w b4
#? []
820 game-history
#? [1 black pB4\n2 white swap]

# The swap of sides: the board stays, and White is to move.
game-pie sides
clear_board
play b pb4
830 play w swap
#? [illegal move]*
840 play w swap-sides
#? []
850 game-board
#? [\. \. \. \. \.\n\. b \. \. \.\n\. \. \. \. \.\n\. \. \. \. \.\n\. \. \. \. \.]
860 game-to_move
#? [white]
870 play w sb4-b5
#? []

# What a turn did, with the sentences that say so: the stone, then a party of one pawn each.
game-position boloa 4 ..../..../W.W./bwW. b
play b sb2
880 game-view
#? [.*"why":\[\{[^}]*"rule":"B10","text":"Black puts a stone on B2","points":\["B2"\]\},\{[^}]*"rule":"B14","text":"Party A1 B1: 1 black against 1 white in Black's turn, so both become white stones","points":\["A1","B1"\]\}\].*]

# A stone on a pawn: that pawn moves, the one it meets leaves, and one without an empty point turns.
game-position boloa 4 ..../BW../bb../Bw.. w
play w sb2-b1
890 game-view
#? [.*"why":\[\{[^}]*"rule":"B11","text":"The pawn on B2 moves to B1"[^}]*\},\{[^}]*"rule":"B12",[^}]*\},\{[^}]*"rule":"B10",[^}]*\},\{[^}]*"rule":"B13","text":"The pawn on A2 is smothered and becomes a black stone","points":\["A2"\]\}\].*]
