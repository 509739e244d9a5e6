"""[Views](../view.md): everything a front end shows of a game, in one reply of JSON.

With these commands a front end needs no knowledge of any game's rules.
"""

from gtp_engine.engine.session import Session
from gtp_engine.engine.view.choices import refusal
from gtp_engine.engine.view.view import view
from gtp_engine.gtp.commands import command
from gtp_engine.gtp.commands.arguments import COLOR, INVALID_TURN, word
from gtp_engine.gtp.wire.registry import NULL, JsonResult
from gtp_engine.rules.points.color import Color


@command("game-view")
def game_view(session: Session) -> JsonResult:
    """Return everything a front end shows of the game.

    Reply: the view
    Example:
        > game-pie off
        =
        > game-select robble 2
        =
        > play b a1
        =
        > game-view
        = {"view":1,"rev":3,"position":"robble 2 ../B. w pie=off","game":{"name":"robble","title":"Robble","size":2,"on":"cells","edges":null,"neighbors":[[0,1],[1,0],[0,-1],[-1,0]],"colors":{"black":{"title":"Black","ink":"black"},"white":{"title":"White","ink":"white"}}},"pieces":[{"id":1,"at":"A1","shape":"stone","kind":"stone","color":"black","height":1,"text":"black stone","turn":1}],"turn":{"number":2,"to_move":"white","open":false,"steps":[],"wants":"Place a stone","text":"White is to move. Place a stone"},"verbs":{"place":{"title":"Place","template":"{}","meaning":"a stone on {}","shape":"stone"}},"tools":[],"options":[{"at":"A2","area":[],"verb":"place","step":"A2","text":"a stone on A2","removes":["A1"]},{"at":"B1","area":[],"verb":"place","step":"B1","text":"a stone on B1","removes":["A1"]},{"at":"B2","area":[],"verb":"place","step":"B2","text":"a stone on B2"}],"buttons":[],"areas":[],"listed":["Black stone: A1"],"last":{"turn":"A1","text":"Black plays A1","color":"black","number":1,"points":["A1"],"began":["A1"],"changed":["A1"],"plays":1,"events":[{"phase":1,"play":1,"do":"place","at":"A1","shape":"stone","kind":"stone","color":"black","height":1,"id":1,"rule":"R8"}],"why":[{"phase":1,"play":1,"rule":"R8","text":"Black puts a stone on A1","points":["A1"]}]},"score":null,"outcome":null}
    """  # noqa: E501
    return view(session)


@command("game-preview", COLOR, word("TURN"), malformed=INVALID_TURN)
def game_preview(session: Session, color: Color, turn: str) -> JsonResult:
    """Return the view after a turn, or after a part of one.

    Arguments: as for `play`
    Reply: a JSON object: `view`, as `game-view` would return it after that `play`
    Fails: `invalid color or coordinate`; `illegal move`
    Example:
        > game-preview w c4
        ? illegal move
    """
    now = session.state
    session.play(color, turn)
    shown = view(session)
    session.state = now
    return {"view": shown}


@command("game-objection", COLOR, word("TURN"), malformed=INVALID_TURN)
def game_objection(session: Session, color: Color, turn: str) -> JsonResult | str:
    """Explain why a turn is illegal, and what can be played instead.

    Arguments: as for `play`. Clicks are no turns here, whatever `moves` is: a vertex means the step
        of that name, and the swap needs its word
    Reply: `null` for a legal turn; else a JSON object: `rule`, the number of the rule (null after a
        resignation or a loss on time); `text`; `points`, the vertices in it; `instead`, at most
        four legal steps that begin at the same vertex, each with `step` and `text`
    Fails: `invalid color or coordinate`
    Example:
        > game-select boloa 3
        =
        > play b pb2
        =
        > game-objection w pa1
        = null
        > game-objection w pb2
        = {"rule":"B9","text":"B2 is not empty","points":["B2"],"instead":[{"step":"sB2-A2","text":"a stone on B2, whose pawn moves to A2"},{"step":"sB2-B1","text":"a stone on B2, whose pawn moves to B1"},{"step":"sB2-B3","text":"a stone on B2, whose pawn moves to B3"},{"step":"sB2-C2","text":"a stone on B2, whose pawn moves to C2"}]}
    """  # noqa: E501
    return refusal(session, color, turn) or NULL
