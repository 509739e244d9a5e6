/** Which panel is open: tabs on a wide page, sheets over a narrow one. */

import { at, button, el } from "./dom.js";

const PANELS = [
  { name: "watch", title: "Games", icon: "watch" },
  { name: "turns", title: "Turns", icon: "turns" },
  { name: "analysis", title: "Analysis", icon: "analysis" },
  { name: "rules", title: "Rules", icon: "rules" },
  { name: "game", title: "Game", icon: "plus" },
  { name: "files", title: "Record", icon: "record" },
  { name: "console", title: "Console", icon: "console" },
  { name: "more", title: "More", icon: "more" },
];

/** The tabs for each width of the page; other panels have their own place, or are under More. */
const SHOWN = {
  narrow: ["turns", "analysis", "rules", "game", "more"],
  middle: ["turns", "analysis", "rules", "files", "console"],
  wide: ["analysis", "rules", "files", "console"],
};
const ENCLOSED = { narrow: ["turns", "analysis", "rules", "more"], middle: ["turns", "analysis", "rules", "files"], wide: ["analysis", "rules", "files"] };
const WATCHED = { narrow: ["watch", "turns", "rules", "more"], middle: ["watch", "turns", "rules", "files"], wide: ["watch", "rules", "files"] };
const UNDER_MORE = ["files", "console"];

/** Build the tabs, and add `open(panel)` and `close()` to the app. */
export function tabs(app) {
  const narrow = matchMedia("(max-width: 639.9px), (max-height: 479.9px)");
  const wide = matchMedia("(min-width: 1100px)");
  const width = () => (narrow.matches ? "narrow" : wide.matches ? "wide" : "middle");
  const shown = () => {
    if (app.game) return ENCLOSED[width()].filter((name) => name !== "analysis" || Object.keys(app.game.frames).length);
    return (app.store.hello?.readonly ? WATCHED : SHOWN)[width()];
  };
  const buttons = new Map();

  const show = (name) => {
    document.body.dataset.panel = name;
    for (const [one, tab] of buttons) {
      tab.hidden = !shown().includes(one);
      const current = one === name || (one === "more" && narrow.matches && UNDER_MORE.includes(name));
      if (current) tab.setAttribute("aria-current", "true");
      else tab.removeAttribute("aria-current");
    }
    app.store.tell("panel", name);
  };
  const settle = () => {
    const name = document.body.dataset.panel;
    document.body.classList.toggle("readonly", Boolean(app.store.hello?.readonly));
    if (narrow.matches) show("");
    else show(shown().includes(name) ? name : shown().includes("rules") ? "rules" : shown()[0]);
  };

  app.isNarrow = () => narrow.matches;
  app.isWide = () => wide.matches;
  app.opened = (name) => document.body.dataset.panel === name || (name === "turns" && wide.matches);
  app.open = (name, focus = true) => {
    if (!narrow.matches && !shown().includes(name)) {
      if (focus) at(name).querySelector("button, select, input")?.focus();
      return;
    }
    show(name);
    if (focus && narrow.matches) at(name).querySelector("h2").focus();
  };
  app.close = () => {
    if (!narrow.matches) return;
    const name = document.body.dataset.panel;
    show("");
    (buttons.get(name)?.hidden === false ? buttons.get(name) : buttons.get("more")).focus();
  };

  for (const { name, title, icon } of PANELS) {
    const tab = button({ label: title, icon, class: "tab", "aria-controls": name, onclick: () => press(name) });
    buttons.set(name, tab);
    at(name).prepend(
      el(
        "div",
        { class: "panel-head" },
        el("h2", { tabindex: "-1", text: title }),
        button({ label: "Close", icon: "close", iconOnly: true, class: "close", onclick: () => app.close() }),
      ),
    );
    at(name).addEventListener("keydown", (event) => {
      if (event.key === "Escape" && narrow.matches) app.close();
    });
  }
  const press = (name) => {
    if (narrow.matches && document.body.dataset.panel === name) app.close();
    else app.open(name);
  };
  at("tabs").append(...buttons.values());
  at("more").append(
    el(
      "div",
      { class: "menu" },
      ...PANELS.filter(({ name }) => UNDER_MORE.includes(name)).map(({ name, title, icon }) =>
        button({ label: title, icon, class: name === "console" ? "writes" : null, onclick: () => app.open(name) }),
      ),
    ),
  );
  for (const media of [narrow, wide]) media.addEventListener("change", settle);
  let watches = false;
  app.store.on("hello", ({ readonly }) => {
    if (watches === readonly) return;
    watches = readonly;
    settle();
    if (readonly && !narrow.matches) show(shown().find((name) => name !== "analysis" || app.game.hello.reviewed));
  });
  settle();
}
