# Choosing the game, its size and rules, positions and settings.

# The games, with their sizes.
10 game-list
#? [(.*\n)?boloa default 9.*\n.*]
20 game-list
#? [(.*\n)?implo default 8 recommended 6\.\.10(\n.*)?]
30 game-list
#? [(.*\n)?pilo default 8 recommended 6\.\.10(\n.*)?]
35 game-list
#? [(.*\n)?robble default 7 recommended 5\.\.9(\n.*)?]

# A game without a size has its own; names in any letter case.
40 game-select robble
#? []
50 game-position
#? [robble 7 \.{7}(/\.{7}){6} b pie=pieces]
60 game-select PILO 3
#? []
70 game-position
#? [pilo 3 \.\.\./\.\.\./\.\.\. b pie=pieces]

# An unknown game, a bad size, no name: the game stays. (checklist 61)
80 game-select chess
#? [unknown game]*
90 game-select boloa 1
#? [unacceptable size]*
100 game-select boloa 20
#? [unacceptable size]*
110 game-select boloa five
#? [syntax: game-select NAME .*]*
120 game-select
#? [syntax: game-select NAME .*]*
130 game-position
#? [pilo 3 \.\.\./\.\.\./\.\.\. b pie=pieces]

# boardsize: an empty board of the size, in the same game. (checklist 27)
play b a1
140 boardsize 9
#? []
150 game-position
#? [pilo 9 \.{9}(/\.{9}){8} b pie=pieces]
160 undo
#? [cannot undo]*
170 boardsize 2
#? []
180 boardsize 19
#? []

# Width and height, if they are equal.
190 boardsize 4 4
#? []
200 rectangular_boardsize 5 5
#? []
210 boardsize 5 6
#? [unacceptable size]*
220 rectangular_boardsize 5 6
#? [unacceptable size]*

# Unacceptable sizes: the position is kept. (checklist 28, 61)
play b c3
play w d4
230 boardsize 1000
#? [unacceptable size]*
240 boardsize 0
#? [unacceptable size]*
250 boardsize -3
#? [unacceptable size]*
260 boardsize 1
#? [unacceptable size]*
270 boardsize 20
#? [unacceptable size]*
280 rectangular_boardsize 20 20
#? [unacceptable size]*

# No number at all; nor is there one with something behind it. (checklist 29, 30)
290 boardsize
#? [boardsize not an integer]*
300 boardsize x
#? [boardsize not an integer]*
310 boardsize 9x
#? [boardsize not an integer]*
320 boardsize 9.5
#? [boardsize not an integer]*
330 boardsize 9 x
#? [boardsize not an integer]*
340 rectangular_boardsize 9
#? [boardsize not an integer]*
350 boardsize 99999999999999999999
#? [boardsize not an integer]*

# After all these failures nothing has changed. (checklist 61)
360 game-history
#? [1 black C3\n2 white D4]
370 game-position
#? [pilo 5 \.{5}/\.\.\.W1\./\.\.B1\.\./\.{5}/\.{5} b pie=off]

# komi takes any number; no rule uses it. (checklist 32)
380 komi 6.5
#? []
390 get_komi
#? [6\.5]
400 komi 1e3
#? []
410 get_komi
#? [1000\.0]
420 komi -200
#? []
430 get_komi
#? [-200\.0]
440 komi 0
#? []
450 komi 7.5
#? []

# But not what is no number. (checklist 33, 61)
460 komi
#? [komi not a float]*
470 komi x
#? [komi not a float]*
480 komi 6,5
#? [komi not a float]*
490 komi nan
#? [komi not a float]*
500 komi inf
#? [komi not a float]*
510 get_komi
#? [7\.5]

# clear_board, twice too; komi survives it and boardsize. (checklist 31)
520 clear_board
#? []
530 clear_board
#? []
540 game-position
#? [pilo 5 \.{5}(/\.{5}){4} b pie=pieces]
550 get_komi
#? [7\.5]
560 boardsize 6
#? []
570 get_komi
#? [7\.5]
580 undo
#? [cannot undo]*

