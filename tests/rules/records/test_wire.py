"""Records through the pipe of an engine, and through the socket of the board."""

import asyncio
import base64
import json
import shutil

import pytest

from gtp_engine.engine.record_writing import written
from gtp_engine.gtp.wire.dispatch import NEEDS_QUOTES
from gtp_engine.rules.records.record import read_record
from gtp_engine.search.backends.kernel import kernel_built
from gtp_engine.search.weights import shipped
from support.driver import Driver
from support.engine_threads import answers_here
from support.pages import Visitor, started
from support.wire import answers

NAMES = {"Shift_JIS": "表ソ能", "Big5": "功許蓋", "GBK": "乗俓", "UTF-8": "Müller\n\nü", "": "Jörg"}


def lines(*texts: str | bytes) -> bytes:
    return b"".join((each if isinstance(each, bytes) else each.encode()) + b"\n" for each in texts)


def in_line(record: bytes) -> str:
    return base64.b64encode(record).decode()


@pytest.mark.parametrize("charset", NAMES)
def test_an_engine_loads_and_gives_records_without_a_file(charset):
    name = NAMES[charset]
    named = f"CA[{charset}]" if charset else ""
    text = f"(;GAME[robble]SZ[3]PIE[off]C[{name}]{named};B[B2];W[A3])"
    sent = in_line(text.encode(charset or "latin-1"))
    loaded, history, record, report, cut = answers_here(
        lines(
            f"game-load_record {sent}",
            "game-history",
            "game-record plain",
            "game-record_report",
            f"game-load_record {sent} 2",
        )
    )
    assert (loaded, history, cut) == (b"=", b"= 1 black B2\n2 white A3", b"=")
    assert json.loads(report[2:])["lost"] == []
    given = base64.b64decode(record[2:])
    assert read_record(given).root.comment == name
    assert b"CA[UTF-8]" in given
    assert all(len(line) <= 78 for line in record.split(b"\n"))


def test_an_engine_says_why_it_refuses_and_changes_nothing():
    bad = in_line(b"(;GAME[robble]SZ[3]\n;B[A1]W[B1])")
    no_base64, refused, report, history = answers_here(
        lines(
            "game-load_record (;)",
            f"game-load_record {bad}",
            "game-record_report",
            "game-history",
        )
    )
    assert no_base64 == b"? the record is not base64"
    assert refused == b"? line 2, column 1: more than one turn in a node"
    assert json.loads(report[2:]) == {
        "done": False,
        "reason": "more than one turn in a node",
        "line": 2,
        "column": 1,
        "lost": [],
        "guessed": [],
    }
    assert history == b"="


def test_the_largest_record_fits_in_a_line():
    text = b"(;GAME[robble]SZ[3]C[".ljust(2**20 - 2, b"x") + b"])"
    loaded, too_large = answers_here(
        lines(f"game-load_record {in_line(text)}", f"game-load_record {in_line(text + b' ')}")
    )
    assert loaded == b"="
    assert too_large == b"? the record is larger than 1048576 bytes"


def test_letters_survive_the_line():
    text, printed, invalid = answers(
        lines(
            'gomill-savesgf - PB=Müller "EV=A cup # 1"',
            "game-printsgf plain",
            b"gomill-savesgf - PB=M\xfcller",
        )
    )
    assert "PB[Müller]" in text.decode() and "EV[A cup # 1]" in text.decode()
    assert b"PB" not in printed
    assert invalid == b"? invalid arguments"


def test_an_answer_says_what_it_leaves_out_of_a_record():
    loaded = in_line("(;GAME[robble]SZ[3]C[ü\n\nö])".encode())
    _, printed, report = answers_here(
        lines(f"game-load_record {loaded}", "printsgf", "game-record_report")
    )
    assert "C[ü\nö]" in printed.decode()
    assert "empty lines" in json.loads(report[2:])["lost"][0]


def test_a_path_in_quotes_may_hold_blanks_and_a_hash(tmp_path):
    path = tmp_path / "my game #1.sgf"
    written_file, loaded, cut, cut_too = answers_here(
        lines(
            f'printsgf "{path}" # a comment',
            f'loadsgf "{path}"',
            f"printsgf {tmp_path}/game#1.sgf",
            f"loadsgf {tmp_path}/game#1.sgf",
        )
    )
    assert (written_file, loaded) == (b"=", b"=")
    assert cut == cut_too == f"? {NEEDS_QUOTES}".encode()
    assert [each.name for each in tmp_path.iterdir()] == ["my game #1.sgf"]


def test_a_path_may_hold_any_bytes(tmp_path):
    path = bytes(tmp_path) + b"/M\xfcller.sgf"
    missing = bytes(tmp_path) + b"/\xff.sgf"
    written_file, loaded, refused, report = answers_here(
        lines(b"printsgf " + path, b"loadsgf " + path, b"loadsgf " + missing, "game-record_report")
    )
    assert (written_file, loaded, refused) == (b"=", b"=", b"? cannot load file")
    assert "\N{REPLACEMENT CHARACTER}.sgf does not exist" in json.loads(report[2:])["reason"]


@pytest.mark.skipif(not kernel_built(), reason="needs the kernel")
def test_json_contains_no_lone_surrogates(tmp_path):
    path = bytes(tmp_path) + b"/M\xfcller"
    shutil.copy(shipped("implo"), path)
    _, parameters, settings = answers_here(
        lines(b"game-set weights " + path, "kata-get-params", "game-settings")
    )
    assert json.loads(parameters[2:])["weights"].endswith("M\N{REPLACEMENT CHARACTER}ller")
    assert "M\N{REPLACEMENT CHARACTER}ller".encode() in settings


def test_the_board_opens_and_saves_a_record_through_its_socket():
    text = "(;CA[Big5]GAME[pilo]SZ[3]PIE[off]PB[功許蓋];B[A1]C[許](;W[C1]TR[aa])(;W[B2]N[x]))"

    async def saved() -> tuple[str, list[str]]:
        async with started() as (_, address):
            page = await Visitor.enter(address)
            await page.hear("state")
            await page.send("open", data=in_line(b"(;GAME[pilo]SZ[3]PIE[none])"))
            refused = (await page.hear("told"))["text"]
            await page.send("open", data=in_line(text.encode("big5")))
            await page.hear("nodes")
            records = []
            for form in ("plain", "display"):
                await page.send("save", form=form)
                records.append((await page.hear("record"))["text"])
            return refused, records

    refused, records = asyncio.run(saved())
    assert refused == (
        "The file cannot be opened: line 1, column 2: PIE is pieces, sides or off, not 'none'."
    )
    for record in records:
        for kept in ("PB[功許蓋]", "許]", "TR[aa]", "N[x]", "CA[UTF-8]"):
            assert kept in record
        drive = Driver()
        answer = drive(f"game-load_record {in_line(record.encode())}")
        assert (answer, drive("game-history")) == ("", "1 black A1\n2 white C1")
        assert len(list(read_record(written(drive.session).text))) == 4
    assert records[0] != records[1]
