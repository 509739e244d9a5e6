/** The read-only page: the games of matches in progress, and the standings. */

import { at, el, fill } from "./dom.js";

/** Build the panel of games; it is shown if the server only serves matches to watch. */
export function watchPanel(app) {
  const { store } = app;
  const standings = el("div", { class: "standings" });
  const list = el("div", { class: "games", role: "group", "aria-label": "Games" });
  at("watch").append(standings, list);
  let watched = null;
  list.addEventListener("click", (event) => {
    const game = event.target.closest("[data-game]");
    if (!game) return;
    watched = Number(game.dataset.game);
    app.send("watch", { game: watched });
    app.close();
  });
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
    el("thead", {}, el("tr", {}, columns.map((text) => el("th", { scope: "col", text: capital(text) })))),
    el("tbody", {}, rows.map((row) => el("tr", {}, columns.map((key, n) => el(n ? "td" : "th", { scope: n ? null : "row", text: String(row[key] ?? "") }))))),
  );
}

function shownGame({ game, id, text, black, white, result }, watched) {
  const number = game ?? id;
  return el(
    "button",
    { type: "button", class: "game", data: { game: String(number) }, "aria-current": number === watched ? "true" : null },
    el("span", { class: "names", text: text ?? `${black} \u2013 ${white}` }),
    el("span", { class: result ? "result" : "result live", text: result ?? "in progress" }),
  );
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1).replaceAll("_", " ");
}
