/** A table with guests: who one is here, questions that need consent, and looking back alone. */

import { at, button, el, fill } from "./dom.js";

const NAMES = { host: "Host", black: "Guest", white: "Guest" };

/** Who sits on a seat of a game that others see, too: a name, and the level of an engine. */
export function sitter(store, color) {
  const seat = store.state.seats[color];
  if (seat.engine) return [seat.engine, levelName(store, seat), adapts(store, seat) && "adaptive"].filter(Boolean).join(", ");
  if (store.plays(color)) return "You";
  if (seat.name) return seat.name;
  return NAMES[seat.guest ?? "host"];
}

/** The level of an engine in a seat, such as `Beginner`; "" if it has its own. */
export function levelName(store, seat) {
  const known = adapts(store, seat) ? store.state.adaptive : seat.level;
  const name = (store.catalog?.levels ?? []).find((one) => one.level === known)?.name;
  return name ?? (known ? `Level ${known}` : "");
}

/** Whether the level of a seat follows the results, and is known. */
export function adapts({ state }, { level }) {
  return level === "adaptive" && Boolean(state.adaptive);
}

/** Build the bar above the turn, which asks for consent, and leads back to the game. */
export function guestsPanel(app) {
  const { store } = app;
  const bar = el("div", { id: "asked", hidden: "", role: "status" });
  at("status").prepend(bar);
  let asked = { by: null, to: [], text: "" };
  const answer = (yes) => () => app.send("agree", { number: asked.number, yes });
  const question = () => {
    if (asked.to.includes(store.role)) {
      return [el("p", { text: asked.text }), el("div", { class: "row" }, button({ label: "Agree", class: "primary", onclick: answer(true) }), button({ label: "Decline", onclick: answer(false) }))];
    }
    if (asked.by === store.role) return [el("p", { text: "You have asked. Waiting for an answer." }), el("div", { class: "row" }, button({ label: "Withdraw", onclick: answer(false) }))];
    return [];
  };
  const back = () => app.send("goto", { node: store.actual.node });
  const show = () => {
    const parts = question();
    if (store.state?.looking) parts.push(el("p", { text: "You are looking back." }), el("div", { class: "row" }, button({ label: "To the game", icon: "last", onclick: back })));
    bar.hidden = !parts.length;
    fill(bar, parts);
  };
  store.on("asked", (message) => {
    asked = message;
    show();
    if (asked.to.includes(store.role)) app.say(asked.text);
  });
  store.on("state", show);
  store.on("hello", ({ role = "host", readonly, first }) => {
    if (!first) return;
    // Who cannot go to other screens finds the tools beside the title.
    if (role !== "host" || readonly) at("head").append(at("tools"));
    if (role !== "host") {
      document.body.classList.add("guest");
      if (!app.on("board")) app.screen("board");
    }
    asked = { by: null, to: [], text: "" };
    show();
  });
}
