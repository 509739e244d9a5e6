/** The list of turns with variations, their comments, and a field to type turns. */

import { at, button, confirmed, el, fill, later, reconcile } from "./dom.js";
import { words } from "./store.js";
import { blocks } from "./tree.js";

/** The mark of a loss by the engine's measure: nothing, ? for a mistake, ?? for a blunder. */
export function lossMark(loss, { mistake = Infinity, blunder = Infinity }) {
  if (loss === null || loss === undefined || loss < mistake) return "";
  return loss < blunder ? "?" : "??";
}

/** Build the panel of turns. */
export function turnsPanel(app) {
  const { store } = app;
  const list = el("div", { id: "turn-list", role: "group", "aria-label": "Turns played" });
  const pen = commentField(app);
  const entry = turnField(app);
  at("turns").append(
    el("div", { id: "graph" }),
    list,
    pen.node,
    el("div", { class: "foot" }, entry),
  );
  const kept = new Map();
  const part = new Part();
  let dirty = true;
  let current = null;

  const draw = () => {
    if (!app.opened("turns") || !store.state) return;
    if (dirty) {
      const shown = part.of(blocks(store.tree), store.state.node);
      reconcile(list, shown.map((block) => (block.further ? furtherTurns(block, part, again) : shownBlock(app, block))), kept);
      dirty = false;
      for (const one of list.querySelectorAll("[aria-current]")) one.removeAttribute("aria-current");
      current = null;
    }
    pen.show();
    mark();
  };
  const again = () => {
    dirty = true;
    draw();
  };
  const mark = () => {
    const wanted = list.querySelector(`[data-ids~="${store.state.node}"]`);
    if (current === wanted) return;
    current?.removeAttribute("aria-current");
    list.querySelector("[tabindex='0']")?.setAttribute("tabindex", "-1");
    current = wanted;
    (wanted ?? list.querySelector("button"))?.setAttribute("tabindex", "0");
    if (!wanted) return;
    wanted.setAttribute("aria-current", "true");
    reveal();
  };
  const reveal = () => {
    if (!current) return;
    for (const scroller of app.isNarrow() ? [at("turns")] : [list, at("turns")]) {
      const { top, bottom } = current.getBoundingClientRect();
      const frame = scroller.getBoundingClientRect();
      if (top < frame.top) scroller.scrollTop += top - frame.top - 8;
      else if (bottom > frame.bottom) scroller.scrollTop += bottom - frame.bottom + 8;
    }
  };
  new ResizeObserver(reveal).observe(list);
  const soon = later(draw);
  store.on("nodes", () => {
    dirty = true;
    soon();
  });
  store.on("state", ({ node }) => {
    dirty ||= !part.holds(node);
    soon();
  });
  store.on("panel", draw);
  store.on("online", soon);
  list.addEventListener("click", (event) => {
    const turn = event.target.closest("[data-ids]");
    if (turn) app.send("goto", { node: Number(turn.dataset.ids.split(" ").at(-1)) });
  });
  // In an enclosed game the arrows step through it.
  if (!app.game) list.addEventListener("keydown", (event) => moveInList(app, list, event));
}

const MOST_SHOWN = 300;

/**
 * The shown blocks of a long game: those around the current node, so that the cost of the list does
 * not grow with the game. It moves by half of its length, and on request.
 */
export class Part {
  constructor(most = MOST_SHOWN) {
    this.most = most;
    this.from = 0;
    this.ids = new Set();
    this.wanted = 0;
    this.node = null;
  }

  /** Whether a node is in the shown blocks; the start always is. */
  holds(node) {
    return node === 0 || this.ids.has(node);
  }

  /** Show later or earlier blocks at the next `of`. */
  move(by) {
    this.wanted = (by * this.most) / 2;
  }

  /** The blocks to show; `{further: by}` replaces the omitted ones before and after them. */
  of(all, node) {
    const last = Math.max(0, all.length - this.most);
    const here = all.findIndex(({ entries }) => entries.some(({ ids }) => ids.includes(node)));
    if (this.wanted) this.from += this.wanted;
    else if (node !== this.node && here >= 0 && (here < this.from || here >= this.from + this.most)) this.from = here - this.most / 2;
    this.wanted = 0;
    this.node = node;
    this.from = Math.min(last, Math.max(0, Math.round(this.from)));
    const shown = all.slice(this.from, this.from + this.most);
    this.ids = new Set(shown.flatMap(({ entries }) => entries.flatMap(({ ids }) => ids)));
    if (this.from > 0) shown.unshift({ further: -1 });
    if (this.from < last) shown.push({ further: 1 });
    return shown;
  }
}

function furtherTurns({ further }, part, again) {
  const make = () =>
    button({
      label: further < 0 ? "Earlier turns" : "Later turns",
      class: "further",
      onclick: () => {
        part.move(further);
        again();
      },
    });
  return { key: `further ${further}`, sign: "", make };
}

function moveInList(app, list, event) {
  const by = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
  const all = [...list.querySelectorAll("[data-ids]")];
  const now = all.indexOf(event.target);
  const to = event.key === "Home" ? 0 : event.key === "End" ? all.length - 1 : now + by;
  if (now < 0 || Number.isNaN(to) || !all[to]) return;
  event.preventDefault();
  all[now].setAttribute("tabindex", "-1");
  all[to].setAttribute("tabindex", "0");
  all[to].focus();
}

