/** The review of the shown turn: what was better, why, and its line to step along. */

import { button, el, sentence, withRules } from "./dom.js";
import { betterLine, turnStart } from "./tree.js";

/** Smaller losses are noise of the search. */
const NOTHING = 0.005;

/** Notes on reviewed turns. A note stays while one steps along its better line. */
export class Reviews {
  constructor(app) {
    this.app = app;
    this.shown = null;
  }

  /** The note on the turn of a node, or on the turn that its line is better than; null without a review. */
  of(node) {
    const turn = this.app.store.tree.get(node?.instead) ?? node;
    if (!turn?.best) {
      this.shown = null;
      return null;
    }
    if (this.shown?.turn !== turn) this.shown = this.noteOn(turn);
    this.shown.mark(node);
    return this.shown.note;
  }

  noteOn(turn) {
    const { app } = this;
    const go = (node) => () => app.send("goto", { node });
    const line = betterLine(app.store.tree, turn.id);
    const buttons = line.map(({ id, color, word }) =>
      el("button", { type: "button", class: "offer", onclick: go(id) },
        el("span", { class: `dot ${color}` }, el("span", { class: "unseen", text: app.store.title(color) })), word),
    );
    const back = button({ label: "Back to the game", class: "offer", onclick: go(turn.id) });
    const cost = turn.loss >= NOTHING ? ` \u2212${(100 * turn.loss).toFixed(turn.loss < 0.1 ? 1 : 0)} %` : "";
    const why = (turn.why ?? []).map((text) => el("li", {}, withRules(sentence(text), app.isRule)));
    const note = el("div", { class: "hint reviewed" },
      el("p", {}, el("b", { text: betterWords(app.store.tree, turn) }), el("span", { class: "loss", text: cost })),
      el("ul", {}, why),
      line.length ? el("div", { class: "offers", role: "group", "aria-label": "The better line" }, buttons, back) : null,
    );
    const mark = ({ id, instead }) => {
      line.forEach((each, n) => buttons[n].setAttribute("aria-pressed", String(each.id === id)));
      back.hidden = instead === undefined;
    };
    return { turn, note, mark };
  }
}

/** What was better than a reviewed turn, or that nothing was. */
export function betterWords(tree, turn) {
  const path = tree.path(turn.id);
  const words = path.slice(path.indexOf(turnStart(tree, turn.id)) + 1).map((id) => tree.get(id).word);
  if (turn.word === "resign") return `Still possible: ${turn.best}`;
  if (words.join("/") === turn.best) return "Also the best turn of the search";
  return `${turn.loss < NOTHING ? "As good" : "Better"}: ${turn.best}`;
}
