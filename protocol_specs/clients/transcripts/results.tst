# The result of the game.
game-pie pieces
game-select pilo 2
game-set visits 20
game-set seed 1

# Undecided. (checklist 54)
10 final_score
#? [cannot score]*
20 game-result
#? [none]
30 game-over
#? [false]

# Resigned.
play b resign
40 final_score
#? [W\+R]
50 game-result
#? [W\+R Blue resigned]
60 game-over
#? [true]

# With a margin where the rules define one. (checklist 54)
clear_board
play b a1
play w b1
play b a1-b1
play w a2
play b b2
play w a2-b2
play b b1-b2
play w pass
70 final_score
#? [cannot score]*
play b pass
80 final_score
#? [B\+1]
90 game-result
#? [B\+1 1 to 0 squares]
clear_board
play b a1
play w swap
play b b1
play w a1-b1
play b a2
play w b2
play b a2-b2
play w b1-b2
play b pass
play w pass
100 final_score
#? [W\+1]

# Without one where a tie-break decides.
clear_board
play b a1
play w b1
play b a1-b1
play w b2
play b a2
play w b2-a2
play b pass
play w pass
110 final_score
#? [B\+]
120 game-result
#? [B\+ 1 to 1.*]

# Without one in games that have none.
game-position boloa 2 .B/wB w
130 final_score
#? [B\+]
game-position boloa 2 ../WW b
140 final_score
#? [W\+]
150 game-result
#? [W\+ a chain of white stones connects left and right]

# A draw: the third appearance. (checklist 54)
game-position robble 2 ../B. w seen=wr,b6
160 final_score
#? [cannot score]*
game-position robble 2 ../.W b seen=wr,b6,wr
play b a1
170 final_score
#? [0]
180 game-result
#? [0 .*third time]
190 game-over
#? [true]

# Pieces by a status of Go: all are alive. (checklist 55)
game-position implo 4 BB../..../.b.W/.... b
200 final_status_list alive
#? [A4 B4\nD2\nB2]
210 final_status_list dead
#? []
220 final_status_list seki
#? []
230 final_status_list foo
#? [invalid status]*
240 final_status_list
#? [missing status]*
