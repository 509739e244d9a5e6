/** The games of a read-only page, and the standings of matches in progress. */

import { at, capital, el, fill, heads } from "./dom.js";

/** Build the panel of games: of matches that a server only serves to watch, or those that the page encloses. */
export function watchPanel(app) {
  const { store } = app;
  const standings = el("div", { class: "standings" });
  const list = el("div", { class: "games", role: "group", "aria-label": "Games" });
  at("watch").append(standings, list);
  let watched = null;
  /** Scroll the panel, and not the page, to the watched game. */
  const reveal = () => {
    const { offsetTop: top = 0, offsetHeight: height = 0 } = list.querySelector("[aria-current]") ?? {};
    const panel = at("watch");
    const seen = top >= panel.scrollTop && top + height <= panel.scrollTop + panel.clientHeight;
    if (!seen) panel.scrollTop = top - panel.clientHeight / 2;
  };
  list.addEventListener("click", (event) => {
    const game = event.target.closest("[data-game]");
    if (!game) return;
    watched = Number(game.dataset.game);
    app.send("watch", { game: watched });
    app.close();
  });
  store.on("watching", ({ game }) => {
    watched = game;
    for (const one of list.children) current(one, watched);
    reveal();
  });
  store.on("panel", (name) => name === "watch" && reveal());
  store.on("games", ({ list: games = [], matches = [] }) => {
    const titled = matches.length > 1;
    fill(standings, matches.flatMap(({ name, result, standings: rows }) => [
      titled ? el("h3", { text: name }) : null,
      el("p", { class: "result", text: result }),
      rows.length ? table(rows) : null,
    ]));
    fill(list, games.map((game) => shownGame(game, watched)));
  });
}

function table(rows) {
  const columns = Object.keys(rows[0]);
  return el(
    "table",
    {},
    heads(...columns.map((name) => capital(name).replaceAll("_", " "))),
    el("tbody", {}, rows.map((row) => el("tr", {}, columns.map((key, n) => el(n ? "td" : "th", { scope: n ? null : "row", text: String(row[key] ?? "") }))))),
  );
}

function shownGame({ game, id, text, black, white, result }, watched) {
  const number = game ?? id;
  return current(el(
    "button",
    { type: "button", class: "game", data: { game: String(number) } },
    el("span", { class: "names", text: text ?? `${black} \u2013 ${white}` }),
    el("span", { class: result ? "result" : "result live", text: result ?? "in progress" }),
  ), watched);
}

/** Mark a game of the list, if it is the watched one. */
function current(node, watched) {
  if (node.dataset.game === String(watched)) node.setAttribute("aria-current", "true");
  else node.removeAttribute("aria-current");
  return node;
}
