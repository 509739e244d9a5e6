/** The editor: a person puts pieces on the board, and the program says whether a game can lead there. */

import { at, button, el, fill, withRules } from "./dom.js";
import { mayReplace } from "./files.js";

/**
 * A draft: the pieces of a board, each as its tool of the palette and its height.
 *
 * palette -- as in the message `pieces`
 * cells   -- the tool and the height on each point, a Map
 */
export class Draft {
  constructor({ palette, cells, to_move: color }) {
    this.palette = palette;
    this.color = color;
    this.cells = new Map();
    for (const [vertex, word] of Object.entries(cells)) {
      const tool = palette.findIndex(({ words }) => words.includes(word));
      if (tool >= 0) this.cells.set(vertex, { tool, height: palette[tool].words.indexOf(word) + 1 });
    }
  }

  /** Put a piece on a point, null to clear it; the same piece again goes. */
  put(vertex, piece) {
    const there = this.cells.get(vertex);
    const same = piece && there?.tool === piece.tool && there.height === piece.height;
    if (piece && !same) this.cells.set(vertex, { ...piece });
    else this.cells.delete(vertex);
  }

  /** The word on each point, for the message `edit`. */
  get words() {
    return Object.fromEntries([...this.cells].map(([vertex, { tool, height }]) => [vertex, this.palette[tool].words[height - 1]]));
  }

  /** The view of a position with these pieces, in which nothing can be played. */
  shown(view, number) {
    const pieces = [...this.cells].map(([vertex, { tool, height }]) => {
      const { shape, kind, color, text } = this.palette[tool];
      const words = height > 1 ? `${text}, height ${height}` : text;
      return { id: `${vertex} ${tool}`, at: vertex, shape, kind, color, height, text: words };
    });
    const empty = { options: [], tools: [], buttons: [], areas: [], last: null, score: null, outcome: null };
    const turn = { ...view.turn, to_move: this.color, open: false, steps: [] };
    return { ...view, ...empty, turn, pieces, rev: `draft ${number}`, position: "" };
  }
}

/** Build the editor. Adds `draft()` to the app: its view while it is open, else null. Returns its button. */
export function editor(app) {
  const { store, board } = app;
  const tools = el("div", { class: "toolbar palette", role: "group", "aria-label": "What a click puts on the board" });
  const height = el("input", { type: "number", min: "1", value: "1", "aria-label": "Height" });
  const heights = el("label", { class: "field" }, el("span", { class: "label", text: "Height" }), height);
  const colors = el("div", { class: "segments", role: "group", "aria-label": "Who is to move" });
  const verdict = el("p", { class: "verdict", role: "status" });
  const begin = button({ label: "Start from here", class: "primary", onclick: () => start() });
  const cancel = button({ label: "Cancel", onclick: () => close() });
  const clear = button({ label: "Clear the board", icon: "drop", iconOnly: true, onclick: () => change(() => draft.cells.clear()) });
  const box = el(
    "section",
    { id: "editor", "aria-labelledby": "editor-title" },
    el("h2", { id: "editor-title", tabindex: "-1", text: "Set up a position" }),
    tools,
    el("div", { class: "row" }, heights, colors, clear),
    verdict,
    el("div", { class: "row" }, begin, cancel),
  );
  const open = button({ label: "Set up pieces", icon: "board", class: "writes", title: "Put pieces on the board one by one", onclick: () => app.send("pieces") });
  at("status").before(box);
  let draft = null;
  let number = 0;
  let tool = 0;
  let position = null;
  let board_of = "";

  app.draft = () => draft && draft.shown(store.state.view, number);
  const gameOf = ({ game }) => `${game.name} ${game.size} ${store.state.tree}`;
  const show = () => {
    document.body.toggleAttribute("data-editing", Boolean(draft));
    at("board").classList.toggle("edits", Boolean(draft));
    board.edit(draft ? touch : null);
    draw();
  };
  const draw = () => board.show(app.draft() ?? store.state.view, { animate: false, live: store.live && !draft });
  const close = () => {
    draft = null;
    show();
    open.focus();
  };
  const change = (work) => {
    work();
    number += 1;
    position = null;
    begin.disabled = true;
    offer();
    draw();
    app.send("edit", { draft: number, color: draft.color, cells: draft.words });
  };
  const touch = (vertex, other) => {
    const chosen = draft.palette[tool];
    const most = chosen?.words.length ?? 1;
    const piece = { tool, height: Math.min(most, Math.max(1, Math.round(Number(height.value)) || 1)) };
    change(() => draft.put(vertex, chosen && !other ? piece : null));
    const there = draft.cells.get(vertex);
    app.say(`${vertex} ${there ? draft.palette[there.tool].text : "empty"}.`);
  };
  const offer = () => {
    const { view } = store.state;
    const inks = view.game.colors;
    const choose = (n) => {
      tool = n;
      offer();
      tools.children[n]?.focus();
    };
    const pieces = draft.palette.map(({ shape, color, text }, n) =>
      el("button", { type: "button", class: "tool", "aria-pressed": String(n === tool), title: text, "aria-label": text, onclick: () => choose(n) }, el("span", { class: "piece" }, app.sign(shape, inks[color]?.ink))),
    );
    const empty = el("button", { type: "button", class: "tool", "aria-pressed": String(tool === pieces.length), onclick: () => choose(pieces.length) }, el("span", { text: "Erase" }));
    fill(tools, pieces, empty);
    const most = draft.palette[tool]?.words.length ?? 1;
    height.max = String(most);
    heights.hidden = most < 2;
    const movers = Object.entries(inks).map(([color, { title }]) =>
      el("button", { type: "button", text: `${title} to move`, "aria-pressed": String(draft.color === color), data: { color }, onclick: () => { change(() => (draft.color = color)); colors.querySelector(`[data-color="${color}"]`).focus(); } }),
    );
    fill(colors, movers);
  };
  const start = async () => {
    if (!position || !(await mayReplace(app, "Set up another position?"))) return;
    app.send("position", { text: position });
    close();
    app.focusBoard();
  };
  store.on("pieces", (told) => {
    draft = new Draft(told);
    board_of = gameOf(store.state.view);
    tool = Math.min(tool, draft.palette.length);
    app.close();
    change(() => {});
    show();
    box.querySelector("h2").focus();
  });
  store.on("edited", (told) => {
    if (!draft || told.draft !== number) return;
    position = told.position;
    begin.disabled = !position;
    verdict.classList.toggle("refused", Boolean(told.flaw));
    fill(verdict, position ? "A game can lead here." : withRules(told.flaw, app.isRule));
  });
  store.on("state", ({ view }) => {
    if (draft && gameOf(view) !== board_of) close();
  });
  return open;
}
