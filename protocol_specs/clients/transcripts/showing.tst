# Pictures: one SVG document, ASCII, without empty lines.

game-select pilo 4
10 game-svg
#? [<svg xmlns="http://www.w3.org/2000/svg" .*<title>Pilo 4x4, the start .*</svg>]

# The last turn stands in the caption; each piece is a use of its symbol.
play b b2
play w d2
20 game-svg plain
#? [.*<use href="#pilo-4231" .*turn 2: Orange D2.*]
30 game-svg
#? [!.*turn 1:.*]

# A half clicked selection, and where it may go.
play b b2
40 game-svg
#? [.*To move: Blue, B2 is selected, to choose:.*]
play b d2
50 game-svg
#? [.*turn 3: Blue B2-D2.*]

# Heat maps search like genmove, and play nothing.
game-set visits 50
game-set seed 1
60 game-svg visits
#? [.*share of the visits in percent.*]
70 game-svg WINRATE
#? [.*chance of the color to move.*]
75 game-svg openings
#? [<svg .*values of first turns.*dark means even.*</svg>]
80 game-history
#? [1 black B2\n2 white D2\n3 black B2-D2]

# What is no kind of picture.
90 game-svg board
#? [syntax: game-svg \[plain\|visits\|winrate\|openings\]]*

# An open turn of Implo, and a game that is over.
game-position implo 3 .B./BBb/ww. b open=yes
100 game-svg
#? [.*the turn is open.*]
game-select implo 2
play b a1
110 game-svg winrate
#? [.*Game over: B\+.*]
