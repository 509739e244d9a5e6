# Implo: placing, resolving patches, choosing among tied groups, the order of patches.

game-pie pieces

# On 2x2 one stone decides everything: the three points left are Black's patch, the stone goes,
# and its point is a patch that nobody has stones beside. All of that is forced, so it goes
# without saying.
game-select implo 2
10 play b a1
#? []
20 game-board
#? [b b\nw b]
30 game-history
#? [1 black A1]
40 final_score
#? [B\+]
50 game-result
#? [B\+ a group of 3 markers against 1]
60 game-status
#? [game implo\nsize 2\npie off\nto_move white\nturns 1\nturn complete\nselected none\nlast black A1\nover yes\nresult B\+\nreason .*]
70 showboard
#? [Implo 2x2\n.*\nTurn 1: Black A1\n.*\nGame over: B\+, a group of 3 markers against 1]

# Forced steps may be written: the patch by any of its points, then the last one.
80 undo
#? []
90 play b a1/b2/a1
#? []
100 game-history
#? [1 black A1]
110 undo
#? []
120 undo
#? [cannot undo]*
130 play b a1/b2/a1/a1
#? [illegal move]*

# After D5 there are two patches: White owns three points, for there a group of one stone on
# each side means the opponent of the placer; two white groups are tied. Black owns E5.
game-position implo 5 ...../WbWbb/...../...../..... b
140 game-explain b d5
#? [legal]
150 play b d5
#? []
160 game-patches
#? [A5 B5 C5: owner White, removes A4 or C4\nE5: owner Black, removes D5]
170 game-legal_steps
#? [A5xA4 A5xC4 E5]
180 game-status
#? [game implo\n.*\nto_move black\nturns 1\nturn open\nselected none\nlast black D5\nover no]
190 showboard
#? [Implo 5x5\n    A   B   C   D   E\n 5  \.   \.   \.  \(B\)  \.  5\n 4  W   b   W   b   b  4\n.*\nTurn 1: Black D5\n.*\nTo move: Black, the turn is open, to choose: A5xA4 or A5xC4 or E5]
200 game-position
#? [implo 5 \.\.\.B\./WbWbb/\.{5}/\.{5}/\.{5} b pie=off open=yes]

# The turn is still Black's, and only patches can be chosen. (checklist 41)
210 play w c3
#? [illegal move]*
220 genmove w
#? [illegal move]*
230 play b c3
#? [illegal move]*
240 play b pass
#? [illegal move]*
250 play b a5xb4
#? [illegal move]*
260 play b e5xa4
#? [illegal move]*
270 game-explain w c3
#? [I15: Black is to move]
280 game-explain b c3
#? [I17: C3 is not in a patch to resolve]
290 game-explain b a5xb4
#? [I11: B4 is not in a biggest White group beside it]

# The choice by token. The other patch, and what follows from it, is forced.
300 play b a5xc4
#? []
310 game-board
#? [w w w w b\nW b \. b b\n\. \. \. \. \.\n\. \. \. \. \.\n\. \. \. \. \.]
320 game-to_move
#? [white]
330 game-history
#? [1 black D5/A5xC4]

# One undo for each play, not for each turn.
340 undo
#? []
350 game-history
#? [1 black D5]
360 game-legal_steps
#? [A5xA4 A5xC4 E5]

# The choice by clicks: a point of the patch, then one of the group. Between them the patch is
# selected.
370 play b b5
#? []
380 game-status
#? [.*\nto_move black\nturns 1\nturn open\nselected B5\nlast black D5/B5\nover no]
390 showboard
#? [.*\n 5  \.  \(\.\)  \.  \(B\)  \.  5\n.*\nTo move: Black, B5 is selected, to choose: A5xA4 or A5xC4]
400 game-legal_steps
#? [A5xA4 A5xC4]
410 game-explain b e5
#? [I\d+: .*E5.*B5.*]
420 play b e5
#? [illegal move]*
430 play b d4
#? [illegal move]*

