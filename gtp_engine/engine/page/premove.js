/** A turn chosen while the other is to move: a click on a point, played when the turn comes. */

/** Add `playLater(vertex)` to the app: a click while somebody else is to move. */
export function premoves(app) {
  if (app.game) return;
  const { store, board } = app;
  let chosen = null; // {vertex, tool, own, tree, node}
  const choose = (premove) => {
    chosen = premove;
    board.lay({ planned: premove?.vertex ?? null });
  };
  app.playLater = (vertex) => {
    if (chosen?.vertex === vertex) {
      choose(null);
      app.say(`${vertex} is taken back.`);
    } else if (waiting(store)) {
      const { own, state } = store;
      choose({ vertex, tool: board.clicks.tool, own, tree: state.tree, node: state.node });
      app.say(`${vertex} will be played at your turn. Click it again to take it back.`);
    }
  };
  store.onArrival(() => choose(null));
  store.on("exercise", () => choose(null));
  store.on("state", (state) => {
    if (!chosen || state.looking) return;
    if (!continues(store, chosen)) return choose(null);
    if (!store.live || state.view.turn.to_move !== chosen.own) return;
    const { vertex, tool } = chosen;
    choose(null);
    const option = board.clicks.tool === tool ? board.clicks.pick(vertex) : null;
    if (option?.step && !option.area?.length) app.step(option.step);
    else store.tell("told", { level: "info", text: `${vertex} was not played: it is not possible now.` });
  });
}

/** Whether the person at the page plays one color, and the other one is to move at the end of the game. */
function waiting({ state, own, online, hello, exercise, tree }) {
  if (!state || !own || !online || hello?.readonly || exercise || state.looking) return false;
  if (state.view.outcome || state.paused || state.resting || tree.children(state.node).length) return false;
  return state.view.turn.to_move !== own;
}

/** Whether the game has gone on from where a premove was chosen. */
function continues({ state, own, tree }, premove) {
  return !state.view.outcome && own === premove.own && state.tree === premove.tree && tree.path(state.node).includes(premove.node);
}
