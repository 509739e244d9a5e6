/** The clocks of the players: the server tells the time, and the page counts it down in between. */

import { at, el } from "./dom.js";
import { serverGone } from "./connection.js";
import { COLORS } from "./store.js";

const LOW = 20;
const TICK = 100;
/** Before a time that nobody has told for a while. */
const ABOUT = "\u2248";

/** Seconds as a clock shows them: `1:04:05`, `9:59`, in the last seconds `9.4`. */
export function clockText(seconds) {
  return seconds < 10 ? (Math.floor(10 * seconds) / 10).toFixed(1) : durationText(seconds);
}

/** Whole seconds as `2 d 3 h`, `1:04:05` or `0:09`. */
export function durationText(seconds) {
  const whole = Math.floor(seconds);
  const two = (number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  if (hours >= 24) return `${Math.floor(hours / 24)} d${hours % 24 ? ` ${hours % 24} h` : ""}`;
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

/** Show the clocks on the cards of the players. */
export function clocksPanel(app) {
  const { store } = app;
  const faces = Object.fromEntries(COLORS.map((color) => [color, el("span", { class: "time", role: "timer", hidden: "" })]));
  for (const [color, face] of Object.entries(faces)) at("players").querySelector(`[data-color="${color}"]`).append(face);
  let told = null;
  let since = 0;
  let warned = false;
  let timer = null;
  let gone = null; // since when the server counts as gone
  const draw = () => {
    for (const [color, face] of Object.entries(faces)) {
      face.hidden = !told;
      face.parentElement.classList.toggle("timed", Boolean(told));
      if (!told) continue;
      const spent = told.running === color ? ((gone ?? performance.now()) - since) / 1000 : 0;
      const left = Math.max(0, told[color] - spent);
      face.textContent = `${store.online ? "" : ABOUT}${clockText(left)}`;
      face.setAttribute("aria-label", `${store.title(color)} has ${store.online ? "" : "about "}${left < 3600 ? `${Math.ceil(left)} seconds` : durationText(left)}`);
      face.classList.toggle("uncertain", !store.online);
      face.classList.toggle("runs", told.running === color);
      face.classList.toggle("low", left < LOW);
      if (left < LOW && !warned && store.online && told.running === color && store.plays(color)) {
        warned = true;
        app.say(`${Math.ceil(left)} seconds left.`);
      }
    }
  };
  store.on("online", () => {
    gone = serverGone(store) ? (gone ?? performance.now()) : null;
    draw();
  });
  store.on("state", (state) => {
    if (state.looking || !store.online) return; // without a server the page only shows what it knows
    told = state.clock ?? null;
    since = state.came;
    if (told?.running && !store.plays(told.running)) warned = false;
    clearInterval(timer);
    draw();
    if (told?.running) timer = setInterval(draw, TICK);
  });
}
