"""Records in all character sets: as CA names them, as it does not, and without it."""

import pytest
from webencodings.labels import LABELS

from gtp_engine.engine.record_loading import CannotLoad, replay
from gtp_engine.engine.session import Session
from gtp_engine.rules import find_game
from gtp_engine.rules.records.charsets import readings
from gtp_engine.rules.records.record import plain_text, possible_records, read_record
from gtp_engine.rules.records.sgf import BadRecord

# Where a multi-byte set has them, the second bytes are those of a backslash and of brackets.
LETTERS = {
    "Shift_JIS": "表ソ能十予",
    "Big5": "功許蓋么",
    "GBK": "乗俓僜",
    "GB18030": "乗俓僜",
    "EUC-KR": "한국",
    "EUC-JP": "表ソ能十予",
    "ISO-8859-1": "Jörg",
    "windows-1252": "Jörg – “5 €”",
    "UTF-8": "Jörg 表 😀",
}


def file_in(codec: str, name: str, named: str) -> bytes:
    """Three turns of Robble, with a name beside the first two."""
    start = f"(;FF[4]{named}GAME[robble]SZ[5]PIE[off]PB[{name}]"
    return f"{start};B[C3]C[{name}];W[D4];B[A1])".encode(codec)


def words(record) -> list[str]:
    """The turns of the main line."""
    node, found = record.root, []
    while (node := node.following) is not None:
        found.append(node.word)
    return found


@pytest.mark.parametrize("charset", LETTERS)
def test_a_file_is_decoded_before_it_is_parsed(charset):
    name = LETTERS[charset]
    record = read_record(file_in(charset, name, f"CA[{charset}]"))
    assert (words(record), record.lost) == (["C3", "D4", "A1"], [])
    assert (record.root.text("PB"), record.root.following.comment) == (name, name)
    written = plain_text(record)
    assert "CA[UTF-8]" in written
    assert read_record(written.encode()).root.text("PB") == name


@pytest.mark.parametrize("words", ["CA[latin1", "CA[latin1]", "see CA [x]"])
def test_a_comment_names_no_character_set(words):
    """Our own form has the comment before `CA`."""
    comment = words.replace("]", r"\]")
    record = read_record(f"(;FF[4]C[{comment}]CA[UTF-8]GAME[robble]SZ[5]PB[表];B[C3])".encode())
    assert record.root.text("PB") == "表"
    again = read_record(plain_text(record).encode())
    assert (again.root.comment, again.root.text("PB")) == (words, "表")


# What a label of the standard stands for, as Python calls it, and letters of it.
OF_LABELS = {
    "shift_jis": ("cp932", "表ソ能十予"),
    "big5": ("big5hkscs", "功許蓋么"),
    "gbk": ("gb18030", "乗俓僜"),
    "gb18030": ("gb18030", "乗俓僜"),
    "euc-kr": ("cp949", "한국"),
    "euc-jp": ("euc_jp", "表ソ能十予"),
    "iso-2022-jp": ("iso2022_jp", "表ソ能十予"),
    "x-mac-cyrillic": ("mac-cyrillic", "Пётр"),
    "macintosh": ("mac-roman", "Jörg"),
    "windows-874": ("cp874", "ชื่อ"),
    "iso-8859-8-i": ("iso8859-8", "שלום"),
}
FOR_ALPHABETS = ("Jörg", "Łukasz", "Пётр", "Νίκος", "שלום", "محمد", "Žižek", "ŵ", "Đorđe")
NO_SETS_OF_LETTERS = {"replacement", "x-user-defined", "utf-16le", "utf-16be"}


def fits(name: str, codec: str) -> bool:
    """Whether a character set has the letters of a name."""
    try:
        name.encode(codec)
    except UnicodeEncodeError:
        return False
    return True


@pytest.mark.parametrize("of", sorted({*LABELS.values()} - NO_SETS_OF_LETTERS))
def test_every_label_of_the_standard_is_known(of):
    codec, name = OF_LABELS.get(of, (of, None))
    name = name or next(each for each in FOR_ALPHABETS if fits(each, codec))
    for label in (label for label, meant in LABELS.items() if meant == of):
        record = read_record(file_in(codec, name, f"CA[{label}]"))
        assert (words(record), record.root.text("PB")) == (["C3", "D4", "A1"], name), label
        assert record.lost == [], label


@pytest.mark.parametrize("named", ["", "CA[Big5]"])
@pytest.mark.parametrize("charset", ["utf-8-sig", "utf-16"])
def test_a_byte_order_mark_counts_more_than_the_name(charset, named):
    record = read_record(file_in(charset, "表ö", named))
    assert (record.root.text("PB"), record.lost) == ("表ö", [])


