/** Hints in stages, and the question before a mistake. What they say comes from the server. */

import { at, button, cited, el, sentence } from "./dom.js";

const STAGES = ["Hint", "Show the turn", "Tell me why"];

/** The hint about the shown position: where to look, then the turn, then why. */
export class Hints {
  /** `show(node)` shows the note of the hint, null for none. */
  constructor(app, show) {
    Object.assign(this, { app, show, told: null, stage: 0, asked: null });
    app.hint = () => this.next();
    app.store.on("hint", (message) => this.take(message));
    app.store.onFailure(() => !this.told && this.drop());
    app.store.on("state", ({ rev }) => rev !== this.asked && this.drop());
  }

  /** The name of the button for the next stage; null if there is none. */
  get label() {
    return STAGES[this.stage] ?? null;
  }

  next() {
    const { rev } = this.app.store.state;
    if (this.told) this.tell(this.stage + 1);
    else if (this.asked !== rev && this.app.send("hint")) {
      const text = "The engine looks for a hint. ";
      this.asked = rev;
      this.app.say(text);
      this.show(el("p", { class: "reviewing" }, text, el("progress", { "aria-hidden": "true" })));
    }
  }

  take(message) {
    if (message.rev !== this.app.store.state.rev) return;
    this.told = message;
    this.asked = message.rev;
    this.tell(1);
  }

  drop() {
    const { app, told, asked } = this;
    if (asked === null) return;
    Object.assign(this, { told: null, stage: 0, asked: null });
    this.show(null);
    if (!told) return;
    look(app, []);
    app.preview(null);
  }

  tell(stage) {
    const { app, told } = this;
    if (stage > STAGES.length) return;
    this.stage = stage;
    const said = [told.where.text, told.word && `Play ${told.word}`, ...told.why.map(({ text }) => text)];
    const [from, to] = [[0, 1], [1, 2], [2, undefined]][stage - 1];
    app.say(said.slice(from, to).map(sentence).join(" ") || "There is no more to say.");
    look(app, stage === 1 ? told.where.points : []);
    if (stage > 1 && told.word) app.preview(told.word);
    this.show(this.note());
  }

  note() {
    const { app, told, stage } = this;
    const play = stage > 1 && told.word ? button({ label: `Play ${told.word}`, class: "offer", onclick: () => app.step(told.word) }) : null;
    const more = this.label && button({ label: this.label, class: "offer", onclick: () => this.next() });
    return el(
      "div",
      { class: "hint" },
      el("p", {}, el("b", { text: stage > 1 && told.word ? `Hint: ${told.word}` : "Hint" }), " ", sentence(told.where.text)),
      el("div", { class: "offers" }, el("div", {}, play, more, stage > 2 ? lineButton(app, told.drawn, "Show what follows") : null),
        button({ label: "Close", icon: "close", iconOnly: true, class: "small", onclick: () => this.drop() })),
      stage > 2 ? reasons(app, told.why) : null,
    );
  }
}

/** Asks before a turn that gives much away. */
export class Doubts {
  /** `show(node)` shows the question, null for none. */
  constructor(app, show) {
    Object.assign(this, { app, show, told: null });
    app.store.on("sure", (message) => this.take(message));
    app.store.on("state", ({ rev }) => rev !== this.told?.rev && this.drop());
    at("board").addEventListener("pointerdown", () => this.drop());
  }

  take(message) {
    const { app } = this;
    if (message.rev !== app.store.state.rev) return;
    this.told = message;
    const lost = `${Math.round(100 * message.loss)} %`;
    const text = `${message.word} gives away ${lost} of your chance to win.`;
    const why = el("div", {});
    const back = button({ label: "Take it back", class: "primary", onclick: () => this.leave() });
    const anyway = button({ label: "Play it anyway", class: "offer", onclick: () => app.send("step", { rev: message.rev, word: message.word }) });
    const showing = lineButton(app, message.drawn, "Show why", (on) => why.replaceChildren(...(on ? [reasons(app, message.why)] : [])));
    const note = el("div", { class: "sure", role: "group", "aria-label": "Before a mistake" },
      el("p", {}, el("b", { text: "Sure?" }), " ", text), el("div", { class: "offers" }, back, anyway, showing), why);
    note.addEventListener("keydown", (event) => event.key === "Escape" && this.leave());
    this.show(note);
    app.say(`Sure? ${text}`);
    back.focus({ preventScroll: true });
  }

  leave() {
    this.drop();
    this.app.focusBoard();
  }

  drop() {
    if (!this.told) return;
    this.told = null;
    this.app.board.line(null);
    this.show(null);
  }
}

/** What a turn gives away at least before the page asks; null to play it without a question. */
export function doubted({ store, settings }) {
  const { mistake, blunder } = store.measure;
  if (store.exercise || store.shared) return null;
  return { all: mistake, big: blunder }[settings.warn] ?? null;
}

/** Outline the points to look at; none clears it. */
function look({ board: { stage } }, points) {
  if (stage && !stage.player.busy) stage.overlay.pulsing(points);
}

function reasons(app, why) {
  return el("ul", {}, why.map(({ text, rule, points }) => {
    const row = el("li", {}, sentence(text), cited(rule));
    row.addEventListener("pointerenter", () => look(app, points));
    row.addEventListener("pointerleave", () => look(app, []));
    return row;
  }));
}

/** A button that shows a line on the board while it is pressed in. */
function lineButton(app, line, label, told = () => {}) {
  const one = button({ label, class: "offer", "aria-pressed": "false", onclick: () => {
    const on = one.getAttribute("aria-pressed") !== "true";
    one.setAttribute("aria-pressed", String(on));
    app.board.line(on ? line : null);
    told(on);
  } });
  return one;
}
