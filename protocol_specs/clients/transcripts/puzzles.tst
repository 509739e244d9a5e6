# Puzzles and endgames: what is listed, the puzzle of a day, and the judgment of a line of play.

game-select pilo
10 game-puzzles robble
#? [\[\{"id":"robble\.[0-9a-f]{8}","number":1,"total":\d+,"game":"robble","size":\d,"position":"robble [^"]+","color":"(black|white)","title":"Puzzle","text":"(Black|White) is to play [^"]+","hint":"[^"]*","solution":\["[A-Z]\d"\],"kind":"proven","grade":1,"source":"self-play robble \d, seed \d+, game \d+, turn \d+"\},\{"id":.*\]]
20 game-puzzles
#? [\[\{"id":"pilo\..*\]]
30 game-endgames implo
#? [\[\{"id":"implo\.[^}]*"kind":"endgame".*\]]
40 game-puzzles chess
#? [unknown game]*
50 game-endgames chess
#? [unknown game]*

# A client tells its day. The games take turns.
60 game-daily_puzzle 2026-11-26
#? [\{"id":"[a-z]+\.[0-9a-f]{8}","number":\d+,.*\}]
70 game-daily_puzzle 2026-11-26 boloa
#? [\{"id":"boloa\.[0-9a-f]{8}","number":\d+,.*\}]
80 game-daily_puzzle 2026-02-30
#? [syntax: game-daily_puzzle YYYY-MM-DD \[GAME\]]*
90 game-daily_puzzle 2026-11-26 chess
#? [unknown game]*

# The right turn is answered, and a turn that gives the win away, too.
100 game-judge robble.031e4093 A5
#? [\{"status":"open","words":\["White puts a stone on A5\.".*"Black answers [A-Z]\d\."\],"rules":\[\],"replies":\["[A-Z]\d"\]\}]
110 game-judge_puzzle robble.031e4093 F1
#? [\{"status":"wrong","words":\["White puts a stone on F1\.".*"That gives the win away: Black (wins|draws) by [A-Z]\d\."\],.*"replies":\["[A-Z]\d"\]\}]
120 game-judge robble.031e4093 B5
#? [\{"status":"refused","words":\["B5 is not empty\."\],"rules":\[\{"rule":"R8",.*\],"replies":\[\]\}]
130 game-judge robble.031e4093 B5 A5
#? [illegal move]*
140 game-judge robble.031e4093 hello
#? [invalid color or coordinate]*
150 game-judge robble.0 A5
#? [unknown exercise]*
160 game-judge_puzzle robble.0 A5
#? [unknown exercise]*
