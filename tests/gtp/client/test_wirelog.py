"""The log file of an engine's pipes."""

import re

from gtp_engine.gtp.client.wirelog import WireLog


def test_lines_wait_for_their_end(tmp_path):
    path = tmp_path / "engine.log"
    log = WireLog(path)
    log.write(">", b"1 name\n")
    log.write("<", b"=1 Patch")
    log.write("!", b"loading\nhalf of it")
    log.write("<", b"pie\n\n")
    log.close()
    lines = path.read_text().splitlines()
    assert all(re.match(r" +[0-9]+\.[0-9]{3} ", line) for line in lines)
    told = [line.lstrip().partition(" ")[2] for line in lines]
    assert told == ["> 1 name", "! loading", "< =1 Patchpie", "< ", "! half of it"]


def test_it_does_not_grow_without_bound(tmp_path):
    path = tmp_path / "engine.log"
    log = WireLog(path, largest=1000)
    for number in range(200):
        log.write("!", b"line %d\n" % number)
    log.write("<", b"x" * 10**6)
    log.close()
    old = tmp_path / "engine.log.old"
    assert sorted(tmp_path.iterdir()) == [path, old]
    assert "line 199" in old.read_text()
    assert len(old.read_bytes()) < 1_100_000
    assert path.stat().st_size < 1000


def test_a_full_disk_harms_nobody(tmp_path):
    log = WireLog(tmp_path / "engine.log")
    log._file.close()
    log.write(">", b"1 name\n")
    log.close()
