/** Exercises from the shown game: its worst turns again, and to guess the turns of a player. */

import { answered } from "./dom.js";
import { sitter } from "./guests.js";

const NOTHING = { mistakes: "The review found no mistake.", guesses: "The review has no turn to guess." };

/** Add `mistakes()` and `guesses()` to the app; a game without a review is reviewed first. */
export function exercisesOfGame(app) {
  const { store } = app;
  // What to ask for: `mistakes` or `guesses`, and of which color.
  let wanted = null;
  let asked = false;
  const ask = () => {
    asked = true;
    app.send(wanted.kind, { of: wanted.of });
    app.opening();
  };
  const begin = (kind, of) => {
    wanted = { kind, of };
    asked = false;
    if (store.judged) ask();
    else app.review();
  };
  const next = (id) => {
    const { number, total } = store.exercise;
    return number < total ? id.replace(/\d+$/, number + 1) : null;
  };
  for (const kind of Object.keys(NOTHING)) app.sets[kind] = { screen: "board", back: "Back to the game", next, solved: () => {}, searched: true };
  app.mistakes = () => begin("mistakes", store.own ?? "both");
  app.guesses = async () => {
    const named = (color) => `${store.title(color)}: ${sitter(store, color)}`;
    const of = await answered({ title: "Guess whose turns?", text: "Say what was played, turn by turn. A better turn counts, too.", answers: { white: named("white"), black: named("black") } });
    if (of) begin("guesses", of);
  };
  const forget = () => (wanted = null);
  store.onFailure(() => store.state?.reviewing || forget());
  store.onArrival(forget);
  store.on("review", ({ done, total, over }) => {
    if (!over || !wanted || asked) return;
    if (done === total) ask();
    else wanted = null;
  });
  store.on("exercises", ({ set, list }) => {
    if (set !== wanted?.kind || !asked) return;
    wanted = null;
    if (list.length) app.exercise(set, list[0].id);
    else store.tell("told", { level: "info", text: NOTHING[set] });
  });
}
