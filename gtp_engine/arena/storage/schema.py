"""The tables of the file of a match, and the upgrade of files of earlier versions."""

from collections.abc import Iterator

APPLICATION = 0x50415243  # "PARC"
VERSION = 2

# The columns that each version added to the tables of the version before: a name and a type.
_ADDED = {
    2: {
        "engines": ("program text",),
        "games": ("adjudicated text",),
        "turns": (
            "processor real",
            "waited real",
            "late real",
            "forgiven real",
            "untimed real",
        ),
    },
}

PLAYING = """
create table if not exists playing (
    game text, size integer, pie text not null, first text, second text, number integer,
    half integer, opening text not null, turns text not null, owner text not null,
    primary key (game, size, first, second, number, half)
)
"""
"""Games in progress. Programs that do not know this table ignore it, so it needs no version."""

SCHEMA = """
create table match (config text not null);
create table engines (name text primary key, identity text not null, program text);
create table openings (
    game text, size integer, number integer, words text not null, value real,
    primary key (game, size, number)
);
create table claims (
    game text, size integer, first text, second text, number integer, half integer,
    owner text not null, renewed real not null,
    primary key (game, size, first, second, number, half)
);
create table games (
    id integer primary key,
    game text not null, size integer not null, pie text not null,
    first text not null, second text not null, number integer not null, half integer not null,
    black text not null, white text not null, opening text not null,
    winner text, result text not null, reason text not null, fault text,
    swapped integer not null, started real not null, seconds real not null,
    length integer not null, adjudicated text,
    unique (game, size, first, second, number, half)
);
create table turns (
    game_id integer not null references games, number integer not null,
    engine text not null, color text not null, word text not null, seconds real not null,
    value real, visits integer, comment text not null,
    processor real, waited real, late real, forgiven real, untimed real,
    primary key (game_id, number)
) without rowid;
create table evidence (
    game_id integer not null references games, engine text not null, lines text not null
);
create table voids (
    game text, size integer, first text, second text, number integer, half integer,
    reason text not null, time real not null
);
create table trials (
    number integer primary key, settings text not null, start integer not null,
    games integer not null
);
"""


def upgrades(version: int) -> Iterator[str]:
    """Statements that add the missing columns to a file of an earlier version."""
    for table, columns in _missing(version).items():
        for column in columns:
            yield f"alter table {table} add column {column}"
    if version < VERSION:
        yield f"pragma user_version = {VERSION}"


def views(version: int) -> Iterator[str]:
    """Statements that make such a file readable without writing to it."""
    for table, columns in _missing(version).items():
        empty = ", ".join(f"null as {column.split()[0]}" for column in columns)
        yield f"create temp view {table} as select *, {empty} from main.{table}"


def _missing(version: int) -> dict[str, list[str]]:
    """The columns missing in a file of a version, by table."""
    missing: dict[str, list[str]] = {}
    for added in range(version + 1, VERSION + 1):
        for table, columns in _ADDED[added].items():
            missing.setdefault(table, []).extend(columns)
    return missing
