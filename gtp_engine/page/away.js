/** A page whose server is gone: it steps through the positions that it has seen, and saves the game. */

import { download } from "./files.js";

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
      if (view) store.take({ ...store.state, node, view, thinking: null });
      else store.tell("told", { level: "info", text: "This page has not shown that position yet." });
    },
    save({ form }) {
      const { name, size } = store.state.view.game;
      if (form === "plain") download(new Blob([sgf(store)], { type: "application/x-go-sgf" }), `${name}-${size}.sgf`);
    },
  };
  app.away = (kind, fields) => {
    if (store.online || !store.state || !answers[kind]) return false;
    answers[kind](fields);
    return true;
  };
}

/** The game as a record, as far as the page knows it. */
export function sgf({ tree, state }) {
  const text = (value) => String(value).replace(/[\\\]]/g, "\\$&");
  const property = (name, value) => (value ? `${name}[${text(value)}]` : "");
  const { name, size } = state.view.game;
  const { black, white } = state.seats;
  const parts = [`(;FF[4]CA[UTF-8]${property("GAME", name)}${property("SZ", size)}${property("PIE", state.pie)}${property("POS", state.start)}`];
  parts.push(property("PB", black.engine ?? black.name), property("PW", white.engine ?? white.name));
  const waiting = [0];
  while (waiting.length) {
    const next = waiting.pop();
    if (typeof next === "string") {
      parts.push(next);
      continue;
    }
    const { color, word, comment } = tree.get(next);
    parts.push(color ? `;${color === "black" ? "B" : "W"}[${text(word)}]` : "", property("C", comment));
    const children = tree.children(next);
    for (const child of [...children].reverse()) waiting.push(...(children.length > 1 ? [")", child, "("] : [child]));
  }
  return `${parts.join("")})\n`;
}
