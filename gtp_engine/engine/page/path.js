/** The path through each game: its lessons, a first game, the review of it, a puzzle, then larger boards and stronger opponents. */

import { el, fill, icon } from "./dom.js";

/**
 * The next game to play: on the usual board after a win on a smaller one, then against the next level.
 * @param {object} catalog @param {object} game one of its games
 * @param {object} [played] the last one, see `paths` of the server
 * @returns {{size: number, level: number|string|null}}
 */
export function following({ levels }, { recommended, default_size: usual }, played) {
  if (!played) return { size: recommended?.[0] ?? Math.ceil(usual / 2), level: levels[0]?.level ?? null };
  const { size, score } = played;
  const place = levels.findIndex((one) => String(one.level) === played.level);
  const level = levels[place]?.level ?? (played.level || null); // it may be adaptive, or unknown
  if (score < 1) return { size, level };
  return size < usual ? { size: usual, level } : { size, level: (place >= 0 && levels[place + 1]?.level) || level };
}

/** Go to the board, where a game of a name and size will come; a game in progress stays at its table. */
function toFreeBoard(app, name, size) {
  const { store } = app;
  const left = (store.exercising || store.begun || store.shared) && store.may("tables") && app.home();
  app.screen("board");
  if (left) app.enter(null);
  // The first game of a table is only what stands on its board at the beginning.
  app.opening(({ tree, view: { game } }) => store.hello.table !== left && tree > 1 && game.name === name && game.size === size);
}

/** Go on from the position of an exercise, against the engine; or analyze it. */
export function goOn(app, analyze) {
  const { store } = app;
  const { exercise: { color }, state: { view } } = store;
  const person = { kind: "human" };
  const other = analyze ? person : { kind: "engine", engine: store.players[0], level: null };
  toFreeBoard(app, view.game.name, view.game.size);
  app.send("position", { text: view.position });
  app.send("seats", color === "black" ? { black: person, white: other } : { black: other, white: person });
  if (!analyze) return;
  app.send("analyse", { on: true });
  app.open("analysis");
}

/** Begin a game against the engine; one in progress stays at its table. */
export function begin(app, { name, pie, default_size: usual }, { size, level }) {
  const { store } = app;
  toFreeBoard(app, name, size);
  const white = { kind: "engine", engine: store.players[0], level };
  app.send("new", { game: name, size, pie: pie && size >= usual ? "pieces" : "off", clock: null, black: { kind: "human" }, white });
}

/**
 * Add to the app: `path(game)`, its steps `{title, act, done, off, go}`; `nextStep(game)`, the first that is open; `askPaths()`;
 * `pastGame({id, here}, act)` shows a game of the journal, then calls `act`.
 */
export function paths(app) {
  const { store } = app;
  const [lessons, puzzles] = [app.progress("lessons"), app.progress("puzzles")];
  let last = new Map();
  // The tree of the game that one leaves for a past one.
  let leaving = null;
  let then = null;
  app.pastGame = ({ id, here }, act) => {
    app.screen("board");
    if (here) return act();
    then = act;
    const left = store.state.tree;
    leaving = app.send("keep_open", { number: id }) ? left : null;
    app.opening(({ tree }) => tree !== left);
  };
  app.path = (game) => {
    const { name } = game;
    const played = last.get(name);
    const next = following(store.catalog, game, played);
    const play = () => begin(app, game, next);
    return [
      game.lessons && { title: "Lessons", act: "learn", done: lessons.count(name) >= game.lessons, go: () => app.screen("learn", name) },
      { title: "First game", act: "play", done: Boolean(played), go: play },
      { title: "Review", act: "review", done: Boolean(played?.reviewed), off: !played, go: () => app.pastGame(played, app.review) },
      game.puzzles && { title: "Puzzle", act: "puzzles", done: puzzles.count(name) > 0, go: () => app.screen("puzzles", name) },
      { title: played ? `${next.size}\u2009\u00d7\u2009${next.size}${next.level > 0 ? `, level ${next.level}` : ""}` : "Next game", act: "play", off: !played, go: play },
    ].filter(Boolean);
  };
  app.nextStep = (game) => app.path(game).find(({ done, off }) => !done && !off);
  app.askPaths = () => !store.hello?.readonly && app.send("paths");
  store.on("paths", ({ list }) => (last = new Map(list.map((each) => [each.game, each]))));
  store.onFailure(() => (leaving = null)); // that game cannot be shown
  store.on("state", ({ tree }) => {
    if (leaving === null || tree === leaving) return;
    leaving = null;
    then();
  });
}

/** Show the path of a game in a list; what stays the same keeps the focus. */
export function showPath(app, node, game) {
  const steps = app.path(game);
  const sign = JSON.stringify(steps);
  if (node.dataset.sign === sign) return;
  node.dataset.sign = sign;
  const next = app.nextStep(game).title;
  fill(node, steps.map(({ title, done, off }, n) =>
    el("li", {}, el("button", { type: "button", class: done ? "ticked" : null, disabled: off, "aria-label": done ? `${title}, done` : null, "aria-current": title === next ? "step" : null, onclick: () => app.path(game)[n].go() }, done ? icon("check") : null, title))));
}
