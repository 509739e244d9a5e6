# Settings by the commands of KataGo

1 kata-list-params
#? [pie moves player .* maxVisits maxTime numSearchThreads ponderingEnabled]
2 kata-get-param maxVisits
#? [0]
3 kata-set-param maxVisits 40
#? []
4 kata-get-param visits
#? [40]
5 kata-get-params
#? [\{"pie":"pieces",.*"visits":40,.*"maxVisits":40,.*\}]
6 kata-set-params {"maxVisits": 50, "seconds": 1.5, "pie": "off"}
#? []
7 game-settings
#? [.*pie off.*visits 50.*seconds 1\.5.*]

# KataGo says true and false, our own name on and off.
20 kata-set-param ponderingEnabled true
#? []
21 kata-get-param ponder
#? [on]
22 kata-get-params
#? [.*"ponder":"on",.*"ponderingEnabled":true\}]
23 kata-set-params {"ponderingEnabled": false}
#? []
24 kata-get-param ponderingEnabled
#? [false]
25 kata-set-param ponderingEnabled maybe
#? [Invalid value for ponderingEnabled: maybe]*

10 kata-get-param friction
#? [Invalid parameter: friction]*
11 kata-get-param
#? [syntax: kata-get-param NAME]*
12 kata-set-param friction 1
#? [Invalid parameter: friction]*
13 kata-set-param maxVisits -1
#? [Invalid value for maxVisits: -1]*
14 kata-set-params {"maxVisits": 60, "friction": 1}
#? [Invalid parameter: friction]*
15 kata-get-param maxVisits
#? [50]
16 kata-set-params
#? [not a JSON object]*
17 kata-set-params [[[[1]]]]
#? [not a JSON object]*
18 kata-set-params {"level": [1]}
#? [Invalid value for level: \['1'\]]*
