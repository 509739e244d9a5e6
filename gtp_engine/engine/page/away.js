/** A page whose server is gone: it steps through the positions that it has seen, and saves the game. */

import { download } from "./files.js";
import { place } from "./geometry.js";

const MOST_VIEWS = 1000;

/** Remember the views, and add `away(kind, fields)` to the app: it answers in place of the server. */
export function awayDesk(app) {
  const { store } = app;
  const views = new Map();
  store.on("nodes", ({ reset }) => reset && views.clear());
  store.on("state", ({ node, view }) => {
    if (!store.online || app.game) return;
    views.delete(node);
    // Only looking is possible without a server.
    views.set(node, { ...view, options: [], buttons: [], tools: [] });
    if (views.size > MOST_VIEWS) views.delete(views.keys().next().value);
  });
  const answers = {
    goto({ node }) {
      const view = views.get(node);
      if (view) store.take({ ...store.state, node, view, thinking: null, looking: store.apart && node !== store.actual.node });
      else store.tell("told", { level: "info", text: "This page has not shown that position yet." });
    },
    save({ form }) {
      const { name, size } = store.state.view.game;
      if (form === "plain") download(new Blob([sgf(store, views)], { type: "application/x-go-sgf" }), `${name}-${size}.sgf`);
    },
  };
  answers.look = answers.goto;
  app.away = (kind, fields) => {
    if (store.online || !store.state || !answers[kind]) return false;
    answers[kind](fields);
    return true;
  };
}

const MARKS = { circle: "CR", cross: "MA", square: "SQ", triangle: "TR", arrow: "AR", line: "LN", label: "LB" };

/**
 * The game as a record, as far as the page knows it.
 * @param {object} store its `tree` and `state` count
 * @param {Map<number, object>} views the views that the page has seen, by node
 */
export function sgf({ tree, state }, views) {
  const text = (value) => String(value).replace(/[\\\]]/g, "\\$&");
  const property = (name, value) => (value ? `${name}[${text(value)}]` : "");
  const { name, size } = state.view.game;
  const { black, white } = state.seats;
  const parts = [`(;FF[4]CA[UTF-8]${property("GAME", name)}${property("SZ", size)}${property("PIE", state.pie)}${property("POS", state.start)}`];
  const rank = ({ level }) => (Number.isInteger(level) ? `level ${level}` : "");
  parts.push(property("PB", black.engine ?? black.name), property("PW", white.engine ?? white.name), property("BR", rank(black)), property("WR", rank(white)));
  let end = 0;
  while (tree.children(end).length) [end] = tree.children(end);
  parts.push(property("RE", views.get(end)?.outcome?.result));
  const point = (vertex) => {
    const { column, row } = place(vertex);
    return String.fromCharCode(97 + column, 96 + size - row);
  };
  const value = ({ at, to, text: label }) => [point(at), to ? point(to) : label && text(label)].filter(Boolean).join(":");
  const marked = (marks) =>
    Object.entries(MARKS).map(([kind, key]) => {
      const values = marks.filter((mark) => mark.kind === kind).map((mark) => `[${value(mark)}]`);
      return values.length ? key + values.join("") : "";
    });
  const waiting = [0];
  while (waiting.length) {
    const next = waiting.pop();
    if (typeof next === "string") {
      parts.push(next);
      continue;
    }
    const { color, word, comment, marks = [] } = tree.get(next);
    parts.push(color ? `;${color === "black" ? "B" : "W"}[${text(word)}]` : "", property("C", comment), ...marked(marks));
    const children = tree.children(next);
    for (const child of [...children].reverse()) waiting.push(...(children.length > 1 ? [")", child, "("] : [child]));
  }
  return `${parts.join("")})\n`;
}
