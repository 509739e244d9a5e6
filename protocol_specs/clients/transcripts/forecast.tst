# What random games come to.

# A game that is over: the patch on the right is Orange's, with the blue disk in it.
game-position pilo 3 xB2W1/B2xW3/xxx b passes=2
10 game-forecast
#? [games 2000\nwinrate 0\.000\npoints -2\.00\n0\.00 -1\.00 -1\.00\n1\.00 0\.00 -1\.00\n0\.00 0\.00 0\.00]
20 game-gfx_forecast
#? [COLOR black .*\nINFLUENCE A3 0\.00 B3 -1\.00 C3 -1\.00 .*\nTEXT 2000 random games: Blue wins 0 %, Orange holds 2\.0 points more]

# Markers stay for ever; nobody knows who gets the points that are empty.
game-position implo 4 bbbb/b.../b..w/wwww b
30 game-forecast
#? [games [0-9]+\nwinrate 0\.[0-9]{3}\npoints -?[0-9]\.[0-9]{2}\n(1\.00 ){3}1\.00\n1\.00 .*\n1\.00 .* -1\.00\n(-1\.00 ){3}-1\.00]
40 game-history
#? []
