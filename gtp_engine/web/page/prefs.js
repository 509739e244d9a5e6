/** The settings of this browser, such as the theme and animations; and the keys of the page. */

import { at, button, el, field } from "./dom.js";

const KEY = "board-settings";
const USUAL = { theme: "system", board: "", animations: true, coordinates: true, confirmTaps: false, letters: true };

const SWITCHES = [
  ["animations", "Animations"],
  ["coordinates", "Coordinates"],
  ["confirmTaps", "Tap once to aim, again to play"],
  ["letters", "Letter keys on the board"],
];

const KEYS = [
  ["Arrows, Home, End", "move around the board"],
  ["Enter, Space", "click"],
  ["Shift+Enter", "click with the other piece"],
  ["Escape", "cancel the selection"],
  ["Page Up, Page Down", "one turn back or forward"],
  ["Ctrl+Z, Ctrl+Y", "take back, play again"],
  ["L", "replay and read the last turn"],
  ["A, R, X", "read the pieces, the areas, the possible captures"],
  ["First letter of a piece", "choose this piece, if there is a choice"],
];

/** The stored settings, with defaults for missing or invalid ones. */
export function readSettings(text) {
  let stored = {};
  try {
    stored = JSON.parse(text) ?? {};
  } catch {
    // Settings of another version must not stop the page.
  }
  const found = { ...USUAL };
  for (const [key, usual] of Object.entries(USUAL)) {
    if (typeof stored[key] === typeof usual) found[key] = stored[key];
  }
  return found;
}

/** Apply the settings, and build the dialog that changes them. */
export function preferences(app) {
  const settings = readSettings(stored());
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const apply = () => {
    const theme = settings.theme === "system" ? (dark.matches ? "dark" : "light") : settings.theme;
    document.documentElement.dataset.theme = theme;
    document.documentElement.classList.toggle("still", !settings.animations || still.matches);
    app.board.options = {
      animations: settings.animations,
      coordinates: settings.coordinates,
      confirmTaps: settings.confirmTaps,
      letters: settings.letters,
      surface: settings.board || null,
    };
  };
  const change = (key, value) => {
    settings[key] = value;
    keep(settings);
    anew();
  };
  const anew = () => {
    apply();
    if (app.store.state) app.store.tell("state", app.store.state);
  };
  for (const media of [dark, still]) media.addEventListener("change", anew);
  const dialog = settingsDialog(app, settings, change);
  document.body.append(dialog);
  const show = () => dialog.showModal();
  at("tools").append(button({ label: "Settings", icon: "gear", iconOnly: true, onclick: show }));
  at("more").querySelector(".menu").append(button({ label: "Settings", icon: "gear", onclick: show }));
  apply();
}

function settingsDialog(app, settings, change) {
  const select = (key, choices) => {
    const list = el("select", { onchange: () => change(key, list.value) }, choices.map(([value, text]) => el("option", { value, text })));
    list.value = settings[key];
    return list;
  };
  const boards = Object.entries(app.look.boards).map(([name, { title }]) => [name, title]);
  const rows = SWITCHES.map(([key, text]) => {
    const box = el("input", { type: "checkbox", role: "switch", onchange: () => change(key, box.checked) });
    box.checked = settings[key];
    return el("label", { class: "switch" }, box, el("span", { text }));
  });
  return el(
    "dialog",
    { id: "settings", "aria-labelledby": "settings-title" },
    el(
      "form",
      { method: "dialog" },
      el("div", { class: "dialog-head" }, el("h2", { id: "settings-title", text: "Settings" }), el("button", { class: "primary", text: "Done" })),
      field("Theme", select("theme", [["system", "Same as the system"], ["light", "Light"], ["dark", "Dark"]])),
      field("Board", select("board", [["", "Same as the theme"], ...boards])),
      rows,
      el("h3", { text: "Keys" }),
      el("dl", { class: "keys" }, KEYS.flatMap(([key, text]) => [el("dt", { text: key }), el("dd", { text })])),
    ),
  );
}

function stored() {
  try {
    return localStorage.getItem(KEY) ?? "{}";
  } catch {
    return "{}";
  }
}

function keep(settings) {
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // Without storage the settings last until the page is closed.
  }
}
