/** My games: all games of the journal, and the results against each level. */

import { at, button, choices, confirmed, el, fill, heads, onceSeen, svg } from "./dom.js";
import { base64, download, fileField } from "./files.js";

/** What a view has beside the pieces; a small picture needs none of it. */
const BARE = { rev: 0, position: "", tools: [], verbs: {}, options: [], buttons: [], areas: [], last: null, outcome: null, turn: { open: false } };
/** Bytes of a file that are sent at a time. */
const PART = 2 ** 19;
const WIDTH = 480;
const HEIGHT = 160;

/** Build the screen. */
export function gamesScreen(app) {
  const { store } = app;
  const picker = el("select", { "aria-label": "Which games" });
  const list = el("ul", { class: "kept" });
  const notes = el("p", { class: "about", role: "status" });
  const further = button({ label: "Show more", class: "further", onclick: () => ask(list.children.length) });
  const results = el("section", { class: "rated", "aria-label": "Results" });
  const all = button({ label: "Save all", icon: "record", title: "All games as one SGF file", onclick: () => exportAll() });
  const file = fileField((chosen) => {
    coming = chosen;
    importFrom(0);
  });
  const add = button({ label: "Add games", icon: "open", title: "All games of an SGF file", onclick: () => file.click() });
  const head = el("div", { class: "kept-head" }, el("h1", { text: "My games" }), picker, add, file, all);
  let parts = null;
  let coming = null;

  const ask = (from = 0) => app.send("kept", { from, only: picker.value || null });
  const exportAll = () => {
    parts = [];
    app.send("keep_export", { from: 0 });
  };
  const importFrom = async (from) => {
    const data = await base64(coming.slice(from, from + PART));
    app.send("keep_import", { from, size: coming.size, data });
  };
  const picture = (game) => {
    const place = el("div", { class: "small-board", "aria-hidden": "true", inert: true });
    onceSeen(place, () => game.picture && app.smallBoard(place).show({ ...BARE, ...game.picture }, { animate: false, live: false }));
    return place;
  };
  const open = (game, act = () => {}) => {
    if (store.exercising) app.enter(app.home());
    app.pastGame(game, act);
  };
  const rename = async (game) => {
    const name = await asked("Name of the game", game.name);
    if (name === null) return;
    app.send("keep_rename", { number: game.id, name });
    ask();
  };
  const remove = async (game) => {
    const sure = await confirmed({ title: "Delete this game?", text: "You can take this back as long as this page shows the list.", yes: "Delete", no: "Keep" });
    if (!sure) return;
    app.send("keep_delete", { number: game.id, on: true });
    fill(notes, "Deleted. ", button({ label: "Undo", class: "offer", onclick: () => {
      app.send("keep_delete", { number: game.id, on: false });
      fill(notes);
      ask();
    } }));
    ask();
  };
  const row = (game) => {
    const title = game.name || `${titleOf(store, game.game)} ${game.size}\u2009\u00d7\u2009${game.size}`;
    const small = (label, drawing, onclick) => button({ label: `${label}: ${title}`, title: label, icon: drawing, iconOnly: true, onclick });
    return el("li", { class: game.here ? "here" : null },
      el("button", { type: "button", class: "kept-game", onclick: () => open(game) },
        picture(game),
        el("span", { class: "kept-text" },
          el("span", { class: "name", text: title }),
          el("span", { text: playersOf(store, game) }),
          el("span", { class: "quiet", text: resultOf(store, game) }),
          el("span", { class: "quiet", text: dateOf(game.changed) }))),
      el("span", { class: "kept-acts" }, game.winner ? small("Guess the turns", "puzzle", () => open(game, app.guesses)) : null, small("Rename", "pen", () => rename(game)), game.here ? null : small("Delete", "drop", () => remove(game))));
  };
  const show = ({ from, total, list: games, games: names, ratings }) => {
    const before = picker.value;
    choices(picker, [{ value: "", text: "All games" }, ...names.map((name) => ({ value: name, text: titleOf(store, name) }))], before);
    picker.hidden = names.length < 2;
    all.hidden = !total;
    fill(list, [...list.children].slice(0, from), games.map(row)); // they may have been asked for twice
    further.hidden = list.children.length >= total;
    fill(results, ...resultsOf(store, ratings));
    const empty = el("div", { class: "empty" },
      el("p", { text: "No games yet. Each game is kept here by itself, from its first turn." }),
      button({ label: "Play", icon: "play", class: "primary", onclick: () => app.screen("board") }));
    const fleeting = store.hello.lasts ? null : el("p", { class: "about", text: "These games are kept only until the board ends." });
    fill(at("games"), head, fleeting, notes, ...(total || before ? [el("div", { class: "shelf" }, el("div", {}, list, further), results)] : [empty]));
  };
  picker.addEventListener("change", () => ask());
  store.on("kept", (message) => app.on("games") && show(message));
  store.on("exported", ({ text, next }) => {
    if (!parts) return;
    parts.push(text);
    if (next !== null) return app.send("keep_export", { from: next });
    download(new Blob(parts, { type: "application/x-go-sgf" }), "my-games.sgf");
    parts = null;
  });
  store.on("importing", ({ next, done, total }) => {
    if (!coming) return;
    fill(notes, total ? `Adding games: ${done} of ${total}.` : `Reading ${coming.name}.`);
    importFrom(next);
  });
  store.on("imported", (message) => {
    coming = null;
    fill(notes, importedOf(message));
    ask();
  });
  store.on("journal", ({ text }) => store.tell("told", { level: "error", text }));
  const enter = () => app.on("games") && store.hello && ask();
  store.on("screen", enter);
  store.on("hello", enter);
}

