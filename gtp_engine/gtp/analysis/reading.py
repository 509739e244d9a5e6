"""Lines of a client as requests and actions. Every line that is neither is refused."""

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any, NamedTuple

from gtp_engine.base.shapes import OBJECT, Unfit, read_at, read_json
from gtp_engine.gtp.analysis.overrides import Overrides, read_overrides
from gtp_engine.gtp.analysis.refusal import RefusedLine
from gtp_engine.gtp.analysis.request import (
    ALL,
    ID,
    TURN_NUMBERS,
    WITHOUT_EFFECT,
    AnalysisRequest,
    Field,
    Id,
)

FIELDS: dict[str, tuple[str, Field]] = {
    each.metadata["field"].key: (each.name, each.metadata["field"])
    for each in fields(AnalysisRequest)
}
"""The fields of a request by their keys, each with its name in AnalysisRequest."""

ACTIONS = {
    "query_version": "adds `version`, `git_hash` (the first line of `game-build`), `protocol` (1) "
    "and `games`",
    "query_models": "adds `models`, the learned evaluations that requests use without "
    "`overrideSettings`: `game`, `channels`, `blocks`, `internalName` (a checksum of the weights, "
    "which `game-build` calls by their name), `name` (game and checksum), and keys that KataGo has",
    "clear_cache": "drops what is kept of solved boards; no answer depends on it",
    "terminate": "ends the positions of the request `terminateId`; adds `terminated`, how many",
    "terminate_all": "the same for all requests",
}
"""The actions and what they do, in Markdown."""

_TERMINATE_ID = Field("terminateId", ID, None, "the request to end; required")
_TURN_NUMBERS = Field("turnNumbers", TURN_NUMBERS, None, "only these positions; default: all")
ACTION_FIELDS = {"terminate": (_TERMINATE_ID, _TURN_NUMBERS), "terminate_all": (_TURN_NUMBERS,)}

_ACTION = "action"


class Warned(NamedTuple):
    """A field without effect, and why."""

    field: str
    text: str


class Action(NamedTuple):
    """A request for something else than an analysis.

    line   -- the object of the client, to be returned
    target -- the id to end
    turns  -- the turn numbers to end, None for all
    """

    name: str
    line: Mapping[str, Any]
    target: Id | None = None
    turns: tuple[int, ...] | None = None


class Analysis(NamedTuple):
    """A request for an analysis, with its settings and the warnings about it."""

    request: AnalysisRequest
    overrides: Overrides
    warnings: tuple[Warned, ...]


def parse_object(line: bytes) -> dict[str, Any]:
    """The JSON object of a line. Raises RefusedLine."""
    try:
        found: dict[str, Any] = OBJECT.read(read_json(line))
    except Unfit as error:
        raise RefusedLine("bad-json", str(error)) from None
    return found


def id_in(found: Mapping[str, Any]) -> Id | None:
    """The id of a line; None if it has none that could be returned."""
    ident = found.get("id")
    return ident if ID.fits(ident) else None


def read_object(found: Mapping[str, Any]) -> Analysis | Action:
    """The request or the action of an object. Raises RefusedLine."""
    if "id" not in found:
        raise RefusedLine("bad-field", "a line needs an id", "id")
    return _action(found) if _ACTION in found else _analysis(found)


def _value(field: Field, found: Mapping[str, Any]) -> Any:
    """The value of a field, or its default. Raises RefusedLine."""
    if field.key not in found:
        return field.default
    try:
        return read_at(field.key, field.shape, found[field.key])
    except Unfit as error:
        raise RefusedLine("bad-field", str(error), field.key) from None


def _action(found: Mapping[str, Any]) -> Action:
    name = found[_ACTION]
    if not isinstance(name, str) or name not in ACTIONS:
        known = ", ".join(ACTIONS)
        raise RefusedLine("bad-field", f"there is no such action; there are {known}", _ACTION)
    _value(FIELDS["id"][1], found)
    values = {each.key: _value(each, found) for each in ACTION_FIELDS.get(name, ())}
    if name == "terminate" and "terminateId" not in found:
        raise RefusedLine("bad-field", "terminate needs terminateId", "terminateId")
    return Action(name, found, values.get("terminateId"), values.get("turnNumbers"))


def _analysis(found: Mapping[str, Any]) -> Analysis:
    values = {name: _value(field, found) for name, field in FIELDS.values()}
    request = AnalysisRequest(**values)
    for key, text in _conflicts(request, found):
        raise RefusedLine("bad-field", text, key)
    try:
        overrides = read_overrides(request.overrides or {})
    except ValueError as error:
        raise RefusedLine("bad-field", f"overrideSettings: {error}", "overrideSettings") from None
    return Analysis(request, overrides, tuple(_warnings(request, overrides, found)))


def _conflicts(request: AnalysisRequest, found: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The fields that do not go with others, each with a sentence."""
    if request.position is not None and request.sgf is not None:
        yield "sgf", "sgf and initialPosition exclude each other"
    sizes = {request.size, request.width, request.height} - {None}
    if len(sizes) > 1:
        yield "boardXSize", "boards are square: size, boardXSize and boardYSize must agree"
    if found.get("initialStones"):
        yield "initialStones", "write the start as initialPosition, a position text"
    if request.priorities is not None:
        if "priority" in found:
            yield "priorities", "priority and priorities exclude each other"
        if request.turns is None or request.turns == ALL:
            yield "priorities", "priorities needs analyzeTurns as an array"
        elif len(request.priorities) != len(request.turns):
            yield "priorities", "priorities needs as many items as analyzeTurns"
    players = [each.color for each in request.allowed]
    if len(set(players)) < len(players):
        yield "allowMoves", "allowMoves takes one object for each player"
    if request.allowed and request.avoided:
        yield "allowMoves", "allowMoves and avoidMoves exclude each other"
    if request.played and (request.allowed or request.avoided):
        yield "includePlayed", "includePlayed excludes allowMoves and avoidMoves"


def _warnings(
    request: AnalysisRequest, overrides: Overrides, found: Mapping[str, Any]
) -> Iterator[Warned]:
    for key in found:
        if key not in FIELDS and key not in WITHOUT_EFFECT:
            yield Warned(key, f"unknown field {key[:100]}")
    for key in overrides.unknown:
        yield Warned("overrideSettings", f"unknown setting {key[:100]}")
    for key, given in (("avoidMoves", request.avoided), ("allowMoves", request.allowed)):
        if any(each.until_depth > 1 for each in given):
            yield Warned(key, "untilDepth has no effect above 1: only the first step is restricted")
