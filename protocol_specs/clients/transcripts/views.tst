# Views: all that a front end shows of a game. Keys may be added; front ends pass over unknown ones.
game-pie pieces
game-select boloa 3

# The empty board: no pieces, no last turn, two tools; each option is a point with what it means.
10 game-view
#? [\{"view":1,"rev":\d+,"position":"boloa 3 \.\.\./\.\.\./\.\.\. b pie=pieces",.*]
20 game-view
#? [.*"edges":\{"top":"black","bottom":"black","left":"white","right":"white"\}.*]
30 game-view
#? [.*"pieces":\[\],"turn":\{"number":1,"to_move":"black","open":false,"steps":\[\].*]
40 game-view
#? [.*"tools":\["stone","pawn"\].*]
50 game-view
#? [.*\{"at":"A1","area":\[\],"verb":"pawn","step":"pA1","text":"a pawn on A1"\}.*]
60 game-view
#? [.*"last":null.*]

# A preview plays nothing.
70 game-preview b pb2
#? [\{"view":\{"view":1,.*"pieces":\[\{"id":1,"at":"B2","shape":"pawn","kind":"pawn","color":"black".*]
80 game-view
#? [.*"pieces":\[\].*"last":null.*]
90 game-preview b pb9
#? [invalid color or coordinate]*
100 game-preview w pb2
#? [illegal move]*

# The swap is a button.
play b pb1
110 game-view
#? [.*"buttons":\[\{"step":"swap","title":"Swap","swaps":true,"text":"The black pawn on B1 becomes White's and goes to A2, then Black is to move","forced":false,"rule":"B17"\}\].*]
play w swap
120 game-view
#? [.*"pieces":\[\{"id":1,"at":"A2","shape":"pawn","kind":"pawn","color":"white".*"buttons":\[\].*]

# A step of two points: its beginning, then where it may go on.
130 game-view
#? [.*\{"at":"A2","area":\[\],"verb":"displacing-stone","then":\[\{"at":"A1","area":\[\],"step":"sA2-A1",.*]

# Why not, and what instead.
140 game-objection b sb2
#? [null]
150 game-objection b pa2
#? [\{"rule":"B9","text":"A2 is not empty","points":\["A2"\],"instead":\[\{"step":"sA2-A1",.*]
160 game-objection w pb2
#? [\{"rule":"B8","text":"Black is to move","points":\[\],"instead":\[\]\}]
170 game-objection b i1
#? [invalid color or coordinate]*

# A turn of several plays is open between them: patches with their owners, and what goes.
game-position implo 3 .B./BBb/ww. b open=yes
180 game-view
#? [.*"open":true,"steps":\[\],"wants":"Resolve a patch","text":"Black is to move\. Resolve a patch"\}.*]
190 game-view
#? [.*\{"kind":"patch","points":\["C1"\],"owner":"white",.*"rule":"I10"\}.*]
200 game-view
#? [.*"step":"A3",.*"owner":"black","removes":\["A2","B2","B3"\].*]
play b a3
210 game-view
#? [.*"open":true,"steps":\["A3"\].*"points":\["A3"\],"began":\["A3"\],.*]
220 game-view
#? [.*\{"at":"A2","area":\["B2","B3","C3"\],"verb":"resolve",.*]

# Captures with their way; a pass where nothing else is legal; the score; the end.
game-position pilo 4 ..../..../.B1.W1/.... b
230 game-view
#? [.*\{"at":"B2","area":\[\],"verb":"capture","then":\[\{"at":"D2","area":\[\],"step":"B2-D2",.*"captures":\["D2"\],"path":\["C2"\]\}\]\}.*]
game-position pilo 3 B1B2x/xxW2/W3xx w passes=1
240 game-view
#? [.*"options":\[\],"buttons":\[\{"step":"pass","title":"Pass",.*"forced":true,"rule":"P16"\}\].*"score":\{"black":2,"white":2,"unit":"points","when":"if the game ended now"\},"outcome":null\}]
play w pass
250 game-view
#? [.*"outcome":\{"winner":"black","result":"B\+","margin":null,"title":"Blue wins","text":"2 to 2 squares; Orange made the last board play and loses the tie","rule":"P24","points":\[\]\}\}]
