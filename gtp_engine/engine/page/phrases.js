/** What the players of one game say to each other: phrases of the server's list, none typed. */

import { at, button, el, fill, write } from "./dom.js";
import { COLORS } from "./store.js";

/** Milliseconds for which a phrase stands at a card. */
const SHOWN = 8000;

/** Add a button that unfolds the phrases; show on the cards what a player says. */
export function phrasesPanel(app) {
  if (app.game) return;
  const { store } = app;
  const list = el("div", { id: "phrases", hidden: "", role: "group", "aria-label": "Phrases" });
  const opener = button({ label: "Say something", icon: "comment", iconOnly: true, hidden: "", "aria-controls": "phrases", onclick: () => unfold(list.hidden) });
  at("status").prepend(list);
  at("tools").append(opener);
  const bubbles = Object.fromEntries(COLORS.map((color) => [color, el("span", { class: "bubble", hidden: "" })]));
  for (const [color, bubble] of Object.entries(bubbles)) at("players").querySelector(`[data-color="${color}"]`).append(bubble);
  const timers = {};
  const unfold = (on) => {
    list.hidden = !on;
    opener.setAttribute("aria-expanded", String(on));
    if (on) list.querySelector("button")?.focus();
  };
  const say = (phrase) => {
    app.send("say", { phrase });
    unfold(false);
    opener.focus();
  };
  const mute = button({ onclick: () => app.prefer("phrases", !app.settings.phrases) });
  const show = () => {
    write(mute, app.settings.phrases ? "Mute the other" : "Hear the other");
    const alone = !store.own || !store.shared || !COLORS.every((color) => store.person(color));
    opener.hidden = alone || !store.online || !store.may("say");
    if (opener.hidden) unfold(false);
  };
  const hush = (color) => {
    clearTimeout(timers[color]);
    bubbles[color].hidden = true;
  };
  store.on("hello", ({ phrases = {}, first }) => {
    if (first) COLORS.forEach(hush);
    fill(list, Object.entries(phrases).map(([phrase, label]) => button({ label, onclick: () => say(phrase) })), mute);
  });
  store.on("state", show);
  store.on("online", () => store.state && show());
  store.on("said", ({ color, phrase }) => {
    if (!app.settings.phrases && !store.plays(color)) return;
    const text = store.hello.phrases[phrase];
    hush(color);
    bubbles[color].textContent = text;
    bubbles[color].hidden = false;
    timers[color] = setTimeout(() => hush(color), SHOWN);
    app.say(`${store.title(color)}: ${text}`);
  });
}
