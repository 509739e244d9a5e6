"""Altered inputs: bytes of any kind, and files whose checksum fits what they contain."""

import json
import random
import struct
from collections.abc import Callable
from pathlib import Path

from gtp_engine.search.data_file import write_stored
from gtp_engine.search.weights import shipped

CHUNKS = [b"", b"\x00", b"\n", b"\r\n", b"\t", b"#", b"\xff\xfe", b"\xef\xbb\xbf", b"\xed\xa0\x80"]
CHUNKS += [b"-1", b"0", b"99999999999999999999", b"1e999", b"NaN", b"-", b".", b"/", b"[", b"]"]
CHUNKS += [b"(", b")", b";", b"{", b"}", b'"', b"'", b"\\", b"=", b"a" * 300, "é٣".encode()]


def altered(rng: random.Random, data: bytes, most: int = 4) -> bytes:
    """Bytes with some changes: bits, chunks, parts that are missing, repeated or moved."""
    for _ in range(rng.randint(1, most)):
        at = rng.randrange(len(data) + 1)
        length = min(rng.choice([1, 1, 2, 8, 64, 1000]), len(data) - at)
        part, rest = data[at : at + length], data[at + length :]
        match rng.randrange(7):
            case 0 if part:
                part = bytes([part[0] ^ 1 << rng.randrange(8)]) + part[1:]
            case 1:
                part = rng.choice(CHUNKS)
            case 2:
                part += rng.choice(CHUNKS)
            case 3:
                part = b""
            case 4:
                part *= rng.choice([2, 3, 50])
            case 5:
                other = rng.randrange(len(data) + 1)
                part = data[other : other + length]
            case 6 if rng.random() < 0.3:
                rest = b""
        data = data[:at] + part + rest
    return data


class Fault(Exception):
    """Something that no input may bring about."""


JUNK = [None, True, 0, 1, -1, 2**31, 2**63, 10**30, 0.5, 1e308, "", "x", "pilo", [], {}, [[1]]]

NETS = sorted(shipped("").parent.glob("*.weights"))
"""The weights that the program ships."""


def resigned(
    rng: random.Random,
    path: Path,
    kind: str,
    version: int,
    content: bytes,
    alter: Callable[[random.Random, bytes], bytes],
) -> None:
    """Write a data file of searches with other facts or another payload; its checksum fits."""
    line, _, payload = content.partition(b"\n")
    facts = json.loads(line)
    for name in ("kind", "version", "bytes", "sha256"):
        del facts[name]
    if rng.random() < 0.3:
        facts[rng.choice([*facts, "new"])] = rng.choice(JUNK)
    if rng.random() < 0.9:
        payload = alter(rng, payload)
    write_stored(path, kind, version, facts, payload)


# Half precision: both zeros, the least, the largest, infinities, numbers that are none.
EXTREME = [0x0000, 0x8000, 0x0001, 0x7BFF, 0xFBFF, 0x7C00, 0xFC00, 0x7E00, 0xFE01, 0x3C00]


def other_numbers(rng: random.Random, payload: bytes) -> bytes:
    """The numbers of a net, some of them, a stretch or all of them changed."""
    numbers = list(struct.unpack(f"<{len(payload) // 2}H", payload))
    begin = rng.randrange(len(numbers))
    end = min(len(numbers), begin + rng.choice([1, 10, 1000, len(numbers)]))
    match rng.randrange(4):
        case 0:
            numbers[begin:end] = [rng.choice(EXTREME)] * (end - begin)
        case 1:
            numbers[begin:end] = [rng.choice(EXTREME) for _ in range(begin, end)]
        case 2:
            numbers[begin:end] = [rng.randrange(2**16) for _ in range(begin, end)]
        case 3:
            del numbers[begin:end]
    return struct.pack(f"<{len(numbers)}H", *numbers)