function shownBlock(app, { depth, entries }) {
  const { store } = app;
  const key = `${depth}:${entries[0].ids[0]}`;
  const sign = JSON.stringify([
    entries.map((entry) => [entry.ids, entry.word, entry.number, ...told(store.tree, entry)]),
    store.title("black"),
  ]);
  const make = () => {
    const children = entries.flatMap((entry, n) => shownEntry(app, entry, depth === 0 || n === 0));
    if (depth === 0 && children.length === 1) return children[0];
    return el("div", { class: depth ? `variation depth-${Math.min(depth, 5)}` : "turn-with-comment" }, children);
  };
  return { key, sign, make };
}

/** The data of an entry: the loss of the turn and the comments of its nodes. */
function told(tree, { ids }) {
  const nodes = ids.map((id) => tree.get(id));
  const losses = nodes.map(({ loss }) => loss).filter((loss) => typeof loss === "number");
  const comment = nodes.map((node) => node.comment).filter(Boolean).join("\n");
  return [losses.length ? Math.max(...losses) : null, comment, nodes.find(({ best }) => best)?.best ?? null];
}

function shownEntry(app, entry, numbered) {
  const { store } = app;
  const [loss, comment, best] = told(store.tree, entry);
  const mark = lossMark(loss, store.measure);
  const better = mark && best ? `${Math.round(100 * loss)} % given away; better was ${best}` : null;
  const turn = el(
    "button",
    {
      type: "button",
      class: entry.word.length > 7 ? "turn long" : "turn",
      tabindex: "-1",
      data: { ids: entry.ids.join(" "), color: entry.color },
      title: better,
    },
    numbered || !entry.goesOn ? el("span", { class: "number", text: String(entry.number) }) : null,
    el("span", { class: `dot ${entry.color}` }, el("span", { class: "unseen", text: store.title(entry.color) })),
    el("span", { class: "word", text: (entry.goesOn ? "\u2026/" : "") + entry.word }),
    mark ? el("span", { class: mark.length > 1 ? "loss blunder" : "loss", text: mark }) : null,
    better ? el("span", { class: "unseen", text: better }) : null,
  );
  // An enclosed game shows the comment on the shown turn below the board.
  return comment && !app.game ? [turn, el("p", { class: "comment", text: comment })] : [turn];
}

/** The comment of the position, and the actions for its variation. */
function commentField(app) {
  const { store } = app;
  const area = el("textarea", { rows: "1", maxlength: "20000", "aria-label": "Comment on this position", placeholder: "Comment" });
  const promote = button({ label: "Make this the main line", icon: "promote", iconOnly: true, onclick: () => app.send("promote", { node: store.state.node }) });
  const drop = button({
    label: "Remove this turn and all after it",
    icon: "drop",
    iconOnly: true,
    onclick: async () => {
      const node = store.state.node;
      const sure = await confirmed({ title: "Remove the turns?", text: "This removes the turn, all following turns, and their comments.", yes: "Remove", no: "Keep" });
      if (sure) app.send("drop", { node });
    },
  });
  let node = null;
  let game = null;
  // All games number their nodes from 0: what was typed in one belongs to no other.
  const here = () => `${store.hello?.table} ${store.state?.tree}`;
  const known = () => store.tree.get(node)?.comment ?? "";
  const save = () => {
    if (game === here() && store.tree.get(node) && area.value !== known()) app.send("comment", { node, text: area.value });
  };
  area.addEventListener("blur", save);
  const show = () => {
    const { node: now } = store.state;
    const moved = now !== node || game !== here();
    if (moved) {
      save();
      node = now;
      game = here();
    }
    if (moved || document.activeElement !== area) area.value = known();
    const fixed = Boolean(store.hello?.readonly) || !store.online;
    area.readOnly = fixed; // and not disabled: it keeps the focus, and what is being typed
    promote.disabled = fixed || store.tree.isMain(now);
    drop.disabled = fixed || now === 0;
  };
  return { node: el("div", { class: "pen" }, area, promote, drop), show };
}

/** A typed text as a word: without blanks, and full-width letters as plain ones. */
export function typedWord(text) {
  return text.normalize("NFKC").replace(/\s+/g, "");
}

/** Why a typed word cannot be sent, in a sentence; null if it can. */
function refusalOf(store, word) {
  if (!/^[!"$-~]+$/.test(word)) return `${word} is no turn. A turn consists of plain letters, digits, and signs such as - and /`;
  if (store.live) return null;
  if (store.state.view.outcome) return "The game is over";
  return store.online ? "It is not your turn" : "The server does not respond";
}

/** A field for turns in notation, with completion from the legal ones. */
function turnField(app) {
  const { store } = app;
  const choices = el("datalist", { id: "words" });
  const input = el("input", { type: "text", list: "words", placeholder: "Type a turn", "aria-label": "Type a turn in notation", autocomplete: "off", autocapitalize: "off", spellcheck: "false", maxlength: "200" });
  const form = el("form", { class: "typed" }, input, choices, el("button", { type: "submit", text: "Play" }));
  let rev = null;
  let typed = null;
  input.addEventListener("focus", offer);
  store.on("state", () => document.activeElement === input && offer());
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const word = typedWord(input.value);
    if (!word) return;
    const refused = refusalOf(store, word);
    if (refused) return store.tell("refused", { word, text: refused });
    typed = word;
    app.step(word);
    input.value = "";
  });
  store.on("refused", ({ word }) => {
    if (word === typed) input.value ||= word;
    typed = null;
  });
  function offer() {
    if (!store.state || rev === store.state.rev) return;
    rev = store.state.rev;
    fill(choices, words(store.state.view).map(({ step, text }) => el("option", { value: step, label: text })));
  }
  return form;
}
