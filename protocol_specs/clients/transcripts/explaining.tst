# Why: what is forced, won or lost, and how much better one turn is than another.
# A search ends with the proof; 60 seconds let a slow machine find it, too.
game-pie off
game-set seed 1

# One turn wins; the line ends with the chain.
game-position boloa 3 B.W/..W/B.. b
10 game-explain 60
#? [play sA2\nBlack wins 100\.0%, [0-9]+ visits, sA2\nBlack wins by force, here in 1 turn: a chain of black stones connects bottom and top \(B16\)\nsA2 is the only turn that wins]

# White must take the point, and wins then.
game-position boloa 3 B.W/..W/B.. w
20 game-explain 60
#? [play \S+\nWhite wins 100\.0%, [0-9]+ visits, sA2 .*\nsA2 is the only turn after which White does not lose at once: \S+ loses to s\S+\nWhite wins by force, here in [0-9]+ turns: a chain of white stones connects left and right \(B16\)\nsA2 is the only turn that wins]

# Of a turn: whether it is legal; with seconds, what it is worth.
30 game-explain w sc1
#? [legal]
40 game-explain w sc1 60
#? [legal\nBlack wins 100\.0%, [0-9]+ visits, sA2\nBlack wins by force, here in 1 turn: .* \(B16\)\nsA2 is better: White wins by force.*]
50 game-explain w sa2 60
#? [legal\nWhite wins 100\.0%, .*\nWhite wins by force.*\nthe engine would begin like that, too\nsA2 is the only turn that wins]
60 game-explain b sa2 1
#? [B8: White is to move]
70 game-explain w sb1-a1 1
#? [B11: .*]

# A position may be set up before a step that is forced: the turn to play begins with it everywhere.
game-position implo 3 B../..W/WBB b open=yes
71 game-legal_turns
#? [A2/B1xA1 A2/B1xC2]
72 game-explain 60
#? [play A2/B1x(A1|C2)\nBlack wins 100\.0%, [0-9]+ visits, A2/B1x(A1|C2)\nI15: A2 is the only legal step\n.*]
73 game-solve
#? [black wins\npv A2/B1x(A1|C2)\n.*]
74 game-search_figures
#? [.*: A2/B1x(A1|C2)]
75 game-gfx_variation
#? [.*VAR b A2 b B1 b (A1|C2)\nTEXT .*: B A2, B B1x(A1|C2)]
76 game-gfx_winrates
#? [.*LABEL A2 100\nTEXT .*]
77 genmove b
#? [A2/B1x(A1|C2)]
78 gomill-explain_last_move
#? [Black wins 100\.0%, [0-9]+ visits?, A2/B1x(A1|C2); .*]

# All turns lose.
game-position implo 4 bbWw/...b/W.WW/B.BW w
80 game-explain 60
#? [play \S+\nBlack wins 100\.0%, .*\nBlack wins by force.*\nevery turn loses against best play.*]

# Nothing to choose: a pass, and a placement.
game-position pilo 3 B1B2x/xxW2/W3xx w passes=1
90 game-explain 60
#? [play pass\nBlue wins 100\.0%, 1 visit, pass\nP16: Orange has nothing to play on the board, and must pass\nBlue wins by force, here in 1 turn: 2 to 2 squares; Orange made the last board play and loses the tie \(P24\)]
genmove w
100 gomill-explain_last_move
#? [Blue wins 100\.0%, 1 visit, pass; Blue wins by force, here in 1 turn: .* \(P24\); P16: Orange has nothing .*]
110 game-explain
#? [P18: the game is over: 2 to 2 squares; Orange made the last board play and loses the tie]
game-position pilo 3 W2xB1/B1B1B1/W2xW1 w
120 game-explain 60
#? [play \S+\nBlue wins 100\.0%, .*\nP10: C1-C2 is the only legal turn\nBlue wins by force.* \(P2[24]\)]

# Small boards: who swaps, and why.
game-pie pieces
game-select implo 3
play b b2
130 game-explain 60
#? [play \S+\nWhite wins .*\nWhite does not swap: Black's first turn loses by force]
clear_board
play b a1
140 game-explain 60
#? [play \S+\nWhite wins .*, swap .*\nWhite swaps: Black's first turn wins by force]

