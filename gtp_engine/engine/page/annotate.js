/** Arrows and signs that people draw on the board; they belong to the shown node of the tree. */

import { at, button } from "./dom.js";

/** Milliseconds in which the server has answered. */
const ANSWERED = 2000;

/**
 * The marks after one more is drawn from a point to another, or to the same for a circle. What is
 * there already goes: the arrow or line, or all signs on the point.
 */
export function marked(marks, from, to) {
  const same = (mark) => (from === to ? mark.at === from && !mark.to : mark.at === from && mark.to === to);
  const left = marks.filter((mark) => !same(mark));
  if (left.length < marks.length) return left;
  return [...marks, from === to ? { kind: "circle", at: from } : { kind: "arrow", at: from, to }];
}

/**
 * Show the marks of the node. Adds to the app: `mark(from, to)`, `drawMarks()` switches the drawing
 * by every pointer on or off.
 *
 * @returns {HTMLElement[]} the switch, and a button that removes all marks
 */
export function annotations(app) {
  const { store, board } = app;
  const node = () => store.tree.get(store.state?.node);
  // What was drawn here counts until the server has told it: the next mark may come before that.
  let drawn = null;
  const now = () => (drawn?.node === store.state?.node ? drawn.marks : (node()?.marks ?? []));
  const fixed = () => Boolean(!store.online || store.guest || board.onPoint || store.hello?.readonly);
  const put = (marks) => {
    if (!app.send("marks", { node: store.state.node, marks })) return;
    const mine = (drawn = { node: store.state.node, marks });
    show();
    setTimeout(() => {
      if (drawn === mine) drawn = null;
      show();
    }, ANSWERED);
  };
  app.mark = (from, to) => {
    if (fixed()) return;
    const before = now();
    const marks = marked(before, from, to);
    put(marks);
    app.say(`${marks.length > before.length ? "" : "No "}${from === to ? `mark on ${from}` : `arrow from ${from} to ${to}`}.`);
  };
  const draw = button({ label: "Mark", icon: "pen", "aria-pressed": "false", title: "Draw arrows and circles (M; or the right button, or Alt)", onclick: () => app.drawMarks() });
  const clear = button({ label: "Clear marks", icon: "drop", onclick: () => put([]) });
  app.drawMarks = () => {
    board.draws = !board.draws && !fixed();
    draw.setAttribute("aria-pressed", String(board.draws));
    at("board").classList.toggle("draws", board.draws);
    app.say(board.draws ? "Drawing: choose where an arrow begins and ends; the same point twice is a circle." : "No longer drawing.");
  };
  const show = () => {
    if (!node()) return;
    board.lay({ notes: now() });
    draw.disabled = fixed();
    clear.disabled = fixed() || !now().length;
  };
  for (const kind of ["state", "nodes", "online"]) store.on(kind, show);
  // There every pointer has something else to do; before the editor listens, in which nothing is marked.
  for (const kind of ["exercise", "pieces"]) store.on(kind, () => board.draws && app.drawMarks());
  return [draw, clear];
}
