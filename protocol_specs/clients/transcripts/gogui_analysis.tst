# What GoGui may show in its window "Analyze".
game-set visits 40
game-set seed 1
game-select robble 5
10 gogui-analyze_commands
#? [!.*game-gfx_patches.*]
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
#? [White wins [0-9]+ % after 40 visits\n[0-9]+ nodes, .* visits per second\n([0-9]+ visits [0-9.]+ % \(at least .*\n?)+]
90 game-history
#? [1 black C3\n2 white A1\n3 black C5]

# Pieces keep their look below the numbers.
game-position pilo 4 B2x../..W1./..../.... b
100 gogui-analyze_commands
#? [.*gfx/Patches and owners/game-gfx_patches.*]
110 game-gfx_patches
#? [COLOR black B4\nLABEL A4 2\nCOLOR gray .*\nTEXT Points in patches: Blue 0, Orange 0]
120 game-gfx_winrates
#? [.*COLOR black B4\n.*TEXT Blue wins .*]

game-select implo 2

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
#? [\[list/1/2/[0-9/]+\] level 14\n\[string\] seconds 0\.0\n\[list/off/on\] ponder off\n.*\[list/mcts/random/greedy/greedy2\] player mcts\n.*\[string\] visits 40\n.*]
190 game-dialog level 3
#? []
200 game-dialog level 70
#? [invalid value for level: integer 1\.\.\d+]*
210 game-dialog level
#? [invalid value for level: integer 1\.\.\d+]*
220 game-dialog colour red
#? [unknown setting]*
