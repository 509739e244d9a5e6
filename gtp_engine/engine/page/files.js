/** Records and positions: open, save, drop, copy, paste, and the address of the shown position. */

import { afterPicture, at, button, confirmed, el, typing } from "./dom.js";
import { pack, packedIn, unpack } from "./packed.js";
import { lineOf } from "./record.js";

const LARGEST = 1_000_000;
const SGF = "application/x-go-sgf";

/** Where the tab keeps the last fragments that it has written, and how many. */
const WRITTEN = "written";
const REMEMBERED = 4;

/** The longest address with a position as text: Robble counts up all earlier positions in it. */
const LONGEST_AS_TEXT = 1000;

/**
 * The position in the fragment of an address.
 * @param {string} fragment with or without its #
 * @returns {{game: string, size: number, position: string} | null} null without a position
 */
export function readFragment(fragment) {
  const held = new URLSearchParams(fragment.replace(/^#/, ""));
  const [game, size, position] = ["game", "size", "position"].map((key) => held.get(key) ?? "");
  if (!/^[a-z][a-z0-9_-]{0,63}$/i.test(game) || !/^\d{1,2}$/.test(size)) return null;
  if (!/^[\x20-\x22\x24-\x7e]{1,8000}$/.test(position)) return null;
  return { game, size: Number(size), position };
}

/** Whether the page itself has written the fragment of its address. */
export function isOwn() {
  return Boolean(history.state?.ours);
}

/** The same when the page begins: a reload at once may lose the mark in the history, and the newest address. */
export function wasOwn() {
  const [{ type } = {}] = performance.getEntriesByType("navigation");
  return isOwn() || (type === "reload" && written().includes(location.hash));
}

function written() {
  try {
    return JSON.parse(sessionStorage.getItem(WRITTEN) ?? "[]");
  } catch {
    return []; // without storage there is only the mark
  }
}

/** The fragment for a position, with its #. */
export function writeFragment({ game, size, position }) {
  const held = new URLSearchParams({ game, size: String(size), position });
  return `#${held.toString().replaceAll("%2F", "/").replaceAll("%3D", "=")}`;
}

/** The fragment for the shown position; if it is long, for the turns that lead there. */
export async function fragmentOf({ tree, state }) {
  const { game, position } = state.view;
  const plain = writeFragment({ game: game.name, size: game.size, position });
  if (plain.length <= LONGEST_AS_TEXT || !globalThis.CompressionStream) return plain;
  const packed = await pack(lineOf({ tree, state }));
  return packed && packed.length < plain.length ? packed : plain;
}

/**
 * A function that works at once, but after `burst` calls in a row only once per `pause`
 * milliseconds; the last call is never lost. By default no more than 200 times in 30 s: then
 * browsers block a page that changes its address.
 */
export function seldom(work, pause = 200, burst = 40, later = setTimeout) {
  let left = burst;
  let waits = false;
  const run = () => {
    waits = false;
    left -= 1;
    if (left === burst - 1) later(refill, pause);
    work();
  };
  const refill = () => {
    left += 1;
    if (left < burst) later(refill, pause);
    if (waits) run();
  };
  return () => {
    if (left > 0) run();
    else waits = true;
  };
}

/**
 * Build the panel of records, and keep the fragment of the address; add `record(form)` to the app: the
 * game's record as the server tells it, null if it does not come.
 */
export function filesPanel(app) {
  const { store } = app;
  const file = fileField((chosen) => openFile(app, chosen));
  const position = el("textarea", { rows: "3", spellcheck: "false", "aria-label": "Position as text", maxlength: "8000" });
  const open = button({ label: "Open SGF", icon: "open", class: "writes", onclick: () => file.click() });
  const set = button({ label: "Set up", class: "writes", title: "Start a game from this position", onclick: () => setUp(app, position.value) });
  const status = el("p", { class: "done", role: "status" });
  const copied = (what, done) => {
    status.textContent = done ? `${what} copied.` : "The browser refused to copy.";
  };
  at("files").append(
    el("h3", { text: "Game" }),
    el("div", { class: "row" }, open, file,
      button({ label: "Save SGF", icon: "record", title: "With variations and comments, for this program", onclick: () => app.send("save", { form: "plain" }) }),
      button({ label: "Save for Go viewers", icon: "record", title: "As set-up stones, for programs that do not know the rules", onclick: () => app.record("display").then((record) => record && keep(record)) })),
    el("p", { class: "about writes", text: "You can also drop a file on the page, or paste a game or a position." }),
    el("h3", { text: "Position" }),
    position,
    el("div", { class: "row" }, set,
      button({ label: "Copy", icon: "copy", onclick: async () => copied("Position", await copy(position.value, position)) }),
      button({ label: "Copy link", icon: "link", onclick: async () => copied("Link", await copy(location.href, null)) })),
    status,
  );
  // Each gets the form that it has asked for.
  const waiting = [];
  const end = () => waiting.splice(0).forEach(({ resolve }) => resolve(null));
  app.record = (form = "plain") => new Promise((resolve) => {
    waiting.push({ form, resolve });
    if (!app.send("save", { form })) end();
  });
  const keep = ({ text, type, name }) => download(new Blob([text], { type }), name);
  store.on("record", (record) => {
    const n = waiting.findIndex(({ form }) => form === record.form);
    if (n < 0) keep(record);
    else waiting.splice(n, 1)[0].resolve(record);
  });
  store.onFailure(end);
  store.on("state", ({ view }) => {
    if (document.activeElement !== position) position.value = view.position;
  });
  dropping(app);
  pasting(app);
  if (app.game) keepTurn(app);
  else keepFragment(app);
}

/** A hidden field for a record; each file that is chosen there is given to `take`. */
export function fileField(take) {
  const onchange = ({ target }) => {
    if (target.files.length) take(target.files[0]);
    target.value = "";
  };
  return el("input", { type: "file", accept: `.sgf,${SGF},text/plain`, class: "unseen", tabindex: "-1", "aria-hidden": "true", onchange });
}

/** Ask before the game on the board is replaced, if it is not over. */
export async function mayReplace(app, title) {
  if (!app.store.begun) return true;
  return confirmed({ title, text: app.store.leaving, yes: "Replace it", no: "Keep playing" });
}

async function openFile(app, file) {
  if (file.size > LARGEST) {
    app.store.tell("told", { level: "error", text: `${file.name} is too large: a record may have at most 1 MB.` });
    return;
  }
  openRecord(app, file);
}

async function openRecord(app, content) {
  if (await mayReplace(app, "Open another game?")) begin(app, "open", { data: await base64(content) });
}

/** Open a record that came as a text. */
export function openText(app, text) {
  return openRecord(app, contentOf(text));
}

/** The bytes of a file in base64: the program knows their character set. */
export async function base64(content) {
  const bytes = new Uint8Array(await content.arrayBuffer());
  const letters = [];
  for (const byte of bytes) letters.push(String.fromCharCode(byte));
  return btoa(letters.join(""));
}

/** A text as the content of a file; its first mark says that it is UTF-8, whatever `CA` says. */
function contentOf(text) {
  return new Blob(["\ufeff", text]);
}

async function setUp(app, text) {
  const words = text.trim().replace(/\s+/g, " ");
  if (words && (await mayReplace(app, "Set up another position?"))) begin(app, "position", { text: words });
}

/** Request another game; on a narrow page, close the sheet so that the board is visible. */
function begin(app, kind, fields) {
  app.send(kind, fields);
  if (app.opened("files")) app.close();
}

/** Let the browser save a file. */
export function download(content, name) {
  const address = URL.createObjectURL(content);
  const link = el("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Copy a text. A page from another machine cannot use the clipboard, so it selects the text. */
export async function copy(text, shown) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = shown ?? el("textarea", { text });
    if (!shown) document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    if (!shown) area.remove();
    return done;
  }
}

function dropping(app) {
  const has = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
  document.addEventListener("dragover", (event) => {
    if (!has(event)) return;
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  document.addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) document.body.classList.remove("dropping");
  });
  document.addEventListener("drop", (event) => {
    document.body.classList.remove("dropping");
    if (!has(event)) return;
    event.preventDefault();
    if (event.dataTransfer.files.length && !app.store.hello?.readonly) openFile(app, event.dataTransfer.files[0]);
  });
}

/** Handle a game or a position pasted outside all fields. */
function pasting(app) {
  document.addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text/plain").trim() ?? "";
    if (typing(event) || !text || app.store.hello?.readonly || text.length > LARGEST) return;
    const packed = packedIn(text);
    if (packed) unpack(packed).then((record) => record && openText(app, record));
    else if (text.startsWith("(")) openText(app, text);
    else if (/^[a-z][a-z0-9_-]* \d+ \S/i.test(text)) setUp(app, text);
  });
}

