"""A foreign page in the same browser gets nothing from the board, even with its token."""

import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from support.thorough import thorough

TRIES = """async (board) => {
    const outcome = (promise) => promise.then(() => "got it", () => "refused");
    const read = (answer) => answer.text();
    const fetched = outcome(fetch(board).then(read));
    const posted = outcome(fetch(board, {method: "POST", body: "x"}).then(read));
    const socket = new WebSocket(board.replace("http", "ws") + "socket");
    const talked = outcome(new Promise((resolve, reject) => {
        socket.onopen = () => socket.send('{"kind": "hello"}');
        socket.onmessage = resolve;
        socket.onclose = reject;
    }));
    const frame = document.createElement("iframe");
    frame.src = board;
    const framed = new Promise((resolve) => (frame.onload = resolve));
    document.body.append(frame);
    await framed;
    const script = document.createElement("script");
    script.type = "module";
    script.src = board + "store.js";
    const loaded = outcome(new Promise((resolve, reject) => {
        script.onload = resolve;
        script.onerror = reject;
    }));
    document.body.append(script);
    return Promise.all([fetched, posted, talked, loaded]);
}"""


class Stranger(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!DOCTYPE html><title>Stranger</title><body>")

    def log_message(self, *words):
        pass


@contextmanager
def stranger():
    """The address of another server on this machine."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Stranger)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()
    thread.join()


@thorough
def test_another_page_is_refused(chromium, serve):
    board = serve()
    with stranger() as elsewhere:
        context = chromium.new_context()
        page = context.new_page()
        page.goto(elsewhere)
        got = page.evaluate(TRIES, board)
        framed = page.frames[1].content()
        context.close()
    assert got == ["refused"] * 4
    assert 'id="board"' not in framed and "main.js" not in framed
