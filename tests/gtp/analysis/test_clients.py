"""Programs written for KataGo: what they send, and what they read without asking first."""

import json

import pytest

from support.analyzing import Analyst, during, final

GAMES = {
    "implo": ["c3", "d4", "b2", "e1"],
    "boloa": ["pc3", "pb2", "sd4", "sb1"],
    "robble": ["c3", "b2", "d4", "a1"],
    "pilo": ["c3", "b2", "d4", "a1"],
}
SIZE = 5


def moves_of(game: str) -> list[list[str]]:
    return [["BW"[at % 2], word.upper()] for at, word in enumerate(GAMES[game])]


@pytest.fixture(params=GAMES)
def game(request) -> str:
    return request.param


def test_a_client_like_katrain(game):
    """One request for each node of a game, a ponder that is ended, alternatives by avoidMoves."""
    moves = moves_of(game)

    def query(number: int, turns: int, **more) -> dict:
        return {
            "id": f"QUERY:{number}",
            "game": game,
            "rules": "japanese",
            "priority": 1000 + number,
            "analyzeTurns": [turns],
            "maxVisits": 30,
            "komi": 6.5,
            "boardXSize": SIZE,
            "boardYSize": SIZE,
            "includeOwnership": True,
            "includeMovesOwnership": True,
            "includePolicy": True,
            "initialStones": [],
            "initialPlayer": "B",
            "moves": moves[:turns],
            "overrideSettings": {
                "reportAnalysisWinratesAs": "BLACK",
                "wideRootNoise": 0.04,
                "maxTime": 600,
            },
            **more,
        }

    with Analyst(positions=2) as analyst:
        for number in range(len(moves) + 1):
            analyst.send(query(number, number))
        first_move = moves[1][1]
        avoid = [{"moves": [first_move], "player": "W", "untilDepth": 1}]
        analyst.send(query(90, 1, avoidMoves=avoid))
        analyst.send(query(91, 2, maxVisits=10**7, reportDuringSearchEvery=0.01))
        lines = [analyst.next()]
        while not during(lines[-1]):
            lines.append(analyst.next())
        analyst.send({"action": "terminate", "terminateId": "QUERY:91", "id": "KILL:91"})
        lines += analyst.rest()
    assert not any("error" in line or "warning" in line for line in lines)
    for line in filter(lambda line: "isDuringSearch" in line, lines):
        assert not line.get("noResults", False)
        root = line["rootInfo"]
        assert root["visits"] and 0 <= root["winrate"] <= 1 and root["scoreLead"] is not None
        assert len(line["ownership"]) == SIZE**2 and len(line["policy"]) == SIZE**2 + 1
        for move in line["moveInfos"]:
            assert {"move", "order", "visits", "winrate", "scoreLead", "prior"} <= move.keys()
            assert move["pv"][0] == move["move"] and len(move["ownership"]) == SIZE**2
    answers = {line["id"]: line for line in lines if final(line)}
    assert first_move not in [move["move"] for move in answers["QUERY:90"]["moveInfos"]]


def test_a_client_like_lizzieyzy(game):
    """One request for a whole game; it reads every number of each move, and no error."""
    moves = moves_of(game)
    request = {
        "id": "mainTrunk",
        "game": game,
        "initialStones": [],
        "rules": "tromp-taylor",
        "komi": 7.5,
        "boardXSize": SIZE,
        "boardYSize": SIZE,
        "maxVisits": 20,
        "includePVVisits": True,
        "moves": moves,
        "analyzeTurns": [*range(len(moves) + 1)],
        "overrideSettings": {"reportAnalysisWinratesAs": "SIDETOMOVE"},
    }
    with Analyst(positions=2) as analyst:
        lines = analyst.ask(request)
    found = {}
    for line in lines:
        for move in line["moveInfos"]:
            told = [int(move[key]) for key in ("order", "visits")]
            told += [float(move[key]) for key in ("winrate", "lcb", "prior")]
            told += [float(move[key]) for key in ("scoreLead", "scoreStdev")]
            found.setdefault(line["turnNumber"], []).append((*told, " ".join(move["pv"])))
    assert sorted(found) == request["analyzeTurns"] and all(found.values())


def test_a_client_that_cuts_lines_by_text(game):
    """analyze-sgf finds the turn at the end of a line, and the root before it."""
    moves = moves_of(game)
    request = {"id": "sgf", "game": game, "size": SIZE, "moves": moves, "analyzeTurns": "all"}
    with Analyst() as analyst:
        analyst.send(request)
        analyst.service.finish()
        while not analyst.lines.empty():
            line = analyst.lines.get().decode()
            head, mark, turn = line.rpartition('"turnNumber":')
            assert mark and 0 <= int(turn.removesuffix("}\n")) <= len(moves)
            root = head.rpartition('"rootInfo":')[2].removesuffix(",")
            assert json.loads(root)["visits"]
