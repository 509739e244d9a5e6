"""Stored files: reading returns what was written; one line rejects anything else."""

import json
import os

import pytest

from gtp_engine.search.data_file import LARGEST, UnusableFile, read_stored, write_stored

KIND, VERSION = "weights", 3
FACTS = {"game": "boloa", "sizes": [5, 9], "loss": 0.25}
PAYLOAD = bytes(range(256)) * 40


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "boloa.weights"
    write_stored(path, KIND, VERSION, FACTS, PAYLOAD)
    return path


def refusal(path) -> str:
    with pytest.raises(UnusableFile) as raised:
        read_stored(path, KIND, VERSION)
    (line,) = str(raised.value).splitlines()
    return line


def test_what_was_written_is_read(path):
    assert read_stored(path, KIND, VERSION) == (FACTS, PAYLOAD)


def test_an_empty_payload_is_one(path):
    write_stored(path, KIND, VERSION, {}, b"")
    assert read_stored(path, KIND, VERSION) == ({}, b"")


def test_the_first_line_says_what_it_is_to_everybody(path):
    header = json.loads(path.read_bytes().partition(b"\n")[0])
    assert header.pop("sha256")
    assert header == {"kind": KIND, "version": VERSION, **FACTS, "bytes": len(PAYLOAD)}


def test_writing_replaces_the_file_and_leaves_nothing_beside_it(path):
    write_stored(path, KIND, VERSION, {}, b"new")
    assert read_stored(path, KIND, VERSION).payload == b"new"
    assert os.listdir(path.parent) == [path.name]


def test_a_failure_to_write_leaves_the_old_file(path, monkeypatch):
    def fail(*_):
        raise OSError("no space left")

    monkeypatch.setattr("gtp_engine.base.files.os.replace", fail)
    with pytest.raises(OSError, match="no space left"):
        write_stored(path, KIND, VERSION, {}, b"new")
    assert read_stored(path, KIND, VERSION).payload == PAYLOAD
    assert os.listdir(path.parent) == [path.name]


def test_a_missing_file(tmp_path):
    assert refusal(tmp_path / "none") == f"{tmp_path / 'none'} does not exist"


@pytest.mark.parametrize("name", ["", "pipe"])
def test_what_is_no_file_is_not_waited_for(name, tmp_path):
    if name:
        os.mkfifo(tmp_path / name)
    assert refusal(tmp_path / name).endswith(" is not a regular file")


def test_a_name_that_no_file_can_have(tmp_path):
    """Which of the two it is depends on the Python."""
    assert "not there" in (told := refusal(tmp_path / "a\0b")) or "cannot be read" in told
    assert "cannot be read" in (told := refusal(tmp_path / ("a" * 3000))) or "not there" in told


@pytest.mark.parametrize("kept", [0, 1, 20])
def test_a_header_cut_off(path, kept):
    path.write_bytes(path.read_bytes()[:kept])
    assert refusal(path) == f"{path} does not begin with a complete header"


NO_HEADERS = {
    "words": b"hello",
    "a list": b"[]",
    "a number": b"17",
    "no text": b"\xff\xfe",
    "too deep": b"[" * 60000,
    "too long": b'{"kind": "' + b"x" * 2**17 + b'"}',
}


@pytest.mark.parametrize("line", NO_HEADERS.values(), ids=NO_HEADERS)
def test_a_first_line_that_is_no_header(path, line):
    path.write_bytes(line + b"\n" + PAYLOAD)
    assert refusal(path) == f"{path} does not begin with a complete header"


def test_a_payload_cut_off(path):
    path.write_bytes(path.read_bytes()[:-1])
    assert refusal(path) == f"{path} is cut off or too long: 10239 bytes, not 10240"


def test_a_payload_with_more_behind_it(path):
    path.write_bytes(path.read_bytes() + b"!")
    assert refusal(path) == f"{path} is cut off or too long: 10241 bytes, not 10240"


def test_an_altered_payload(path):
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    assert refusal(path) == f"{path} was altered: its checksum does not fit"


@pytest.mark.parametrize(
    "old, new", [(b'"boloa"', b'"implo"'), (b"0.25", b"0.26"), (b'"sha256"', b'"sha255"')]
)
def test_an_altered_header(path, old, new):
    content = path.read_bytes()
    assert old in content
    path.write_bytes(content.replace(old, new))
    assert refusal(path) == f"{path} was altered: its checksum does not fit"


def test_another_kind(path):
    write_stored(path, "swap map", VERSION, FACTS, PAYLOAD)
    assert refusal(path) == f"{path} holds no weights"


@pytest.mark.parametrize("version", [2, 4, "3", None, [[1] * 1000]])
def test_another_version(path, version):
    write_stored(path, KIND, version, FACTS, PAYLOAD)
    told = f"{path} has version {repr(version)[:20]}; this engine reads version 3"
    assert refusal(path) == told


def test_a_file_that_is_too_large(path):
    path.write_bytes(b"\0" * (LARGEST + 1))
    assert refusal(path) == f"{path} is larger than {LARGEST} bytes"


def test_what_nobody_would_read_is_not_written(path):
    with pytest.raises(ValueError, match="too large"):
        write_stored(path, KIND, VERSION, {}, b"\0" * LARGEST)
    with pytest.raises(ValueError, match="too large"):
        write_stored(path, KIND, VERSION, {"long": "x" * 2**16}, b"")
    with pytest.raises(ValueError, match="facts cannot be named bytes, kind"):
        write_stored(path, KIND, VERSION, {"kind": "x", "bytes": 1}, b"")
    assert read_stored(path, KIND, VERSION).payload == PAYLOAD


def test_a_file_for_other_programs_may_be_larger(path):
    write_stored(path, KIND, VERSION, {}, b"\0" * LARGEST, largest=2 * LARGEST)
    assert path.stat().st_size > LARGEST
    assert refusal(path) == f"{path} is larger than {LARGEST} bytes"
