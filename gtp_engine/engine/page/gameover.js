/** What one can do after a game: play again with colors exchanged, look back at it, begin another. */

import { button } from "./dom.js";
import { clockOf, clockValue } from "./timing.js";

/** Each is offered if the app has its function `act`, and the page may send the kind of message `sends`. */
const OFFERS = [
  { label: "Rematch", icon: "swap", act: "rematch", sends: "new", title: "The same game with colors exchanged", primary: true },
  { label: "New game", icon: "plus", act: "newGame", sends: "new", title: "Another game, size or opponent" },
  { label: "Review", icon: "analysis", act: "review", sends: "review", title: "Search every turn and mark the mistakes" },
  { label: "Learn from your mistakes", icon: "learn", act: "mistakes", sends: "mistakes", title: "Play your worst turns again" },
];
const FROM_THE_START = "A game from the usual start with colors exchanged";

/** Add `rematch()` to the app. */
export function afterGame(app) {
  if (app.game) return;
  app.rematch = () => {
    const { view, seats, pie, clock, handicap } = app.store.state;
    const { name, size } = view.game;
    const fields = { game: name, size, pie: pie ?? "off", black: seats.white, white: seats.black, clock: clockOf(clockValue(clock)) };
    if (handicap) fields.handicap = handicap;
    app.send("new", fields);
    app.focusBoard();
  };
  const { store } = app;
  let ended = null;
  store.on("state", ({ view, tree, looking }) => {
    const now = view.outcome && store.own && !store.shared && !store.exercise && !looking ? tree : null;
    if (now !== null && now !== ended) app.askPaths();
    ended = now;
  });
}

/** The buttons that stand below the result. */
export function afterButtons(app) {
  const { state, own, shared } = app.store;
  const { start, handicap, view, reviewing } = state;
  const offers = OFFERS.filter(({ act, sends }) => app[act] && app.store.may(sends));
  const game = own && !shared && app.store.game(view.game.name);
  const next = game && app.nextStep(game);
  if (next && next.act !== "review") offers.unshift({ label: `Next: ${next.title}`, icon: "forward", act: next.act, go: next.go });
  return offers.map(({ act, primary, label, icon, title, go = () => app[act]() }) => {
    const busy = act === "review" && reviewing;
    return button({
      label: busy ? "Reviewing\u2026" : label,
      disabled: busy,
      icon,
      title: act === "rematch" && start && !handicap ? FROM_THE_START : title,
      class: (next ? act === next.act : primary) ? "primary" : null,
      onclick: go,
    });
  });
}
