"""Records in the character sets of the world, named rightly, wrongly or not at all, and altered.

A record that is not altered holds what it says as hexadecimal ASCII: its position at the end and,
where `CA` is right, the name of Black. Such a file loses no turn, whatever its character set.
"""

import random
import re
from functools import cache
from pathlib import Path

from webencodings.labels import LABELS

from gtp_engine.engine.record_writing import Form, written
from gtp_engine.rules import games
from gtp_engine.rules.notation.position_text import write_position
from gtp_engine.rules.records.record import read_record
from rules.records.test_charsets import NO_SETS_OF_LETTERS, OF_LABELS
from standing.alteration import Fault, altered
from support.driver import Driver

NATURAL = {
    "cp932": ["ソ", "表ソ能十予", "ゲーム", "田中太郎"],
    "big5hkscs": ["功許蓋么", "王小明"],
    "gb18030": ["对局者", "李世石，柯洁"],
    "cp949": ["이세돌", "한국 기원"],
    "euc_jp": ["テスト", "田中太郎"],
    "iso2022_jp": ["田中", "表ソ"],
    "iso8859-1": ["Jörg", "François Müßiggänger"],
    "utf-8": ["Jörg", "表ソ", "한국", "Пётр"],
}
"""Names that people have, by Python's name of a character set."""

UNKNOWN = ["", "", "CA[]", "CA[nonsense]", "CA[UTF-8]", "CA[utf-7]"]

_PLACES = {"position": "XP", "name": "XN"}  # properties that no program knows


@cache
def letters(codec: str) -> str:
    """The letters of a character set that one or two bytes stand for, in a fixed order."""
    codes = [bytes([one]) for one in range(0x80, 0x100)]
    codes += [bytes([one, two]) for one in range(0x81, 0xFF) for two in range(0x40, 0xFF)]
    if codec == "iso2022_jp":
        codes = [text.encode(codec) for text in letters("euc_jp") if known(text, codec)]
    decoded = (code.decode(codec, "ignore") for code in codes)
    return "".join(text for text in decoded if len(text) == 1 and text.isalpha())


def known(text: str, codec: str) -> bool:
    """Whether a character set can hold a text, and gives it back."""
    try:
        return text.encode(codec).decode(codec) == text
    except ValueError:
        return False


def make_text(rng: random.Random, path: Path) -> None:
    """The record of a random game; under a right name its letters are any of the set."""
    if rng.random() < 0.6:
        label, of = rng.choice(
            [pair for pair in LABELS.items() if pair[1] not in NO_SETS_OF_LETTERS]
        )
        codec = OF_LABELS.get(of, (of, ""))[0]
        some = "".join(filter(lambda letter: known(letter, codec), letters(codec))) or "a"
        name, named = "".join(rng.choices(some, k=rng.randint(1, 8))), f"CA[{label}]"
    else:
        codec = rng.choice([*NATURAL])
        name, named = rng.choice(NATURAL[codec]), rng.choice(UNKNOWN)
    text, position = record(rng, name, named)
    if rng.random() < 0.5:
        path.write_bytes(altered(rng, text.encode(codec, "replace")))
        return
    told = f"{_PLACES['position']}[{position.encode().hex()}]"
    if named and named not in UNKNOWN:
        told += f"{_PLACES['name']}[{name.encode().hex()}]"
    path.write_bytes(text.replace("GAME[", f"{told}GAME[", 1).encode(codec))


def record(rng: random.Random, name: str, named: str) -> tuple[str, str]:
    """The text of a record with a name and with comments, and its last position."""
    session = Driver(rng.choice(games()).name, rng.randint(2, 6)).session
    while session.outcome is None and rng.random() > 0.05:
        session.play(session.position.to_move, str(rng.choice(session.legal_steps())))
    text = written(session, Form.PLAIN).text.replace("CA[UTF-8]", f"{named}PB[{name}]", 1)
    often = rng.random()
    text = re.sub(
        r"(;[BW]\[[^]]*\])", lambda turn: turn[1] + f"C[{name}]" * (rng.random() < often), text
    )
    return text, write_position(session.position)


def read_text(path: Path) -> None:
    """Load it; what is not altered has all its turns, and its name where that is sure."""
    drive, content = Driver(), path.read_bytes()
    response = drive.send(f"loadsgf {path}")
    if "internal error" in response.text:
        raise Fault(response.text)
    told = {what: re.search(rf"{key}\[(\w+)\]".encode(), content) for what, key in _PLACES.items()}
    if told["position"] is None:
        return
    wanted = {what: bytes.fromhex(each[1].decode()).decode() for what, each in told.items() if each}
    if not response.success:
        raise Fault(f"refused: {response.text}")
    if write_position(drive.session.position) != wanted["position"]:
        raise Fault(f"the game ends with {drive('game-position')}, not {wanted['position']}")
    found = read_record(content)
    if "name" in wanted and (found.root.text("PB"), found.guessed) != (wanted["name"], ()):
        raise Fault(f"{found.root.text('PB')!r}, not {wanted['name']!r}, {found.guessed}")
