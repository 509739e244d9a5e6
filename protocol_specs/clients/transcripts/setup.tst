# Choosing the game, its size and rules, positions and settings.

game-pie pieces

# The games, with their sizes.
10 game-list
#? [(.*\n)?boloa default 9.*\n.*]
20 game-list
#? [(.*\n)?implo default 8 recommended 6\.\.10(\n.*)?]
30 game-list
#? [(.*\n)?pilo default 8 recommended 6\.\.10(\n.*)?]
40 game-list
#? [(.*\n)?robble default 7 recommended 5\.\.9(\n.*)?]

# A game without a size has its own; names in any letter case.
50 game-select robble
#? []
60 game-position
#? [robble 7 \.{7}(/\.{7}){6} b pie=pieces]
70 game-select PILO 3
#? []
80 game-position
#? [pilo 3 \.\.\./\.\.\./\.\.\. b pie=pieces]

# An unknown game, a bad size, no name: the game stays. (checklist 61)
90 game-select chess
#? [unknown game]*
100 game-select boloa 1
#? [unacceptable size]*
110 game-select boloa 20
#? [unacceptable size]*
120 game-select boloa five
#? [syntax: game-select NAME .*]*
130 game-select
#? [syntax: game-select NAME .*]*
140 game-position
#? [pilo 3 \.\.\./\.\.\./\.\.\. b pie=pieces]

# The start after extra turns of Black: a position, and nothing changes.
142 game-handicap implo 5 1
#? [implo 5 \.{5}/\.{3}B\./\.{5}/\.B\.{3}/\.{5} w pie=off]
143 game-handicap Pilo 8 4
#? [pilo 8 \S+ w pie=off]
144 game-handicap pilo 8 5
#? [Pilo has a handicap of 1 to 4 turns, from size 5 on]*
145 game-handicap robble 7 1
#? [Robble has no handicap]*
146 game-handicap chess 8 1
#? [unknown game]*
147 game-handicap pilo 8
#? [syntax: game-handicap GAME N N]*
148 game-position
#? [pilo 3 \.\.\./\.\.\./\.\.\. b pie=pieces]

# boardsize: an empty board of the size, in the same game. (checklist 27)
play b a1
150 boardsize 9
#? []
160 game-position
#? [pilo 9 \.{9}(/\.{9}){8} b pie=pieces]
170 undo
#? [cannot undo]*
180 boardsize 2
#? []
190 boardsize 19
#? []

# Width and height, if they are equal.
200 boardsize 4 4
#? []
210 rectangular_boardsize 5 5
#? []
220 boardsize 5 6
#? [unacceptable size]*
230 rectangular_boardsize 5 6
#? [unacceptable size]*

# Unacceptable sizes: the position is kept. (checklist 28, 61)
play b c3
play w d4
240 boardsize 1000
#? [unacceptable size]*
250 boardsize 0
#? [unacceptable size]*
260 boardsize -3
#? [unacceptable size]*
270 boardsize 1
#? [unacceptable size]*
280 boardsize 20
#? [unacceptable size]*
290 rectangular_boardsize 20 20
#? [unacceptable size]*

# No number at all; nor is there one with something behind it. (checklist 29, 30)
300 boardsize
#? [boardsize not an integer]*
310 boardsize x
#? [boardsize not an integer]*
320 boardsize 9x
#? [boardsize not an integer]*
330 boardsize 9.5
#? [boardsize not an integer]*
340 boardsize 9 x
#? [boardsize not an integer]*
350 rectangular_boardsize x 9
#? [boardsize not an integer]*
360 boardsize 99999999999999999999
#? [unacceptable size]*

# These count their arguments.
361 boardsize 9 9 9
#? [boardsize not an integer]*
362 rectangular_boardsize 9 9 x
#? [boardsize not an integer]*

# After all these failures nothing has changed. (checklist 61)
370 game-history
#? [1 black C3\n2 white D4]
380 game-position
#? [pilo 5 \.{5}/\.\.\.W1\./\.\.B1\.\./\.{5}/\.{5} b pie=off]

# komi takes any number; no rule uses it. (checklist 32)
390 komi 6.5
#? []
400 get_komi
#? [6\.5]
410 komi 1e3
#? []
420 get_komi
#? [1000\.0]
430 komi -200
#? []
440 get_komi
#? [-200\.0]
450 komi 0
#? []
460 komi 7.5
#? []

# But not what is no number. (checklist 33, 61)
470 komi
#? [komi not a float]*
480 komi x
#? [komi not a float]*
490 komi 6,5
#? [komi not a float]*
500 komi nan
#? [komi not a float]*
510 komi inf
#? [komi not a float]*
520 get_komi
#? [7\.5]

# clear_board, twice too; komi survives it and boardsize. (checklist 31)
530 clear_board
#? []
540 clear_board
#? []
550 game-position
#? [pilo 5 \.{5}(/\.{5}){4} b pie=pieces]
560 get_komi
#? [7\.5]
570 boardsize 6
#? []
580 get_komi
#? [7\.5]
590 undo
#? [cannot undo]*

