/** The text below the board: who is to move, why a click was refused, and how the game ended. */

import { afterButtons, afterGame } from "./gameover.js";
import { at, button, capital, cited, el, fill, sentence, withRules } from "./dom.js";
import { controls } from "./controls.js";
import { costliest, leaderWords } from "./graph.js";
import { Reviews } from "./reviewed.js";
import { Doubts, Hints } from "./hint.js";
import { curve } from "./tree.js";

/** Build the status strip. */
export function statusPanel(app) {
  const { store } = app;
  const line = el("p", { id: "turn-line" });
  const actions = el("div", { class: "actions" });
  const note = el("div", { id: "note" });
  const row = controls(app);
  at("status").append(row.tools, el("div", { class: "strip" }, line, actions), note, row.bar);
  afterGame(app);
  const clock = thinkingClock(app, line);
  const notes = new Notes(app, note);

  const offer = () => keepingFocus(app, actions, () => fill(actions, actionButtons(app, store.state)));

  store.on("paths", () => store.state?.view.outcome && offer());
  let told = ""; // the selection in words
  store.on("state", (state) => {
    told = "";
    fill(line, turnWords(app, state));
    line.parentNode.classList.toggle("ended", Boolean(state.view.outcome) && !store.exercise && !app.game);
    offer();
    passFocus(actions);
    clock.set(state);
    notes.engines(state.engines ?? []);
    notes.state(state);
    row.show();
    speak(app, state);
  });
  store.on("refused", (message) => notes.refused(message));
  store.on("told", (message) => notes.told(message));
  store.on("review", (message) => notes.review(message));
  store.on("hello", ({ table }) => notes.at(table));
  at("board").addEventListener("pointerdown", () => notes.drop("refused"));
  at("board").addEventListener("selection", ({ detail }) => {
    if (!store.state || detail.text === told) return;
    told = detail.text;
    if (told) line.querySelector(".wants")?.replaceChildren(told);
    else if (!store.state.thinking) fill(line, turnWords(app, store.state));
  });
}

/** Replace the contents of a node; if it thereby loses the focus, the board gets it. */
function keepingFocus(app, node, replace) {
  const held = node.contains(document.activeElement);
  replace();
  if (held && !app.game && !node.contains(document.activeElement)) app.focusBoard();
}

/** If a single button continues, it takes the focus from the board. */
function passFocus(actions) {
  const forced = actions.querySelector("[data-forced]");
  if (forced && at("board").contains(document.activeElement)) forced.focus({ preventScroll: true });
}

function turnWords(app, { view }) {
  const { store } = app;
  if (view.outcome) {
    const { text, title, margin, rule, winner } = view.outcome;
    const head = winner && store.own ? `You ${store.own === winner ? "won" : "lost"}${margin ? ` by ${margin}` : ""}` : title;
    return [sign(app, winner), el("strong", { text: head }), el("span", { class: "wants" }, withRules(text, app.isRule), cited(rule))];
  }
  const { to_move: color, steps, open, wants, number } = view.turn;
  const words = [
    sign(app, color),
    el("strong", { text: store.title(color) }),
    el("span", { class: "number", text: `turn ${number}` }),
  ];
  if (inBetterLine(store)) words.push(el("span", { class: "steps", text: "in the better line" }));
  if (open && steps.length) words.push(el("span", { class: "steps", text: `${steps.join(" / ")} /` }));
  const left = open ? view.areas.length : 0;
  const forced = view.buttons.find((one) => one.forced);
  const wanted = forced ? forced.text : left > 1 ? `${wants}, ${left} left` : wants;
  words.push(el("span", { class: "wants" }, withRules(wanted, app.isRule), cited(forced?.rule)));
  return words;
}

function inBetterLine({ tree, state }) {
  return tree.get(state.node)?.instead !== undefined;
}

function sign(app, color) {
  if (!color) return null;
  return el("span", { class: "piece" }, app.sign("stone", app.store.state.view.game.colors[color].ink));
}

/** Buttons for steps without a point, for an open turn, and for what comes next. */
function actionButtons(app, state) {
  const { store } = app;
  const { view } = state;
  if (store.hello?.readonly) return [];
  const list = [];
  if (state.thinking) {
    list.push(button({ label: "Play now", title: "The engine plays its best turn so far", onclick: () => app.send("interrupt") }));
  }
  if (store.online && (state.paused || state.resting) && !view.outcome) {
    const both = !store.person("black") && !store.person("white");
    const label = store.shared ? "Start the clocks" : both ? "Let the engines play" : "Let the engine play";
    list.push(button({ label, icon: "play", onclick: () => app.send("pause", { on: false }) }));
  }
  if (view.outcome && store.exercise) return list;
  if (view.outcome) {
    return [...list, ...afterButtons(app)];
  }
  if (store.live) {
    for (const { step, title, text, forced, rule } of view.buttons) {
      const hint = rule ? `${text} (${rule})` : text;
      const one = button({ label: title, title: hint, class: forced ? "primary" : "step", "data-forced": forced, onclick: () => app.step(step) });
      for (const event of ["pointerenter", "focus"]) one.addEventListener(event, () => app.preview(step));
      for (const event of ["pointerleave", "blur"]) one.addEventListener(event, () => app.preview(null));
      list.push(one);
    }
  }
  return list;
}

