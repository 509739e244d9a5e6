# Hex: six neighbors, colors that own edges, and the pie rule.
game-pie pieces
game-select hex 3
game-set visits 20
game-set seed 1

10 play b b1
#? []
20 game-explain w swap
#? [legal]

# A swap: the stone goes to the mirrored point, A2, and Black plays next.
30 gogui-rules_legal_moves
#? [A1 A2 A3 B1 B2 B3 C1 C2 C3]
40 play w swap
#? []
50 game-board
#? [\. \. \.\nW \. \.\n\. \. \.]
60 play b swap
#? [illegal move]*
70 game-explain b swap
#? [H6: only White may swap, on the first turn, when the pie rule is on]

# A2, B2 and C1 are a chain of White; B2 and C1 touch at an edge.
80 play b a1
#? []
85 game-explain w a1
#? [H4: A1 is not empty]
90 play w c1
#? []
100 play b b1
#? []
110 play w b2
#? []
120 game-result
#? [W\+ White connects the two edges]

# The engine sees a win in one step.
game-position hex 3 .B./.WW/B.B w
130 genmove w
#? [A2|A3]
