# Patches, and the choices about them.

game-pie pieces

# Inside an Implo turn: each patch, its owner, and what would be removed.
game-position implo 3 .B./BBb/ww. b open=yes
10 game-patches
#? [A3: owner Black, removes A2 B2 B3\nC1: owner White, removes nothing\nC3: owner Black, removes A2 B2 B3]
20 game-legal_steps
#? [A3 C1 C3]

# What is no patch is not resolved; what is no vertex is called so. (checklist 61)
30 game-resolve C2
#? [illegal move]*
40 game-resolve A2
#? [illegal move]*
50 game-resolve I1
#? [invalid coordinate]*
60 game-resolve
#? [invalid coordinate]*
70 game-resolve A3 Z99
#? [invalid coordinate]*
80 game-history
#? []

# Resolving one by one. The last one is forced and goes without saying.
90 game-resolve c1
#? []
100 game-status
#? [.*\nto_move black\n.*\nturn open\n.*]
110 game-patches
#? [A3: .*\nC3: .*]
120 game-resolve A3
#? []
130 game-to_move
#? [black|white]
140 gg-undo 2
#? []
150 undo
#? [cannot undo]*
160 game-position
#? [implo 3 \.B\./BBb/ww\. b pie=off open=yes]

# Tied groups: the second vertex says which goes; any vertex names a patch or group.
game-position implo 5 ...../WbWbb/...../...../..... b
170 game-patches
#? []
play b d5
180 game-patches
#? [A5 B5 C5: owner White, removes A4 or C4\nE5: owner Black, removes D5]
190 game-resolve a5 b4
#? [illegal move]*
200 game-resolve b5 c4
#? []
210 game-history
#? [1 black D5/A5xC4]
220 game-board
#? [w w w w b\nW b \. b b\n\. \. \. \. \.\n\. \. \. \. \.\n\. \. \. \. \.]

# Outside of a turn there is nothing to resolve. (checklist 61)
230 game-patches
#? []
240 game-resolve c4
#? [illegal move]*
250 game-history
#? [1 black D5/A5xC4]

# One undo for each.
260 undo
#? []
270 game-history
#? [1 black D5]
280 undo
#? []
290 undo
#? [cannot undo]*

# Pilo shows its patches at all times; there is nothing to resolve.
game-select pilo 2
300 game-patches
#? [A1 A2 B1 B2: size 4, owner nobody]
play b a1
play w b1
play b a1-b1
play w b2
play b a2
play w b2-a2
310 game-patches
#? [A2: size 1, owner Orange\nB1: size 1, owner Blue]
320 game-resolve A2
#? [illegal move]*

# Games without patches.
game-select robble 3
330 game-patches
#? [this game has no patches]*
340 game-resolve A1
#? [illegal move]*
game-select boloa 3
350 game-patches
#? [this game has no patches]*