@pytest.mark.parametrize("named", ["", "CA[UTF-16]", "CA[Big5]"])
@pytest.mark.parametrize("charset", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_mark_is_read_and_told(charset, named):
    data = file_in(charset, "表ö", named)
    for each in (data, "Dear Ann\n".encode(charset) + data):
        record = read_record(each)
        assert (record.root.text("PB"), words(record)) == ("表ö", ["C3", "D4", "A1"])
        assert record.guessed == ("the file has no byte order mark: it was read as UTF-16",)
    assert read_record(data + b"\n").lost == [f"1 characters are not {charset} and were replaced"]


def test_a_zero_alone_is_no_utf_16():
    assert read_record(file_in("utf-8", "J\0rg", "")).guessed == ()


UNUSABLE = ["", "CA[nonsense]", "CA[hex]", "CA[idna]", "CA[utf-7]", "CA[]", "CA[UTF-8]"]


@pytest.mark.parametrize("named", UNUSABLE)
def test_without_a_usable_name_it_is_utf_8_if_that_fits(named):
    for name in ("Jörg", "表ソ", "한국", "Пётр"):
        record = read_record(file_in("utf-8", name, named))
        assert (record.root.text("PB"), len(words(record))) == (name, 3)
        assert record.lost == []
        if named in ("", "CA[]", "CA[UTF-8]"):
            assert record.guessed == ()
        else:
            assert record.guessed[0].endswith(": it was read as UTF-8")


@pytest.mark.parametrize(
    "codec, name, told",
    [
        ("cp932", "ソ", "Shift_JIS"),
        ("cp932", "表ソ能十予", "Shift_JIS"),
        ("cp932", "ゲーム", "Shift_JIS"),
        ("cp932", "田中太郎", "Shift_JIS"),
        ("big5hkscs", "功許蓋么", "Big5"),
        ("big5hkscs", "王小明", "Big5"),
        ("gb18030", "对局者", "GB18030"),
        ("gb18030", "李世石，柯洁", "GB18030"),
        ("cp949", "이세돌", "EUC-KR"),
        ("euc_jp", "テスト", "EUC-JP"),
        ("iso2022_jp", "田中", "ISO-2022-JP"),
        ("iso8859-1", "Jörg", "ISO 8859-1"),
        ("iso8859-1", "François Müßiggänger", "ISO 8859-1"),
        ("cp1252", "Jörg – “5 €”", "ISO 8859-1"),
    ],
)
def test_a_set_that_nobody_named_is_guessed_and_told(codec, name, told):
    for named in UNUSABLE:
        record = read_record(file_in(codec, name, named))
        assert (record.root.text("PB"), words(record)) == (name, ["C3", "D4", "A1"]), named
        (sentence,) = record.guessed
        assert sentence.endswith(f": it was read as {told}, a guess"), named


def test_a_name_that_does_not_fit_is_told():
    record = read_record(file_in("cp932", "表ソ能十予", "CA[EUC-KR]"))
    assert record.root.text("PB") == "表ソ能十予"
    assert record.guessed == (
        "not all letters are of the character set EUC-KR: it was read as Shift_JIS, a guess",
    )
    record = read_record(file_in("utf-8", "한국", "CA[EUC-JP]"))
    assert record.root.text("PB") == "한국"
    assert record.guessed == (
        "not all letters are of the character set EUC-JP: it was read as UTF-8",
    )


def test_a_set_that_cannot_replace_what_it_does_not_know_is_none():
    record = read_record(b"(;CA[idna]GAME[robble]SZ[3]C[\xe9];B[B2])")
    assert (record.root.comment, words(record)) == ("\xe9", ["B2"])


def test_letters_that_no_set_has_are_replaced_and_told():
    data = file_in("ascii", "?", "CA[Big5]").replace(b"PB[?]", b"PB[\xff\x81\xa4\x40]")
    record = read_record(data)
    assert len(words(record)) == 3
    assert record.guessed or record.lost == ["2 characters are not big5hkscs and were replaced"]


def test_ascii_is_what_it_is():
    for named in ("", "CA[nonsense]", "CA[Big5]"):
        assert read_record(file_in("ascii", "Ann", named)).lost == []


def test_a_text_was_decoded_already():
    assert read_record("(;CA[Big5]GAME[robble]SZ[3]PB[ö表])").root.text("PB") == "ö表"


def test_the_game_decides_between_readings():
    """As ISO 8859-1 the comment would go on over two turns, to the end of the next one."""
    data = "(;GAME[robble]SZ[5]PIE[off]PB[ソ];B[C3]C[ソ];W[D4]C[x];B[A1];W[E1])".encode("cp932")
    session = Session(find_game("robble"), 5)
    replay(session, data)
    assert [play.word for play in session.history()] == ["C3", "D4", "A1", "E1"]


def test_a_reading_that_needs_no_mending_is_likelier():
    """As EUC-KR the last bracket would be part of a letter, and the end of the game be missing."""
    first, *_ = possible_records("(;GAME[robble]SZ[5]PIE[off];B[C3]C[ソ])".encode("cp932"))
    assert first.guessed == ("the file names no character set: it was read as Shift_JIS, a guess",)


def test_a_refused_file_says_that_its_character_set_may_be_wrong():
    data = "(;GAME[robble]SZ[5]PIE[off]PB[ソソ];B[C3];W[C3])".encode("cp932")
    with pytest.raises(CannotLoad, match="perhaps CA names the wrong character set, or none"):
        replay(Session(find_game("robble"), 5), data)
    with pytest.raises(BadRecord, match="perhaps CA names"):
        read_record("(;GAME[robble]SZ[x]PB[ソソ])".encode("cp932"))
    with pytest.raises(CannotLoad) as sure:
        replay(Session(find_game("robble"), 5), "(;GAME[robble]SZ[5]PIE[off];B[C3];W[C3])")
    assert "character set" not in str(sure.value)


def test_the_largest_file_is_guessed_within_the_size_of_its_text():
    name = "ソ" * 200_000
    (first, *_) = readings(file_in("cp932", name, ""))
    assert len(first.text) < 500_000
