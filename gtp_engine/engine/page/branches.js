/** A branch of the game, when somebody steps forward there: its variations, on the board and below it. */

import { at, button, el, fill } from "./dom.js";
import { leavesOf } from "./input.js";
import { entryFrom } from "./tree.js";

/**
 * Build the bar with the variations.
 * @returns {() => boolean} offers the variations of the shown position; false if there are fewer
 *   than two, or if they are offered already
 */
export function branchChoice(app) {
  const { store, board } = app;
  const bar = el("div", { id: "branches", hidden: "", role: "group", "aria-label": "Variations" });
  at("status").prepend(bar);
  let node = null; // where the variations begin that are offered
  const end = () => {
    if (node === null) return;
    node = null;
    bar.hidden = true;
    board.lay({ offers: new Map() });
  };
  const go = (id) => {
    end();
    app.send("goto", { node: id });
    app.focusBoard();
  };
  document.addEventListener("keydown", (event) => event.key === "Escape" && end(), true); // before the board takes the key
  store.on("state", (state) => state.node !== node && end());
  for (const kind of ["nodes", "hello", "exercise"]) store.on(kind, end);
  return () => {
    const { tree, state: { view, node: now } } = store;
    const children = tree.children(now);
    if (children.length < 2 || node === now || board.onPoint) {
      end();
      return false;
    }
    node = now;
    const list = children.map((id, n) => ({ ...entryFrom(tree, id), sign: n < 26 ? String.fromCharCode(65 + n) : String(n + 1) }));
    const offers = new Map();
    const steps = leavesOf(view.options);
    for (const { word, sign, ids } of list) {
      const point = steps.find(({ leaf }) => `${word}/`.startsWith(`${leaf.step}/`))?.leaf.at;
      if (point && !offers.has(point)) offers.set(point, { sign, take: () => go(ids.at(-1)) });
    }
    board.lay({ offers });
    fill(bar, list.map(({ word, sign, ids }) => button({ label: `${sign} ${word}`, class: tree.next(now) === ids[0] ? "primary" : null, onclick: () => go(ids.at(-1)) })));
    bar.hidden = false;
    app.say(`${list.length} variations: ${list.map(({ word, sign }) => `${sign} ${word}`).join(", ")}.`);
    return true;
  };
}
