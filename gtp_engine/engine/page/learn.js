/** The lessons of all games in order: what is done, and what comes next. */

import { at, button, el, fill, icon } from "./dom.js";
import { after } from "./exercise.js";
import { begin, following } from "./path.js";
import { detailOf } from "./screens.js";

const SET = "lessons";

/** Build the screen. An address that names no lesson is told. An address with the name of a game begins its next task, one with an id that task. */
export function learnScreen(app) {
  const { store } = app;
  const lists = new Map();
  const done = app.progress(SET);
  const games = () => (store.catalog?.games ?? []).filter(({ name }) => lists.get(name)?.length !== 0);
  const next = (name) => lists.get(name)?.find(({ id }) => !done.has(id))?.id;
  let wanted = detailOf("learn");
  let unknown = "";

  app.sets[SET] = {
    screen: "learn",
    back: "All lessons",
    next: (id) => after(lists.get(id.split(".")[0]) ?? [], id),
    solved: ({ id }) => done.add(id),
    play: (game) => begin(app, game, following(store.catalog, game)),
  };
  const show = () => {
    if (app.on("learn")) fill(at("learn"), el("h1", { text: "Learn by playing" }), unknown && el("p", { class: "error", role: "alert", text: unknown }), el("div", { class: "courses" }, games().map((game) => course(app, game, lists.get(game.name), done, next(game.name)))));
  };
  const follow = () => {
    const [name] = wanted.split(".");
    const named = store.game(name);
    if (!wanted || !store.catalog || (named && !lists.has(name))) return;
    const id = wanted.includes(".") || !named ? wanted : next(name);
    const list = lists.get(name) ?? [];
    if (id && !list.some((task) => task.id === id)) unknown = `There is no lesson ${id}.`;
    wanted = "";
    if (id && !unknown) return app.exercise(SET, id);
    app.opening(null);
    show();
  };
  const ask = () => {
    if (wanted) app.opening();
    for (const { name } of store.catalog?.games ?? []) {
      if (!lists.has(name)) app.send("exercises", { set: SET, game: name });
    }
  };
  store.on("exercises", ({ set, game, list }) => {
    if (set !== SET) return;
    lists.set(game, list);
    show();
    follow();
  });
  store.on("screen", ({ name, detail }) => {
    wanted = "";
    if (name !== "learn") return;
    unknown = "";
    if (detail !== store.exercise?.id) wanted = detail;
    ask();
    show();
    follow();
  });
  store.on("hello", () => {
    if (!app.on("learn")) return;
    ask();
    follow();
  });
  store.on("progress", show);
}

/** A game with its lessons; those before the next one are mostly done. */
function course(app, { title, goal }, list, done, next) {
  const lessons = grouped(list ?? []);
  const current = lessons.findIndex((tasks) => tasks.some(({ id }) => id === next));
  const finished = lessons.filter((tasks) => tasks.every(({ id }) => done.has(id))).length;
  const rows = lessons.map((tasks, n) => {
    const solved = tasks.every(({ id }) => done.has(id));
    const first = tasks.find(({ id }) => !done.has(id)) ?? tasks[0];
    const state = solved ? "done" : n === current ? "next" : "later";
    return el("li", { class: state },
      el("button", { type: "button", "aria-current": n === current ? "step" : null, onclick: () => app.exercise(SET, first.id) },
        el("span", { class: "place" }, solved ? icon("check") : String(n + 1)),
        el("span", { text: tasks[0].title }),
        solved ? el("span", { class: "unseen", text: ", done" }) : null));
  });
  const begin = finished ? (next ? "Go on" : "Do it again") : "Start";
  return el("section", { class: "course", "aria-label": title },
    el("h2", { text: title }),
    goal ? el("p", { class: "about", text: goal }) : null,
    el("progress", { value: String(finished), max: String(lessons.length || 1), "aria-label": `${title}: lessons done` }),
    button({ label: begin, icon: "play", class: next ? "primary" : "step", "aria-label": `${begin}: ${title}`, disabled: !lessons.length, onclick: () => app.exercise(SET, next ?? list[0].id) }),
    el("ol", {}, rows));
}

/** The tasks of each lesson. */
function grouped(list) {
  const found = new Map();
  for (const task of list) found.set(task.lesson, [...(found.get(task.lesson) ?? []), task]);
  return [...found.values()];
}
