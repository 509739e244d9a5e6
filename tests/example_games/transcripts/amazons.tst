# Amazons: a turn is a move and then a shot, and the smallest board has three rows.
game-select amazons 4
game-set visits 20
game-set seed 1

10 game-board
#? [\. W W \.\nW \. \. W\nB \. \. B\n\. B B \.]
20 boardsize 2
#? [unacceptable size]*

# An amazon goes like a queen.
30 game-explain b b1-c3
#? [Z4: an amazon cannot go from B1 to C3]
40 game-explain b a3-b2
#? [Z4: Black has no amazon on A3]
50 game-explain b b2
#? [Z4: Black has to move an amazon]
60 play b b1-b3
#? []

# It is still Black's turn: the amazon has to shoot.
70 game-position
#? [amazons 4 \.WW\./Wb\.W/B\.\.B/\.\.B\. b pie=off]
80 gogui-rules_side_to_move
#? [black]
90 game-explain b a1-a2
#? [Z5: Black has to shoot an arrow]
100 game-explain b c1
#? [Z5: B3 cannot shoot to C1]
110 play b c3
#? []
120 game-board
#? [\. W W \.\nW B x W\nB \. \. B\n\. \. B \.]

# A whole turn is one word, and undo takes it back.
130 play w d3-c2/d3
#? []
140 game-board
#? [\. W W \.\nW B x x\nB \. W B\n\. \. B \.]
150 undo
#? []
160 game-explain w swap
#? [Z3: Amazons has no pie rule]

# Who cannot move loses.
game-position amazons 3 W.W/xxx/BxB w
170 play w a3-b3
#? []
180 game-result
#? [W\+ Black cannot move an amazon]
190 game-position amazons 3 W.W/.../B.. b
#? [invalid position: .*]*
