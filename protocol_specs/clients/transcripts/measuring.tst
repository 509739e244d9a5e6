# Records, and what tests and benchmarks ask for.
#
# To be complete without another file, this transcript is a record, too: what stands before the
# first game of an SGF file is no part of it, and here is one game of Robble.
#
# (;FF[4]GAME[robble]SZ[3]PIE[pieces]KM[6.5];B[B2];W[A3];B[C3];W[C1])
game-pie pieces
game-set visits 20
game-set seed 1

# The whole game. (checklist 56)
game-select implo 5
play b c3
10 loadsgf measuring.tst
#? []
20 game-history
#? [1 black B2\n2 white A3\n3 black C3\n4 white C1]
30 game-position
#? [robble 3 W\.B/\.B\./\.\.W b pie=off.*]
40 get_komi
#? [6\.5]

# Up to before a turn: before the first stands the empty board; a number too large is the
# whole game. (checklist 56)
50 loadsgf measuring.tst 3
#? []
60 game-history
#? [1 black B2\n2 white A3]
70 loadsgf measuring.tst 1
#? []
80 game-position
#? [robble 3 \.\.\./\.\.\./\.\.\. b pie=pieces]
90 loadsgf measuring.tst 2
#? []
100 game-legal_steps
#? [A1 .* C3 swap]
110 loadsgf measuring.tst 99
#? []
120 game-history
#? [.*\n4 white C1]

# The game goes on from there, and back.
130 play b a1
#? []
140 gg-undo 5
#? []
150 undo
#? [cannot undo]*
160 loadsgf measuring.tst
#? []

# A file that is missing, is none, or holds no game of ours; no name. Nothing has changed then.
# (checklist 57, 61)
170 loadsgf no-such-file.sgf
#? [cannot load file]*
180 loadsgf .
#? [cannot load file]*
190 loadsgf /dev/null
#? [cannot load file]*
200 loadsgf administrative.tst
#? [cannot load file]*
210 loadsgf
#? [missing filename]*
220 game-history
#? [1 black B2\n2 white A3\n3 black C3\n4 white C1]

# The record as text, in lines none of which is empty. (checklist 58, 19)
230 printsgf
#? [\(;FF.4.AP.*GAME.robble.KM.6\.5.PIE.pieces.\s*SZ.3.;B.B2..*W.A3..*B.C3..*W.C1.*\)]
240 printsgf -
#? [\(;FF.4.AP.*\)]
250 printsgf
#? [!.*\n\n.*]

# With the start, where a position was set up, and with the result.
game-position boloa 3 .../w.B/b.. b
play b resign
260 printsgf
#? [\(;FF.*GAME.boloa.*PIE.off.POS.boloa 3 \.\.\./w\.B/b\.\. b pie=off.RE.W\+R.SZ.3.;B.resign.*\)]
270 printsgf no-such-folder/game.sgf
#? [cannot write file]*

# A move without playing it. (checklist 49, 47)
game-select robble 3
280 reg_genmove b
#? [\w\d]
290 reg_genmove BLACK
#? [\w\d]
300 undo
#? [cannot undo]*
310 game-position
#? [robble 3 \.\.\./\.\.\./\.\.\. b pie=pieces]
320 reg_genmove w
#? [illegal move]*
330 reg_genmove x
#? [invalid color]*
340 reg_genmove
#? [invalid color]*

# After the end it is a pass, as for genmove.
play b resign
350 reg_genmove w
#? [pass]
360 game-history
#? [1 black resign]

# Sequences of steps, and of turns.
clear_board
370 game-perft 0
#? [1]
380 game-perft 1
#? [9]
390 game-perft 2
#? [81]
400 game-perft 2 turns
#? [81]
game-select implo 2
410 game-perft 1
#? [4]
420 game-perft 1 turns
#? [4]
430 game-perft 3
#? [4]
440 game-perft 2 turns
#? [0]
game-select robble 3
450 game-perft 3
#? [588]
460 game-perft 50 turns
#? [perft too large]*
470 game-perft 51
#? [the depth is an integer from 0 to 50]*
480 game-perft -1
#? [the depth is an integer from 0 to 50]*
490 game-perft 2 games
#? [syntax: game-perft N .*]*
500 game-perft x
#? [syntax: game-perft N .*]*
510 game-perft
#? [syntax: game-perft N .*]*

# Seconds with three decimals. (checklist 60)
520 cputime
#? [\d+\.\d\d\d]

# A benchmark searches the position and leaves it as it was.
530 kata-benchmark 30
#? [visits \d+ seconds \d+\.\d+ visits_per_second \d+]
540 kata-benchmark 0
#? [too few or too many visits]*
550 kata-benchmark
#? [visits not an integer]*
