# Time.
game-pie pieces
game-set visits 20
game-set seed 1

# Main time, byo-yomi time, byo-yomi stones; a byo-yomi time without stones is no limit.
# (checklist 50)
game-select implo 5
250 time_settings 0 5 1
#? []
260 time_settings 300 0 0
#? []
270 time_settings 0 1 0
#? []
280 time_settings 0 0 0
#? []
290 time_settings 300 30 5
#? []

# Not only whole seconds, but no letters, nothing missing, nothing negative. (checklist 51)
300 time_settings 60.5 1 1
#? []
310 time_settings
#? [not three numbers]*
320 time_settings 300
#? [not three numbers]*
330 time_settings 300 30
#? [not three numbers]*
340 time_settings a b c
#? [not three numbers]*
350 time_settings 300 30 x
#? [not three numbers]*
360 time_settings -1 0 0
#? [unacceptable time]*
361 time_settings 99999999999999999999 0 0
#? [unacceptable time]*
362 time_settings 300 30 5 5
#? [not three numbers]*
370 time_settings nan 0 0
#? [not three numbers]*

# checklist 52
380 time_left b 10 0
#? []
390 time_left WHITE 7.5 3
#? []
400 time_left b 10
#? [time and stones not two numbers]*
410 time_left b
#? [time and stones not two numbers]*
420 time_left b x 0
#? [time and stones not two numbers]*
430 time_left b -5 0
#? [unacceptable time]*
440 time_left x 10 0
#? [invalid color]*
450 time_left
#? [.+]*

# The controller keeps the time; with none left the engine moves at once, as often as it is
# asked. (checklist 53)
time_settings 1 0 0
460 time_left b 0 0
#? []
470 genmove b
#? [\w\d]
480 time_left w 0 0
#? []
490 genmove w
#? [\w\d|swap]
500 genmove b
#? [\w\d.*]

# What a server sends before a game, and before each move.
510 boardsize 5
#? []
520 komi 7.5
#? []
530 time_settings 600 0 0
#? []
540 clear_board
#? []
550 time_left b 600 0
#? []
560 genmove b
#? [\w\d]
570 time_left w 599 0
#? []

# The kinds of KGS.
580 kgs-time_settings none
#? []
590 kgs-time_settings absolute 300
#? []
600 kgs-time_settings byoyomi 60 10 3
#? []
610 kgs-time_settings canadian 60 30 5
#? []
620 kgs-time_settings fischer 60 5
#? [unknown time settings]*
630 kgs-time_settings absolute
#? [wrong numbers for absolute]*
640 kgs-time_settings byoyomi 60 10
#? [wrong numbers for byoyomi]*
645 kgs-time_settings absolute 99999999999999999999
#? [wrong numbers for absolute]*
646 kgs-time_settings absolute 300 30
#? [wrong numbers for absolute]*
650 kgs-time_settings absolute x
#? [syntax: kgs-time_settings KIND .*]*
660 kgs-time_settings
#? [syntax: kgs-time_settings KIND .*]*

# The kinds of KataGo.
670 kata-list_time_settings
#? [none absolute canadian byoyomi fischer fischer-capped]
680 kata-time_settings none
#? []
690 kata-time_settings absolute 300
#? []
700 kata-time_settings byoyomi 60 10 3
#? []
710 kata-time_settings canadian 60 30 5
#? []
720 kata-time_settings fischer 60 5
#? []
730 kata-time_settings fischer-capped 60 5 120 -1
#? []
740 kata-time_settings fischer-capped 60.5 5.5 -1 20.5
#? []
750 kata-time_settings hourglass 60
#? [unknown time settings]*
760 kata-time_settings fischer 60
#? [wrong numbers for fischer]*
770 kata-time_settings fischer 60 -5
#? [wrong numbers for fischer]*
780 kata-time_settings fischer 60 x
#? [syntax: kata-time_settings KIND .*]*
790 kata-time_settings
#? [syntax: kata-time_settings KIND .*]*

# Seconds may have decimals, counts may not.
800 time_settings 60.5 10.5 5.0
#? []
810 time_settings 60 10 5.5
#? [not three numbers]*
820 time_left b 10 2.5
#? [time and stones not two numbers]*
830 kata-time_settings byoyomi 60 10 2.5
#? [wrong numbers for byoyomi]*
