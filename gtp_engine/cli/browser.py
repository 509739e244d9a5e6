"""Opens the user's browser at an address that other users must not learn."""

import html
import os
import sys
import threading
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gtp_engine.files import private_file

_LEADING = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url={address}">
<title>Board</title>
<p><a href="{address}">To the board</a></p>
</html>
"""


@contextmanager
def opened(address: str) -> Iterator[None]:
    """Open the browser at an address while the block runs.

    Every user of the machine can see the arguments of a process. So the browser gets the name of a
    file that only its owner can read and that redirects to the address. The block's end removes it.
    """
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        browser = None
    if browser is None or _in_terminal(browser):
        print("No browser was found. Open the address above in a browser.", file=sys.stderr)
        yield
        return
    page = _LEADING.format(address=html.escape(address)).encode()
    with private_file("board.html", page) as path:
        _open(browser, path)
        yield


def _open(browser: webbrowser.BaseBrowser, path: Path) -> None:
    """Start the browser in a thread, because some browsers block the caller."""
    thread = threading.Thread(target=browser.open, args=(path.as_uri(),), daemon=True)
    thread.start()


def _in_terminal(browser: webbrowser.BaseBrowser) -> bool:
    """Whether the browser would take over the terminal, where it cannot show the page anyway.

    A browser named in $BROWSER is always trusted: the library knows nothing else about it.
    """
    foreground = isinstance(browser, webbrowser.GenericBrowser)
    background = isinstance(browser, webbrowser.BackgroundBrowser)
    return foreground and not background and "BROWSER" not in os.environ
