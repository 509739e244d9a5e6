/** What one can do after a game: play again with colors exchanged, look back at it, begin another. */

import { button } from "./dom.js";

/** Each is offered if the app has its function. */
const OFFERS = [
  { label: "Rematch", icon: "swap", act: "rematch", title: "The same game with colors exchanged", primary: true },
  { label: "Review", icon: "analysis", act: "review", title: "Search every turn and mark the mistakes" },
  { label: "Learn from your mistakes", icon: "learn", act: "mistakes", title: "Play your worst turns again" },
  { label: "New game", icon: "plus", act: "newGame", title: "Another game, size or opponent" },
];

/** Add `rematch()` to the app. */
export function afterGame(app) {
  if (app.game) return;
  app.rematch = () => {
    const { view, seats, pie, clock } = app.store.state;
    const { name, size } = view.game;
    const fields = { game: name, size, pie: pie ?? "off", black: seats.white, white: seats.black };
    app.send("new", clock ? { ...fields, clock: { main: clock.main, increment: clock.increment } } : fields);
    app.focusBoard();
  };
}

/** The buttons that stand below the result. */
export function afterButtons(app) {
  return OFFERS.filter(({ act }) => app[act]).map(({ act, primary, ...what }) =>
    button({ ...what, class: primary ? "primary" : null, onclick: () => app[act]() }),
  );
}