# One click is taken back by one undo.
440 undo
#? []
450 game-status
#? [.*\nturn open\nselected none\n.*]
460 play b a5
#? []
470 play b a4
#? []
480 game-history
#? [1 black D5/A5xA4]
490 game-board
#? [w w w w b\n\. b W b b\n\. \. \. \. \.\n\. \. \. \. \.\n\. \. \. \. \.]
500 gg-undo 3
#? []
510 undo
#? [cannot undo]*

# The whole turn as one word: one undo.
520 play b d5/a5xc4
#? []
530 game-history
#? [1 black D5/A5xC4]
540 undo
#? []
550 game-position
#? [implo 5 \.{5}/WbWbb/\.{5}/\.{5}/\.{5} b pie=off]

# The other order: E5 first joins D5 to White's patch. Any vertex of it names it.
560 play B D5/E5/B5XA4
#? []
570 game-history
#? [1 black D5/E5/A5xA4]
580 game-board
#? [w w w w b\n\. b W b b\n\. \. \. \. \.\n\. \. \. \. \.\n\. \. \. \. \.]
590 undo
#? []

# A word is legal as a whole, or nothing is played. (checklist 40, 61)
600 play b d5/a5xb4
#? [illegal move]*
610 play b d5/a5xc4/c4
#? [illegal move]*
620 game-explain b d5/a5xc4/e5/d5/c4
#? [I15: the turn is over at C4]
630 game-history
#? []
640 game-position
#? [implo 5 \.{5}/WbWbb/\.{5}/\.{5}/\.{5} b pie=off]

# Lists of turns hold one for each board that follows, not one for each order.
650 game-legal_turns
#? [.* D5/A5xA4 D5/A5xC4 .*]
660 game-legal_turns
#? [!.* D5/E5/.*]

# genmove finishes an open turn, and only that.
game-set visits 20
game-set seed 1
play b d5
670 genmove b
#? [(E5/)?A5x(A4|C4)]
680 game-to_move
#? [white]
690 undo
#? []
700 game-history
#? [1 black D5]
play b a5
710 genmove b
#? [A5x(A4|C4)]
720 game-history
#? [1 black D5/A5x(A4|C4)]
730 genmove w
#? [\w\d\S*]
740 game-to_move
#? [black]

# The swap: Black's stone changes color, and Black is to move.
game-select implo 4
750 play w swap
#? [illegal move]*
play b b3
760 game-legal_steps
#? [A1 .* D4 swap]
770 play w swap
#? []
780 game-board
#? [\. \. \. \.\n\. W \. \.\n\. \. \. \.\n\. \. \. \.]
790 game-to_move
#? [black]
800 game-explain b swap
#? [I23: .*]
810 undo
#? []

# By its other name, or by a click on the stone.
820 play w swap-pieces
#? []
830 undo
#? []
game-set moves clicks
840 play w b3
#? []
850 game-history
#? [1 black B3\n2 white swap]
game-set moves turns

# The swap of sides: the board stays, and White is to move.
game-pie sides
clear_board
play b b3
860 play w swap
#? [illegal move]*
870 play w swap-sides
#? []
880 game-board
#? [\. \. \. \.\n\. B \. \.\n\. \. \. \.\n\. \. \. \.]
890 game-to_move
#? [white]
900 undo
#? []
game-set moves clicks
910 play w b3
#? []
game-set moves turns
920 game-history
#? [1 black B3\n2 white swap-sides]
930 play b a1
#? [illegal move]*
940 play w a1
#? []
950 game-history
#? [1 black B3\n2 white swap-sides\n3 white A1]

# What a turn did, with the sentences that say so: whose the patch is, its markers, the group that goes.
game-position implo 3 .B./BBb/ww. b open=yes
play b a3
960 game-view
#? [.*"why":\[\{[^}]*"rule":"I9","text":"Black owns patch A3: the biggest group beside it is Black's, 3 against 0","points":\["A3"\]\},\{[^}]*"rule":"I11","text":"Black markers fill A3","points":\["A3"\]\},\{[^}]*"rule":"I11","text":"Black's biggest group beside it is removed: A2 B2 B3","points":\["A2","B2","B3"\]\}\].*]
play b c1
970 game-view
#? [.*"rule":"I10","text":"White owns patch C1: no stones are beside it, and Black placed the last stone",.*"rule":"I13".*]
