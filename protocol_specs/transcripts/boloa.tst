# Boloa: pawns, stones, stones that displace a pawn, smothered parties, chains.
game-select boloa 5
game-set visits 20
game-set seed 1

# A pawn, a stone, and a stone on a pawn, which moves away.
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

# A pawn may go onto another pawn, which leaves the board.
60 play w pB5
#? []
70 play b sb5-c5
#? []
80 game-board
#? [\. B w \. \.\n\. \. B \. \.\n\. \. \. W \.\n\. \. \. \. \.\n\. \. \. \. \.]
