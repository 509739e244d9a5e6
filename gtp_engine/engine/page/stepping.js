/** Steps through an enclosed game: by keys, by themselves, and along the better line of a turn. */

import { at, button, fill, icon, typing } from "./dom.js";
import { betterLine } from "./tree.js";

/** Milliseconds between two steps of the automatic play. */
const PACE = 1000;

/** The step before or after the shown one, null for none; a better line begins and ends beside its turn. */
export function step(tree, id, by) {
  const node = tree.get(id);
  if (by > 0) return tree.next(id) ?? null;
  const before = tree.get(node.parent);
  if (!before) return null;
  return aside(node) && !aside(before) ? node.instead : before.id;
}

/** Whether a node belongs to a better line. */
function aside({ instead }) {
  return instead !== undefined;
}

/** Handle the keys, and build the button that plays by itself. */
export function stepping(app) {
  const { store } = app;
  const player = automatic(app);
  const go = (node) => node !== null && node !== undefined && app.send("goto", { node });
  const leave = () => go(store.tree.get(store.state.node)?.instead);
  const moves = {
    ArrowLeft: () => app.walk(-1),
    ArrowRight: () => app.walk(1),
    Home: () => go(0),
    End: () => go(store.tree.line(store.state.node).at(-1)),
    Escape: leave,
    b: () => (aside(store.tree.get(store.state.node)) ? leave() : go(betterLine(store.tree, store.state.node)[0]?.id)),
    " ": player.toggle,
  };
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
    if (!(event.key in moves) || !store.state || typing(event) || document.querySelector("dialog:modal")) return;
    if (event.target.closest(event.key === " " ? "button, summary, input" : "input[type=range]")) return;
    event.preventDefault();
    moves[event.key]();
  });
  // A click takes no focus: the arrows keep stepping.
  at("board").addEventListener("mousedown", (event) => event.preventDefault());
  store.on("state", ({ node }) => document.body.classList.toggle("aside", aside(store.tree.get(node))));
  return player.button;
}

/** Play step after step, until the end or until somebody goes elsewhere. */
function automatic(app) {
  const { store } = app;
  const play = button({ label: "Play", icon: "play", iconOnly: true, title: "Play automatically (space)", onclick: () => toggle() });
  let timer = null;
  let reached = null;
  const show = () => {
    fill(play, icon(timer === null ? "play" : "pause"));
    play.setAttribute("aria-label", timer === null ? "Play" : "Pause");
    play.disabled = timer === null && store.tree.next(store.state.node) === undefined;
  };
  const stop = () => {
    clearInterval(timer);
    timer = null;
    show();
  };
  const onward = () => {
    reached = store.tree.next(store.state.node);
    app.send("goto", { node: reached });
  };
  const toggle = () => {
    if (timer !== null) return stop();
    if (play.disabled) return;
    reached = store.state.node;
    timer = setInterval(onward, PACE);
    show();
  };
  store.on("state", ({ node }) => {
    if (timer !== null && (node !== reached || store.tree.next(node) === undefined)) stop();
    show();
  });
  return { button: play, toggle };
}
