# What GoGui asks beside rules and analysis.
10 gogui-interrupt
#? []
20 gogui-version 1.6.0
#? []
30 gogui-version
#? []
game-select robble 5
40 gogui-title
#? [Patchpie: Robble 5x5]

# Several turns, all of them or none.
50 gogui-play_sequence b c3 w a1 b e5
#? []
60 gogui-play_sequence w a5 b a5
#? [illegal move]*
70 gogui-play_sequence w a5 b
#? [invalid color or coordinate]*
80 gogui-play_sequence white a9
#? [invalid color or coordinate]*
90 game-history
#? [1 black C3\n2 white A1\n3 black E5]
100 gogui-play_sequence
#? []

# Clicks among them; a turn of several is then as one.
game-select boloa 4
110 gogui-play_sequence b b2 b b2 w c3 w c2
#? []
120 game-history
#? [1 black sB2\n2 white pC3]

# Stones set up, as an SGF file may have them, and the color to move.
game-select pilo 3
130 gogui-setup b a1 w b2 b a1
#? []
140 gogui-setup_player w
#? []
150 game-position
#? [pilo 3 \.\.\./\.W1\./B1\.\. w pie=off]
160 gogui-setup b a4
#? [invalid color or coordinate]*
170 gogui-setup b pass
#? [invalid color or coordinate]*
180 gogui-setup x a1
#? [invalid color or coordinate]*
190 gogui-setup_player green
#? [invalid color]*
200 gogui-setup_player
#? [invalid color]*
game-select implo 2
210 gogui-setup b a1
#? [invalid position: the patch .*]*
220 game-position
#? [implo 2 \.\./\.\. b pie=pieces]

# Without a stone to put there is nothing to set up, and the history stays.
clear_board
play b a1
230 gogui-setup
#? []
240 undo
#? []
