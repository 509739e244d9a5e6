/** The title of the tab: whose turn it is, and which game. */

/** Keep the title up to date. */
export function tabTitle(app) {
  const { store } = app;
  const screens = { learn: "Learn", puzzles: "Puzzles", games: "My games" };
  const show = () => {
    const { hello, state } = store;
    if (!hello) return;
    const where = screens[document.body.dataset.screen];
    const parts = where ? [where] : app.on("board") && state ? [app.absent, app.settings.turnTitle && turnTitle(store), state.view.game.title] : [];
    const title = (app.game ? [hello.title] : [...parts, hello.title]).filter(Boolean).join(" \u2013 ");
    if (document.title !== title) document.title = title;
  };
  for (const kind of ["hello", "state", "screen", "absent"]) store.on(kind, show);
}

/** Whose turn it is, or who won, in two or three words. */
export function turnTitle(store) {
  const { view, thinking, over } = store.state;
  const { winner } = view.outcome ?? {};
  if (view.outcome) return winner ? `${store.title(winner)} wins` : "Draw";
  const color = view.turn.to_move;
  if (!over && store.opponent && store.plays(color)) return "Your turn";
  return thinking ? `${store.title(color)} is thinking` : `${store.title(color)} to move`;
}
