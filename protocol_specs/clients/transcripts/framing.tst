# How lines are read and answered.
#
# What needs exact bytes (control characters, ids as they are echoed, silent lines, the end of
# input) cannot be said in a transcript; tests/gtp/wire/test_wire.py has it.

# One command, one answer; the name holds no version. (checklist 1, 15)
10 name
#? [Patchpie]

# An id in front, up to 2147483647, zero too, leading zeros too. (checklist 2, 9, 10)
0 name
#? [Patchpie]
2147483647 name
#? [Patchpie]
0020 name
#? [Patchpie]

# A failure keeps the id. The text is exact. (checklist 2, 13)
30 nosuch
#? [unknown command]*

# Blanks and tabs at the beginning, at the end and between the words. (checklist 3, 4)
  40   name  
#? [Patchpie]
50	known_command	 	name	
#? [true]

# A comment behind the command, with a blank before it and without. (checklist 6)
60 name # what a nice name
#? [Patchpie]
70 known_command#name
#? [false]
80 known_command name#nosuch
#? [true]

# An id needs no blank behind it. (checklist 11)
90name
#? [Patchpie]

# A number that goes on is no id, nor is one with a sign, nor one above 2147483647.
# (checklist 11)
100.5 name
#? [unknown command]*
-1 name
#? [unknown command]*
+1 name
#? [unknown command]*
2147483648 name
#? [unknown command]*
99999999999999999999 name
#? [unknown command]*

# Names are case-sensitive, and whole words. (checklist 12)
110 NAME
#? [unknown command]*
120 Name
#? [unknown command]*
130 nam
#? [unknown command]*
140 namex
#? [unknown command]*

# What looks like an answer is a command like any other. (checklist 14)
=2 name
#? [unknown command]*
? name
#? [unknown command]*

# Surplus arguments are ignored. (checklist 18)
game-select implo 5
game-set visits 20
game-set seed 1
150 name x
#? [Patchpie]
160 protocol_version 1 2 3
#? [2]
170 clear_board x
#? []
180 komi 6.5 7
#? []
190 get_komi 7
#? [6\.5]
200 play b d4 junk
#? []
210 genmove w x
#? [\w\d.*|swap]
220 undo 2
#? []
230 game-history
#? [1 black D4]
240 undo all
#? []
250 undo
#? [cannot undo]*

# Arguments in many words are one text. (checklist 19: lines without an empty one between them)
260 game-position robble 3 BWB/... /W.B w
#? [invalid position: .*]*
270 game-position   robble  3   B.B/.../W.B   w
#? []
280 game-board
#? [B \. B\n\. \. \.\nW \. B]

# An unknown command changes nothing. (checklist 61)
290 clearboard
#? [unknown command]*
300 game-position
#? [robble 3 B\.B/\.\.\./W\.B w pie=off]
