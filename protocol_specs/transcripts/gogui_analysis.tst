# What GoGui may show in its window "Analyze".
game-set visits 40
game-set seed 1
game-select robble 5
10 gogui-analyze_commands
#? [!(.|\n)*game-gfx_patches(.|\n)*]
20 game-gfx_patches
#? [this game has no patches]*
30 game-gfx_groups
#? [TEXT no pieces]
gogui-play_sequence b c3 w a1 b c5
40 game-gfx_groups
#? [LABEL C3 1\nLABEL C5 1\nLABEL A1 1\nTEXT Black 1 1; White 1]

# Searches: the same one for each picture of a position.
50 game-gfx_visits
#? [INFLUENCE ([A-E][1-5] [01]\.[0-9][0-9] ?)+\n(LABEL [A-E][1-5] [0-9]+\n)+TEXT White wins [0-9]+ % after 40 visits]
60 game-gfx_winrates
#? [(COLOR #[0-9a-f]{6} [A-E][1-5]\nLABEL [A-E][1-5] [0-9]+\n)+TEXT White wins [0-9]+ % after 40 visits]
70 game-gfx_variation
#? [VAR w [A-E][1-5].*\nTEXT White wins [0-9]+ % after 40 visits: W [A-E][1-5].*]
80 game-search_figures
#? [White wins [0-9]+ % after 40 visits\n[0-9]+ nodes, .* visits a second\n([0-9]+ visits [0-9.]+ % \(at least .*\n?)+]
90 game-history
#? [1 black C3\n2 white A1\n3 black C5]

# Pieces keep their look below the numbers.
game-position pilo 4 B2.../.x../..W2./...W1 b
100 gogui-analyze_commands
#? [(.|\n)*gfx/Patches and owners/game-gfx_patches(.|\n)*]
110 game-gfx_patches
#? [LABEL A4 2\nCOLOR black B3\nLABEL C2 2\nCOLOR #f5a623 .*\nTEXT Blue 0 patches of 0 points, Orange 1 patches of 15 points]
120 game-gfx_winrates
#? [(.|\n)*COLOR black B3\n(.|\n)*TEXT Blue wins (.|\n)*]

# All openings; on Implo of size 2 the first stone wins.
game-select implo 2
130 game-gfx_openings
#? [(.|\n)*TEXT Black wins after 4 of 4 openings: to be swapped]

# When the game is over there is nothing to search.
play b resign
140 game-gfx_visits
#? [nothing to search]*
150 game-gfx_winrates
#? [nothing to search]*
160 game-gfx_variation
#? [nothing to search]*
170 game-search_figures
#? [nothing to search]*

# The dialog of settings.
180 game-dialog
#? [\[list/mcts/random\] player mcts\n(.|\n)*\[string\] visits 40\n(.|\n)*]
190 game-dialog level 3
#? []
200 game-dialog level 70
#? [invalid value for level: integer 1\.\.10]*
210 game-dialog level
#? [invalid value for level: integer 1\.\.10]*
220 game-dialog colour red
#? [unknown setting]*