function titleOf(store, name) {
  return store.game(name)?.title ?? name;
}

function levelName(store, level) {
  return store.catalog?.levels?.find((one) => String(one.level) === level)?.name ?? (level ? `Level ${level}` : "Another engine");
}

/** Both players by name, and the level of an engine that a person plays; see the message `kept`. */
export function playersOf(store, { black, white, human, level, opened }) {
  if (!black && !white) return opened ? "The record names no players" : "Both sides";
  const name = (given, color) => {
    const strength = human && human !== color && level ? `, ${levelName(store, level).toLowerCase()}` : "";
    return `${given || (opened ? "Unknown" : "You")}${strength}`;
  };
  return `${name(black, "black")} \u2013 ${name(white, "white")}`;
}

/** How a game of the message `kept` stands, in words: its `result` is that of a record, such as `W+R`. */
export function resultOf(store, { game, human, winner, result, turns }) {
  if (!winner) return turns === 1 ? "1 turn, not over" : `${turns} turns, not over`;
  if (winner === "draw") return "Draw";
  const loser = winner === "black" ? "white" : "black";
  const name = (color, you) => (color === human ? you : store.game(game)?.colors[color] ?? color);
  const how = result.split("+")[1] ?? "";
  const more = { __proto__: null, "": "", R: `, ${name(loser, "you")} resigned`, T: " on time", F: " by forfeit" }[how] ?? ` by ${how}`;
  return (loser === human ? "You lost" : `${name(winner, "You")} won`) + more;
}

/** What is said when a file was read; see the message `imported`. */
export function importedOf({ added, known, fault }) {
  if (fault) return `No game was added. ${fault}`;
  const games = (number) => (number === 1 ? "1 game was" : `${number} games were`);
  return `${games(added)} added.${known ? ` ${games(known)} here already.` : ""}`;
}

function dateOf(seconds) {
  return new Date(1000 * seconds).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}

/** A table of the results against each level, and a plot of the way there. */
function resultsOf(store, { levels, curve }) {
  if (!curve.length) return [];
  const order = (store.catalog?.levels ?? []).map(({ level }) => String(level));
  const place = (level) => order.indexOf(level);
  const rows = [...levels].sort((one, other) => place(one.level) - place(other.level));
  const rating = curve.at(-1).rating;
  return [
    el("h2", { text: "Results" }),
    rating === null ? null : el("p", { class: "about", text: ratingWords(store, rating) }),
    plot(curve, place),
    el("p", { class: "about", text: "Each point is a game, at the height of its level; a full one was won." }),
    el("table", {}, heads("Level", "Games", "Points"),
      el("tbody", {}, rows.map(({ level, games, score }) => el("tr", {}, el("th", { scope: "row", text: levelName(store, level) }), el("td", { text: String(games) }), el("td", { text: `${score} (${Math.round((100 * score) / games)} %)` }))))),
  ];
}

/** A person's rating, and the level whose own is nearest. */
export function ratingWords({ catalog }, rating) {
  const { name } = catalog.levels.reduce((best, one) => (Math.abs(one.rating - rating) < Math.abs(best.rating - rating) ? one : best));
  return `You play about as well as ${name}: your rating is ${rating}, where random play has 0.`;
}

/** Each game as a point at the height of its level: full if it was won. The line is the rating. */
function plot(curve, place) {
  const heights = curve.map(({ level }) => Math.max(0, place(level)));
  const [low, high] = [Math.min(...heights) - 1, Math.max(...heights) + 1];
  const ratings = curve.map(({ rating }) => rating).filter((rating) => rating !== null);
  const [least, most] = [Math.min(...ratings) - 50, Math.max(...ratings) + 50];
  const across = (n) => ((n + 0.5) / curve.length) * WIDTH;
  const up = (value, from, to) => HEIGHT - ((value - from) / (to - from)) * HEIGHT;
  const line = curve.map(({ rating }, n) => (rating === null ? "" : `${across(n).toFixed(1)},${up(rating, least, most).toFixed(1)}`)).filter(Boolean);
  const won = curve.filter(({ score }) => score === 1).length;
  const label = `The last ${curve.length} games, ${won} of them won`;
  return svg("svg", { class: "plot", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label },
    line.length > 1 ? svg("polyline", { points: line.join(" ") }) : null,
    ...curve.map(({ score }, n) => svg("circle", { class: score === 1 ? "won" : score ? "drawn" : "lost", cx: across(n).toFixed(1), cy: up(heights[n], low, high).toFixed(1), r: 5 })));
}

/** A text that the person types, or null. */
function asked(title, text) {
  return new Promise((resolve) => {
    const input = el("input", { type: "text", maxlength: "40", value: text, "aria-labelledby": "asked-title" });
    const dialog = el("dialog", { class: "ask", "aria-labelledby": "asked-title" },
      el("h2", { id: "asked-title", text: title }),
      el("form", { method: "dialog" }, input,
        el("div", { class: "answers" }, el("button", { type: "button", text: "Cancel", onclick: () => dialog.close() }), el("button", { value: "yes", class: "primary", text: "Save" }))));
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes" ? input.value.trim() : null);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