/** The seconds that an engine has been thinking, counted here so that the server need not send them. */
function thinkingClock(app, line) {
  const words = el("span", { class: "clock" });
  let since = 0;
  let who = "";
  const tick = () => {
    const seconds = Math.floor((performance.now() - since) / 1000);
    words.textContent = seconds > 0 ? `${who} is thinking, ${seconds} s` : `${who} is thinking`;
  };
  let timer = null;
  return {
    set({ thinking, came }) {
      clearInterval(timer);
      if (!thinking) return;
      since = came - 1000 * (thinking.seconds ?? 0);
      who = thinking.engine;
      line.querySelector(".wants")?.replaceWith(words);
      tick();
      timer = setInterval(tick, 1000);
    },
  };
}

/** For a screen reader: the next decision, or the result. The board announces the turn itself. */
let spokenRev = null;
function speak(app, { rev, view }) {
  if (rev === spokenRev) return;
  const first = spokenRev === null;
  spokenRev = rev;
  if (first) return;
  app.say(sentence((view.outcome ?? view.turn).text));
}

/** The notes below the board, the most urgent first. */
class Notes {
  constructor(app, node) {
    this.app = app;
    this.node = node;
    this.beside = el("div", { class: "beside" });
    at("analysis").append(this.beside);
    this.list = new Map();
    this.rev = null;
    this.table = null;
    this.lacking = [];
    this.opened = false;
    this.failure = { text: "", engine: null };
    this.reviews = new Reviews(app);
    this.hints = new Hints(app, (note) => {
      if (note) this.list.delete("error"); // that there was none before
      this.put("hint", note);
    });
    this.doubts = new Doubts(app, (note) => {
      if (note) this.hints.drop();
      this.put("sure", note);
    });
  }

  /** Notes on events at one table, or a position there, do not follow the person to another. */
  at(table) {
    if (this.table !== null && table !== this.table) {
      for (const kind of [...PASSING, "review"]) this.list.delete(kind);
      this.hints.drop();
      this.doubts.drop();
    }
    this.table = table;
  }

  state({ rev, view, swap_note: swapped, reviewing }) {
    if (this.rev !== null && rev !== this.rev) for (const kind of PASSING) this.list.delete(kind);
    this.rev = rev;
    this.keep("swap", swapped && el("p", { text: swapped }));
    this.keep("last", view.last && view.last.text !== view.outcome?.text && this.last(view.last));
    this.toldOf(this.app.store.tree.get(this.app.store.state.node));
    if (!reviewing) this.list.delete("review");
    else if (!this.list.has("review")) this.review({});
    this.show();
  }

  /** The review of the shown turn; in an enclosed game also its comment. */
  toldOf(node) {
    const comment = this.app.game && node?.comment;
    this.set("comment", comment ? [el("p", { class: "said", text: comment })] : []);
    this.keep("reviewed", this.reviews.of(node));
  }

  /** The last turn with the sentences about its effects. */
  last({ text, why = [] }) {
    const title = `${text}${this.app.game ? this.chosen() : ""}`;
    if (!why.length) return el("p", { class: "last", text: title });
    const sentences = why.map((effect) => el("li", {}, sentence(effect.text), cited(effect.rule)));
    const details = el(
      "details",
      { class: "last", ontoggle: () => (this.opened = details.open) },
      el("summary", {}, el("span", { text: title }), el("span", { class: "more", text: why.length === 1 ? "effects" : `effects (${why.length})` })),
      el("ul", {}, sentences),
    );
    details.open = this.opened;
    return details;
  }

  /** In an enclosed game: who chose the last turn, and the chance after it. */
  chosen() {
    const { store } = this.app;
    const { by, chance = null, proven } = store.tree.get(store.state.node);
    const parts = [by ? `played by ${by}` : "", chance === null ? "" : leaderWords(store, { chance, proven })];
    return parts.filter(Boolean).map((part) => `, ${part}`).join("");
  }

