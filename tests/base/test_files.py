"""Files are written whole and stay unchanged; reading is bounded."""

import errno
import os
import stat

import pytest

from gtp_engine.base import files
from gtp_engine.base.files import (
    CannotRead,
    append_line,
    check_apart,
    check_writable,
    read_file,
    replacing,
    sentence_of,
    write_file,
)

OLD, NEW = b"old and longer", b"new"


def mode(path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "game.sgf"
    path.write_bytes(OLD)
    return path


def only(path) -> bool:
    """Whether nothing stands beside a file."""
    return os.listdir(path.parent) == [path.name]


@pytest.mark.parametrize("kept", [0o600, 0o640, 0o644, 0o666, 0o755])
def test_an_existing_file_keeps_its_mode(path, kept):
    path.chmod(kept)
    write_file(path, NEW)
    assert (path.read_bytes(), mode(path)) == (NEW, kept)
    assert only(path)


@pytest.mark.parametrize("umask, expected", [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
def test_a_new_file_has_the_mode_that_the_umask_leaves(tmp_path, umask, expected):
    before = os.umask(umask)
    try:
        write_file(tmp_path / "new", NEW)
    finally:
        os.umask(before)
    assert mode(tmp_path / "new") == expected


@pytest.mark.parametrize("protected", [0o444, 0o400])
def test_a_read_only_file_is_refused(path, protected):
    path.chmod(protected)
    with pytest.raises(PermissionError, match="is read-only"):
        write_file(path, NEW)
    with pytest.raises(PermissionError, match="is read-only"):
        append_line(path, "new")
    assert path.read_bytes() == OLD
    assert only(path)


def test_an_error_names_the_file_and_the_remedy(tmp_path, monkeypatch):
    missing = tmp_path / "none" / "game.sgf"
    with pytest.raises(FileNotFoundError) as failed:
        write_file(missing, NEW)
    told = f"{missing}: {os.strerror(errno.ENOENT)}; check the name and its folder"
    assert sentence_of(failed.value) == told

    def full(number):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError) as failed:
        write_file(tmp_path / "new", NEW)
    told = f"{tmp_path / 'new'}: {os.strerror(errno.ENOSPC)}; free some space"
    assert sentence_of(failed.value) == told
    assert not os.listdir(tmp_path)


def test_a_draft_is_never_open_to_others_than_the_file(path):
    path.chmod(0o600)
    with replacing(path) as file:
        (draft,) = set(path.parent.iterdir()) - {path}
        assert mode(draft) == 0o600
        file.write(NEW)
    assert mode(path) == 0o600


def test_all_names_of_a_file_show_what_was_written(path):
    twin = path.with_name("twin.sgf")
    os.link(path, twin)
    write_file(path, NEW)
    assert twin.read_bytes() == path.read_bytes() == NEW
    assert path.samefile(twin)


def test_a_symbolic_link_stays_one(path):
    link, chain = path.with_name("link"), path.with_name("chain")
    link.symlink_to(path.name)
    chain.symlink_to(link)
    write_file(chain, NEW)
    assert chain.is_symlink() and link.is_symlink() and not path.is_symlink()
    assert path.read_bytes() == NEW


def test_a_link_to_nothing_makes_what_it_names(tmp_path):
    (tmp_path / "link").symlink_to("made")
    write_file(tmp_path / "link", NEW)
    assert (tmp_path / "made").read_bytes() == NEW
    assert (tmp_path / "link").is_symlink()


def test_a_loop_of_links_is_an_error(tmp_path):
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(OSError):
        write_file(tmp_path / "a", NEW)


def test_nobody_can_foresee_the_name_of_a_draft(path, monkeypatch):
    """What stands where the draft would be is neither followed nor overwritten."""
    victim = path.with_name("victim")
    victim.write_bytes(OLD)
    names = set()
    for _ in range(3):
        with replacing(path) as file:
            names |= {each for each in os.listdir(path.parent) if each.endswith(".draft")}
            file.write(NEW)
    assert len(names) == 3
    monkeypatch.setattr(files.os, "urandom", lambda number: b"a" * number)
    path.with_name(f".{'61' * 8}.draft").symlink_to(victim)
    with pytest.raises(FileExistsError):
        write_file(path, b"newer")
    assert (victim.read_bytes(), path.read_bytes()) == (OLD, NEW)


def test_a_name_may_be_as_long_as_the_system_allows(tmp_path):
    path = tmp_path / ("a" * 250 + ".sgf")
    for content in (OLD, NEW):
        write_file(path, content)
        assert path.read_bytes() == content


@pytest.mark.parametrize("ending", ["/", "//"])
def test_a_name_that_ends_like_a_folder_is_refused(path, ending):
    with pytest.raises(OSError, match="names a folder"):
        write_file(f"{path}{ending}", NEW)
    assert path.read_bytes() == OLD


def test_a_failure_leaves_the_old_file(path):
    def write():
        with replacing(path) as file:
            file.write(NEW)
            raise RuntimeError("the writer failed")

    with pytest.raises(RuntimeError):
        write()
    assert path.read_bytes() == OLD
    assert only(path)


def test_where_nothing_new_may_be_made_the_file_is_written_in_place(path, monkeypatch):
    def forbid(*_):
        raise PermissionError("the folder is read-only")

    monkeypatch.setattr(files, "_draft", forbid)
    number = path.stat().st_ino
    write_file(path, NEW)
    assert (path.read_bytes(), path.stat().st_ino) == (NEW, number)
    with pytest.raises(PermissionError):
        write_file(path.with_name("other"), NEW)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_a_file_keeps_its_owner(path):
    os.chown(path, 12345, 54321)
    write_file(path, NEW)
    assert path.read_bytes() == NEW
    assert (path.stat().st_uid, path.stat().st_gid) == (12345, 54321)
    assert only(path)


def test_what_is_no_regular_file_is_not_written(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, tmp_path, "/dev/null"):
        with pytest.raises(OSError, match="not a regular file"):
            write_file(path, NEW)


def test_a_place_is_looked_at_before_long_work(path, tmp_path):
    before = sorted(tmp_path.iterdir())
    for good in (path, tmp_path / "new"):
        check_writable(good)
    check_writable("/dev/null", streams=True)
    missing = tmp_path / "none" / "page.html"
    for bad in (missing, tmp_path, "/dev/null", tmp_path / ("n" * 300), f"{tmp_path}/new/"):
        with pytest.raises(OSError):  # noqa: PT011 (each in its own words)
            check_writable(bad)
    with pytest.raises(FileNotFoundError) as failed:
        check_writable(missing)
    assert str(missing) in sentence_of(failed.value)
    assert sorted(tmp_path.iterdir()) == before and path.read_bytes() == OLD


def test_a_device_is_written_where_that_is_asked_for():
    write_file("/dev/null", NEW, streams=True)
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_lines_are_added(tmp_path):
    for line in ("one", "two"):
        append_line(tmp_path / "lines", line)
    assert (tmp_path / "lines").read_text() == "one\ntwo\n"


def test_a_line_that_does_not_fit_on_the_disk_leaves_no_part(tmp_path, monkeypatch):
    path, write = tmp_path / "lines", os.write
    append_line(path, "one")

    def no_space(number, content):
        if len(content) < len(b"three\n"):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(number, content[:2])

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", no_space)
        with pytest.raises(OSError) as failed:
            append_line(path, "three")
    assert sentence_of(failed.value) == f"{path}: No space left on device; free some space"
    append_line(path, "two")
    assert path.read_text() == "one\ntwo\n"


def test_a_system_without_the_flags_of_posix_does_as_well(tmp_path):
    """Windows has neither O_NOFOLLOW nor fchmod: the module must import and write without."""
    import subprocess
    import sys

    code = (
        "import os\n"
        "for name in ('O_NOFOLLOW', 'O_NONBLOCK', 'O_CLOEXEC', 'fchmod'): delattr(os, name)\n"
        "os.supports_fd.discard(os.chmod)\n"
        "from gtp_engine.base.files import read_file, write_file\n"
        "for text in (b'old', b'new'): write_file('game', text)\n"
        "print(read_file('game', 9))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True
    )
    assert (done.stdout, done.stderr) == ("b'new'\n", "")


def refusal(path, most=100) -> str:
    with pytest.raises(CannotRead) as raised:
        read_file(path, most)
    (line,) = str(raised.value).splitlines()
    return line


def test_what_is_read_is_bounded(path):
    assert read_file(path, len(OLD)) == OLD
    assert refusal(path, len(OLD) - 1) == f"{path} is larger than {len(OLD) - 1} bytes"


def test_what_cannot_be_read_is_one_clear_error(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path, "/dev/zero"):
        assert refusal(path) == f"{path} is not a regular file"
    assert refusal(tmp_path / "none") == f"{tmp_path / 'none'} does not exist"
    assert "cannot be read" in refusal(tmp_path / ("a" * 3000))


def test_a_file_that_has_nothing_to_read_yet_is_not_waited_for(path, monkeypatch):
    """Such as /proc/kmsg, which calls itself a regular file."""

    def nothing_yet(*_):
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(files.os, "read", nothing_yet)
    assert "cannot be read: Resource" in refusal(path)


def test_a_pipe_is_read_where_that_is_asked_for(tmp_path):
    read, write = os.pipe()
    os.write(write, NEW)
    os.close(write)
    assert read_file(f"/dev/fd/{read}", 100, streams=True) == NEW
    os.close(read)


def test_files_that_are_written_and_read_are_apart(path):
    other, link, hard = (path.with_name(name) for name in ("other", "link", "hard"))
    link.symlink_to(path.name)
    os.link(path, hard)
    check_apart([other], [path])
    check_apart(["/dev/null", "/dev/null"], ["/dev/null"])
    for same in (path, f"{path.parent}/./{path.name}", link, hard):
        with pytest.raises(OSError, match="cannot be written: it is read, too"):
            check_apart([other, same], [path])
    with pytest.raises(OSError, match="cannot be written: it is the same file as"):
        check_apart([other, f"{other.parent}/../{other.parent.name}/other"])
