"""`gtp-board` as people start it, with real engines: in a process where that is the point."""

import asyncio
import json
import re
import signal
import socket
from pathlib import Path

import psutil
import pytest

from gtp_engine.cli.board import main, named_engines
from support.board_inside import board_inside
from support.pages import Visitor, fetch, started
from support.thorough import first_of, thorough
from support.waiting import PATIENCE, until, waiting_for

PAGE = Path(__file__).parents[3] / "protocol_specs" / "clients" / "board-server.md"


@pytest.fixture
def failure(capsys, engine_inside):
    """Gives what a board with some options says that cannot start."""

    def said(*options) -> str:
        try:
            status = main(["--no-open", "--journal", "none", *options])
        except SystemExit as end:  # an option that its parser refuses
            status = end.code
        out, err = capsys.readouterr()
        assert (status, out) == (2, "")
        return err

    return said


def test_the_first_line_is_the_address_and_a_person_can_play_at_once():
    async def played():
        async with started("--level", "1") as (_, address):
            shown = await fetch(address)
            page = await Visitor.enter(address)
            hello, state = await page.hear("hello"), await page.hear("state")
            word = state["view"]["options"][0]["step"]
            await page.send("step", rev=state["rev"], word=word)
            while len(nodes_of(page)) < 2:
                await page.hear("nodes")
            return shown, hello, nodes_of(page)

    shown, hello, nodes = asyncio.run(played())
    assert shown.code == 200 and shown.headers["Content-Type"].startswith("text/html")
    assert [each["name"] for each in hello["engines"]] == ["Patchpie"]
    assert [node["color"] for node in nodes] == ["black", "white"]


