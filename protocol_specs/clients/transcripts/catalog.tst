# What a front end asks when it starts. Each answer is one line of JSON.

10 game-catalog
#? [\{"engine":"[^"]+","version":"[^"]+","default_game":"[a-z]+","default_level":\d+,"mistake":0\.05,"blunder":0\.2,"newcomer_level":1,"games":\[\{"name":.*\],"levels":\[\{"level":1,"name":"[^"]+","text":.*,"rating":\d+\}\]\}]
11 game-catalog
#? [.*"name":"pilo","title":"Pilo","default_size":8,"sizes":\[2,19\],"recommended":\[6,10\],"colors":\{"black":"Blue","white":"Orange"\},"pie":true,"handicap":4,"goal":"[^"]+","summary":\["[^"]+",.*]

12 game-samples
#? [\[\{"game":\{"name":"boloa",.*"turns":\[\[\{"phase":1,.*"do":"place","at":"C3",.*\]\]\}\]]

# What the commands of the engine may do: files, streams.
20 game-commands
#? [\[\{"name":"boardsize",.*\]]
21 game-commands
#? [.*\{"name":"loadsgf","family":"[a-z_]+","syntax":"[^"]+","summary":"[^"]+","files":true,"streams":false\}.*]
22 game-commands
#? [.*\{"name":"game-analyze","family":"[a-z_]+","syntax":"[^"]+","summary":"[^"]+","files":false,"streams":true\}.*]
23 game-commands
#? [.*\{"name":"undo",[^{]*"files":false,"streams":false\}.*]

# The numbered sentences of the game that is selected.
game-select boloa
30 game-rule_sentences
#? [\[\{"rule":"B1","heading":"[^"]+","text":"[^"]+"\},\{"rule":"B2",.*\]]
game-select robble
31 game-rule_sentences
#? [\[\{"rule":"R1",.*\]]
