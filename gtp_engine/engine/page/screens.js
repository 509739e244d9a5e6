/** Which screen of the page is shown: the address names it, and the links of the frame lead there. */

import { at, el, icon } from "./dom.js";

const SCREENS = {
  start: { title: "Start", icon: "home" },
  board: { title: "Play", icon: "board" },
  learn: { title: "Learn", icon: "learn" },
  puzzles: { title: "Puzzles", icon: "puzzle" },
  games: { title: "My games", icon: "watch" },
};

/**
 * The screen that a fragment names, and what it names there: `#learn/3` is `["learn", "3"]`. Any other
 * fragment, such as one with a position, means the board; none means null.
 */
export function screenOf(fragment) {
  const [, name, detail = ""] = /^#(\w+)(?:\/([\w.:/-]*))?$/.exec(fragment) ?? [];
  if (Object.hasOwn(SCREENS, name)) return [name, detail];
  return fragment.length > 1 ? ["board", ""] : null;
}

/** What the address names in a screen, "" for nothing or another screen. */
export function detailOf(screen) {
  const [name, detail] = screenOf(location.hash) ?? [];
  return name === screen ? detail : "";
}

/**
 * Build the links, and add to the app:
 *
 * screen(name, detail, shown) -- show a screen; its address can be visited again. `shown` names another
 *   screen that shows what the address names: an exercise of the screen `learn` is shown by `board`
 * on(name)             -- whether a screen is shown
 *
 * After each change the store tells the kind `screen`: `{name, detail}`.
 */
export function screens(app) {
  const { store } = app;
  const links = Object.entries(SCREENS).map(([name, { title, icon: drawing }]) =>
    el("a", { href: `#${name}`, "aria-label": title, class: name === "start" ? "home" : null, data: { to: name } }, icon(drawing), el("span", { text: title })),
  );
  at("links").append(...links);
  const show = (name, detail = "", shown = name) => {
    document.body.dataset.screen = shown;
    for (const link of links) {
      if (link.dataset.to === name) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    store.tell("screen", { name, detail });
  };
  const follow = () => {
    const named = screenOf(location.hash);
    if (named) show(...named);
  };
  app.on = (name) => document.body.dataset.screen === name;
  app.screen = (name, detail = "", shown = name) => {
    const fragment = detail ? `#${name}/${detail}` : `#${name}`;
    if (!(name === "board" && app.on("board")) && location.hash !== fragment) history.pushState(null, "", fragment);
    show(name, detail, shown);
  };
  window.addEventListener("hashchange", follow);
  if (app.game) return show("board");
  follow();
  // Without a word in the address: a game that was begun or asked for, else the start page. A guest
  // came for the board.
  store.on("state", () => {
    if (store.hello.role !== "host" && !app.on("board")) app.screen("board");
    else if (!document.body.dataset.screen) app.screen(store.hello.start && !store.begun ? "start" : "board");
  });
}
