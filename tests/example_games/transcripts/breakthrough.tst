# Breakthrough: pieces at the start, moves and captures; no pie rule, whatever is set.
game-pie pieces
game-select breakthrough 5
game-set visits 20
game-set seed 1

10 game-board
#? [W W W W W\nW W W W W\n\. \. \. \. \.\nB B B B B\nB B B B B]
20 game-position
#? [breakthrough 5 WWWWW/WWWWW/\.\.\.\.\./BBBBB/BBBBB b pie=off]

# Forward only, straight or diagonally.
30 game-explain b b1-b2
#? [T4: B2 is not empty]
40 game-explain b b2-b4
#? [T4: B4 is not one row ahead of B2]
50 game-explain b b4-b3
#? [T4: Black has no piece on B4]
60 play b b2-c3
#? []
70 play b b3-b4
#? [illegal move]*

# White may not swap.
80 play w swap
#? [illegal move]*
90 game-explain w swap
#? [T3: Breakthrough has no pie rule]
100 gogui-rules_legal_moves
#? [A4 B4 C4 D4 E4]

# A capture goes diagonally, never straight.
110 game-explain w c4-c3
#? [T5: C3 is not empty]
120 play w b4
#? []
130 gogui-rules_legal_moves
#? [A3 B3 C3]
140 play w c3
#? []
150 gogui-rules_captured_count
#? [0 1]
160 game-board
#? [W W W W W\nW \. W W W\n\. \. W \. \.\nB \. B B B\nB B B B B]
170 undo
#? []
180 game-position breakthrough 4 .B../W.../..../..W. b
#? [invalid position: .*]*

# The last row ends the game, and so does the last capture.
game-position breakthrough 4 ..../B..W/.W../.... b
200 play b a3-a4
#? []
210 final_score
#? [B\+]
220 game-result
#? [B\+ Black has reached the last row]
230 genmove w
#? [pass]
game-position breakthrough 4 ..../..../.W../B... b
240 play b a1-b2
#? []
250 game-result
#? [B\+ Black has captured all pieces]
