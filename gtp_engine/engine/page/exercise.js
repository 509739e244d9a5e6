/** An exercise beside the board: the task, the verdict on a try, a hint, the solution, and the way on. */

import { at, button, el, fill, ruleLink, withRules } from "./dom.js";
import { goOn } from "./path.js";
import { EXERCISES } from "./store.js";

const SOLVED = ["right", "over"];

/** Where a tab keeps the key of its table for exercises from one load to the next. */
const TABLE = "table-for-exercises";

/** More effects of a turn, or more words of a verdict, are folded. */
const MANY = 5;
const MANY_WORDS = 38;

/**
 * Build the panel, and add to the app:
 *
 * sets              -- the sets of exercises by name; a screen adds its own: `{screen, back, next(id), solved(message)}`,
 *                      `play(game)` begins a game after the last one (others go on from the position), `searched` where an engine judges that can be interrupted
 * exercise(set, id) -- begin an exercise, or the same one again
 * home()            -- the table that the person came from
 */
export function exercisePanel(app) {
  const { store } = app;
  const own = ownTable();
  let home = "1";
  let shown = null;
  let hinted = false;
  let inked = ""; // the game whose inks the panel shows
  app.sets = {};
  app.home = () => home;
  app.exercise = (set, id) => {
    store.asked = id;
    app.enter(own);
    app.send("exercise", { set, id });
    app.opening();
  };
  const judging = () => {
    const { exercise, state } = store;
    return exercise?.status === "open" && (state.view.turn.to_move !== exercise.color || Boolean(state.view.outcome));
  };
  const hurry = () => judging() && app.sets[store.exercise.set].searched && app.send("interrupt");
  const showSolution = () => {
    hurry();
    app.send("show");
  };
  const leave = () => {
    const left = store.exercise;
    hurry();
    end();
    store.asked = null;
    if (left) app.send("exercise", { set: left.set, id: null });
    app.enter(home);
  };
  const end = () => {
    shown = null;
    if (!store.exercise) return;
    store.asked = null;
    store.take({ kind: "exercise", set: store.exercise.set, id: null });
  };
  const hint = () => {
    hinted = true;
    show();
    app.say(store.exercise.hint);
  };
  const show = () => {
    inked = store.state.view.game.name;
    fill(at("exercise"), contents(app, store.exercise, { hinted, hint, solve: showSolution }));
    wait();
  };
  const wait = () => {
    at("exercise").querySelector(".judging").hidden = !judging();
  };

  store.on("exercise", (message) => {
    if (!message.id) {
      const ended = shown && app.sets[document.body.dataset.exercise].screen;
      shown = null;
      delete document.body.dataset.exercise;
      fill(at("exercise"));
      if (ended) app.screen(ended); // another page has ended it, or the server was started anew
      return;
    }
    if (!app.sets[message.set]) return; // No screen of this page has such exercises.
    const another = shown !== message.id;
    const begun = another || (message.status === "open" && !message.words.length);
    document.body.dataset.exercise = message.set;
    if (another) hinted = false;
    shown = message.id;
    show();
    // Later messages leave the address alone: the person may be on the way to another one.
    if (another) app.screen(app.sets[message.set].screen, message.id, "board");
    if (store.state) store.tell("state", store.state);
    if (begun) app.say(`${message.title}. ${message.text}`);
    else app.say(message.words.join(" "));
    if (message.status === "right") app.sets[message.set].solved(message);
    at("exercise").querySelector(".primary")?.focus({ preventScroll: true });
  });
  store.on("state", ({ view }) => {
    if (shown && inked !== view.game.name) show();
    if (shown) wait();
    const again = at("exercise").querySelector(".again");
    if (again) again.hidden = !view.turn.open;
  });
  store.on("hello", ({ table }) => {
    if (store.exercising) return;
    home = table;
    end();
  });
  store.on("screen", ({ detail }) => (store.asked || store.exercising) && detail !== store.asked && leave());
}

/** The id of the exercise that follows one in a list; null after the last one. */
export function after(list, id) {
  return list[list.findIndex((each) => each.id === id) + 1]?.id ?? null;
}

