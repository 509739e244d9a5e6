# Analysis for clients that know our games: JSON objects with whole turns.
game-set visits 60
game-set seed 1
game-pie off

# One step, two clicks.
game-select boloa 5
10 game-genmove_analyze b maxmoves 1
#? [(\{"color": )?"black", "visits": [0-9]+, "chance": [01]\.[0-9]+, "proven": null, "turns": \[\{"turn": "([ps][A-E][1-5])", "whole": true, "clicks": \["[A-E][1-5]", "[A-E][1-5]"\], "visits": [0-9]+, "chance": [01]\.[0-9]+, "lcb": [01]\.[0-9]+, "prior": [01]\.[0-9]+, "proven": null, "lead": null, "pv": \["\2".*\], "drawn": \[\[\{"at": "[A-E][1-5]", "shape": "(pawn|stone)"\}\].*\]\}\]\}\n\{"play": "[ps][A-E][1-5]"\}]
11 game-history
#? [1 black [ps][A-E][1-5]]
12 game-genmove_analyze b
#? [illegal move]*
13 game-genmove_analyze w avoid w a1 1
#? [avoid and allow are for analysis only]*
14 game-genmove_analyze w rootInfo true
#? [syntax: unknown key rootInfo]*
15 game-analyze b
#? [illegal move]*
16 game-analyze w ownership maybe
#? [syntax: ownership is true or false]*

# Several steps are one turn: which group is removed, and the clicks that say so.
game-position implo 4 bbbb/bWbb/w.../w..W b pie=off
20 kata-search_analyze b maxmoves 1
#? [(info )?move C1 .* pv C1\nplay C1]
21 game-genmove_analyze b maxmoves 1
#? [.*"turns": \[\{"turn": "C1/B1x(B3|D1).*", "whole": true, "clicks": \["C1", "B1", "(B3|D1)".*"pv": \["C1/B1x.*"drawn": \[\[\{"at": "C1", "shape": "stone"\}, \{"at": "B1", "to": "(B3|D1)"\}\].*"play": "C1/B1x.*]

# Points, and who holds them; what is known exactly is said so.
game-position pilo 3 W2xB1/B1B1B1/W2xW1 w
30 game-genmove_analyze w ownership true
#? [.*"white", .*"proven": 0\.0, "turns": \[\{"turn": "C1-C2", "whole": true, "clicks": \["C1", "C2"\], .*"lead": -?[0-9.]+, "pv": \["C1-C2".*"drawn": \[\[\{"at": "C1", "to": "C2"\}\].*"held": \{"A3": -?[0-9.]+, .*"C1": -?[0-9.]+\}\}\n\{"play": "C1-C2"\}]

# A swap is drawn where it is clicked.
game-position implo 3 .../.../B.. w pie=pieces
35 game-genmove_analyze w
#? [.*"turn": "swap", .*"clicks": \["A1"\], .*"drawn": \[\[\{"at": "A1"\}\].*]
game-pie off

# After the end.
clear_board
play b resign
40 game-analyze w
#? [.*"white", "visits": 0, "chance": 1\.0, "proven": 1\.0, "turns": \[\{"turn": "pass", "whole": true, "clicks": \["pass"\], .*"pv": \["pass"\], "drawn": \[\[\]\]\}\]\}]
41 game-genmove_analyze w
#? [.*\n\{"play": "pass"\}]