  refused({ text, rule, instead = [] }) {
    const { app } = this;
    const offers = instead.map((other) =>
      button({ label: capital(other.text), class: "offer", onclick: () => app.step(other.step) }),
    );
    this.list.set(
      "refused",
      el("div", { class: "refused" }, el("p", {}, withRules(sentence(text), app.isRule), cited(rule)), offers),
    );
    app.say(sentence(text));
    this.show();
  }

  /** Have a note; or none, for a note that is nothing. */
  keep(kind, note) {
    if (note) this.list.set(kind, note);
    else this.list.delete(kind);
  }

  /** Show a note, or remove it. */
  put(kind, note) {
    this.keep(kind, note);
    if (note && kind === "hint" && this.app.isWide()) this.app.open("analysis", false);
    this.show();
  }

  told({ level, text, engine = null }) {
    const kind = level === "error" ? "error" : "info";
    if (this.lacking.includes(text)) return;
    if (kind === "error") this.failure = { text, engine };
    if (engine) this.list.delete("info");
    // What has succeeded since answers an error, but not that of an engine.
    if (kind === "info" && !this.failure.engine) this.list.delete("error");
    this.list.set(kind, el("div", { class: kind }, el("p", {}, withRules(text, this.app.isRule)), kind === "error" ? this.closer("error") : null));
    this.app.say(text);
    this.show();
  }

  /** Engines that have failed, each with a button; and what an engine lacks. */
  engines(engines) {
    const down = engines.filter(({ fault, down: stopped }) => fault || stopped);
    // This note, with its button, replaces the error reported before.
    if (down.some(({ fault }) => fault && this.failure.text.startsWith(fault))) this.list.delete("error");
    const recovered = engines.find(({ name, running }) => running && name === this.failure.engine);
    if (recovered && this.list.delete("error")) this.told({ level: "info", text: `${recovered.title} runs again.` });
    const lacking = [...new Set(engines.flatMap(({ missing = [] }) => missing))];
    this.lacking = lacking;
    const rows = down.map(({ name, title, fault }) =>
      el(
        "div",
        { class: "error" },
        el("p", { text: sentence(fault ?? `${title} has ended`) }),
        button({ label: `Restart ${title.replace(/^The /, "the ")}`, icon: "replay", class: "offer", onclick: () => this.app.send("restart", { engine: name }) }),
      ),
    );
    this.set("engines", rows);
    this.set("missing", lacking.map((text) => el("p", { text })));
  }

  set(kind, nodes) {
    this.keep(kind, nodes.length && el("div", {}, nodes));
  }

  review({ done, total, over }) {
    if (!over) {
      const words = total ? `turn ${done} of ${total}` : "the engine begins";
      this.list.set("review", el("p", { class: "reviewing" }, `Review: ${words} `, el("progress", { value: done, max: total, "aria-label": "Review" }), total && button({ label: "Stop", class: "offer", onclick: () => this.app.send("interrupt") })));
    } else {
      this.list.delete("review");
      if (done === total) this.reviewed();
    }
    this.show();
  }

  /** The end of a review: the number of marked turns, and whose they are. */
  reviewed() {
    const { tree, state, measure, own } = this.app.store;
    const marked = costliest(curve(tree, state.node), measure, Infinity);
    const n = marked.length;
    const yours = own ? `, ${marked.filter(({ color }) => color === own).length} of them yours` : "";
    this.told({ level: "info", text: `Review finished: ${n || "no"} mistake${n === 1 ? "" : "s"}${n ? `${yours}, marked with ? or ?? in the list of turns` : ""}.` });
  }

  closer(kind) {
    return button({ label: "Close", icon: "close", iconOnly: true, class: "small", onclick: () => this.drop(kind) });
  }

  drop(kind) {
    if (this.list.delete(kind)) this.show();
  }

  show() {
    const beside = this.app.isWide();
    fill(this.beside, BESIDE.map((kind) => beside && this.list.get(kind)));
    const shown = ORDER.filter((kind) => this.list.has(kind) && !(beside && BESIDE.includes(kind)));
    const crowded = shown.some((kind) => !QUIET.includes(kind));
    const pressing = shown.filter((kind) => !crowded || kind !== "last").map((kind) => this.list.get(kind));
    keepingFocus(this.app, this.node, () => fill(this.node, pressing));
  }
}

const ORDER = ["engines", "error", "sure", "refused", "hint", "review", "info", "swap", "last", "reviewed", "comment", "missing"];
/** Notes on what a person did last, which the next position ends. */
const PASSING = ["refused", "info", "error"];
/** Notes that leave room for the last turn. */
const QUIET = ["last", "reviewed", "comment", "missing"];
/** Notes that stand in the panel of the analysis on a wide page. */
const BESIDE = ["hint", "reviewed"];
