"""The journal in the page: a board that is killed and starts again, and My games."""

import os
import signal
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import expect

from support.screens import SECONDS
from support.starting import running
from support.waiting import PATIENCE

LEGAL = "#board .board-point.legal"


@pytest.fixture
def board(tmp_path):
    """Starts a board with one journal; gives its process and address."""
    started = []
    with ExitStack() as ending:

        def start():
            command = [sys.executable, "-m", "gtp_engine.cli.board", "--no-open", "--level", "1"]
            command = command[:-2] if started else command
            command += ["--journal", str(tmp_path / "j.db")]
            process = ending.enter_context(running(command, stdout=subprocess.PIPE, text=True))
            started.append(process)
            return process, process.stdout.readline().strip()

        yield start
        for process in started:
            process.terminate()
            process.communicate(timeout=PATIENCE)


def test_the_page_goes_on_when_the_board_is_back_and_can_save_meanwhile(board, chromium, tmp_path):
    process, address = board()
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    context.set_default_timeout(PATIENCE * SECONDS)
    page = context.new_page()
    page.goto(f"{address}#board")
    page.locator(LEGAL).nth(20).click()
    turns, position = page.locator("#turn-list .turn"), page.locator("#files textarea")
    page.evaluate("() => document.querySelector('[data-panel]').dataset.panel = 'turns'")
    expect(turns.nth(1)).to_be_attached()
    expect(page.locator(LEGAL).first).to_be_attached()
    before = position.input_value()
    os.kill(process.pid, signal.SIGKILL)
    process.wait()

    # Without a server the page steps through what it has shown, and saves it.
    expect(page.locator("#veil")).to_contain_text("Connection lost")
    page.get_by_role("button", name="One turn back").click()
    expect(position).not_to_have_value(before)
    with page.expect_download() as saved:
        page.evaluate(
            "() => [...document.querySelectorAll('#files button')]"
            ".find((one) => one.textContent === 'Save SGF').click()"
        )
    text = Path(saved.value.path()).read_text()
    assert text.count(";B[") == text.count(";W[") == 1 and "SZ[" in text

    again, same = board()
    assert same == address
    expect(page.locator("#veil")).to_be_hidden()
    expect(position).to_have_value(before)
    expect(turns).to_have_count(2)

    # My games: rename, delete, undo, open.
    page.evaluate("() => { location.hash = '#games'; }")
    page.get_by_role("button", name="Rename").click()
    page.locator("dialog.ask input").fill("My first")
    page.locator("dialog.ask .primary").click()
    expect(page.locator("#games .name")).to_have_text("My first")
    expect(page.locator("#games .small-board svg").first).to_be_attached()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save all").click()
    assert Path(saved.value.path()).read_text().count("GAME[") == 1
    page.locator("#games .kept-game").click()
    expect(page.locator("#app")).to_be_visible()
    context.close()