# Late on 4x4 and 6x6: what the solver knows.
game-pie off
game-position robble 4 BWBW/WBWB/BW.W/..WB b
170 game-explain 60
#? [play \S+\nBlack wins 100\.0%, .*\nBlack wins by force.*\nB1 is the only turn that wins]
game-position boloa 6 wBWBBW/.w..BB/BWwWWW/Bw.bBW/BWBwWW/BBBBW. b
180 game-explain 60
#? [play \S+\nBlack wins 100\.0%, [0-9]+ visits, sA6-A5 .*\nBlack wins by force.*\nsA6-A5 is the only turn that wins]
190 kata-search_analyze b rootInfo true maxmoves 1
#? [(info )?move A6 .* winrate 1\.000000 .* isProven true order 0 pv A6 rootInfo visits [0-9]+ utility 1\.000000 winrate 1\.000000 isProven true\nplay A6]

# Where nothing is proven: the second best, and points where the game counts them.
# A second is all there is, so that pure Python on a busy machine may make fewer visits.
game-set visits 40
game-select pilo 6
200 game-explain
#? [play \S+\n(Blue|Orange) wins [0-9.]+%, [0-9]+ visits?, .*\n.* points of chance to win .*\nin random games after this line (Blue is|Orange is|nobody).*]
game-set visits 200
genmove b
play w a1
game-set visits 40
210 game-explain
#? [.*\nOrange's A1 was (not expected, but \S+|expected)]
220 kata-search_analyze b 100 maxmoves 1
#? [(info )?move \S+ .* scoreMean (-?[0-9.]+) scoreLead (-?[0-9.]+) order 0 .*]
230 kata-search_analyze b 100 maxmoves 1
#? [!.*isProven.*]
game-select robble 6
240 kata-search_analyze b 100 maxmoves 1
#? [!.*scoreLead.*]

# Bad input.
250 game-explain soon
#? [invalid color or coordinate]*
260 game-explain w
#? [invalid color or coordinate]*
270 game-explain -1
#? [invalid color or coordinate]*
280 game-explain b c3 soon
#? [invalid color or coordinate]*
290 game-explain b z9 1
#? [invalid color or coordinate: Z9 .*]*
play b resign
300 game-explain
#? [the game is over: Black resigned]
310 game-explain w pass 1
#? [legal]

# A word that is no turn: the points that there are.
game-select robble 6
300 game-explain b z9
#? [invalid color or coordinate: Z9 is not on the board: columns A to F, rows 1 to 6]*
game-select robble 9
310 game-explain b i5
#? [invalid color or coordinate: I5 is not on the board: columns A to J without I, rows 1 to 9]*
320 game-explain b xyz
#? [invalid color or coordinate: xyz is not a step of Robble]*

# A hint in stages: where to look, what to play, and why.
game-set visits 200
game-position boloa 3 B.W/..W/B.. w
120 game-hint 60
#? [\{"where":\{"points":\[.*"A2".*\],"text":"Look at the left"\},"turn":"sA2","line":\["sA2".*\],"drawn":\[\[\{"at":"A2","shape":"stone"\}\].*\],"why":\[\{"text":"sA2 is the only turn after which White does not lose at once: .*]
130 game-hint soon
#? [syntax: game-hint \[SECONDS\]]*

# What a turn gives away, and the answer that shows it.
140 game-warning w sc1 60
#? [\{"loss":1\.0,"best":"sA2","line":\["sC1","sA2"\],"drawn":\[\[\{"at":"C1","shape":"stone"\}\],\[\{"at":"A2","shape":"stone"\}\]\],"why":\[\{"text":"Black plays sA2; a chain of black stones connects bottom and top","rule":"B16","points":\["A1","A2","A3"\]\}\]\}]
150 game-warning w sa2 60
#? [\{"loss":0\.0,"best":"sA2","line":\["sA2".*]
160 game-warning b sa2
#? [illegal move]*
170 game-warning w z9
#? [invalid color or coordinate]*
