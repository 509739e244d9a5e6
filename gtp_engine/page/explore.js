/** What was played here in games of the past: each next turn, how often, and who won. */

import { el, fill } from "./dom.js";

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
    el("thead", {}, el("tr", {}, ["Turn", "Games", "Won by", "Last"].map((one) => el("th", { scope: "col", text: one })))),
    body,
  );
  const node = el("section", { "aria-label": "Games of the past" }, el("h3", { text: "Played here before" }), table, about);
  table.hidden = true;
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
    fill(body, told.turns.map((turn) => row(app, turn, total)));
    table.hidden = !total;
    about.textContent = remark(told, total);
    if (told.filling) timer = setTimeout(ask, AGAIN);
  });
  store.on("online", () => (asked = null));
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

function row(app, turn, total) {
  const word = el("button", { type: "button", class: "word", text: turn.turn, title: `Play ${turn.turn}`, onclick: () => app.step(turn.turn) });
  const show = (event) => app.preview(/enter|in$/.test(event.type) ? turn.turn : null);
  const said = shares(turn).map(({ kind, share }) => `${named(app.store, kind)} ${Math.round(100 * share)} %`).join(", ");
  const bar = el("div", { class: "results", role: "img", "aria-label": said, title: said });
  for (const { kind, share } of shares(turn)) {
    const part = el("span", { class: kind });
    part.style.width = `${100 * share}%`;
    bar.append(part);
  }
  const count = el("td", { class: "count", title: `${Math.round((100 * turn.games) / total)} % of the games here` }, String(turn.games));
  return el("tr", { onpointerenter: show, onpointerleave: show, onfocusin: show, onfocusout: show }, el("th", { scope: "row" }, word), count, el("td", {}, bar), el("td", { class: "count", text: turn.last || "\u2013" }));
}

function named(store, kind) {
  return { draw: "draws", none: "no result" }[kind] ?? store.title(kind);
}