/** The key of this tab's own table: a reload finds it again, but a copy of the tab gets another one. */
function ownTable() {
  const numbers = crypto.getRandomValues(new Uint32Array(2));
  let key = `${EXERCISES}-${[...numbers].map((number) => number.toString(36)).join("")}`;
  try {
    key = sessionStorage.getItem(TABLE) ?? key;
    sessionStorage.removeItem(TABLE);
    window.addEventListener("pagehide", () => sessionStorage.setItem(TABLE, key));
  } catch {
    // Without storage each load of the page has a table of its own.
  }
  return key;
}

function contents(app, exercise, { hinted, hint, solve }) {
  const { set, id, game, title, text, number, total, color, status, words } = exercise;
  const { back, screen, next, play } = app.sets[set];
  const named = app.store.game(game);
  const done = SOLVED.includes(status);
  const following = done ? next(id) : null;
  const again = () => app.exercise(set, id);
  const showing = button({ label: "Show me", onclick: solve });
  const hinting = hinted || !exercise.hint ? null : button({ label: "Hint", icon: "hint", onclick: hint });
  const actions = {
    open: [hinting, showing, button({ label: "Start again", class: "again", hidden: !app.store.state.view.turn.open, onclick: again })],
    wrong: [button({ label: "Try again", icon: "undo", class: "primary", onclick: again }), hinting, showing],
  };
  const further = status === "open" || play || app.store.state.view.outcome
    ? []
    : [button({ label: "Play on", icon: "play", onclick: () => goOn(app) }), button({ label: "Analyze", icon: "analysis", onclick: () => goOn(app, true) })];
  const onward = following
    ? button({ label: "Next", icon: "forward", class: "primary", onclick: () => app.exercise(set, following) })
    : play
      ? button({ label: `Play ${named?.title ?? game} now`, icon: "play", class: "primary", title: "On a small board, against the first level", onclick: () => play(named) })
      : button({ label: back, icon: "check", class: "primary", onclick: () => app.screen(screen) });
  return [
    el("div", { class: "exercise-head" },
      el("h1", {}, `${named?.title ?? game}: ${title}`),
      button({ label: "Rules", icon: "rules", iconOnly: true, class: "rules-here", onclick: () => app.open("rules") }),
      total > 1 ? el("span", { class: "about", text: `${number} of ${total}` }) : null,
      button({ label: back, icon: "close", iconOnly: true, onclick: () => app.screen(screen) })),
    el("p", { class: "task" }, side(app, named, color), text),
    hinted && !done ? el("p", { class: "clue" }, el("b", { text: "Hint " }), exercise.hint) : null,
    words.length ? verdict(app, exercise) : null,
    el("p", { class: "judging", hidden: true }, el("progress", { "aria-hidden": "true" }), "Your turn is being judged."),
    el("div", { class: "row" }, done ? [onward, button({ label: "Again", icon: "replay", onclick: again })] : actions[status], further),
  ];
}

/** The learner's color, as a piece. */
function side(app, game, color) {
  const { ink } = app.store.state.view.game.colors[color];
  return el("span", { class: "piece", role: "img", "aria-label": `You are ${game?.colors[color] ?? color}` }, app.sign("stone", ink));
}

function list(app, texts) {
  return el("ul", {}, texts.map((text) => el("li", {}, withRules(text, app.isRule))));
}

const HEADS = { right: "Right.", wrong: "Not yet.", over: "The solution.", open: "Right. Go on." };

/** What happened and what to learn from it, the last sentence; then the rules. */
function verdict(app, { status, refused, words, rules }) {
  const effects = refused ? words : words.slice(0, -1);
  const lesson = refused ? null : words.at(-1);
  const told = SOLVED.includes(status);
  return el("div", { class: `verdict ${refused ? "refused" : status}` },
    el("p", {}, el("b", { text: refused ? "That is not allowed." : HEADS[status] }), lesson ? ` ${lesson}` : null),
    effects.length > MANY || wordsIn(words) > MANY_WORDS ? el("details", {}, el("summary", { text: `What happened (${effects.length})` }), list(app, effects)) : list(app, effects),
    told && rules.length
      ? el("details", {}, el("summary", { text: rules.length === 1 ? "The rule" : `The rules (${rules.length})` }),
          el("dl", {}, rules.flatMap(({ rule, text }) => [el("dt", {}, ruleLink(rule)), el("dd", { text })])))
      : el("p", { class: "about" }, rules.map(({ rule }) => ruleLink(rule))));
}

function wordsIn(texts) {
  return texts.join(" ").split(/\s+/).length;
}
