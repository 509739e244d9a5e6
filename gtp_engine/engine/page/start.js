/** The start page: what one can do here, and the games, each with a picture in motion and its goal. */

import { after } from "./animate.js";
import { at, button, el, fill, icon } from "./dom.js";
import { showPath } from "./path.js";

/** Milliseconds between two turns of a picture, and before it begins anew. */
const PACE = 1100;
const REST = 4000;

/** Build the start page. */
export function startScreen(app) {
  const { store } = app;
  const cards = el("div", { class: "cards" });
  const pictures = new Map();
  const lists = new Map();
  const back = button({ label: "Back to the game", icon: "board", class: "primary", onclick: () => app.screen("board") });
  const choose = (title, text, drawing, onclick) =>
    el("button", { type: "button", class: "tile", onclick }, icon(drawing), el("strong", { text: title }), el("span", { text }));
  at("start").append(
    el("div", { class: "welcome" }, el("h1", { text: "Learn, play and study" }), back),
    el("div", { class: "tiles" },
      choose("Play", "against the engine or a person", "play", () => app.newGame()),
      choose("Learn", "the rules, by playing", "learn", () => app.screen("learn")),
      choose("Puzzles", "find the one good turn", "puzzle", () => app.screen("puzzles")),
      choose("Analyze", "what the engine thinks", "analysis", () => analyze(app)),
      choose("My games", "go on, look back", "watch", () => app.screen("games"))),
    cards,
  );
  let offered = null;
  store.on("hello", ({ catalog }) => {
    if (!catalog || offered === catalog.engine) return;
    offered = catalog.engine;
    fill(cards, catalog.games.map((game) => card(app, game, pictures, lists)));
  });
  for (const kind of ["hello", "paths", "progress"]) store.on(kind, () => store.catalog?.games.forEach((game) => lists.has(game.name) && showPath(app, lists.get(game.name), game)));
  store.on("screen", ({ name }) => name === "start" && app.askPaths());
  store.on("samples", ({ list }) => {
    for (const sample of list) pictures.get(sample.game.name)?.take(sample);
  });
  const shown = () => {
    const now = app.on("start");
    back.hidden = !store.begun;
    if (now && store.state && pictures.size && ![...pictures.values()].some(({ turns }) => turns)) app.send("samples");
    for (const picture of pictures.values()) picture.run(now && document.visibilityState === "visible");
  };
  for (const kind of ["screen", "state", "hello"]) store.on(kind, shown);
  document.addEventListener("visibilitychange", shown);
}

/** The board with an analysis, and a person on both sides. */
function analyze(app) {
  const person = { kind: "human" };
  if (!app.store.begun) app.send("seats", { black: person, white: person });
  app.send("analyse", { on: true });
  app.screen("board");
  app.open("analysis");
}

function card(app, { name, title, goal }, pictures, lists) {
  const board = el("div", { class: "picture", inert: true });
  const path = el("ol", { class: "path", "aria-label": `${title}, step by step` });
  lists.set(name, path);
  pictures.set(name, new Picture(app, board));
  return el(
    "section",
    { class: "card", "aria-label": title },
    board,
    el("div", {},
      el("h2", { text: title }),
      el("p", { text: goal }),
      el("div", { class: "row" },
        button({ label: "Learn", icon: "learn", class: "primary", "aria-label": `Learn ${title}`, onclick: () => app.screen("learn", name) }),
        button({ label: "Play", icon: "play", "aria-label": `Play ${title}`, onclick: () => app.newGame(name) }))),
    path,
  );
}

/** A small board that plays a short game again and again; without motion it shows the end of it. */
class Picture {
  constructor(app, node) {
    Object.assign(this, { app, node, game: null, turns: null, timer: 0, number: 0, pieces: new Map() });
  }

  /** Show a sample: `{game, turns}`. */
  take({ game, turns }) {
    this.board = this.app.smallBoard(this.node);
    this.game = game;
    this.turns = turns;
    for (const events of turns) this.play(events);
    this.show(false);
    if (this.running) this.run(true);
  }

  /** Play on, or stop. */
  run(on) {
    clearTimeout(this.timer);
    this.running = on;
    if (!on || !this.turns || document.documentElement.classList.contains("still")) return;
    this.board.options = { ...this.app.settings, coordinates: false };
    this.timer = setTimeout(() => this.next(), this.number ? PACE : REST / 2);
  }

  next() {
    if (this.number === this.turns.length) this.pieces = new Map();
    this.number %= this.turns.length;
    const events = this.turns[this.number];
    if (!this.pieces.size) this.show(false);
    this.play(events);
    this.number += 1;
    this.show(true, events);
    this.timer = setTimeout(() => this.next(), this.number < this.turns.length ? PACE : REST);
  }

  play(events) {
    for (const event of events) this.pieces = after(this.pieces, event);
  }

  show(animate, events = []) {
    const pieces = [...this.pieces.values()];
    const nothing = { verbs: {}, tools: [], options: [], buttons: [], areas: [] };
    const last = { number: 0, turn: "", points: [], why: [], events };
    const view = { ...nothing, rev: this.number, position: JSON.stringify(pieces), game: this.game, pieces, turn: { to_move: "black" }, last };
    this.board.show(view, { animate, live: false });
  }
}
