# Records for other programs (records.md).
#
# To be complete without another file, this transcript is a record, too, as GoGui saves one: it
# names no game, so it is one of the game in progress. Its turns are clicks, and the pass in the
# middle of Blue's capture is how a runner that alternates colors waits for its end. The game
# ends with Orange giving up.
#
# (;FF[4]CA[UTF-8]AP[GoGui:1.6.0]SZ[3]RE[B+Resign];B[ac]PL[W];W[cc]PL[B];B[ac]PL[B];W[];B[cc]PL[W](;W[bb]PL[B];B[ba]PL[W])(;W[aa]))
game-pie pieces

game-select pilo 5
10 loadsgf records.tst
#? []
20 game-history
#? [1 black A1\n2 white C1\n3 black A1-C1\n4 white B2\n5 black B3\n6 white resign]
30 game-position
#? [pilo 3 \.B1\./\.W1\./x\.B2 w pie=off]
40 final_score
#? [B\+R]

# Up to before a turn, however many clicks it is made of.
50 loadsgf records.tst 4
#? []
60 game-history
#? [1 black A1\n2 white C1\n3 black A1-C1]
70 loadsgf records.tst 3
#? []
80 game-history
#? [1 black A1\n2 white C1]

# Of a game in which these clicks mean nothing it is no record; nothing has changed then.
game-select implo 2
90 loadsgf records.tst
#? [cannot load file]*
100 game-position
#? [implo 2 \.\./\.\. b pie=pieces]

# The same game in three forms: tokens; stones, marks and labels with the tokens in TURN; clicks.
game-select pilo 3
loadsgf records.tst
110 game-printsgf plain
#? [.*GAME.pilo.*;B.A1..*;.*W.C1..*;B.A1-C1..*;.*W.B2..*;B.B3..*;.*W.resign.*]
120 game-printsgf display
#? [.*RU.pilo.*AB.ac.*CR.ac.*AE.ac.*LB.cc:2.*MA.ac.*TURN.B A1-C1.*TURN.W resign.*]
130 game-printsgf clicks
#? [.*RE.B.R.*RU.pilo.*;B.ac.*W.cc.*;B.ac.*;B.cc.*W.bb.*;B.ba.*]
140 game-printsgf clicks -
#? [\(;FF.4.*]

# A form that there is not, a file that cannot be, a game that no clicks from the empty board tell.
150 game-printsgf
#? [syntax: game-printsgf plain\|display\|clicks \[FILE\]]*
160 game-printsgf tokens
#? [syntax: .*]*
170 game-printsgf display /dev/null/game.sgf
#? [cannot write file]*
game-position pilo 3 .../.B1./... w
180 game-printsgf clicks
#? [the game began with a position set up]*
190 game-printsgf display
#? [.*AB.bb.*POS.pilo 3 .*]

# A record in the line, in base64, for clients that share no files: (;GAME[robble]SZ[3]PIE[off]C[Hi];B[B2]).
game-printsgf plain
200 game-record_report
#? [\{"done":true,"reason":null,.*"lost":\[\],"guessed":\[\]\}]
210 game-load_record KDtHQU1FW3JvYmJsZV1TWlszXVBJRVtvZmZdQ1tIaV07QltCMl0p
#? []
220 game-history
#? [1 black B2]
230 game-printsgf plain
#? [\(;FF.4.AP.*C.Hi.CA.*;B.B2.\)]
240 game-record plain
#? [KDtGRls0XUFQW[A-Za-z0-9+/=\s]+]
250 game-record
#? [syntax: game-record plain\|display\|clicks]*

# A file that is refused says why, and where.
260 game-load_record KDtHQU1FW3JvYmJsZV1TWlszXTtCW0IyXVdbQTFdKQ==
#? [line 1, column 20: more than one turn in a node]*
270 game-record_report
#? [\{"done":false,"reason":"more than one turn in a node","line":1,"column":20,"lost":\[\],"guessed":\[\]\}]
280 game-load_record (;)
#? [the record is not base64]*
290 game-history
#? [1 black B2]

# Blanks and # in the name of a file need quotes.
300 game-printsgf plain "no such folder/game #1.sgf"
#? [cannot write file]*
310 game-printsgf plain game#1.sgf
#? [a file name with # needs quotes: "FILE"]*
