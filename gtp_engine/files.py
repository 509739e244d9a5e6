"""Files: the one place that writes the package's files, and that reads those of others.

Writing leaves the old file or the new one, whole: a draft is written beside the file and takes its
place. protocol_specs/records.md says what that means for links, modes and read-only files.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO

# Windows has no O_NOFOLLOW and no fchmod, and translates line ends unless told not to; everywhere
# else there is no O_BINARY.
_COMMON = getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
_WRITE = os.O_WRONLY | getattr(os, "O_NOFOLLOW", 0) | _COMMON
_NEW, _IN_PLACE = _WRITE | os.O_CREAT | os.O_EXCL, _WRITE | os.O_TRUNC
_READ = os.O_RDONLY | _COMMON
_READ_AT_ONCE = _READ | getattr(os, "O_NONBLOCK", 0)

_ANY_MAY_WRITE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH
_PART = 2**16


class CannotRead(OSError):
    """The file is missing, unreadable, no regular file or too large; the text says which."""


def read_file(path: str | Path, most: int, streams: bool = False) -> bytes:
    """The content of a regular file of at most so many bytes.

    Whatever the name stands for, this neither waits nor takes more memory. Raises CannotRead.

    streams -- whether it may be a pipe or a device: that is waited for
    """
    try:
        # A pipe that nobody writes to would block the opening.
        number = os.open(path, _READ if streams else _READ_AT_ONCE)
        try:
            if not (streams or stat.S_ISREG(os.fstat(number).st_mode)):
                raise CannotRead(f"{path} is no regular file")
            # Files of the system say that they are empty, and may be endless.
            content = b"".join(_parts(number, most + 1))
        finally:
            os.close(number)
    except FileNotFoundError:
        raise CannotRead(f"{path} is not there") from None
    except IsADirectoryError:
        raise CannotRead(f"{path} is no regular file") from None
    except CannotRead:
        raise
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        reason = error.strerror if isinstance(error, OSError) else error
        raise CannotRead(f"{path} cannot be read: {reason}") from None
    if len(content) > most:
        raise CannotRead(f"{path} is larger than {most} bytes")
    return content


def _parts(number: int, most: int) -> Iterator[bytes]:
    left = most
    while left and (part := os.read(number, min(left, _PART))):
        yield part
        left -= len(part)


def write_file(
    path: str | Path, content: bytes, durable: bool = True, streams: bool = False
) -> None:
    """Write a file: all of it, or the file stays as it was. See `replacing`."""
    with replacing(path, durable, streams) as file:
        file.write(content)


@contextmanager
def private_file(name: str, content: bytes) -> Iterator[Path]:
    """A file in a folder of its own that only this user can read; both go with the block."""
    from tempfile import TemporaryDirectory  # slow to import, for an engine that never needs it

    with TemporaryDirectory(prefix="gtp-engine-") as folder:
        path = Path(folder) / name
        with open(os.open(path, _NEW, 0o600), "wb") as file:
            file.write(content)
        yield path


def append_line(path: str | Path, line: str) -> None:
    """Add a line to a regular file, which is made if it is not there. Raises OSError."""
    if (old := _status(path)) is not None:
        _check_writable(path, old)
    number = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | _COMMON, 0o666)
    with open(number, "ab") as file:
        file.write(line.encode() + b"\n")


@contextmanager
def replacing(path: str | Path, durable: bool = True, streams: bool = False) -> Iterator[BinaryIO]:
    """A file to write to, which takes the place of `path` when the block ends without an error.

    An existing file keeps its mode, its owner, and all its names: a symbolic link stays one, and
    the file that it leads to is written. A new file has the mode that the umask leaves. What must
    be written in place is not whole if the writing fails: a file with several hard links or of
    another owner, or in a folder where nothing new may be made.

    durable -- whether to wait until the content is on the disk
    streams -- whether it may be a pipe or a device: that is simply written to

    Raises OSError: also for a read-only file (whoever we are), for what is no regular file, and for
    a name that ends like a folder's.
    """
    target = _target(path)
    old = _status(path)
    if old is None:
        beside: tuple[int, Path] | None = _draft(target, 0o666)
    elif streams and (stat.S_ISFIFO(old.st_mode) or stat.S_ISCHR(old.st_mode)):
        with open(path, "wb") as file:
            yield file
        return
    else:
        _check_writable(path, old)
        beside = _draft_like(target, old)
    if beside is None:
        with open(os.open(target, _IN_PLACE), "wb") as file:
            yield file
            _finish(file, durable)
        return
    number, draft = beside
    try:
        with open(number, "wb") as file:
            yield file
            _finish(file, durable)
        os.replace(draft, target)
    except BaseException:
        with suppress(OSError):
            draft.unlink()
        raise
    if durable:
        _sync_folder(target.parent)


def _target(path: str | Path) -> Path:
    """The file that a name leads to. Raises OSError."""
    text = os.fspath(path)
    if text.endswith(tuple(filter(None, (os.sep, os.altsep)))):
        raise IsADirectoryError(f"{path} names a folder")
    try:
        return Path(text).resolve()
    except (RuntimeError, ValueError) as error:  # a loop of links, a name that no file can have
        raise OSError(f"{path} cannot be written: {error}") from None


def _status(path: str | Path) -> os.stat_result | None:
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


def _check_writable(path: str | Path, old: os.stat_result) -> None:
    if not stat.S_ISREG(old.st_mode):
        raise OSError(f"{path} is no regular file")
    if not old.st_mode & _ANY_MAY_WRITE or not os.access(path, os.W_OK):
        raise PermissionError(f"{path} is read-only")


def _draft_like(target: Path, old: os.stat_result) -> tuple[int, Path] | None:
    """A draft that can replace a file; None where only writing in place keeps what the file is."""
    if old.st_nlink > 1:
        return None
    try:
        number, draft = _draft(target, 0o600)
    except PermissionError:
        return None
    new = os.fstat(number)
    if (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid):
        os.close(number)
        draft.unlink()
        return None
    os.chmod(number if os.chmod in os.supports_fd else draft, stat.S_IMODE(old.st_mode))
    return number, draft


def _draft(target: Path, mode: int) -> tuple[int, Path]:
    """A new file beside the target, of a name that nobody can foresee. Raises OSError."""
    draft = target.with_name(f".{token_hex(8)}.draft")
    return os.open(draft, _NEW, mode), draft


def _finish(file: BinaryIO, durable: bool) -> None:
    file.flush()
    if durable:
        os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    """See to it that a new name is on the disk, too, where the system can do that."""
    if os.name == "nt":
        return
    number = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # Some file systems cannot.
            os.fsync(number)
    finally:
        os.close(number)
