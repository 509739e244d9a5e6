/** The clocks of the players: the server tells the time, and the page counts it down in between. */

import { at, el } from "./dom.js";
import { COLORS } from "./store.js";

const LOW = 20;
const TICK = 100;

/** Time controls of the dialog for a new game. */
export const TIMES = [
  { value: "", text: "No clock" },
  ...[[3, 2], [5, 5], [10, 5], [20, 10], [45, 30]].map(([minutes, seconds]) => ({
    value: `${60 * minutes}+${seconds}`,
    text: `${minutes} min + ${seconds} s a turn`,
  })),
];

/** The clock in a message, for a value of TIMES; null for none. */
export function clockOf(value) {
  const [main, increment] = value.split("+").map(Number);
  return value ? { main, increment } : null;
}

/** The value of TIMES for a clock in a state. */
export function clockValue(clock) {
  return clock ? `${clock.main}+${clock.increment}` : "";
}

/** Seconds as a clock shows them: `1:04:05`, `9:59`, in the last seconds `9.4`. */
export function clockText(seconds) {
  if (seconds < 10) return (Math.floor(10 * seconds) / 10).toFixed(1);
  const whole = Math.floor(seconds);
  const two = (number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
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
  const draw = () => {
    for (const [color, face] of Object.entries(faces)) {
      face.hidden = !told;
      face.parentElement.classList.toggle("timed", Boolean(told));
      if (!told) continue;
      const spent = told.running === color ? (performance.now() - since) / 1000 : 0;
      const left = Math.max(0, told[color] - spent);
      face.textContent = clockText(left);
      face.setAttribute("aria-label", `${store.title(color)} has ${Math.ceil(left)} seconds`);
      face.classList.toggle("runs", told.running === color);
      face.classList.toggle("low", left < LOW);
      if (left < LOW && !warned && told.running === color && store.plays(color)) {
        warned = true;
        app.say(`${Math.ceil(left)} seconds left.`);
      }
    }
  };
  store.on("state", (state) => {
    if (state.looking) return;
    told = state.clock ?? null;
    since = performance.now();
    if (told?.running && !store.plays(told.running)) warned = false;
    clearInterval(timer);
    draw();
    if (told?.running) timer = setInterval(draw, TICK);
  });
}
