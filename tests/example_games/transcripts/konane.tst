# Konane: a full board, two removals, then jumps.
game-pie pieces
game-select konane 4
game-set visits 20
game-set seed 1

10 game-board
#? [W B W B\nB W B W\nW B W B\nB W B W]
20 gogui-rules_legal_moves
#? [A1 B2 C3 D4]

# Black removes a stone from a corner or from the middle, and White one beside it.
30 game-explain b a3
#? [K4: A3 is neither a corner nor in the middle]
40 game-explain b b2-b4
#? [K4: Black has to remove a stone]
50 play b b2
#? []
60 game-explain w d1
#? [K5: D1 is not beside B2]
70 game-explain w swap
#? [K3: Konane has no pie rule]
80 play w b3
#? []

# Then they jump.
90 gogui-rules_legal_moves
#? [D2]
100 game-explain b a1-c1
#? [K6: there are no jumps from A1 to C1]
110 play b d2
#? []
120 play b b2
#? []
130 game-board
#? [W B W B\nB \. B W\nW B \. \.\nB W B W]
140 gogui-rules_captured_count
#? [2 1]
150 undo
#? []

# Several jumps in one direction are one turn.
game-position konane 5 ...../...../...W./...../BW.W. b
160 game-legal_turns
#? [A1-C1\s+A1-E1]
170 play b a1-e1
#? []
180 game-result
#? [B\+ White cannot jump]
190 genmove w
#? [pass]
200 game-position konane 3 BB./.../..W b
#? [invalid position: .*]*
