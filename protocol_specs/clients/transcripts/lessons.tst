# Lessons: the tasks of a game, and the judgment of a learner's tries.

game-select pilo
10 game-lessons robble
#? [\[\{"id":"robble\.place\.1","number":1,"total":\d+,"game":"robble","size":5,"position":"robble 5 [^"]+","color":"black","title":"Put a stone","text":"[^"]+","hint":"[^"]+","solution":\["C3"\],"lesson":"place","rules":\["R\d+".*\]\},\{"id":.*\]]
20 game-lessons
#? [\[\{"id":"pilo\..*\]]
30 game-lessons chess
#? [unknown game]*

# The solution, a turn that is legal but does something else, and an illegal one.
40 game-judge robble.place.1 c3
#? [\{"status":"right","words":\["Black puts a stone on C3\.","[^"]+"\],"rules":\[\{"rule":"R\d+","text":"[^"]+"\}.*\],"replies":\[\]\}]
50 game-judge robble.place.2 a1
#? [\{"status":"wrong","words":\["Black puts a stone on A1\.","[^"]+"\],"rules":\[\{"rule":"R8","text":"[^"]+"\}\],"replies":\[\]\}]
60 game-judge robble.push.1 c3
#? [\{"status":"refused","words":\["C3 is not empty\."\],"rules":\[\{"rule":"R8","text":"[^"]+"\}\],"replies":\[\]\}]
70 game-judge robble.place.9 a1
#? [unknown exercise]*
80 game-judge robble.place.1 hello
#? [invalid color or coordinate]*

# An earlier name of the command.
81 game-judge_lesson robble.place.1 c3
#? [\{"status":"right",.*\}]
82 game-judge_lesson robble.place.9 c3
#? [unknown exercise]*

# A turn of several steps is judged when it is complete. The game of the engine stays as it was.
83 game-judge implo.order.1 c3
#? [\{"status":"open","words":\[\],"rules":\[\],"replies":\[\]\}]
84 game-history
#? []
# A task about a result: turns that nobody can choose are played, too.
86 game-judge robble.end.3 a4
#? [\{"status":"right",.*"replies":\["D1"\]\}]

# The rules in short, with pictures.
90 game-summary robble
#? [\[\{"text":"[^"]+","pictures":\[.*\]\}\]]
100 game-summary chess
#? [unknown game]*
