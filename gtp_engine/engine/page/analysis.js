/** The analysis: its switch, the chances to win, and the candidate turns. */

import { behind, short } from "./candidates.js";
import { at, el, fill, heads, later, percent } from "./dom.js";
import { forBlack } from "./store.js";

/** Build the panel of the analysis. */
export function analysisPanel(app) {
  const { store } = app;
  const toggle = el("input", { type: "checkbox", role: "switch", id: "analyse" });
  const visits = el("span", { class: "visits" });
  const bar = chanceBar();
  const body = el("tbody");
  const table = el(
    "table",
    { class: "candidates" },
    el("caption", { class: "unseen", text: "Candidate turns, with the chance to win of the color to move" }),
    heads("Turn", "Chance", "Loss", "Visits", "Expected line"),
    body,
  );
  const usual = app.game ? "Shows what the search found before a turn." : "The engine shows its candidate turns, their chances to win, and the expected continuations.";
  const idle = el("p", { class: "empty", text: usual });
  at("analysis").append(
    el("div", { class: "switch-row" }, el("label", { class: "switch", for: "analyse" }, toggle, el("span", { text: app.game ? "Show the search" : "Analyze this position" })), visits),
    bar.node,
    table,
    idle,
  );
  const rows = new Rows(app, body);
  toggle.addEventListener("change", () => app.send("analyse", { on: toggle.checked }));

  const draw = () => {
    const { state, frame } = store;
    if (!state) return;
    const data = state.analysing ? (frame?.data ?? null) : null;
    app.board.candidates(data);
    if (!app.opened("analysis")) return;
    table.hidden = !data;
    idle.hidden = Boolean(data);
    visits.textContent = data ? `${short(data.visits)} visits` : state.analysing && !app.game ? "starting" : "";
    bar.show(data, store);
    rows.show(data?.turns ?? []);
  };
  // Not on each frame: one already in transit would revert a switch just clicked.
  const agree = () => {
    toggle.checked = Boolean(store.state?.analysing);
    toggle.disabled = !store.online || Boolean(store.hello?.readonly && !app.game);
  };
  for (const kind of ["state", "online"]) store.on(kind, agree);
  const soon = later(draw);
  for (const kind of ["frame", "state", "online", "panel"]) store.on(kind, soon);
}

/** The rows of candidates; each stays in place while its numbers change. */
class Rows {
  constructor(app, body) {
    this.app = app;
    this.body = body;
    this.rows = [];
    this.turns = [];
    this.shown = null;
    body.addEventListener("pointerover", (event) => this.ghost(event.target));
    body.addEventListener("focusin", (event) => this.ghost(event.target));
    body.addEventListener("pointerleave", () => this.ghost(null));
    body.addEventListener("focusout", () => this.ghost(null));
    body.addEventListener("click", (event) => {
      const word = event.target.closest("button")?.textContent;
      if (word) this.app.step(word);
    });
  }

  /** Show on the board the line of the candidate under the pointer or with the focus. */
  ghost(target) {
    const row = target?.closest("tr") ?? null;
    if (row === this.shown) return;
    this.shown = row;
    const turn = row && this.turns[[...this.body.children].indexOf(row)];
    this.app.board.line(turn?.drawn ?? null);
  }

  show(turns) {
    this.turns = turns;
    while (this.rows.length > turns.length) this.rows.pop().row.remove();
    while (this.rows.length < turns.length) this.rows.push(this.blank());
    turns.forEach((turn, n) => {
      const { word, chance, loss, visits, line, row } = this.rows[n];
      put(word, turn.turn);
      word.title = `Play ${turn.turn}`;
      put(chance, chanceWords(turn));
      put(loss, n && typeof turn.proven !== "number" ? behind(turn, turns[0]) : "");
      put(visits, short(turn.visits));
      put(line, (turn.pv ?? []).slice(1).join("  "));
      row.classList.toggle("best", n === 0);
      row.classList.toggle("proven", typeof turn.proven === "number");
    });
  }

  blank() {
    const word = el("button", { type: "button", class: "word" });
    const chance = el("td", { class: "chance" });
    const loss = el("td", { class: "count" });
    const visits = el("td", { class: "count" });
    const line = el("td", { class: "line" });
    const row = el("tr", {}, el("th", { scope: "row" }, word), chance, loss, visits, line);
    this.body.append(row);
    return { row, word, chance, loss, visits, line };
  }
}

function put(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** The chance of a turn in words; a proven result has its own words. */
export function chanceWords({ chance, proven }) {
  if (typeof proven === "number") return proven === 1 ? "wins" : proven === 0 ? "loses" : "draws";
  return percent(chance);
}

/** The chances to win, as a bar with words. */
function chanceBar() {
  const part = el("div", { class: "part" });
  const black = el("span", { class: "black" });
  const white = el("span", { class: "white" });
  const lead = el("p", { class: "lead" });
  const node = el("div", { class: "chances" }, el("div", { class: "names" }, black, white), el("div", { class: "bar", "aria-hidden": "true" }, part), lead);
  const show = (data, store) => {
    node.hidden = !data;
    if (!data) return;
    const { chance, proven, lead: points } = forBlack(data);
    part.style.width = `${100 * (proven ?? chance)}%`;
    const words = (color, own) => {
      const title = store.title(color);
      if (proven === null) return `${title} ${percent(own)}`;
      return own === 1 ? `${title} wins, proven` : own === 0.5 ? `${title} draws, proven` : title;
    };
    fill(black, words("black", proven ?? chance));
    fill(white, words("white", 1 - (proven ?? chance)));
    lead.hidden = points === null;
    if (points !== null) {
      const unit = store.state.view.score?.unit ?? "points";
      lead.textContent = Math.abs(points) < 0.05 ? "Even" : `${store.title(points > 0 ? "black" : "white")} leads by ${Math.abs(points).toFixed(1)} ${unit}`;
    }
  };
  return { node, show };
}
