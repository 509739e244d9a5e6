/** Puzzles: the one of the day, and those of each game with its endgames, by grade. */

import { at, button, el, fill, icon } from "./dom.js";
import { after } from "./exercise.js";
import { detailOf } from "./screens.js";

const KINDS = [
  { set: "puzzles", title: "Puzzles", text: "Find the one right turn.", next: "Next puzzle", one: "Puzzle" },
  { set: "endgames", title: "Endgames", text: "Win a won position.", next: "Next endgame", one: "Endgame" },
];

/** The set of the mistakes that come again today. */
const AGAIN = "returning";

/** The set of the days whose puzzle was solved, by their dates. */
const DAYS = "daily";

/** Build the screen. An address with the name of a game shows its puzzles, one with an id begins that puzzle. */
export function puzzlesScreen(app) {
  const { store } = app;
  const lists = new Map();
  const day = el("section", { class: "daily", "aria-label": "Puzzle of the day" });
  const mistakes = el("section", { class: "returning", hidden: true });
  const games = el("div", { class: "segments", role: "group", "aria-label": "Game" });
  const shelves = el("div", { class: "shelves" });
  const done = Object.fromEntries(KINDS.map(({ set }) => [set, app.progress(set)]));
  const days = app.progress(DAYS);
  let daily = null;
  let again = [];
  let game = "";
  let wanted = detailOf("puzzles");
  const unknown = el("p", { class: "error", role: "alert", hidden: true });
  at("puzzles").append(el("h1", { text: "Puzzles" }), unknown, day, mistakes, games, shelves);

  const listOf = (set, name = game) => lists.get(`${set} ${name}`) ?? [];
  const open = (set, last = "") => {
    const list = listOf(set, last.split(".")[0] || game);
    const place = list.findIndex(({ id }) => id === last) + 1;
    return [...list.slice(place), ...list.slice(0, place)].find(({ id }) => !done[set].has(id))?.id ?? null;
  };
  for (const { set } of KINDS) {
    app.sets[set] = { screen: "puzzles", back: "All puzzles", next: (id) => open(set, id), solved: ({ id }) => solve(set, id) };
  }
  app.sets[AGAIN] = { screen: "puzzles", back: "All puzzles", next: (id) => after(again, id), solved: () => {}, searched: true };
  const solve = (set, id) => {
    done[set].add(id);
    if (set === "puzzles" && id === daily?.puzzle?.id) days.add(daily.date);
  };
  const ask = () => {
    app.send("exercises", { set: AGAIN, game });
    for (const { set } of KINDS) {
      if (!lists.has(`${set} ${game}`)) app.send("exercises", { set, game });
    }
    if (daily?.date !== today()) app.send("daily", { date: today() });
  };
  const show = () => {
    if (!app.on("puzzles")) return;
    const choose = ({ name, title }) => button({ label: title, "aria-pressed": String(name === game), onclick: () => app.screen("puzzles", name) });
    fill(games, (store.catalog?.games ?? []).map(choose));
    fill(shelves, KINDS.map((kind) => shelf(app, kind, listOf(kind.set), done[kind.set], open(kind.set))));
    const picture = day.querySelector(".picture");
    if (daily?.puzzle && picture?.dataset.date !== daily.date) showDay(app, day, daily, () => app.exercise("puzzles", open("puzzles", daily.puzzle.id)));
    const solved = Boolean(daily?.puzzle && days.has(daily.date));
    day.hidden = !daily?.puzzle;
    day.classList.toggle("done", solved);
    if (!daily?.puzzle) return;
    day.querySelector(".onward").hidden = !solved || !open("puzzles", daily.puzzle.id);
    day.querySelector(".streak").textContent = streakWords(streak(days.has, daily.date), solved);
  };
  const follow = () => {
    const set = again.some(({ id }) => id === wanted) ? AGAIN : KINDS.find(({ set }) => listOf(set).some(({ id }) => id === wanted))?.set;
    if (set) {
      app.exercise(set, wanted);
      wanted = "";
    } else if (wanted && wanted !== game) {
      const coming = wanted.startsWith(`${game}.`) && !KINDS.every(({ set }) => lists.has(`${set} ${game}`));
      if (coming) app.opening();
      else app.opening(null);
      unknown.textContent = `There is no puzzle ${wanted}.`;
      unknown.hidden = coming;
    }
  };
  const enter = () => {
    if (!app.on("puzzles") || !store.catalog) return;
    const named = store.game(wanted.split(".")[0]);
    game = named?.name ?? (game || store.catalog.default_game);
    if (!wanted) history.replaceState(null, "", `#puzzles/${game}`);
    ask();
    show();
    follow();
  };
  store.on("screen", ({ name, detail }) => {
    wanted = "";
    if (name !== "puzzles") return;
    if (detail !== store.exercise?.id) wanted = detail;
    unknown.hidden = true;
    enter();
  });
  store.on("hello", enter);
  store.on("progress", show);
  store.on("daily", (message) => {
    daily = message;
    show();
  });
  store.on("exercises", ({ set, game: name, list }) => {
    if (set === AGAIN) {
      again = list;
      mistakes.hidden = !list.length;
      fill(mistakes, button({ label: list.length === 1 ? "Repair one of your mistakes again" : `Repair ${list.length} of your mistakes again`, icon: "learn", class: "primary", title: "A better turn was not found at once, or days ago", onclick: () => app.exercise(AGAIN, list[0].id) }));
      return follow();
    }
    if (!done[set]) return;
    lists.set(`${set} ${name}`, list);
    show();
    follow();
  });
}

