# Analysis: what ends by itself. Streams that end with the next line are tested on the wire.

game-select robble 4
game-set visits 30

6 kata-analyze allow b d4 1 avoid b a1 1
#? [syntax: allow stands once, and without avoid]*
7 kata-analyze w
#? [illegal move]*
8 kata-analyze b 50 friction 1
#? [syntax: unknown key friction]*
9 kata-analyze b avoid b x99 1
#? [syntax: x99 is no step]*
10 kata-analyze b avoid b a1
#? [syntax: avoid needs a number]*
11 kata-analyze b 50 maxmoves
#? [syntax: maxmoves needs a number]*
12 kata-analyze b 1e999
#? [syntax: the interval needs a number]*
21 lz-analyze b rootInfo true
#? [syntax: unknown key rootInfo]*

30 kata-search
#? [[A-D][1-4]]
31 kata-search w
#? [illegal move]*
32 kata-search_analyze b 100 ownership true
#? [(info )?move .*play [A-D][1-4]]
35 kata-search_analyze b 100 maxmoves 1 ownership true
#? [(info )?move .* pv [A-D].* ownership( -?[01]\.[0-9]{3}){16}\nplay [A-D][1-4]]
36 kata-analyze b ownership maybe
#? [syntax: ownership is true or false]*
33 kata-search_analyze w
#? [illegal move]*
34 game-history
#? []

40 kata-genmove_analyze b 100 maxmoves 1
#? [(info )?move .*play [A-D][1-4]]
41 kata-genmove_analyze b
#? [illegal move]*
42 kata-genmove_analyze w allow w c3 1
#? [avoid and allow are for analysis only]*
43 game-to_move
#? [white]

# White may swap: the swap is a step like others, first or second.
52 lz-genmove_analyze w
#? [(info )?move .*play (swap|[A-D][1-4])]
53 lz-genmove_analyze green
#? [syntax: unknown key green]*

# Clients that know vertices only: the first click stands for a turn, and ends the line of play.
game-select boloa 4
54 kata-search_analyze b maxmoves 1
#? [(info )?move ([A-D][1-4]) visits .* order 0 pv \2\nplay \2]
55 lz-genmove_analyze b maxmoves 1
#? [(info )?move ([A-D][1-4]) visits .* order 0 pv \2\nplay \2]
56 lz-genmove_analyze w
#? [(info )?move pass visits 1 .* pv pass\nplay pass]
57 kata-genmove_analyze b
#? [(info )?move ([A-D][1-4]) .* pv \2\nplay \2]
58 game-history
#? [(1 black [A-D][1-4]\n2 white pass\n3 .*|1 black [ps]\S+)]
game-set moves turns
clear_board
59 kata-search_analyze b maxmoves 1
#? [(info )?move ([A-D][1-4]) visits .* order 0 pv \2\nplay [ps]\S+]
game-select robble 4

60 stop
#? []
61 clear_cache
#? []


# What is proven is said so, and the score where the game has one: of the color asked for.
game-position pilo 3 B1B2x/xxW2/W3xx w passes=1
70 kata-search_analyze w rootInfo true
#? [(info )?move pass .* winrate 0\.000000 .* scoreMean 0\.00 scoreLead 0\.00 isProven true order 0 pv pass rootInfo .* winrate 0\.000000 scoreMean 0\.00 scoreLead 0\.00 isProven true\nplay pass]
game-position pilo 3 xB2W1/B2xW3/xxx b passes=1
71 kata-search_analyze b
#? [(info )?move pass .* scoreMean -2\.00 scoreLead -2\.00 isProven true .*]
play b pass
72 kata-search_analyze w
#? [(info )?move pass .* scoreMean 2\.00 scoreLead 2\.00 isProven true .*]
73 lz-genmove_analyze b
#? [!.*(isProven|score).*]
game-select robble 4

# After the end.
clear_board
play b resign
80 kata-analyze w 50
#? [(info )?move pass visits 1 .*winrate 1\.000000 .*isProven true order 0 pv pass]
83 kata-analyze w 50 rootInfo true
#? [(info )?move pass .* pv pass rootInfo visits 1 utility 1\.000000 winrate 1\.000000 isProven true]
81 kata-genmove_analyze w
#? [(info )?move pass .*play pass]
82 lz-analyze w
#? [(info )?move pass visits 1 winrate 10000 prior 10000 lcb 10000 order 0 pv pass]