/** In an enclosed game the address names the shown turn. */
function keepTurn({ link, store }) {
  const write = seldom(() => history.replaceState(null, "", link.fragment));
  window.addEventListener("hashchange", () => link.follow(location.hash));
  store.on("state", write);
}

/**
 * Show the position of the address, and write the shown position into the address. Addresses
 * written by the page are marked in the history: on a reload of such an address the board decides.
 * An address that somebody has just named, and whose event is still to come, is not written over.
 */
function keepFragment(app) {
  const { store } = app;
  let wanted = wasOwn() ? null : readFragment(location.hash);
  let known = location.hash;
  let recent = [];
  const follow = async () => {
    const asked = wanted;
    wanted = null;
    if (!asked || store.hello?.readonly || asked.position === store.state.view.position) return;
    if (await mayReplace(app, "Show the position of the link?")) app.send("link", asked);
    else write();
  };
  const write = seldom(async () => {
    const free = () => !wanted && location.hash === known && app.on("board") && !store.exercising;
    if (!free()) return;
    const { state } = store;
    const fragment = await fragmentOf(store);
    if (state !== store.state || !free()) return;
    if (location.hash !== fragment) history.replaceState({ ours: true }, "", fragment);
    known = location.hash;
    recent = [fragment, ...recent].slice(0, REMEMBERED);
  });
  window.addEventListener("pagehide", () => {
    try {
      sessionStorage.setItem(WRITTEN, JSON.stringify(recent));
    } catch {
      // See `written`.
    }
  });
  window.addEventListener("hashchange", () => {
    known = location.hash;
    wanted = isOwn() ? null : readFragment(location.hash);
    if (store.state && store.online) follow();
  });
  // Later: a change of the address first computes the whole layout, and one that names a game, which
  // also names a screen, has to be read by all first.
  const writeLater = () => afterPicture(write);
  store.on("screen", () => {
    known = location.hash;
    if (store.state) writeLater();
  });
  store.on("state", () => {
    if (wanted) follow();
    else writeLater();
  });
}