/** The day of this browser, as `YYYY-MM-DD`. */
function today() {
  const now = new Date();
  const two = (number) => String(number).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

/** A day as people say it: `Saturday, November 28`. */
function said(date) {
  return new Date(`${date}T12:00`).toLocaleDateString("en", { weekday: "long", day: "numeric", month: "long" });
}

/** The number of days in a row, up to a date or the day before it, of which `has(date)` holds. */
export function streak(has, date) {
  let day = has(date) ? date : dayBefore(date);
  let length = 0;
  for (; has(day); day = dayBefore(day)) length += 1;
  return length;
}

function dayBefore(date) {
  const noon = new Date(`${date}T12:00Z`);
  noon.setUTCDate(noon.getUTCDate() - 1);
  return noon.toISOString().slice(0, 10);
}

function streakWords(length, solved) {
  if (!length) return "";
  const days = `Streak: ${length === 1 ? "1 day" : `${length} days`}.`;
  return solved ? days : `${days} Solve it to go on.`;
}

function showDay(app, day, { date, puzzle: { id, game, size, grade, text, view } }, onNext) {
  const picture = el("div", { class: "picture", inert: true, data: { date } });
  const { title } = app.store.game(game);
  fill(day,
    picture,
    el("div", {},
      el("h2", { text: "Puzzle of the day" }),
      el("p", { class: "about date", text: said(date) }),
      el("p", { class: "about" }, `${title} ${size}\u00d7${size}, `, gradeOf(grade)),
      el("p", { text }),
      el("p", { class: "solved" }, icon("check"), "You have solved it."),
      el("p", { class: "about streak" }),
      button({ label: "Solve it", icon: "puzzle", class: "primary solve", onclick: () => app.exercise("puzzles", id) }),
      button({ label: "Another puzzle", icon: "forward", class: "primary onward", onclick: onNext })));
  app.smallBoard(picture).show(view, { animate: false, live: false });
}

/** A kind of exercises of a game: what is solved, the next one, and all of them by grade. */
function shelf(app, { set, title, text, next, one }, list, done, following) {
  const solved = list.filter(({ id }) => done.has(id)).length;
  const grades = [...new Set(list.map(({ grade }) => grade))];
  const chip = ({ id, number }) =>
    el("button", { type: "button", class: done.has(id) ? "chip done" : "chip", "aria-label": `${one} ${number}${done.has(id) ? ", solved" : ""}`, "aria-current": id === following ? "step" : null, onclick: () => app.exercise(set, id) },
      done.has(id) ? icon("check") : String(number));
  return el("section", { class: "shelf", "aria-label": `All ${set}` },
    el("div", { class: "shelf-head" },
      el("div", {}, el("h2", { text: title }), el("p", { class: "about", text })),
      button({ label: following ? next : "All solved", icon: following ? "play" : "check", class: following ? "primary" : null, disabled: !following, onclick: () => app.exercise(set, following) })),
    el("div", { class: "told" },
      el("progress", { value: String(solved), max: String(list.length || 1), "aria-label": `${title}: solved` }),
      el("span", { text: `${solved} of ${list.length}` })),
    grades.map((grade) => el("div", { class: "grade", role: "group", "aria-label": `Grade ${grade}` }, gradeOf(grade), el("div", { class: "chips" }, list.filter((each) => each.grade === grade).map(chip)))));
}

/** A grade of 1 to 5 as dots. */
function gradeOf(grade) {
  return el("span", { class: "stars", role: "img", "aria-label": `grade ${grade} of 5` }, "\u25cf".repeat(grade) + "\u25cb".repeat(5 - grade));
}
