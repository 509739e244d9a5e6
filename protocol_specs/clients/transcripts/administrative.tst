# What the engine is, and which commands it knows.

# checklist 21
10 protocol_version
#? [2]

# The name, without the version in it. (checklist 1)
20 name
#? [Patchpie]

# checklist 22
30 version
#? [\d+(\.\d+)+.*]

# Known is known, in its own letters only; without a name it is none. (checklist 23)
40 known_command name
#? [true]
50 known_command game-explain
#? [true]
60 known_command nosuch
#? [false]
70 known_command NAME
#? [false]
80 known_command
#? [false]
90 known_command known_command name
#? [true]

# The list holds what the protocol requires. (checklist 24, 25)
100 list_commands
#? [(.*\n)?boardsize\nclear_board\n.*]
110 list_commands
#? [.*\ngenmove\n.*\nknown_command\n.*\nlist_commands\n.*\nname\n.*]
120 list_commands
#? [.*\nkomi\n.*\nplay\n.*\nprotocol_version\n.*quit\n.*\nversion(\n.*)?]

# And what else clients look for: taking back, results, time, records. (checklist 24, 25)
130 list_commands
#? [.*\ncputime\n.*final_score\n.*\nloadsgf\n.*printsgf\n.*\nreg_genmove\n.*]
140 list_commands
#? [.*\nshowboard\n.*time_left\ntime_settings\n.*undo\n.*]

# And our own commands, whose names have a dash. (checklist 24)
150 list_commands
#? [.*\ngame-board\n.*\ngame-legal_steps\n.*\ngame-position\n.*\ngame-to_move\n.*]

# No blanks in it: some clients do not trim the lines.
160 list_commands
#? [\S+(\n\S+)*]

# Nothing that cannot work: handicaps, and names that clients would misread. (checklist 25)
170 list_commands
#? [!.*(fixed|free)_handicap.*]
180 list_commands
#? [!(.*\n)?(analyze|genmove_analyze|kgs-genmove_cleanup|gogui-rules_setup)(\n.*)?]

# Help for all commands, by family.
190 game-help
#? [administrative:\n  protocol_version - .*\nplaying:\n  play COLOR TURN - .*\nsetup:\n.*]
200 game-help
#? [.*\n  quit - End the session\.\n.*]

# Help for one command.
210 game-help name
#? [name\nReport the name of the engine\.\nReply: .*]
220 game-help play
#? [play COLOR TURN\nPlay a turn, a part of a turn, or one click\.\n.*\nFails: .*illegal move.*]
230 game-help boardsiez
#? [unknown command]*
240 game-help NAME
#? [unknown command]*

# For people who type.
game-select pilo 6
244 help
#? [Patchpie, Pilo 6x6\. Type a command and press Enter:\n  play b \w+ .*\n  quit +leave]
245 help quit
#? [quit\nEnd the session\..*]
246 help gneral
#? [unknown command]*

247 game-build
#? [[0-9.]+\+[0-9a-f]{8}\nbackend (kernel\nisa \w+ \w+|python)(\n[a-z]+ .+)*]
game-set weights off
248 game-build
#? [[0-9.]+\+[0-9a-f]{8}\nbackend (kernel\nisa \w+ \w+|python)]
game-set weights auto

# checklist 26
250 quit
#? []
