/** Learn from your mistakes: the worst turns of a reviewed game again, each until a good one is found. */

import { after } from "./exercise.js";

const SET = "mistakes";

/** Add `mistakes()` to the app; a game without a review is reviewed first. */
export function mistakesOfGame(app) {
  const { store } = app;
  let asked = "";
  let list = [];
  const ask = () => app.send("mistakes", { of: store.own ?? "both" });
  app.sets[SET] = {
    screen: "board",
    back: "Back to the game",
    next: (id) => after(list, id),
    solved: () => {},
    searched: true,
  };
  app.mistakes = () => {
    asked = store.state.reviewed ? "list" : "review";
    if (asked === "list") ask();
    else app.review();
  };
  store.on("review", ({ done, total, over }) => {
    if (!over || asked !== "review") return;
    asked = done === total ? "list" : "";
    if (asked) ask();
  });
  store.on("exercises", (message) => {
    if (message.set !== SET || asked !== "list") return;
    asked = "";
    list = message.list;
    if (list.length) app.exercise(SET, list[0].id);
    else store.tell("told", { level: "info", text: "The review found no mistake." });
  });
}
