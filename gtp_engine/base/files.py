"""The only module that writes the package's files and reads files of others.

Writing leaves either the old or the new file, complete: a draft is written beside the file and then
replaces it. protocol_specs/clients/records.md describes the effect on links, modes and files
that are read-only.
"""

import errno
import os
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
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
_DRAFT = ".draft"


# What people can do about an error of the system.
_REMEDIES = {
    errno.EACCES: "check its permissions",
    errno.EDQUOT: "free some space",
    errno.EEXIST: "choose another name",
    errno.EISDIR: "name a file in it",
    errno.ENOENT: "check the name and its folder",
    errno.ENOSPC: "free some space",
    errno.ENOTDIR: "choose another name",
    errno.EPERM: "check its permissions",
    errno.EROFS: "choose another folder",
}


def sentence_of(error: OSError) -> str:
    """A sentence for people: which file, what is wrong with it, and what to do."""
    if error.errno is None:  # it is one of ours, and a sentence already
        return str(error)
    # Only stdout is written to without a name.
    name = "stdout" if error.filename is None else os.fspath(error.filename)
    told, remedy = f"{name}: {error.strerror}", _REMEDIES.get(error.errno)
    return f"{told}; {remedy}" if remedy else told


_PACKAGE = f"{Path(__file__).parents[1]}{os.sep}"

_refusal: str | None = None  # why there are no files


def refuse(why: str) -> None:
    """From now on refuse names, with this reason: for a program whose user has no files.

    What ships with the package can still be read.
    """
    global _refusal
    _refusal = why


class CannotRead(OSError):
    """The file is missing, unreadable, not a regular file or too large; the text says which."""


def read_file(path: str | Path, most: int, streams: bool = False) -> bytes:
    """The content of a regular file of at most `most` bytes.

    For any name it neither blocks nor uses more memory. Raises CannotRead.

    streams -- also accept a pipe or a device, and wait for it
    """
    with _opened(path, streams) as number:
        # Special files report size 0 and may be endless.
        content = b"".join(_parts(number, most + 1))
    if len(content) > most:
        raise CannotRead(f"{path} is larger than {most} bytes")
    return content


def read_in_parts(path: str | Path) -> Iterator[bytes]:
    """The content of a regular file of any size. Raises CannotRead."""
    with _opened(path, streams=False) as number:
        yield from _parts(number, sys.maxsize)


@contextmanager
def _opened(path: str | Path, streams: bool) -> Iterator[int]:
    """A file to read, by its number. Raises CannotRead, also for errors inside the block."""
    if _refusal is not None and not os.path.abspath(path).startswith(_PACKAGE):
        raise CannotRead(f"{path} cannot be read: {_refusal}")
    try:
        # Opening a pipe without a writer would block.
        number = os.open(path, _READ if streams else _READ_AT_ONCE)
        try:
            if not (streams or stat.S_ISREG(os.fstat(number).st_mode)):
                raise CannotRead(f"{path} is not a regular file")
            yield number
        finally:
            os.close(number)
    except FileNotFoundError:
        raise CannotRead(f"{path} does not exist") from None
    except IsADirectoryError:
        raise CannotRead(f"{path} is not a regular file") from None
    except CannotRead:
        raise
    except (OSError, ValueError) as error:  # ValueError: an impossible file name
        reason = error.strerror if isinstance(error, OSError) else error
        raise CannotRead(f"{path} cannot be read: {reason}") from None


def _parts(number: int, most: int) -> Iterator[bytes]:
    left = most
    while left and (part := os.read(number, min(left, _PART))):
        yield part
        left -= len(part)


def write_file(
    path: str | Path, content: bytes, durable: bool = True, streams: bool = False
) -> None:
    """Write a file completely, or leave it unchanged. See `replacing`."""
    with replacing(path, durable, streams) as file:
        file.write(content)


@contextmanager
def private_file(name: str, content: bytes) -> Iterator[Path]:
    """A file in its own folder that only this user can read; the block's end removes both."""
    from tempfile import TemporaryDirectory  # slow to import, for an engine that never needs it

    with TemporaryDirectory(prefix="gtp-engine-") as folder:
        path = Path(folder) / name
        with open(os.open(path, _NEW, 0o600), "wb") as file:
            file.write(content)
        yield path


def append_line(path: str | Path, line: str) -> None:
    """Append a line to a regular file, which is created if necessary. Raises OSError.

    If that fails, the file keeps no part of the line.
    """
    _check_files()
    if (old := _status(path)) is not None:
        _check_writable(path, old)
    number = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | _COMMON, 0o666)
    content, before, written = line.encode() + b"\n", os.fstat(number).st_size, 0
    try:
        while written < len(content):
            written += os.write(number, content[written:])
    except OSError as error:
        error.filename = os.fspath(path)  # errors of writing have no name
        with suppress(OSError):
            if os.fstat(number).st_size == before + written:  # nobody else wrote meanwhile
                os.ftruncate(number, before)
        raise
    finally:
        os.close(number)


