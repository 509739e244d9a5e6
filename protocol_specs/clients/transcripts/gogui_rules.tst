# What GoGui asks an engine that keeps the rules for it.

# The first question makes answers clicks; before that they are turns.
game-select pilo 3
game-set visits 10
game-set seed 1
10 game-settings
#? [.*moves turns .*]
20 gogui-rules_game_id
#? [Pilo]
30 game-settings
#? [.*moves clicks .*]
40 gogui-rules_board_size
#? [3]
50 gogui-rules_side_to_move
#? [black]
60 gogui-rules_legal_moves
#? [A1 A2 A3 B1 B2 B3 C1 C2 C3]
70 gogui-rules_captured_count
#? [0 0]
80 gogui-rules_final_result
#? [cannot score]*

# A swap is a click on Black's only piece; the same click again is refused, and changes nothing.
play b b2
90 gogui-rules_legal_moves
#? [A1 A2 A3 B1 B2 B3 C1 C2 C3]
95 gogui-rules_board_gfx
#? [CIRCLE B2\nLABEL B2 swap\?\nTEXT To move: Orange, .*, or swap]
100 play b b2
#? [illegal move]*
play w b2
105 gogui-rules_board_gfx
#? [LABEL B2 swap\nTEXT To move: Blue, .*]
110 play w b2
#? [illegal move]*
120 gogui-rules_board
#? [\. \. \.\n\. O \.\n\. \. \.]

# A capture is two clicks, shown after the first one.
play b c2
130 gogui-rules_legal_moves
#? [A1 A2 A3 B1 B2 B3 C1 C3]
play w b2
140 gogui-rules_side_to_move
#? [white]
150 gogui-rules_legal_moves
#? [C2]
160 gogui-rules_board_gfx
#? [CIRCLE B2\nCOLOR #00c000 C2\nCOLOR yellow B2\nTEXT To move: Orange, B2 is selected, to choose: B2-C2]

# The color that waits passes, once between two clicks, so that strict alternation works.
170 genmove b
#? [pass]
180 genmove b
#? [illegal move]*
190 play b pass
#? [illegal move]*
200 play w c2
#? []
210 gogui-rules_board_gfx
#? [COLOR black B2\nLABEL C2 2\nCIRCLE B2 C2\nTEXT To move: Blue, 7 steps possible]
220 gogui-rules_captured_count
#? [0 1]
230 game-history
#? [1 black B2\n2 white swap\n3 black C2\n4 white B2-C2]

# Patches of Implo: any point of the patch may be clicked, then any point of the group.
game-position implo 3 .B./BBb/ww. b open=yes
240 gogui-rules_legal_moves
#? [A3 C1 C3]
250 gogui-rules_board_gfx
#? [BLACK C2\nWHITE A1 B1\nLABEL A3 B\nLABEL C1 W\nLABEL C3 B\nCOLOR #00c000 A3 C1 C3\nTEXT To move: Black, .*]
260 gogui-rules_board
#? [\. X \.\nX X \.\n\. \. \.]

# Pawns bear a triangle. A stone is its point twice, or with a diagonal neighbor; a pawn its point
# and an orthogonal one.
game-select boloa 3
play b b2
270 gogui-rules_legal_moves
#? [A1 A2 A3 B1 B2 B3 C1 C2 C3]
275 gogui-rules_board_gfx
#? [CIRCLE B2\nCOLOR #00c000 A1 A2 A3 B1 B2 B3 C1 C2 C3\nCOLOR yellow B2\nLABEL A2 p B1 p B3 p C2 p\nLABEL A1 s A3 s B2 s C1 s C3 s\nTEXT To move: Black, B2 is selected, to choose: pB2 or sB2]
play b b3
280 gogui-rules_board_gfx
#? [TRIANGLE B2\nCIRCLE B2\nLABEL B2 swap\?\nTEXT To move: White, .*, or swap]
285 play w b2
#? []
287 gogui-rules_board_gfx
#? [TRIANGLE B2\nCIRCLE B2\n.*LABEL A2 s B1 s B3 s C2 s\nLABEL A1 swap A3 swap B2 swap C1 swap C3 swap\n.*]
play w c3
288 game-history
#? [1 black pB2\n2 white swap]
undo
undo
290 gogui-rules_legal_moves
#? [A1 A2 A3 B1 B2 B3 C1 C2 C3]

# Where only a pawn is legal, all that may be clicked means the pawn, its own point too.
game-position boloa 3 ..W/.B./... b
play b a1
291 gogui-rules_legal_moves
#? [A1 A2 B1]
292 gogui-rules_board_gfx
#? [CIRCLE A1\nCOLOR #00c000 A1 A2 B1\nCOLOR yellow A1\nLABEL A1 p A2 p B1 p\nTEXT To move: Black, A1 is selected, to choose: pA1]
293 play b b2
#? [illegal move]*
play b a1
294 game-history
#? [1 black pA1]

# What decided the game is marked.
game-position boloa 2 B./B. w
295 gogui-rules_board_gfx
#? [SQUARE A1 A2\nTEXT Game over: B\+, .*]

# In Pilo it is the patches of the winner.
game-position pilo 3 xW1B2/B3xx/W1xB1 b passes=1
play b pass
296 gogui-rules_board_gfx
#? [.*\nSQUARE C1\nTEXT Game over: B\+1, .*]

# What a turn changes beside the point that was clicked: pushed, flipped, removed.
game-position robble 4 ..../.W../W.WB/.... b
play b b2
297 gogui-rules_board_gfx
#? [CIRCLE B2\nMARK A2 B3 B4 C2\nTEXT To move: White, .*]

# Stones that leave the board are counted; the end is told in words.
game-select robble 2
game-pie off
gogui-play_sequence b a1 w a2
300 gogui-rules_captured_count
#? [0 1]
play b resign
310 gogui-rules_legal_moves
#? []
320 gogui-rules_final_result
#? [White wins \(W\+R\): Black resigned]