# Settings: each has a line; unknown keys and values are refused.
590 game-settings
#? [pie pieces .*\nplayer \w+ .*\nlevel \d+ .*\nvisits 0 .*\nseconds 0\.0 .*\nseed random .*\nresign 0\.0 .*]
600 game-set visits 200
#? []
610 game-set seed 7
#? []
620 game-set resign 0.05
#? []
630 game-set visits many
#? [invalid value for visits: integer 0\.\.1000000000]*
640 game-set visits -1
#? [invalid value for visits: integer 0\.\.1000000000]*
650 game-set level 11
#? [invalid value for level: integer 1\.\.10]*
660 game-set player god
#? [invalid value for player: .*mcts.*random.*]*
670 game-set colour red
#? [unknown setting]*
680 game-set visits
#? [syntax: game-set KEY VALUE]*
690 game-set
#? [syntax: game-set KEY VALUE]*
700 game-settings
#? [.*\nvisits 200 .*\nseed 7 .*\nresign 0\.05 .*]

# A new game, of another kind too, keeps settings and komi.
710 clear_board
#? []
720 game-select implo 4
#? []
730 game-settings
#? [.*\nvisits 200 .*\nseed 7 .*\nresign 0\.05 .*]
740 get_komi
#? [7\.5]

# The pie rule: at once while no turn has been played, else from the next game on.
750 game-pie
#? [pieces]
760 game-pie sides
#? []
770 game-position
#? [implo 4 \.{4}(/\.{4}){3} b pie=sides]
play b b2
780 game-pie off
#? []
790 game-pie
#? [off]
800 game-position
#? [implo 4 \.{4}/\.{4}/\.B\.\./\.{4} w pie=sides]
810 clear_board
#? []
820 game-position
#? [implo 4 \.{4}(/\.{4}){3} b pie=off]
830 game-pie maybe
#? [invalid value for pie: .*]*
840 game-pie
#? [off]
850 game-set pie pieces
#? []
860 game-position
#? [implo 4 \.{4}(/\.{4}){3} b pie=pieces]

# A position as one line, of any game; it stands there without history.
play b b2
870 game-position robble 3 B../.W./... b
#? []
880 game-position
#? [robble 3 B\.\./\.W\./\.\.\. b pie=off]
890 undo
#? [cannot undo]*
900 game-position boloa 3 .../w.B/b.. W
#? []
910 game-position
#? [boloa 3 \.\.\./w\.B/b\.\. w pie=off]
920 game-position pilo 3 B1W1./.../..B1 b
#? []
930 game-position
#? [pilo 3 B1W1\./\.\.\./\.\.B1 b pie=off]
940 game-position implo 3 .B./BBb/ww. b pie=off open=yes
#? []
950 game-position
#? [implo 3 \.B\./BBb/ww\. b pie=off open=yes]

# With a swap still ahead, after Black's first turn.
960 game-position robble 3 .../.B./... w pie=pieces
#? []
970 play w swap
#? []
980 game-board
#? [\. \. \.\n\. W \.\n\. \. \.]

# What is no position, or could not stand in any game, is refused with the reason.
# (checklist 61)
990 game-position robble
#? [invalid position: .*]*
1000 game-position chess 8 ......../ b
#? [invalid position: .*chess.*]*
1010 game-position robble 3 B../.W. b
#? [invalid position: 2 rows .*]*
1020 game-position robble 3 B../.W./.. b
#? [invalid position: .*]*
1030 game-position robble 3 B../.X./... b
#? [invalid position: .*]*
1040 game-position robble 3 B../.W./... x
#? [invalid position: .*x.*]*
1050 game-position robble 3 B../.W./... b pie=maybe
#? [invalid position: .*maybe.*]*
1060 game-position robble 3 B../.W./... b pie=pieces
#? [invalid position: .*swap.*]*
1070 game-position robble 3 B../.W./... b open=yes
#? [invalid position: .*]*
1080 game-position robble 1 . b
#? [invalid position: .*]*
1090 game-position implo 3 BBB/bbb/wb. b
#? [invalid position: .*C1.*]*
1100 game-position boloa 3 BBB/B.B/BbB w
#? []
1110 game-position boloa 3 WWW/BBB/BbB w
#? [invalid position: .*B1.*]*
1120 game-position boloa 3 .../.B./B.. w
#? [invalid position: .*]*
1130 game-position pilo 3 .../.B0./... b
#? [invalid position: .*]*
1140 game-position pilo 3 .../.B1./... b passes=1
#? [invalid position: .*pass.*]*
1150 game-position
#? [boloa 3 BBB/B\.B/BbB w pie=off]

# There are no handicaps. (checklist 25, 34)
1160 fixed_handicap 2
#? [unknown command]*
1170 place_free_handicap 2
#? [unknown command]*
1180 set_free_handicap d4
#? [unknown command]*
