"""The folder of wheels of a checkout: what is in it runs, so it is not taken from strangers."""

import os
from pathlib import Path

import pytest

from support.checkouts import ROOT, wheels


@pytest.fixture
def folder(tmp_path) -> Path:
    """A folder of wheels beside a checkout."""
    folder = tmp_path / "patchpie-wheels"
    folder.mkdir(mode=0o755)
    (folder / "a.whl").write_text("")
    (folder / "a.whl").chmod(0o644)
    tmp_path.chmod(0o755)
    return folder


def taken(folder: Path) -> bool:
    wheels.wheelhouse.cache_clear()
    found = wheels.wheelhouse(folder.parent / "checkout")
    assert found in (folder, None)
    return found is not None


def give_away(path: Path, monkeypatch) -> None:
    """As if a path belonged to a stranger: only root can do that, for others all paths do."""
    if os.geteuid() == 0:
        os.chown(path, 65534, -1)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: 65534)


def test_a_folder_that_only_this_user_may_change_is_taken(folder, capsys):
    assert taken(folder)
    assert capsys.readouterr().err == ""


def test_without_a_folder_nothing_is_said(tmp_path, capsys):
    assert not taken(tmp_path / "patchpie-wheels")
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("place", [".", "a.whl", ".."])
def test_a_folder_that_others_may_change_is_not_taken(folder, place, capsys):
    changed = (folder / place).resolve()
    changed.chmod(changed.stat().st_mode | 0o002)
    assert not taken(folder)
    said = f"gtp_engine: {folder} is not used: others may write to {changed}; "
    assert capsys.readouterr().err == f"{said}PATCHPIE_WHEELS={folder} uses it\n"


@pytest.mark.parametrize("place", [".", "a.whl", ".."])
def test_a_folder_of_another_user_is_not_taken(folder, place, capsys, monkeypatch):
    give_away((folder / place).resolve(), monkeypatch)
    assert not taken(folder)
    assert " belongs to " in capsys.readouterr().err


def test_in_a_sticky_folder_everybody_keeps_what_is_his(folder):
    folder.parent.chmod(0o1777)
    assert taken(folder)
    folder.chmod(0o1777)
    assert not taken(folder)


@pytest.mark.parametrize("private", [True, False])
def test_a_group_may_write_if_it_is_this_user_alone(folder, private, monkeypatch):
    monkeypatch.setattr(wheels, "_is_private", lambda group: private)
    folder.chmod(0o775)
    assert taken(folder) is private


def test_a_group_with_another_member_is_not_private(monkeypatch):
    import grp
    import pwd

    user = pwd.getpwuid(os.geteuid())
    members = [user.pw_name]
    monkeypatch.setattr(grp, "getgrgid", lambda group: grp.struct_group(("g", "x", 777, members)))
    assert wheels._is_private(777)
    members.append("somebody")
    assert not wheels._is_private(777)
    members.pop()
    other = pwd.struct_passwd(("other", "x", 4242, 777, "", "/", "/bin/sh"))
    monkeypatch.setattr(pwd, "getpwall", lambda: [user, other])
    assert not wheels._is_private(777)


def test_links_lead_only_to_what_nobody_else_may_change(folder, tmp_path):
    place = tmp_path / "place"
    place.mkdir(mode=0o755)
    (place / "b.whl").write_text("")
    (place / "b.whl").chmod(0o644)
    (folder / "b.whl").symlink_to(place / "b.whl")
    assert taken(folder)
    place.chmod(0o777)
    assert not taken(folder)
    (folder / "b.whl").unlink()
    folder.rename(place / "wheels")
    folder.symlink_to(place / "wheels")
    assert not taken(folder)


def test_what_is_named_is_taken(folder, tmp_path, monkeypatch):
    folder.chmod(0o777)
    monkeypatch.setenv("PATCHPIE_WHEELS", str(folder))
    assert taken(folder)


def test_the_page_on_installing_warns():
    page = (ROOT / "protocol_specs" / "play" / "install.md").read_text()
    assert "PATCHPIE_WHEELS" in page
    assert "others may write" in page
