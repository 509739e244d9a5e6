"""The settings by KataGo's commands; `game-set` and `game-settings` have the same.

A parameter has the name of its setting. Four also have KataGo's: `maxVisits` (visits), `maxTime`
(seconds), `numSearchThreads` (threads) and `ponderingEnabled` (ponder). Clients of KataGo expect
numbers, and `true` or `false`: so threads at `auto` is the number that it means without a limit of
visits.
"""

from typing import Any

from gtp_engine.base.option import AUTO, OFF, ON
from gtp_engine.engine.session import Session
from gtp_engine.engine.settings import settings
from gtp_engine.gtp.commands import command
from gtp_engine.gtp.commands.arguments import VALUE, word
from gtp_engine.gtp.wire.line import readable
from gtp_engine.gtp.wire.registry import Failure, JsonResult, rest
from gtp_engine.search.options import all_threads

_KATAGO = {
    "maxVisits": "visits",
    "maxTime": "seconds",
    "numSearchThreads": "threads",
    "ponderingEnabled": "ponder",
}

# KataGo uses true and false where we use on and off.
_TRUTHS = {"ponderingEnabled"}
_WORDS = {"true": ON, "false": OFF}


def _names() -> dict[str, str]:
    """The settings by the names of parameters."""
    return {setting.name: setting.name for setting in settings()} | _KATAGO


def _key(name: str) -> str:
    if name not in _names():
        raise Failure(f"Invalid parameter: {name}")
    return _names()[name]


def _change(session: Session, name: str, value: str) -> None:
    key = _key(name)
    ours = _WORDS.get(value.lower(), value) if name in _TRUTHS else value
    try:
        session.change_setting(key, ours)
    except ValueError:
        raise Failure(f"Invalid value for {name}: {value}") from None


def _value(session: Session, name: str) -> Any:
    value = session.settings.shown(_key(name))
    if name == "numSearchThreads" and value == AUTO:
        return all_threads()
    if name in _TRUTHS:
        return value == ON
    return readable(value) if isinstance(value, str) else value


@command("kata-list-params")
def kata_list_params(session: Session) -> str:
    """List the names of all parameters.

    Reply: names separated by blanks
    """
    return " ".join(_names())


@command("kata-get-param", word("NAME"))
def kata_get_param(session: Session, name: str) -> str:
    """Report the value of a parameter.

    Arguments: a name
    Reply: the value
    Fails: `Invalid parameter: NAME`; `syntax: ...`
    Example:
        > kata-get-param maxVisits
        = 0
        > kata-get-param ponderingEnabled
        = false
        > kata-get-param friction
        ? Invalid parameter: friction
    """
    value = _value(session, name)
    return str(value).lower() if name in _TRUTHS else str(value)


@command("kata-set-param", word("NAME"), VALUE, files=True)
def kata_set_param(session: Session, name: str, value: str) -> None:
    """Change a parameter.

    Arguments: a name and a value
    Effect: as `game-set`
    Fails: `Invalid parameter: NAME`; `Invalid value for NAME: VALUE`; `syntax: ...`
    Example:
        > kata-set-param maxVisits 500
        =
        > kata-get-param visits
        = 500
    """
    _change(session, name, value)


@command("kata-get-params")
def kata_get_params(session: Session) -> JsonResult:
    """Report all parameters.

    Reply: a JSON object
    """
    return {name: _value(session, name) for name in _names()}


@command("kata-set-params", rest(word("JSON")), files=True)
def kata_set_params(session: Session, *words: str) -> None:
    """Change several parameters, all of them or none.

    Arguments: a JSON object of names and values
    Effect: as `game-set` for each
    Fails: as `kata-set-param`; `not a JSON object`
    Example:
        > kata-set-params {"maxVisits": 500, "level": 3}
        =
        > kata-get-param level
        = 3
        > kata-set-params {"level": 4, "friction": 1}
        ? Invalid parameter: friction
        > kata-get-param level
        = 3
        > kata-set-params level 4
        ? not a JSON object
    """
    import json

    try:
        values = json.loads(" ".join(words), parse_int=str, parse_float=str)
    except (ValueError, RecursionError):
        values = None
    if not isinstance(values, dict):
        raise Failure("not a JSON object")
    for name, value in values.items():
        _change(session, name, str(value))
