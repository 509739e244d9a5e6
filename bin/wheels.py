"""The folder of wheels that a checkout takes packages and its kernel from."""

import os
import stat
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from setting_up import say

NAME = "patchpie-wheels"
"""The folder beside a checkout that is taken without being named."""


@cache
def wheelhouse(root: Path) -> Path | None:
    """The folder: the one that PATCHPIE_WHEELS names, or `patchpie-wheels` beside the checkout.

    What is in it runs with the rights of this user. So the one that nobody has named counts only
    if nobody else could have put something there; otherwise a line says why it is not used.
    """
    if given := os.environ.get("PATCHPIE_WHEELS"):
        return Path(given)
    folder = (root.parent / NAME).resolve()
    if not folder.is_dir():
        return None
    try:
        why = next(doubts(folder), None)
    except OSError as error:
        why = f"{error.filename}: {error.strerror}"
    if why is not None:
        say(f"{folder} is not used: {why}; PATCHPIE_WHEELS={folder} uses it")
        return None
    return folder


def doubts(folder: Path) -> Iterator[str]:
    """Why somebody else may have put something into a folder. Raises OSError."""
    places = [folder, *folder.parents]
    for each in folder.iterdir():
        places.append(each)
        if each.is_symlink():
            places += [each.resolve(), *each.resolve().parents]
    own = (0, os.geteuid())
    for place in places:
        found = place.lstat()
        # In a sticky folder, such as /tmp, everybody keeps what is his.
        keeps = bool(found.st_mode & stat.S_ISVTX) and place != folder
        if found.st_uid not in own:
            yield f"{place} belongs to {_user(found.st_uid)}"
        elif not stat.S_ISLNK(found.st_mode) and not keeps and _others_write(found):
            yield f"others may write to {place}"


def _others_write(found: os.stat_result) -> bool:
    """Whether a user other than this one and root may write; a group of one user is that user."""
    if found.st_mode & stat.S_IWGRP and not _is_private(found.st_gid):
        return True
    return bool(found.st_mode & stat.S_IWOTH)


def _is_private(group: int) -> bool:
    """Whether a group has no members but this user and root."""
    import grp
    import pwd

    own = (0, os.geteuid())
    users = pwd.getpwall()
    try:
        names = set(grp.getgrgid(group).gr_mem)
    except KeyError:
        return False
    return names <= {each.pw_name for each in users if each.pw_uid in own} and all(
        each.pw_uid in own for each in users if each.pw_gid == group
    )


def _user(number: int) -> str:
    import pwd

    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return f"user {number}"
