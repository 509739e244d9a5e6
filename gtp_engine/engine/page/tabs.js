/** Which panel is open: tabs on a wide page, sheets over a narrow one. */

import { at, button, el } from "./dom.js";

const PANELS = [
  { name: "watch", title: "Games", icon: "watch" },
  { name: "turns", title: "Turns", icon: "turns" },
  { name: "analysis", title: "Analysis", icon: "analysis" },
  { name: "study", title: "Study", icon: "study" },
  { name: "rules", title: "Rules", icon: "rules" },
  { name: "files", title: "Record", icon: "record" },
  { name: "console", title: "Console", icon: "console" },
  { name: "more", title: "More", icon: "more" },
];

/** The tabs for each layout of the page (frame.css); other panels have their own place, or are under More. */
const SHOWN = {
  phone: ["turns", "analysis", "rules", "more"],
  one: ["turns", "analysis", "study", "rules", "files", "console"],
  two: ["analysis", "study", "rules", "files", "console"],
};
const ENCLOSED = { phone: ["watch", "turns", "analysis", "rules", "more"], one: ["watch", "turns", "analysis", "rules", "files"], two: ["watch", "analysis", "rules", "files"] };
const WATCHED = { phone: ["watch", "turns", "rules", "more"], one: ["watch", "turns", "rules", "files"], two: ["watch", "rules", "files"] };
const GUESTS = { phone: ["turns", "rules", "more"], one: ["turns", "rules", "files"], two: ["rules", "files"] };
const UNDER_MORE = ["study", "files", "console"];

/** Build the tabs, and add `open(panel)` and `close()` to the app. */
export function tabs(app) {
  let layout = "";
  /** Whether an enclosed game has nothing for a panel. */
  const empty = (name) => (name === "analysis" && !Object.keys(app.game.frames).length) || (name === "watch" && !app.link.several);
  const measure = () => getComputedStyle(document.body).getPropertyValue("--layout").trim();
  const shown = () => {
    if (app.store.exercise) return ["rules"];
    if (app.game) return ENCLOSED[layout].filter((name) => !empty(name));
    if (app.store.role !== "host") return GUESTS[layout];
    return (app.store.hello?.readonly ? WATCHED : SHOWN)[layout];
  };
  const buttons = new Map();

  const show = (name) => {
    document.body.dataset.panel = name;
    for (const [one, tab] of buttons) {
      tab.hidden = !shown().includes(one);
      const current = one === name || (one === "more" && app.isNarrow() && UNDER_MORE.includes(name));
      if (current) tab.setAttribute("aria-current", "true");
      else tab.removeAttribute("aria-current");
    }
    app.store.tell("panel", name);
  };
  const settle = () => {
    const name = document.body.dataset.panel;
    layout = measure();
    document.body.classList.toggle("readonly", Boolean(app.store.hello?.readonly));
    if (app.isNarrow()) show("");
    else show(shown().includes(name) ? name : shown().includes("rules") ? "rules" : shown()[0]);
  };

  app.isNarrow = () => layout === "phone";
  app.isWide = () => layout === "two";
  app.opened = (name) => document.body.dataset.panel === name || (name === "turns" && app.isWide());
  app.open = (name, focus = true) => {
    if (!app.isNarrow() && !shown().includes(name)) {
      if (focus) at(name).querySelector("button, select, input")?.focus();
      return;
    }
    show(name);
    if (focus && app.isNarrow()) at(name).querySelector("h2").focus();
  };
  app.close = () => {
    if (!app.isNarrow()) return;
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
      if (event.key === "Escape" && app.isNarrow()) app.close();
    });
  }
  const press = (name) => {
    if (app.isNarrow() && document.body.dataset.panel === name) app.close();
    else app.open(name);
  };
  at("tabs").append(...buttons.values());
  if (!app.game) at("tabs").lastChild.before(button({ label: "New game", icon: "plus", class: "tab act writes", onclick: () => app.newGame() }));
  at("more").append(
    el(
      "div",
      { class: "menu" },
      app.game ? null : button({ label: "Start page", icon: "home", class: "writes", onclick: () => app.screen("start") }),
      ...PANELS.filter(({ name }) => UNDER_MORE.includes(name)).map(({ name, title, icon }) =>
        button({ label: title, icon, class: name === "files" ? null : "writes", onclick: () => app.open(name) }),
      ),
    ),
  );
  window.addEventListener("resize", () => measure() !== layout && settle());
  let exercised = false;
  app.store.on("exercise", ({ id }) => {
    if (exercised === Boolean(id)) return;
    exercised = Boolean(id);
    settle();
  });
  app.store.on("watching", settle);
  let seen = "";
  app.store.on("hello", ({ readonly, role = "host" }) => {
    const now = `${readonly} ${role}`;
    if (seen === now || (!seen && !readonly && role === "host")) return;
    seen = now;
    settle();
    if (readonly && !app.isNarrow()) show(shown().find((name) => name !== "analysis" || app.game.hello.reviewed));
  });
  settle();
}