@pytest.mark.usefixtures("engine_inside")
def test_the_dialogue_on_the_page_happens_as_written():
    (dialogue,) = re.findall(r"^```jsonl\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    (command,) = re.findall(r"^A page at `gtp-board (.*?)`", PAGE.read_text(), re.MULTILINE)

    async def told():
        async with board_inside(*command.split()) as address:
            page = await Visitor.enter(address, hello=False)
            for line in dialogue.splitlines():
                told = json.loads(line.removeprefix("> "))
                if line.startswith("> "):
                    await page.send(**told)
                else:
                    heard = await page.hear(told["kind"])
                    assert shows(told, heard), f"{line}\nis not told by\n{heard}"

    asyncio.run(told())


def test_a_journal_that_somebody_names_is_used_or_refused(failure, tmp_path):
    (tmp_path / "notes").write_text("my own notes, which are long enough")
    (tmp_path / "other.db").write_bytes(b"SQLite format 3\0" + bytes(200))
    for name, told in (
        ("notes", f"{tmp_path}/notes is not a file of this program"),
        ("other.db", f"{tmp_path}/other.db is not a file of this program"),
        ("", f"{tmp_path} is a folder"),
        ("notes/journal.db", f"{tmp_path}/notes/journal.db: its folder does not exist"),
    ):
        assert failure("--journal", str(tmp_path / name)).startswith(f"gtp-board: {told}")


def shows(shown, found):
    """Whether a shortened value of the page stands for a value."""
    if isinstance(shown, dict) and isinstance(found, dict):
        return all(key in found and shows(value, found[key]) for key, value in shown.items())
    if isinstance(shown, list) and isinstance(found, list):
        return len(shown) == len(found) and all(map(shows, shown, found))
    return shown == found


def nodes_of(page):
    """The nodes that a page was told of, but for the start."""
    return [
        each
        for heard in page.heard
        if heard["kind"] == "nodes"
        for each in heard["set"]
        if each["id"]
    ]


@pytest.mark.parametrize("number", first_of([signal.SIGINT, signal.SIGTERM, signal.SIGHUP]))
def test_a_signal_ends_it_and_all_that_it_started(number):
    async def left():
        async with started("--level", "9") as (process, address):
            page = await Visitor.enter(address)
            state = await page.hear("state")
            await page.send("analyse", on=True)
            await page.hear("frame")
            word = state["view"]["options"][0]["step"]
            await page.send("step", rev=state["rev"], word=word)
            while not (await page.hear("state"))["thinking"]:
                pass
            family = psutil.Process(process.pid).children(recursive=True)
            assert len(psutil.Process(process.pid).children()) == 3  # the guards of the engines
            process.send_signal(number)
            async with waiting_for("the end of the board"):
                _, told = await process.communicate()
            gone, alive = psutil.wait_procs(family, PATIENCE)
            return process.returncode, told, alive

    assert asyncio.run(left()) == (0, b"", [])


@thorough
def test_engines_leave_when_the_server_is_killed():
    async def left():
        async with started() as (process, address):
            page = await Visitor.enter(address)
            await page.hear("state")
            family = psutil.Process(process.pid).children(recursive=True)
            assert family
            process.kill()
            return psutil.wait_procs(family, PATIENCE)[1]

    assert asyncio.run(left()) == []


BROWSER = """#!/bin/sh
file=${1#file://}
echo $file; stat -c '%a' $file; stat -c '%a' $(dirname $file); cat $file
"""


def test_the_browser_learns_the_address_from_a_file_that_only_its_user_can_read(tmp_path):
    """And not from its command line, which all users of the machine can see."""
    script = tmp_path / "browser"
    script.write_text(BROWSER)
    script.chmod(0o755)

    async def seen():
        async with started(opens=True, BROWSER=f"{script} %s") as (process, address):
            lines = []
            while not lines or "</html>" not in lines[-1]:
                async with waiting_for("a line of the browser"):
                    lines.append((await process.stdout.readline()).decode())
            page = await Visitor.enter(address)
            await page.hear("state")
            await until(lambda: not Path(lines[0].strip()).exists())
            return address, lines, Path(lines[0].strip()).parent.exists()

    address, (file, mode, folder, *page), left = asyncio.run(seen())
    assert (mode, folder) == ("600\n", "700\n")
    assert f'content="0; url={address}"' in "".join(page)
    assert address.split("/")[3] not in file
    assert not left


@thorough
def test_without_a_browser_it_says_so():
    async def told():
        empty = {"BROWSER": "", "DISPLAY": "", "WAYLAND_DISPLAY": "", "PATH": ""}
        board = started(opens=True, **empty)
        async with board as (process, address), waiting_for("the sentence"):
            return address, await process.stderr.readline()

    address, sentence = asyncio.run(told())
    assert address.startswith("http://127.0.0.1:")
    assert sentence == b"No browser was found. Open the address above in a browser.\n"


@thorough
def test_every_line_to_and_from_engines_can_be_kept(tmp_path):
    async def play():
        async with started("--log", str(tmp_path / "gtp.log"), "--size", "5") as (_, address):
            await (await Visitor.enter(address)).hear("state")

    asyncio.run(play())
    log = (tmp_path / "gtp.log").read_text()
    assert " board > " in log and " board < " in log and '"size":5' in log


def test_what_cannot_be_served_is_told_in_a_sentence(failure, tmp_path):
    assert "There is no game 'chess' here" in failure("--game", "chess")
    assert "The board engine cannot be started: /no/engine: No such file or directory" in failure(
        "--board", "/no/engine"
    )
    assert "two engines are called A" in failure("--engine", "A=x", "--engine", "A=y")
    assert "--engine: program no-such not found" in failure("--engine", "A=no-such --level 1")
    assert "cannot listen on 192.0.2.1" in failure("--host", "192.0.2.1")
    assert "--engine needs a command" in failure("--engine", "")
    assert "is a directory" in failure("--log", str(tmp_path)).lower()


def test_a_port_that_is_taken_is_told(failure):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        told = failure("--port", str(taken.getsockname()[1]))
    assert "cannot listen on 127.0.0.1: Address already in use" in told


def test_engines_have_names():
    given = ["A='x y' --gtp", "/bin/other-engine --gtp a=b", "B = c=d"]
    assert named_engines(given) == {
        "A": "'x y' --gtp",
        "other-engine": "/bin/other-engine --gtp a=b",
        "B": "c=d",
    }


@pytest.mark.usefixtures("engine_inside")
def test_a_page_reaches_no_file(tmp_path):
    """Whatever the console is sent; and the engine plays on."""
    target = tmp_path / "written"
    lines = [
        f"printsgf {target}",
        f"loadsgf {target}",
        f"game-printsgf plain {target}",
        f"gomill-savesgf {target}",
        f"game-set weights {target}",
        f"kata-set-param weights {target}",
        f"game-dialog weights {target}",
        f"showboard\nprintsgf {target}",
        f"1 printsgf {target}",
        f"showboard # \nprintsgf {target}",
        "quit",
        "game-analyze b 10",
        "# interrupt",
    ]

    async def refused():
        async with board_inside("--log", str(tmp_path / "log")) as address:
            page = await Visitor.enter(address)
            state = await page.hear("state")
            await page.send("lines", on=True)
            told = []
            for line in lines:
                await page.send("console", engine="board", line=line)
                told.append((await page.hear("told"))["text"])
            await page.send("console", engine="board", line="showboard")
            while not (await page.hear("console"))["text"].startswith("showboard"):
                pass
            assert state["rev"] == (state_of(page))["rev"]
            return told

    assert len(asyncio.run(refused())) == len(lines)
    assert not target.exists()
    sent = [line for line in (tmp_path / "log").read_text().splitlines() if " board > " in line]
    assert not [line for line in sent if str(target) in line]
    assert [line for line in sent if "quit" in line] == [sent[-1]]  # the board's own, at the end


def state_of(page):
    """The newest state that a page was told."""
    return [heard for heard in page.heard if heard["kind"] == "state"][-1]


@pytest.mark.usefixtures("engine_inside")
def test_the_specification_names_what_a_state_holds():
    section = PAGE.read_text().split("## From the server")[1]
    (row,) = [line for line in section.splitlines() if line.startswith("| `state`")]

    async def state():
        async with board_inside() as address:
            return await (await Visitor.enter(address)).hear("state")

    assert {key for key in asyncio.run(state()) if f"`{key}`" not in row} == {"kind"}


@pytest.mark.usefixtures("engine_inside")
def test_it_listens_where_it_is_told():
    async def codes(*options, ask=None):
        async with board_inside(*options) as address:
            port = address.rpartition("]")[2].split(":")[-1].split("/")[0]
            named = {"Host": f"{ask}:{port}"} if ask else {}
            return address.rsplit(":", 1)[0], (await fetch(address, **named)).code

    assert asyncio.run(codes("--host", "::1")) == ("http://[::1]", 200)
    every = "--host", "0.0.0.0"
    assert asyncio.run(codes(*every)) == ("http://127.0.0.1", 200)
    assert asyncio.run(codes(*every, ask="tablet")) == ("http://127.0.0.1", 403)
    assert asyncio.run(codes(*every, "--allow-host", "tablet", ask="tablet"))[1] == 200