# Settings: each has a line; unknown keys and values are refused.
600 game-settings
#? [pie pieces .*\nplayer \w+ .*\nlevel \d+ .*\nvisits 0 .*\nseconds 0\.0 .*\ntiming \w+ .*\nponder off .*\nseed random .*\nresign 0\.0 .*]
610 game-set visits 200
#? []
620 game-set seed 7
#? []
630 game-set resign 0.05
#? []
640 game-set visits many
#? [invalid value for visits: integer 0\.\.1000000000]*
650 game-set visits -1
#? [invalid value for visits: integer 0\.\.1000000000]*
660 game-set level 99
#? [invalid value for level: integer 1\.\.\d+]*
662 game-set timing never
#? [invalid value for timing: adaptive\|fixed]*
664 game-set ponder maybe
#? [invalid value for ponder: off\|on]*
670 game-set player god
#? [invalid value for player: .*mcts.*random.*]*
680 game-set colour red
#? [unknown setting]*
690 game-set visits
#? [syntax: game-set KEY VALUE]*
700 game-set
#? [syntax: game-set KEY VALUE]*
710 game-settings
#? [.*\nvisits 200 .*\nseed 7 .*\nresign 0\.05 .*]

# A new game, of another kind too, keeps settings and komi.
720 clear_board
#? []
730 game-select implo 4
#? []
740 game-settings
#? [.*\nvisits 200 .*\nseed 7 .*\nresign 0\.05 .*]
741 game-settings level
#? [level [0-9]+ .*]
742 game-settings color
#? [unknown setting]*
750 get_komi
#? [7\.5]

# The pie rule: at once while no turn has been played, else from the next game on.
760 game-pie
#? [pieces]
770 game-pie sides
#? []
780 game-position
#? [implo 4 \.{4}(/\.{4}){3} b pie=sides]
play b b2
790 game-pie off
#? []
800 game-pie
#? [off]
810 game-position
#? [implo 4 \.{4}/\.{4}/\.B\.\./\.{4} w pie=sides]
820 clear_board
#? []
830 game-position
#? [implo 4 \.{4}(/\.{4}){3} b pie=off]
840 game-pie maybe
#? [invalid value for pie: .*]*
850 game-pie
#? [off]
860 game-set pie pieces
#? []
870 game-position
#? [implo 4 \.{4}(/\.{4}){3} b pie=pieces]

# A position as one line, of any game; it stands there without history.
play b b2
880 game-position robble 3 B../.W./... b
#? []
890 game-position
#? [robble 3 B\.\./\.W\./\.\.\. b pie=off]
900 undo
#? [cannot undo]*
910 game-position boloa 3 .../w.B/b.. W
#? []
920 game-position
#? [boloa 3 \.\.\./w\.B/b\.\. w pie=off]
930 game-position pilo 3 B1W1./.../..B1 w
#? []
940 game-position
#? [pilo 3 B1W1\./\.\.\./\.\.B1 w pie=off]
950 game-position pilo 3 xB1B1/B1B2x/W2W1W1 b passes=1
#? []
960 game-position
#? [pilo 3 xB1B1/B1B2x/W2W1W1 b pie=off passes=1]
970 game-position implo 3 .B./BBb/ww. b pie=off open=yes
#? []
980 game-position
#? [implo 3 \.B\./BBb/ww\. b pie=off open=yes]

# With a swap still ahead, after Black's first turn.
990 game-position robble 3 .../.B./... w pie=pieces
#? []
1000 play w swap
#? []
1010 game-board
#? [\. \. \.\n\. W \.\n\. \. \.]

# What is no position, or could not stand in any game, is refused with the reason.
# (checklist 61)
1020 game-position robble
#? [invalid position: .*]*
1030 game-position chess 8 ......../ b
#? [invalid position: .*chess.*]*
1040 game-position robble 3 B../.W. b
#? [invalid position: 2 rows .*]*
1050 game-position robble 3 B../.W./.. b
#? [invalid position: .*]*
1060 game-position robble 3 B../.X./... b
#? [invalid position: .*]*
1070 game-position robble 3 B../.W./... x
#? [invalid position: .*x.*]*
1080 game-position robble 3 B../.W./... b pie=maybe
#? [invalid position: .*maybe.*]*
1090 game-position robble 3 B../.W./... b pie=pieces
#? [invalid position: .*swap.*]*
1100 game-position robble 3 B../.W./... b open=yes
#? [invalid position: .*]*
1110 game-position robble 1 . b
#? [invalid position: .*]*
1120 game-position implo 3 BBB/bbb/wb. b
#? [invalid position: .*C1.*]*
1130 game-position boloa 3 BBB/B.B/BbB w
#? []
1140 game-position boloa 3 WWW/BBB/BbB w
#? [invalid position: .*B1.*]*
1150 game-position boloa 3 .../.B./B.. w
#? [invalid position: .*]*
1160 game-position pilo 3 .../.B0./... b
#? [invalid position: .*]*
1170 game-position pilo 3 .../.B1./... b passes=1
#? [invalid position: .*pass.*]*
1180 game-position
#? [boloa 3 BBB/B\.B/BbB w pie=off]

# What a client sends to bring an engine to its own game: komi, size, an empty board, all turns;
# later only what differs.
game-select robble 5
game-pie off
1190 komi 6.5
#? []
1200 boardsize 19
#? []
1210 clear_board
#? []
1220 play B D4
#? []
1230 play W Q16
#? []
1240 play B C3
#? []
1250 undo
#? []
1260 undo
#? []
1270 play W D5
#? []
1280 game-history
#? [1 black D4\n2 white D5]

# There are no handicaps. (checklist 25, 34)
1290 fixed_handicap 2
#? [unknown command]*
1300 place_free_handicap 2
#? [unknown command]*
1310 set_free_handicap d4
#? [unknown command]*
