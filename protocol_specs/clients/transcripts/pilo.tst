# Pilo: placing, capturing, blocks, forced passes, patches and scores. Black is Blue, White is
# Orange.
game-pie pieces
game-select pilo 4
game-set visits 20
game-set seed 1

# Placing, and a capture: the stack grows by one and leaves a block behind.
10 play b a1
#? []
20 play w d1
#? []
30 play b a1-d1
#? []
40 game-board
#? [\. \. \. \.\n\. \. \. \.\n\. \. \. \.\n# \. \. B2]
50 game-history
#? [1 black A1\n2 white D1\n3 black A1-D1]
60 showboard
#? [Pilo 4x4\n.*\n 1 \(# \)  \.    \.   \(B2\) 1\n.*\nTurn 3: Blue A1-D1\n.*\nTo move: Orange, 14 steps possible]

# Captures need stacks of the same height, in a line, with nothing hostile between.
70 play w d4
#? []
80 game-explain b d1-d4
#? [P12: D1 has height 2, D4 has height 1]
90 game-explain b d1-c2
#? [P12: .*straight line.*]
100 game-explain b d1-c1
#? [P12: .*C1.*]
110 game-explain b c1-d1
#? [P12: .*C1.*]
120 play b d1-d4
#? [illegal move]*
130 play b d1-c2
#? [illegal move]*
140 play b d1
#? [illegal move]*
150 play b a1
#? [illegal move]*
160 game-explain b a1
#? [P11: A1 is not empty]
170 play b d1-e1
#? [invalid color or coordinate]*
180 play b d1xd4
#? [invalid color or coordinate]*
190 play b a4
#? []

# A4 and D4 face each other. B4 stands between: a friend does not matter to its own color.
200 play w b4
#? []
210 game-explain b a4-d4
#? [P13: .*]
220 play b a4-d4
#? [illegal move]*
230 play b c2
#? []
240 play w d4-a4
#? []
250 game-board
#? [W2 W1 \. #\n\. \. \. \.\n\. \. B1 \.\n# \. \. B2]

# Nobody may pass who has a play. (checklist 36)
260 game-explain b pass
#? [P17: a pass is allowed only when there is no board play]
270 play b pass
#? [illegal move]*
280 game-history
#? [.*\n8 white D4-A4]

# A capture by clicks: first the own stack, which is then selected.
clear_board
play b a1
play w d1
290 play b a1
#? []
300 game-status
#? [.*\nto_move black\nturns 3\nturn open\nselected A1\nlast black A1\nover no]
310 showboard
#? [.*\n 1 \(B1\)  \.    \.    W1  1\n.*\nTo move: Blue, A1 is selected, to choose: A1-D1]
320 game-legal_steps
#? [A1-D1]
330 play b d2
#? [illegal move]*
340 play b pass
#? [illegal move]*
350 play w d2
#? [illegal move]*
360 play b d1
#? []
370 game-history
#? [.*\n3 black A1-D1]
380 game-to_move
#? [white]

# One undo for each click.
390 undo
#? []
400 game-status
#? [.*\nselected A1\n.*]
410 undo
#? []
420 game-status
#? [.*\nturn complete\nselected none\n.*]
430 play b a1/d1
#? []
440 game-history
#? [.*\n3 black A1-D1]

# A whole game on 2x2. There are still plays: nobody passes.
game-select pilo 2
450 play b a1
#? []
460 play w b1
#? []
470 play b a1-b1
#? []
480 play w pass
#? [illegal move]*
490 play w a2
#? []
500 play b b2
#? []
510 play w a2-b2
#? []
520 play b b1-b2
#? []

# Orange has no stack and no empty square: only the pass is left. Then Blue, too, must pass.
530 game-legal_steps
#? [pass]
540 game-legal_turns
#? [pass]
550 play b pass
#? [illegal move]*
560 genmove w
#? [pass]
570 final_score
#? [cannot score]*
580 genmove b
#? [pass]

# The game is over: one square of one patch for Blue.
590 game-over
#? [true]
600 final_score
#? [B\+1]
610 game-result
#? [B\+1 1 to 0 squares]
620 game-board
#? [# B3\n# #]
630 game-patches
#? [B2: size 1, owner Blue]
640 showboard
#? [Pilo 2x2\n.*\nTurn 9: Blue pass\n.*\nGame over: B\+1, 1 to 0 squares]
650 game-legal_steps
#? []

# After the end: passes, and nothing else. (checklist 36, 45)
660 play w b2
#? [illegal move]*
670 genmove w
#? [pass]
680 play b pass
#? []
690 play b pass
#? []
700 final_score
#? [B\+1]
710 gg-undo 3
#? []
720 final_score
#? [B\+1]
730 undo
#? []
740 final_score
#? [cannot score]*

# Equal scores: who made the last board play loses, and there is no margin.
clear_board
play b a1
play w b1
play b a1-b1
play w b2
play b a2
play w b2-a2
play b pass
play w pass
750 final_score
#? [B\+]
760 game-result
#? [B\+ 1 to 1.*last.*]
770 game-patches
#? [A2: size 1, owner Orange\nB1: size 1, owner Blue]

# A position text can be sent back: blocks are not `#` in it, which would begin a comment.
780 game-position
#? [pilo 2 W2x/xB2 b pie=off passes=2]
790 game-position pilo 2 W2x/xB2 b pie=off passes=2
#? []
800 game-board
#? [W2 #\n# B2]
810 game-result
#? [B\+ 1 to 1.*last.*]
820 game-position pilo 3 .../.B1W1/... b
#? []
830 play b b2-c2
#? []
840 game-position
#? [pilo 3 \.\.\./\.xB2/\.\.\. w pie=off]

# The swap, by its names and by a click on the stack.
game-select pilo 4
play b b2
850 play w swap
#? []
860 game-board
#? [\. \. \. \.\n\. \. \. \.\n\. W1 \. \.\n\. \. \. \.]
870 game-to_move
#? [black]
880 undo
#? []
game-set moves clicks
890 play w b2
#? []
game-set moves turns
900 game-history
#? [1 black B2\n2 white swap]
910 play b c2
#? []
920 play w b2-c2
#? []

# The swap of sides: the board stays, and Orange is to move.
game-pie sides
clear_board
play b b2
930 play w swap
#? [illegal move]*
940 play w swap-sides
#? []
950 game-board
#? [\. \. \. \.\n\. \. \. \.\n\. B1 \. \.\n\. \. \. \.]
960 play w c2
#? []
970 play b b2-c2
#? []

# What a capture did, with the sentences that say so; why another one is refused.
game-position pilo 4 ..../..../.B1.W1/W1.B1. b
play b b2-d2
980 game-view
#? [.*"why":\[\{"phase":1,[^}]*"rule":"P12","text":"Blue's stack on B2 goes to D2, where Orange's is as high, 1"[^}]*\},\{"phase":1,[^}]*"rule":"P14","text":"Orange's stack on D2 is removed"[^}]*\},\{"phase":2,[^}]*"text":"Blue's stack on D2 gets one disk more: 2"[^}]*\},\{"phase":3,[^}]*"text":"A block is put on B2, where the stack came from","points":\["B2"\]\}\].*]
990 game-objection w a1-d2
#? [\{"rule":"P12","text":"D2 is not in a straight line with A1","points":\["A1","D2"\],.*]
