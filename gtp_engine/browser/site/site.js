// The board runs in a worker of this page: what carries the messages (see page/socket.js), and how far
// the loading is.

const HEARTBEAT = JSON.stringify({ kind: "alive" });

/** What is loaded, one part after the other: a share of the bar, and words. */
const PARTS = {
  python: [0.05, "Loading Python\u2026"],
  engine: [0.5, "Loading the engine\u2026"],
  board: [0.8, "Setting up the board\u2026"],
};

const WITHOUT = "The board cannot run in this browser";

const box = document.getElementById("loading");

let worker = null;
let current = null;

/** A connection with the worker, with the members of a WebSocket that the page uses. */
globalThis.carrier = () => {
  worker ??= started();
  const connection = {
    readyState: 0,
    send(text) {
      // A worker is there as long as its page, also while it loads or computes.
      if (text === HEARTBEAT) setTimeout(() => connection.onmessage({ data: text }));
      else worker.postMessage(text);
    },
    close() {
      connection.readyState = 3;
    },
  };
  current = connection;
  setTimeout(() => {
    connection.readyState = 1;
    connection.onopen();
  });
  return connection;
};

/** The worker, which is loading. */
function started() {
  const trusted = globalThis.trustedTypes?.createPolicy("worker", { createScriptURL: (name) => name });
  const made = new Worker(trusted?.createScriptURL("board-worker.js") ?? "board-worker.js", { type: "module" });
  made.onmessage = ({ data }) => {
    if (typeof data === "string") current.onmessage({ data });
    else if (data.loading) show(...PARTS[data.loading]);
    else if (data.ready) box.hidden = true;
    else if (data.fault) fail(data.fault);
    else if (data.log) console.warn(data.log);
  };
  made.onerror = ({ message }) => fail(message || "a part of it was not loaded");
  return made;
}

function show(share, words) {
  box.querySelector("progress").value = share;
  box.querySelector("p").textContent = words;
}

function fail(why) {
  box.hidden = false;
  box.setAttribute("role", "alert");
  box.querySelector("progress").hidden = true;
  box.querySelector("p").textContent = `${WITHOUT}: ${why}. Load this page again; if that does not help, try another browser.`;
}