def check_writable(path: str | Path, streams: bool = False) -> None:
    """Whether a file can be written, before long work whose result goes there; changes nothing.

    See `replacing`. Raises OSError.
    """
    target, old = _target(path), _status(path)
    if old is None:
        with _named(path):
            number, draft = _draft(target, 0o600)
        os.close(number)
        draft.unlink()
    elif not (streams and _is_stream(old)):
        _check_writable(path, old)


def check_apart(written: Iterable[str | Path], read: Iterable[str | Path] = ()) -> None:
    """Whether files that are written are different ones, and none of them is read; changes nothing.

    Pipes and devices may be named several times. Raises OSError.
    """
    known: dict[object, str | Path] = {_identity(path): path for path in read}
    sources = set(known)
    for path in written:
        same = _identity(path)
        if same is not None and same in known:
            why = "is read, too" if same in sources else f"is the same file as {known[same]}"
            raise OSError(f"{path} cannot be written: it {why}")
        known[same] = path


def _identity(path: str | Path) -> object:
    """What all names of a file have in common; None for what is no file."""
    old = _status(path)
    if old is None:
        return _target(path)
    return (old.st_dev, old.st_ino) if stat.S_ISREG(old.st_mode) else None


@contextmanager
def replacing(path: str | Path, durable: bool = True, streams: bool = False) -> Iterator[BinaryIO]:
    """A file to write to, which replaces `path` when the block ends without an error.

    An existing file keeps its mode, its owner and all its names: a symbolic link stays a link, and
    its target is written. A new file gets the mode that the umask leaves. A file with several hard
    links or of another owner, or in a folder without write permission, is written in place, and may
    be incomplete if writing fails.

    durable -- wait until the content is on the disk
    streams -- also accept a pipe or a device, and write to it directly

    Raises OSError, also for a read-only file (for any user), for something that is not a regular
    file, and for a name that ends like a folder's.
    """
    with _named(path), _replacing(path, durable, streams) as file:
        yield file


@contextmanager
def _named(path: str | Path) -> Iterator[None]:
    """Errors of the block name this file: those of writing name none, those of a draft its own."""
    try:
        yield
    except OSError as error:
        if error.errno is not None and str(error.filename or _DRAFT).endswith(_DRAFT):
            error.filename = os.fspath(path)
        raise


@contextmanager
def _replacing(path: str | Path, durable: bool, streams: bool) -> Iterator[BinaryIO]:
    _check_files()
    target = _target(path)
    old = _status(path)
    if old is None:
        beside: tuple[int, Path] | None = _draft(target, 0o666)
    elif streams and _is_stream(old):
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


def _check_files() -> None:
    """Raises OSError, with a sentence, if there are no files."""
    if _refusal is not None:
        raise OSError(_refusal)


def _target(path: str | Path) -> Path:
    """The file that a name leads to. Raises OSError."""
    text = os.fspath(path)
    if text.endswith(tuple(filter(None, (os.sep, os.altsep)))):
        raise IsADirectoryError(f"{path} names a folder")
    try:
        return Path(text).resolve()
    except (RuntimeError, ValueError) as error:  # a loop of links, or an impossible file name
        raise OSError(f"{path} cannot be written: {error}") from None


def _status(path: str | Path) -> os.stat_result | None:
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


def _is_stream(old: os.stat_result) -> bool:
    return stat.S_ISFIFO(old.st_mode) or stat.S_ISCHR(old.st_mode)


def _check_writable(path: str | Path, old: os.stat_result) -> None:
    if not stat.S_ISREG(old.st_mode):
        raise OSError(f"{path} is not a regular file")
    if not old.st_mode & _ANY_MAY_WRITE or not os.access(path, os.W_OK):
        raise PermissionError(f"{path} is read-only")


def _draft_like(target: Path, old: os.stat_result) -> tuple[int, Path] | None:
    """A draft that can replace a file; None if the file must be written in place."""
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
    """A new file beside the target, with an unpredictable name. Raises OSError."""
    draft = target.with_name(f".{os.urandom(8).hex()}{_DRAFT}")
    return os.open(draft, _NEW, mode), draft


def _finish(file: BinaryIO, durable: bool) -> None:
    file.flush()
    if durable:
        os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    """Write a new name to the disk, too, if the system can do that."""
    if os.name == "nt":
        return
    number = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # Some file systems cannot do this.
            os.fsync(number)
    finally:
        os.close(number)
