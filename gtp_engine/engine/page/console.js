/** The console: all lines between the table and its engines, and a field to send a line. */

import { at, button, el, fill, later } from "./dom.js";

const MOST_LINES = 400;
const LONGEST = 2000;

/** Build the console. */
export function consolePanel(app) {
  const { store } = app;
  const log = el("div", { class: "log", role: "log", "aria-label": "Lines to and from the engines", tabindex: "0", "aria-live": "off" });
  const engine = el("select", { "aria-label": "Engine" });
  const names = el("datalist", { id: "commands" });
  const input = el("input", { type: "text", list: "commands", "aria-label": "Command for the engine", placeholder: "Command", autocomplete: "off", autocapitalize: "off", spellcheck: "false", maxlength: "2000" });
  const about = el("p", { class: "about" });
  const form = el("form", { class: "typed" }, input, names, el("button", { type: "submit", text: "Send" }));
  const clear = button({ label: "Clear", icon: "drop", iconOnly: true, onclick: () => { lines.length = 0; draw(); } });
  at("console").append(el("div", { class: "foot" }, engine, clear), log, about, form);
  const lines = [];
  const past = [];
  let place = 0;

  const draw = () => {
    if (!app.opened("console")) return;
    const follows = log.scrollHeight - log.scrollTop - log.clientHeight < 40;
    fill(log, lines.map(shownLine));
    if (follows) log.scrollTop = log.scrollHeight;
  };
  const soon = later(draw);
  store.on("console", (message) => {
    keep(lines, message);
    soon();
  });
  let shown = false;
  const attend = () => {
    lines.length = 0; // the last ones come again
    app.send("lines", { on: shown });
  };
  store.on("online", () => shown && store.online && attend());
  store.on("panel", () => {
    if (shown !== app.opened("console")) {
      shown = !shown;
      attend();
    }
    draw();
    if (shown) ask();
  });
  const ask = () => {
    if (engine.value && !store.commands.has(engine.value)) app.send("console", { engine: engine.value, line: "" });
    else offer();
  };
  const offer = () => {
    const list = store.commands.get(engine.value) ?? [];
    fill(names, list.map(({ name, summary }) => el("option", { value: name, label: summary })));
  };
  const explain = () => {
    const name = input.value.trim().split(/\s+/)[0];
    const found = (store.commands.get(engine.value) ?? []).find((one) => one.name === name);
    about.textContent = found ? [found.syntax, found.summary].filter(Boolean).join(" \u2014 ") : "";
  };
  engine.addEventListener("change", ask);
  input.addEventListener("input", explain);
  store.on("commands", offer);
  store.on("hello", ({ engines }) => {
    const before = engine.value;
    const all = [...new Set(["board", ...engines.map(({ name }) => name), "analyst"])];
    fill(engine, all.map((name) => el("option", { value: name, text: name })));
    engine.value = all.includes(before) ? before : all[0];
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const line = input.value.trim();
    if (!line || !app.send("console", { engine: engine.value, line })) return;
    if (past.at(-1) !== line) past.push(line);
    if (past.length > 100) past.shift();
    place = past.length;
    input.value = "";
    explain();
  });
  input.addEventListener("keydown", (event) => {
    if (!event.altKey || !["ArrowUp", "ArrowDown"].includes(event.key)) return;
    event.preventDefault();
    place = Math.min(past.length, Math.max(0, place + (event.key === "ArrowUp" ? -1 : 1)));
    input.value = past[place] ?? "";
  });
}

/**
 * Add a line to the console; only the newest lines are stored, and of consecutive reports only the
 * newest, with their number as `times`.
 */
export function keep(lines, message) {
  const before = lines.at(-1);
  const report = message.direction === "<" && message.text.startsWith("{");
  if (report && before?.engine === message.engine && before.direction === "<" && before.text.startsWith("{")) {
    lines[lines.length - 1] = { ...message, times: (before.times ?? 1) + 1 };
    return;
  }
  lines.push(message);
  if (lines.length > MOST_LINES) lines.splice(0, lines.length - MOST_LINES);
}

const WAYS = { ">": "sent", "<": "answer", "!": "fault" };

function shownLine({ engine, direction, text, times }) {
  const words = text.length > LONGEST ? `${text.slice(0, LONGEST)} \u2026` : text;
  return el(
    "div",
    { class: `entry ${WAYS[direction] ?? "answer"}` },
    el("span", { class: "engine", text: engine }),
    el("span", { class: "way", text: direction }),
    el("span", { class: "text", text: words }),
    times ? el("span", { class: "times", title: "Number of reports; the newest is shown", text: `\u00d7${times}` }) : null,
  );
}
