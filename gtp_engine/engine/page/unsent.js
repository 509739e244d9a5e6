/** A step that the connection may have swallowed: it is sent again, or taken back. */

/**
 * Add to the app:
 *
 * sending(word) -- called when a step is sent
 * unsent()      -- the word that has got no answer since the connection was lost; null for none
 * takeBack()    -- do not send it again; if it was played nevertheless, that is told
 */
export function unsentSteps(app) {
  const { store } = app;
  let sent = null;
  const answered = () => (sent = null);
  app.sending = (word) => {
    const { state, tree } = store;
    sent = { word, position: state.view.position, depth: tree.line(state.node).indexOf(state.node), lost: false, taken: false };
  };
  app.unsent = () => (sent?.lost && !sent.taken ? sent.word : null);
  app.takeBack = () => {
    sent.taken = true;
    store.tell("online", null);
  };
  store.on("online", () => {
    if (sent && !store.online) sent.lost = true;
  });
  store.on("state", (state) => {
    if (!sent || !store.online || state.looking) return;
    const { word, position, depth, lost, taken } = sent;
    const same = state.view.position === position;
    // Something else has changed.
    if (same && (!lost || taken)) return;
    answered();
    if (!lost) return;
    store.tell("online", null);
    if (same && store.live) return app.step(word);
    const text = taken ? "had reached the board before you took it back." : "was not played: the connection was lost, and the position has changed since.";
    if (played(store, word, depth) === taken) store.tell("told", { level: "info", text: `${word} ${text}` });
  });
  for (const kind of ["refused", "sure"]) store.on(kind, answered);
  store.on("told", ({ level }) => level === "error" && answered());
}

/** Whether the line to the shown position has this word after so many others. */
function played({ tree, state }, word, depth) {
  return tree.get(tree.line(state.node)[depth + 1])?.word === word;
}
