/** Which player is away, since when, and what the other can do about it; and how many watch. */

import { durationText } from "./clocks.js";
import { at, button, el, fill } from "./dom.js";
import { COLORS } from "./store.js";

const TICK = 1000;
/** Seconds before anybody is told: a reload of a page takes some. */
const GRACE = 5;

/** Show on the cards who is away; below the board offer to claim the game, and to stop the clocks. */
export function presencePanel(app) {
  if (app.game) return;
  const { store } = app;
  const bar = el("div", { id: "absent", hidden: "" });
  const sentence = el("p", {});
  const claim = button({ label: "Claim the game", onclick: () => app.send("claim") });
  const stop = button({ label: "Ask to stop the clocks", onclick: () => app.send("pause", { on: true }) });
  fill(bar, sentence, el("div", { class: "row" }, claim, stop));
  at("status").prepend(bar);
  const notes = Object.fromEntries(COLORS.map((color) => [color, el("span", { class: "absence", hidden: "" })]));
  for (const [color, note] of Object.entries(notes)) at("players").querySelector(`[data-color="${color}"] .who`).append(note);
  const watchers = el("p", { class: "score-note" });
  at("players").append(watchers);
  let told = { away: {}, awaited: [] };
  let since = 0;
  let timer = null;
  let spoken = null;

  const roleOf = (color) => store.state.seats[color].guest ?? "host";
  const words = (color) => (told.awaited.includes(roleOf(color)) ? "not here yet" : "away");
  /** How many seconds the player of a color has been away; null for somebody who is here. */
  const absence = (color) => {
    const { state } = store;
    const role = roleOf(color);
    const known = store.online && store.shared && store.person(color) && !state.view.outcome && !store.plays(color);
    return known && role in told.away ? told.away[role] + (performance.now() - since) / 1000 : null;
  };
  const shown = (color) => {
    const seconds = absence(color);
    return seconds !== null && seconds >= GRACE ? seconds : null;
  };
  const draw = () => {
    const { state } = store;
    if (!state) return;
    for (const [color, note] of Object.entries(notes)) {
      const seconds = shown(color);
      note.hidden = seconds === null;
      note.textContent = note.hidden ? "" : words(color) === "away" ? `away since ${durationText(seconds)}` : words(color);
    }
    const other = store.own && COLORS.find((color) => color !== store.own);
    const seconds = other ? shown(other) : null;
    bar.hidden = seconds === null;
    app.absent = bar.hidden ? null : `${store.title(other)} is ${words(other)}`;
    if (spoken !== app.absent) store.tell("absent", app.absent);
    if (app.absent && !spoken) app.say(`${app.absent}.`);
    spoken = app.absent;
    if (bar.hidden) return;
    const left = (state.paused ? told.in_pause : told.claim) - seconds;
    const turn = state.view.turn.to_move === other && state.can_undo;
    const slow = Boolean(state.clock?.turn);
    const early = slow || left > 0 || !turn;
    if (claim.hidden && !early) app.say(claimWords(left, turn));
    claim.hidden = early;
    stop.hidden = !state.clock || state.paused;
    sentence.textContent = [`${app.absent}.`, slow ? "Each turn has its own time: when that is over, the game is." : claimWords(left, turn)].join(" ");
  };
  const follow = () => {
    clearInterval(timer);
    draw();
    if (store.state && COLORS.some((color) => absence(color) !== null)) timer = setInterval(draw, TICK);
  };
  store.on("presence", (message) => {
    told = message;
    const { watching } = message;
    watchers.textContent = watching ? `${watching} ${watching === 1 ? "spectator" : "spectators"}` : "";
    since = performance.now();
    follow();
  });
  store.onArrival(() => {
    told = { away: {}, awaited: [] };
    watchers.textContent = "";
  });
  store.on("online", follow);
  store.on("state", follow);
}

function claimWords(left, turn) {
  if (!turn) return "The game can be claimed only on the turn of who is away.";
  return left > 0 ? `You can wait, or claim the game in ${durationText(left)}.` : "You can wait, or claim the game.";
}
