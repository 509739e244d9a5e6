# Games of the past. Each is a record in base64, here of Robble 3x3:
#   (;GAME[robble]SZ[3]RE[B+]DT[2026-11-26];B[B2];W[A1])
#   (;GAME[robble]SZ[3]RE[W+]DT[2026-11-25];B[B2];W[C3])
#   (;GAME[robble]SZ[3]RE[0];B[A1];W[B2])
game-pie off
game-select robble 3
10 game-explore
#? [\{"games":0,"turns":\[\]\}]
20 game-explore_add KDtHQU1FW3JvYmJsZV1TWlszXVJFW0IrXURUWzIwMjYtMTEtMjZdO0JbQjJdO1dbQTFdKQ==
#? []
30 game-explore_add KDtHQU1FW3JvYmJsZV1TWlszXVJFW1crXURUWzIwMjYtMTEtMjVdO0JbQjJdO1dbQzNdKQ==
#? []
40 game-explore_add KDtHQU1FW3JvYmJsZV1TWlszXVJFWzBdO0JbQTFdO1dbQjJdKQ==
#? []

# The first turns, the most frequent first.
50 game-explore
#? [\{"games":3,"turns":\[\{"turn":"B2","games":2,"black":1,"white":1,"draws":0,"last":"2026-11-26"\},\{"turn":"A1","games":1,"black":0,"white":0,"draws":1,"last":""\}\]\}]

# All corners are one turn here.
play b b2
60 game-explore
#? [\{"games":3,"turns":\[\{"turn":"[AC][13]","games":2,"black":1,"white":1,"draws":0,"last":"2026-11-26"\}\]\}]

# An image of a known position: the turn is told for the board as it is.
undo
play b c3
70 game-explore
#? [\{"games":3,"turns":\[\{"turn":"B2","games":1,"black":0,"white":0,"draws":1,"last":""\}\]\}]

# Another position, and another game.
play w c1
80 game-explore
#? [\{"games":3,"turns":\[\]\}]
game-select pilo 3
90 game-explore
#? [\{"games":3,"turns":\[\]\}]

# What is no game is not counted.
100 game-explore_add KDtHQU1FW2NoZXNzXVNaWzNdKQ==
#? [line 1, column 2: there is no game chess.*]*
110 game-explore_add ?
#? [the record is not base64]*
120 game-explore
#? [\{"games":3,.*]

# Forgotten.
clear_cache
130 game-explore
#? [\{"games":0,"turns":\[\]\}]
