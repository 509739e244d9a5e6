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

const trusted = globalThis.trustedTypes?.createPolicy("worker", { createScriptURL: (name) => name });
const script = (name) => trusted?.createScriptURL(name) ?? name;
const box = document.getElementById("loading");

const BEGUN = "board-begun";

/** What the board tells a page first, while it is loading; nothing if a game is to go on. */
const first = kept(BEGUN) ? Promise.resolve([]) : fetch("first.json").then((found) => found.json());

let worker = null;
let heard = false;
let atGames = false;
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
    first.then((messages) => heard || messages.forEach((data) => connection.onmessage({ data })), () => {});
  });
  return connection;
};

/** The worker, which is loading. */
function started() {
  const made = new Worker(script("board-worker.js"), { type: "module" });
  made.onmessage = ({ data }) => {
    if (typeof data === "string") hear(data);
    else if (data.loading) show(...PARTS[data.loading]);
    else if (data.ready) begin();
    else if (data.fault) fail(data.fault);
    else if (data.log) console.warn(data.log);
  };
  made.onerror = ({ message }) => fail(message || "a part of it was not loaded");
  return made;
}

function hear(data) {
  heard = true;
  if (data.startsWith('{"kind":"hello"')) atGames = data.includes('"table":"1"');
  if (atGames && data.startsWith('{"kind":"state"')) keep(BEGUN, data.includes('"can_undo":true') ? "1" : "");
  current.onmessage({ data });
}

/** What this browser has kept under a name; null where it keeps nothing. */
function kept(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

function keep(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // Then the next visit begins with the start page.
  }
}

/** The board is there. From now on the browser keeps it for times without a network. */
function begin() {
  box.hidden = true;
  navigator.serviceWorker?.register(script("offline.js")).then((known) => {
    const follow = (next) => {
      const tell = () => next.state === "installed" && navigator.serviceWorker.controller && announce();
      next.onstatechange = tell;
      tell();
    };
    if (known.waiting ?? known.installing) follow(known.waiting ?? known.installing);
    known.onupdatefound = () => follow(known.installing);
  }, (error) => console.info(`Not kept for times without a network: ${error.message}`));
}

/** Tell that there is a new version; until all tabs are closed, this one stays. */
function announce() {
  const close = document.createElement("button");
  close.textContent = "Close";
  close.onclick = () => (box.hidden = true);
  box.querySelector("p").textContent = "There is a new version. It begins when you have closed all tabs of the board.";
  const bar = box.querySelector("progress");
  if (!bar.hidden) bar.after(close);
  bar.hidden = true;
  box.hidden = false;
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
