/** The row of controls, the choice of pieces, and the dialog about a swap. */

import { branchChoice } from "./branches.js";
import { at, button, el, fill, later, write } from "./dom.js";
import { resignButton } from "./game.js";
import { place } from "./geometry.js";
import { step, stepping } from "./stepping.js";
import { turnEnd, turnStart } from "./tree.js";

/**
 * Build the controls below the board.
 * @returns {{bar: HTMLElement, tools: HTMLElement, show: () => void}} call `show` after each state
 */
export function controls(app) {
  const { store } = app;
  const tools = toolBar(app);
  const swap = swapQuestion(app);
  const go = (label, icon, onclick) => button({ label, icon, iconOnly: true, onclick });
  const first = go("To the start", "first", () => app.send("goto", { node: 0 }));
  const each = app.game ? "step" : "turn";
  const back = go(`One ${each} back`, "back", () => app.walk(-1));
  const forward = go(`One ${each} forward`, "forward", () => app.walk(1));
  const last = go("To the end", "last", () => app.send("goto", { node: store.tree.line(store.state.node).at(-1) }));
  const undoStep = button({ label: "Step", icon: "stepback", title: "Take back the last step", onclick: () => app.send("undo") });
  const undoTurn = button({ label: "Take back", icon: "undo", title: "Take back a turn (Ctrl+Z)", onclick: () => takeBack(app) });
  const hint = button({ label: "Hint", icon: "hint", title: "Where to look; again: the turn; again: why", onclick: () => app.hint() });
  const replay = go("Show the last turn again", "replay", () => app.board.replay());
  const pause = button({ label: "Pause", icon: "pause", iconOnly: true, class: "writes", onclick: () => app.send("pause", { on: true }) });
  const resign = resignButton(app);
  const bar = el(
    "div",
    { class: "controls" },
    el("div", { class: "group" }, first, back, app.game && stepping(app), forward, last),
    el("div", { class: "group" }, undoStep, undoTurn),
    el("div", { class: "group" }, hint, replay),
    el("div", { class: "group end" }, pause, resign),
  );

  const branch = app.game ? () => false : branchChoice(app);
  app.walk = (by) => {
    if (by > 0 && branch()) return;
    const { node: now } = store.state;
    const node = app.game ? step(store.tree, now, by) : by < 0 ? turnStart(store.tree, now) : turnEnd(store.tree, now);
    if (node !== null) app.send("goto", { node });
  };
  const show = () => {
    const { state, hello, online } = store;
    const { view, node } = state;
    const mine = online && !hello?.readonly;
    const atStart = turnStart(store.tree, node) === null;
    const atEnd = store.tree.children(node).length === 0;
    for (const one of [first, back]) one.disabled = atStart;
    for (const one of [forward, last]) one.disabled = atEnd;
    undoStep.hidden = !view.turn.open || !state.can_undo;
    undoTurn.disabled = !mine || !state.can_undo;
    write(undoTurn.lastChild, view.turn.open ? "Whole turn" : "Take back");
    hint.disabled = !mine || Boolean(view.outcome) || store.apart;
    replay.disabled = !view.last;
    pause.hidden = state.paused || store.person("black") || store.person("white");
    resign.disabled = !mine || Boolean(view.outcome) || !store.begun || (store.apart && !store.live);
    for (const one of [undoStep, undoTurn, hint, resign]) one.classList.toggle("gone", Boolean(hello?.readonly));
    tools.show();
    swap.show();
  };
  store.on("online", () => store.state && show());
  // The state of a new node comes next.
  store.on("nodes", later(() => store.state && store.tree.get(store.state.node) && show()));
  return { bar, tools: tools.node, show };
}

function takeBack(app) {
  const { state, tree } = app.store;
  const start = state.view.turn.open && !app.store.apart ? turnStart(tree, state.node) : null;
  if (start === null) app.send("undo");
  else app.send("goto", { node: start });
}

/** Buttons for the kinds of pieces that can be placed on the same point. */
function toolBar(app) {
  const node = el("div", { class: "toolbar", role: "group", "aria-label": "What a click places" });
  let shown = "";
  const show = () => {
    const list = app.store.live ? app.board.tools() : [];
    const { to_move: color } = app.store.state.view.turn;
    const { ink } = app.store.state.view.game.colors[color];
    const wanted = JSON.stringify([list, ink, document.documentElement.dataset.theme]);
    if (wanted === shown) return;
    shown = wanted;
    const focused = node.contains(document.activeElement) ? document.activeElement.dataset.verb : null;
    node.hidden = list.length < 2;
    fill(
      node,
      list.map(({ verb, title, shape, active }) => {
        const tool = el("button", { type: "button", class: "tool", "aria-pressed": String(active), data: { verb } });
        tool.addEventListener("click", () => {
          app.board.useTool(verb);
          show();
        });
        tool.append(el("span", { class: "piece" }, app.sign(shape ?? "stone", ink)), el("span", { text: title }));
        return tool;
      }),
    );
    if (focused) node.querySelector(`[data-verb="${CSS.escape(focused)}"]`)?.focus();
  };
  at("board").addEventListener("tools", () => app.store.state && show());
  return { node, show };
}

/** A dialog over the board: the effect of a swap, and the board after it. */
function swapQuestion(app) {
  const { store } = app;
  const text = el("p", { id: "swap-text" });
  const picture = el("div", { class: "picture", inert: true });
  const take = button({ label: "Swap", icon: "swap", class: "primary" });
  const leave = button({ label: "Play on" });
  const panel = el("dialog", { id: "swap", "aria-labelledby": "swap-text" }, picture, el("div", {}, text, el("div", { class: "answers" }, take, leave)));
  at("stage").append(panel);
  let asked = null;
  let offered = null;
  let small = null;
  const close = () => panel.open && panel.close();
  leave.addEventListener("click", () => {
    close();
    app.focusBoard();
  });
  panel.addEventListener("keydown", (event) => {
    if (event.key === "Escape") leave.click();
  });
  take.addEventListener("click", () => {
    close();
    app.step(offered.step);
  });
  store.on("preview", ({ word, view }) => {
    if (!panel.open || word !== offered.step) return;
    small ??= app.smallBoard(picture);
    small.show(view, { animate: false, live: false });
  });
  const show = () => {
    const { view, rev } = store.state;
    // A swap is a possible first turn of White: a step without a point beside many with one.
    const swap = store.live && store.person(view.turn.to_move) ? view.buttons.find(({ swaps, forced }) => swaps && !forced) : null;
    if (!swap) {
      asked = null;
      close();
      return;
    }
    if (asked === view.position) return; // asked, and perhaps answered: a later state of this position does not ask again
    asked = view.position;
    offered = swap;
    text.textContent = `${swap.text}.`;
    // The dialog does not cover the piece it is about.
    panel.classList.toggle("low", place(view.last?.points[0])?.row + 1 > view.game.size / 2);
    take.lastChild.textContent = swap.title;
    panel.show();
    leave.focus({ preventScroll: true });
    app.send("preview", { rev, word: swap.step });
  };
  return { show };
}
