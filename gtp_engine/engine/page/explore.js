/** What was played here in games of the past: each next turn, how often, and who won. */

import { el, fill, heads, reconcile } from "./dom.js";

/** Milliseconds until the next look while the server still counts games. */
const AGAIN = 1000;

/** The parts of a bar for the results of a turn: `{kind, share}`, those that occur. */
export function shares({ games, black, draws, white }) {
  const parts = [["black", black], ["draw", draws], ["white", white], ["none", games - black - draws - white]];
  return parts.filter(([, count]) => count).map(([kind, count]) => ({ kind, share: count / games }));
}

/** Build the part of the panel; returns `{node, show}`, to call when the position or the panel changes. */
export function explorer(app) {
  const { store } = app;
  const body = el("tbody");
  const about = el("p", { class: "about", role: "status" });
  const table = el(
    "table",
    { class: "explored" },
    el("caption", { class: "unseen", text: "Turns played here in games of the past" }),
    heads("Turn", "Games", "Won by", "Last"),
    body,
  );
  const node = el("section", { "aria-label": "Games of the past" }, el("h3", { text: "Played here before" }), table, about);
  table.hidden = true;
  const kept = new Map();
  let timer = 0;
  let asked = null;
  const ask = () => {
    clearTimeout(timer);
    if (!about.textContent) about.textContent = "Looking.";
    if (store.online && app.opened("study")) asked = app.send("explore") ? store.state.rev : null;
  };
  store.on("explored", (told) => {
    if (told.rev !== store.state?.rev) return;
    const total = told.turns.reduce((sum, { games }) => sum + games, 0);
    // The rows stay while games are counted, so that a click finds what it was meant for.
    const wanted = told.turns.map(({ turn }) => ({ key: turn, sign: turn, make: () => row(app, turn) }));
    reconcile(body, wanted, kept);
    for (const turn of told.turns) kept.get(turn.turn).node.show(turn, total);
    table.hidden = !total;
    about.textContent = remark(told, total);
    if (told.filling) timer = setTimeout(ask, AGAIN);
  });
  store.onArrival(() => (asked = null));
  const show = () => {
    if (!store.state || asked === store.state.rev || !app.opened("study")) return;
    ask();
  };
  return { node, show };
}

function remark({ games, filling, fault }, total) {
  const known = `${games} ${games === 1 ? "game" : "games"}`;
  const here = filling ? `Counting: ${known} so far.` : total ? `Of ${known}.` : games ? `Not in any of ${known}.` : "There are no finished games yet. Those of My games are counted here.";
  return [here, fault].filter(Boolean).join(" ");
}

/** The row of a turn; its method `show(turn, total)` shows the numbers. */
function row(app, word) {
  const play = el("button", { type: "button", class: "word", text: word, title: `Play ${word}`, onclick: () => app.step(word) });
  const preview = (event) => app.preview(/enter|in$/.test(event.type) ? word : null);
  const count = el("td", { class: "count" });
  const bar = el("div", { class: "results", role: "img" });
  const last = el("td", { class: "count" });
  const show = (turn, total) => {
    const parts = shares(turn);
    const said = parts.map(({ kind, share }) => `${named(app.store, kind)} ${Math.round(100 * share)} %`).join(", ");
    bar.setAttribute("aria-label", said);
    bar.title = said;
    fill(bar, parts.map(({ kind, share }) => {
      const part = el("span", { class: kind });
      part.style.width = `${100 * share}%`;
      return part;
    }));
    count.textContent = String(turn.games);
    count.title = `${Math.round((100 * turn.games) / total)} % of the games here`;
    last.textContent = turn.last || "\u2013";
  };
  const node = el("tr", { onpointerenter: preview, onpointerleave: preview, onfocusin: preview, onfocusout: preview }, el("th", { scope: "row" }, play), count, el("td", {}, bar), last);
  return Object.assign(node, { show });
}

function named(store, kind) {
  return { draw: "draws", none: "no result" }[kind] ?? store.title(kind);
}
