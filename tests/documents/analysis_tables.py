"""The tables of protocol_specs/clients/analysis-engine.md, from the declarations."""

import json
import re
from collections.abc import Iterable

from gtp_engine.base.option import Option, option_of, options, shown
from gtp_engine.cli.analyze import AnalyzeOptions
from gtp_engine.gtp.analysis.overrides import OVERRIDES
from gtp_engine.gtp.analysis.reading import ACTION_FIELDS, ACTIONS, FIELDS
from gtp_engine.gtp.analysis.refusal import CODES
from gtp_engine.gtp.analysis.request import WITHOUT_EFFECT
from gtp_engine.search.options import SearchOptions

_TABLE = re.compile(r"^<!-- (\w+) -->\n(?:\|.*\n)*", re.MULTILINE)


def with_tables(page: str) -> str:
    """A page with its tables made anew. Each stands below a comment with its name."""
    return _TABLE.sub(lambda found: f"<!-- {found[1]} -->\n{TABLES[found[1]]}\n", page)


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head)]
    lines += [tuple(cell.replace("|", "\\|") for cell in row) for row in rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _default(value: object) -> str:
    return "" if value is None or value == "" else f"`{json.dumps(value)}`"


def _told(option: Option) -> str:
    return "" if option.default is None and not option.values.auto else str(shown(option.default))


_fields = (
    (f"`{field.key}`", field.shape.name, _default(field.default), field.meaning)
    for _, field in FIELDS.values()
)
_SEARCH = {each.name for each in options(SearchOptions)}
_overrides = [
    (f"`{name}`", each.values.name, _told(each), each.meaning)
    for name, each in OVERRIDES.items()
    if name not in _SEARCH or each.values != option_of(options(SearchOptions), name).values
]
_told_elsewhere = ", ".join(
    f"`{name}`" for name in OVERRIDES if name not in {row[0].strip("`") for row in _overrides}
)
_overrides += [(_told_elsewhere, "", "", "[search options](../engine/search-options.md)")]
_actions = (
    (f"`{name}`", meaning, ", ".join(f"`{each.key}`" for each in ACTION_FIELDS.get(name, ())))
    for name, meaning in ACTIONS.items()
)
_more = {field.key: field for fields in ACTION_FIELDS.values() for field in fields}
_options = (
    (f"`--{each.flag}`", each.values.name, _told(each), each.meaning)
    for each in options(AnalyzeOptions)
)

TABLES = {
    "fields": _table(("field", "value", "default", "meaning"), _fields),
    "overrides": _table(("setting", "value", "default", "meaning"), _overrides),
    "ignored": _table(
        ("fields without effect",), ((", ".join(f"`{key}`" for key in WITHOUT_EFFECT),),)
    ),
    "actions": _table(("action", "effect", "takes"), _actions),
    "arguments": _table(
        ("field", "value", "meaning"),
        ((f"`{each.key}`", each.shape.name, each.meaning) for each in _more.values()),
    ),
    "codes": _table(("code", "meaning"), ((f"`{code}`", CODES[code]) for code in CODES)),
    "options": _table(("option", "value", "default", "meaning"), _options),
}
