/** A page whose server is gone: it steps through the positions that it has seen, and saves the game. */

import { sgf } from "./record.js";

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
      if (form === "plain") store.take({ kind: "record", form, name: `${name}-${size}.sgf`, text: sgf(store, views), type: "application/x-go-sgf" });
      else store.tell("told", { level: "error", text: "Without the server this page saves only SGF." });
    },
  };
  answers.look = answers.goto;
  app.away = (kind, fields) => {
    if (store.online || !store.state || !answers[kind]) return false;
    answers[kind](fields);
    return true;
  };
}
