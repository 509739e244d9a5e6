"""The tables of the file that holds a match."""

APPLICATION = 0x50415243  # "PARC"
VERSION = 1

SCHEMA = """
create table match (config text not null);
create table engines (name text primary key, identity text not null);
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
    length integer not null,
    unique (game, size, first, second, number, half)
);
create table turns (
    game_id integer not null references games, number integer not null,
    engine text not null, color text not null, word text not null, seconds real not null,
    value real, visits integer, comment text not null,
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
