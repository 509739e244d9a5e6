/** What a search says, on the board: candidates with chance and visits, and who holds what. */

import { CELL, arrow, center } from "./geometry.js";
import { make, standing } from "./pieces.js";
import { Marks } from "./overlay.js";
import { parsed } from "./input.js";

const MOST = 12;
const LEAST_HELD = 0.08;

/** The candidates of one board. */
export class Candidates {
  constructor(painter, pieces) {
    Object.assign(this, { painter, pieces });
    this.held = new Marks("held");
    this.chips = new Map();
    this.node = make("g", { class: "candidates" });
    this.lines = new Map();
  }

  /** Show a report of a search (an object of `game-analyze`), null for none. */
  show(report, view, cell) {
    this.lines.clear();
    this.heldBy(report?.held, report?.color);
    if (!report) return this.keep(new Map());
    const wanted = new Map();
    const [best] = report.turns;
    for (const turn of report.turns.slice(0, MOST)) {
      const where = placed(turn, view);
      if (!where) continue;
      const { at } = where;
      if (this.lines.has(at)) continue;
      this.lines.set(at, turn.pv);
      wanted.set(at, { turn, ...where, best: turn === best, color: report.color, roomy: cell >= 34 });
    }
    return this.keep(wanted);
  }

  /** The line that a candidate on a vertex begins, or undefined. */
  lineAt(vertex) {
    return this.lines.get(vertex);
  }

  /** Hide the candidates while a line is shown. */
  hidden(hide) {
    this.node.classList.toggle("behind", hide);
  }

  // The nodes stay from report to report; only their words change, so that nothing flickers.
  keep(wanted) {
    for (const [at, chip] of this.chips) {
      if (wanted.has(at)) continue;
      chip.node.remove();
      this.chips.delete(at);
    }
    for (const [at, told] of wanted) {
      const form = `${told.best} ${told.shape} ${told.to} ${told.color} ${told.roomy}`;
      let chip = this.chips.get(at);
      if (chip?.form !== form) {
        chip?.node.remove();
        chip = this.chip(told, form);
        this.chips.set(at, chip);
        this.node.append(chip.node);
      }
      const words = chance(told.turn);
      if (chip.words.textContent !== words) chip.words.textContent = words;
      const visits = told.roomy ? short(told.turn.visits) : "";
      if (chip.visits.textContent !== visits) chip.visits.textContent = visits;
    }
  }

  chip({ at, to, shape, best, color, roomy }, form) {
    const { painter, pieces } = this;
    const name = best ? "best" : "other";
    const { number } = painter.look.marks[name];
    const parts = [];
    if (to) {
      const [from, goal] = [center(at, pieces.size), center(to, pieces.size)];
      const shift = `translate(${-from.x} ${-from.y})`;
      const path = arrow(from, goal, 36, 24);
      const way = {
        d: path,
        fill: "none",
        "stroke-width": 9,
        "stroke-linecap": "round",
        "stroke-linejoin": "round",
      };
      const ink = painter.color(best ? "best" : "other");
      parts.push(
        make("path", { ...way, "stroke-width": 15, stroke: painter.color("halo"), transform: shift }),
      );
      parts.push(make("path", { ...way, stroke: ink, transform: shift }));
    }
    parts.push(painter.use(painter.mark(name)));
    const words = painter.text(number, "00", null, roomy ? -7 : 0);
    const visits = painter.text({ ...number, sizes: [18], "font-weight": 400 }, "", null, 13);
    parts.push(words, visits);
    if (shape) {
      const symbol = painter.piece({ shape, ink: pieces.inks[color] ?? "neutral" });
      parts.push(painter.use(symbol, `translate(${CELL * 0.33} ${-CELL * 0.33}) scale(0.32)`));
    }
    const node = make("g", { class: `candidate ${name}`, transform: standing(at, pieces.size) }, parts);
    return { form, node, words, visits };
  }

  // A filled square for the color asked for, a hollow one for its opponent, as large as it is sure.
  heldBy(held, color) {
    const wanted = new Map();
    for (const [vertex, share] of Object.entries(held ?? {})) {
      const sure = Math.round(Math.abs(share) * 10) / 10;
      if (sure < LEAST_HELD) continue;
      const owner = share > 0 ? color : color === "black" ? "white" : "black";
      wanted.set(`${vertex} ${owner} ${sure}`, () => this.square(vertex, owner, sure));
    }
    this.held.show(wanted);
  }

  square(vertex, owner, sure) {
    const ink = this.pieces.inks[owner];
    const half = 8 + 22 * sure;
    const box = { x: -half, y: -half, width: 2 * half, height: 2 * half, rx: 4 };
    const filled = owner === "black";
    const paint = {
      fill: this.painter.color("flat", ink),
      "fill-opacity": filled ? 0.55 : 0.75,
      stroke: this.painter.color("rim", ink),
      "stroke-width": filled ? 0 : 4,
    };
    return make("rect", { ...box, ...paint, transform: standing(vertex, this.pieces.size) });
  }
}

/** Where a candidate is drawn: `{at, to, shape}`; null for a turn without a vertex. */
export function placed(turn, view) {
  const [first] = parsed(turn.turn, view.verbs);
  const at = first?.vertices[0] ?? turn.clicks?.find((word) => /^[A-T][0-9]+$/.test(word));
  if (!at) return null;
  const shared = view.tools.length > 1;
  return { at, to: first?.vertices[1] ?? null, shape: shared && !first?.vertices[1] ? first?.shape : null };
}

/** The chance of a candidate in words: percent, or what is proven. */
export function chance({ proven, chance: share }) {
  if (proven === 1) return "win";
  if (proven === 0) return "loss";
  if (proven === 0.5) return "draw";
  return String(Math.round(share * 100));
}

/** A number in at most four characters: 950, 1.2k, 34k, 1.2M. */
export function short(number) {
  if (number < 1000) return String(number);
  const [value, unit] = number < 999500 ? [number / 1000, "k"] : [number / 1e6, "M"];
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)}${unit}`;
}
