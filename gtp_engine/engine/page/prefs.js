/** The settings of this browser, such as the theme and animations; and the keys of the page. */

import { at, button, el, field } from "./dom.js";

const KEY = "board-settings";

/** Phones are often in company, where a sound disturbs. */
const PHONE = globalThis.matchMedia?.("(pointer: coarse) and (hover: none)").matches ?? false;

/** Each setting is declared once: its default, its text in the dialog, and the choices of one that is no switch. */
const SETTINGS = {
  name: { usual: "", text: "Your name", typed: true },
  theme: { usual: "system", text: "Theme", choices: [["system", "Same as the system"], ["light", "Light"], ["dark", "Dark"]] },
  board: { usual: "", text: "Board", choices: [["", "Same as the theme"]] }, // and the boards of the look
  animations: { usual: true, text: "Animations" },
  coordinates: { usual: true, text: "Coordinates" },
  numbers: { usual: false, text: "Move numbers" },
  warn: { usual: "off", text: "Warn me before mistakes", choices: [["off", "Never"], ["big", "Big ones"], ["all", "All"]] },
  confirmTaps: { usual: false, text: "Tap once to aim, again to play" },
  size: { usual: 1 }, // of the board, a share of the largest
  sound: { usual: !PHONE, text: "Sounds: pieces, your turn, your last seconds, the end" },
  phrases: { usual: true, text: "Show what others say in a game" },
  turnTitle: { usual: true, text: "Your turn in the title of the tab" },
  letters: { usual: true, text: "Letter keys on the board" },
};

/** The settings of a browser that has stored none. */
export const USUAL = Object.fromEntries(Object.entries(SETTINGS).map(([key, { usual }]) => [key, usual]));

const KEYS = [
  ["Arrows, Home, End", "move around the board"],
  ["Enter, Space", "click"],
  ["Shift+Enter", "click with the other piece"],
  ["Escape", "cancel the selection"],
  ["Page Up, Page Down", "one turn back or forward"],
  ["Ctrl+Z, Ctrl+Y", "take back, play again"],
  ["L", "replay and read the last turn"],
  ["A, R, X", "read the pieces, the areas, the possible captures"],
  ["Right button, Alt", "draw arrows and circles"],
  ["M", "draw with Enter: at the beginning of an arrow, then at its end"],
  ["First letter of a piece", "choose this piece, if there is a choice"],
];

const KEYS_OF_A_GAME = [
  ["Left, Right", "one step back or forward"],
  ["Home, End", "to the start or the end"],
  ["Space", "play automatically"],
  ["B, Escape", "to the better line, back to the game"],
  ["Tab, then arrows", "to the board, and around it"],
  ["Page Up, Page Down", "on the board: one step back or forward"],
  ...KEYS.filter(([key]) => /^[AL]\b/.test(key)),
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

/** Apply the settings, and build the dialog; add `settings` and `prefer(key, value)` to the app. */
export function preferences(app) {
  const settings = readSettings(stored());
  app.settings = settings;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const apply = () => {
    const theme = settings.theme === "system" ? (dark.matches ? "dark" : "light") : settings.theme;
    document.documentElement.dataset.theme = theme;
    document.documentElement.classList.toggle("still", !settings.animations || still.matches);
    app.board.options = settings;
  };
  const change = (key, value) => {
    settings[key] = value;
    keep({ ...readSettings(stored()), [key]: value }); // another tab may have changed others
    anew();
  };
  app.prefer = change;
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
  const boards = Object.entries(app.look.boards).map(([name, { title }]) => [name, title]);
  const row = ([key, { text, choices, typed }]) => {
    if (typed) {
      const input = el("input", { type: "text", maxlength: "40", value: settings[key], autocomplete: "nickname", onchange: () => change(key, input.value.trim()) });
      return field(text, input);
    }
    if (!choices) {
      const box = el("input", { type: "checkbox", role: "switch", onchange: () => change(key, box.checked) });
      box.checked = settings[key];
      return el("label", { class: "switch" }, box, el("span", { text }));
    }
    const offered = key === "board" ? [...choices, ...boards] : choices;
    const list = el("select", { onchange: () => change(key, list.value) }, offered.map(([value, title]) => el("option", { value, text: title })));
    list.value = settings[key];
    return field(text, list);
  };
  return el(
    "dialog",
    { id: "settings", "aria-labelledby": "settings-title" },
    el(
      "form",
      { method: "dialog" },
      el("div", { class: "dialog-head" }, el("h2", { id: "settings-title", text: "Settings" }), el("button", { class: "primary", text: "Done" })),
      Object.entries(SETTINGS).filter(([key, { text }]) => text && (!app.game || key !== "confirmTaps")).map(row),
      el("h3", { text: "Keys" }),
      el("dl", { class: "keys" }, (app.game ? KEYS_OF_A_GAME : KEYS).flatMap(([key, text]) => [el("dt", { text: key }), el("dd", { text })])),
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
