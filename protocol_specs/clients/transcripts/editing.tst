# Positions made piece by piece: the pieces of a game, and boards as position texts.
game-pie off
game-select pilo 4

# One piece for each shape and color; one word for each height.
10 game-pieces
#? [\{"palette":\[\{"shape":"stack","kind":"stack","color":"black","text":"blue stack","words":\["B1","B2",.*"B9"\]\},.*\{"shape":"block","kind":"block","color":null,"text":"block","words":\["x"\]\}\],"cells":\{\},"to_move":"black"\}]

# A board that can occur, in any order of its points.
20 game-edit b A1=B2 B1=x D1=W1 C4=B1
#? [\{"position":"pilo 4 ..B1./..../..../B2x.W1 b pie=off","flaw":null\}]
game-position pilo 4 ..B1./..../..../B2x.W1 b
30 game-pieces
#? [.*"cells":\{"A1":"B2","B1":"x","C4":"B1","D1":"W1"\},"to_move":"black"\}]

# Boards that cannot occur, with the reason.
40 game-edit w A1=B2
#? [\{"position":null,"flaw":"Stacks of such heights need 2 filled squares, not 1 \(P11, P14\)\."\}]
50 game-edit w
#? [\{"position":null,"flaw":"The first turn is Blue's \(P10\)\."\}]
60 game-edit w A1=#B2
#? [syntax: game-edit COLOR \[VERTEX=WORD...\]]*
70 game-edit w A1=q
#? [\{"position":null,"flaw":"Pilo has no piece q\."\}]

# What the present position remembers beside its cells stays with it, and is lost with any change.
game-position implo 3 .B./BBb/ww. b open=yes
80 game-edit b B3=B A2=B B2=B C2=b A1=w B1=w
#? [\{"position":"implo 3 \.B\./BBb/ww\. b pie=off open=yes","flaw":null\}]
90 game-edit w B3=B A2=B B2=B C2=b A1=w B1=w
#? [\{"position":null,"flaw":"The patch A3 is unresolved outside of a turn \(I18\)\."\}]

# What is no board.
100 game-edit b A1=B A1=W
#? [a point is not on the board, or named twice]*
110 game-edit b D1=B
#? [a point is not on the board, or named twice]*
120 game-edit b A1
#? [syntax: game-edit COLOR \[VERTEX=WORD...\]]*
130 game-edit x A1=B
#? [syntax: game-edit COLOR \[VERTEX=WORD...\]]*
