/** Search results on the board: candidates with chance and visits, and who holds which point. */

import { CELL, arrow, between, center } from "./geometry.js";
import { make, standing } from "./pieces.js";
import { Marks } from "./overlay.js";

// Candidates with very few visits compared to the best are left out, but for so many.
const SURE = 3;
// Where a chip stands on the way of its arrow if another one has its place: small enough there that it
// hides none of those of other moves, neither of the same piece nor of crossing ones.
const ON_WAY = 1 / 3;
const SMALL = 0.5;
const LEAST_SHARE = 0.002;
const LEAST_HELD = 0.08;

/** The candidates of one board. */
export class Candidates {
  constructor(painter, pieces) {
    Object.assign(this, { painter, pieces });
    this.held = new Marks("held");
    this.chips = new Map();
    this.ways = make("g");
    this.signs = make("g");
    this.node = make("g", { class: "candidates" }, [this.ways, this.signs]);
    this.lines = new Map();
  }

  /** Show a report of a search (an object of `game-analyze`), null for none. */
  show(report, view, cell) {
    this.lines.clear();
    this.heldBy(report?.held, report?.color);
    if (!report) return this.keep(new Map());
    const wanted = new Map();
    const [best] = report.turns;
    for (const { turn, ...where } of apart(worthy(report.turns), view)) {
      const { at, to, key } = where;
      for (const vertex of to ? [at, to] : [at]) {
        if (!this.lines.has(vertex)) this.lines.set(vertex, turn.drawn);
      }
      wanted.set(key, { turn, ...where, words: turn === best ? chance(turn) : behind(turn, best), best: turn === best, color: report.color, roomy: cell >= 34 && where.part !== ON_WAY });
    }
    return this.keep(wanted);
  }

  /** The line of the best candidate that begins or ends its first step on a vertex, or undefined. */
  lineAt(vertex) {
    return this.lines.get(vertex);
  }

  /** Hide the candidates while a line is shown. */
  hidden(hide) {
    this.node.classList.toggle("behind", hide);
  }

  // The nodes stay from report to report, and only their texts change, to avoid flicker.
  keep(wanted) {
    for (const [key, chip] of this.chips) {
      if (wanted.has(key)) continue;
      chip.node.remove();
      chip.way?.remove();
      this.chips.delete(key);
    }
    for (const [key, told] of wanted) {
      const form = `${told.best} ${told.shape} ${told.part} ${told.color} ${told.roomy}`;
      let chip = this.chips.get(key);
      if (chip?.form !== form) {
        chip?.node.remove();
        chip?.way?.remove();
        chip = this.chip(told, form);
        this.chips.set(key, chip);
        if (chip.way) this.ways.append(chip.way);
        this.signs.append(chip.node);
      }
      if (chip.words.textContent !== told.words) chip.words.textContent = told.words;
      const visits = told.roomy ? short(told.turn.visits) : "";
      if (chip.visits.textContent !== visits) chip.visits.textContent = visits;
      if (told.best && chip.node.nextSibling) this.signs.append(chip.node);
    }
  }

  chip({ at, to, part, shape, best, color, roomy }, form) {
    const { painter, pieces } = this;
    const name = best ? "best" : "other";
    const { number } = painter.look.marks[name];
    const way = to && this.way(at, to, part, best);
    const parts = [painter.use(painter.mark(name))];
    const words = painter.text(number, best ? "00" : "0000", null, roomy ? -7 : 0);
    const visits = painter.text({ ...number, sizes: [18], "font-weight": 400 }, "", null, 13);
    parts.push(words, visits);
    if (shape) {
      const symbol = painter.piece({ shape, ink: pieces.inks[color] ?? "neutral" });
      parts.push(painter.use(symbol, `translate(${CELL * 0.33} ${-CELL * 0.33}) scale(0.32)`));
    }
    const { x, y } = between(center(at, pieces.size), center(to ?? at, pieces.size), part);
    const scale = part === ON_WAY ? ` scale(${SMALL})` : "";
    const node = make("g", { class: `candidate ${name}`, transform: `translate(${x} ${y})${scale}` }, parts);
    return { form, node, way, words, visits };
  }

  // The arrow of a candidate with two vertices; all arrows are below all chips.
  way(at, to, part, best) {
    const { painter, pieces } = this;
    const lines = {
      d: arrow(center(at, pieces.size), center(to, pieces.size), part ? 16 : 36, part === 1 ? 36 : 24),
      fill: "none",
      "stroke-linecap": "round",
      "stroke-linejoin": "round",
    };
    const ink = painter.color(best ? "best" : "other");
    return make("g", {}, [
      make("path", { ...lines, "stroke-width": 15, stroke: painter.color("halo") }),
      make("path", { ...lines, "stroke-width": 9, stroke: ink }),
    ]);
  }

  // A square in the ink of the color that holds a vertex, filled for Black and framed for White,
  // larger if more certain. On a piece it appears only if the other color holds the vertex.
  heldBy(held, color) {
    const stands = new Map([...this.pieces.pieces.values()].map((piece) => [piece.at, piece]));
    const wanted = new Map();
    for (const [vertex, share] of Object.entries(held ?? {})) {
      const sure = Math.round(Math.abs(share) * 10) / 10;
      const owner = share > 0 ? color : color === "black" ? "white" : "black";
      const piece = stands.get(vertex);
      if (sure < LEAST_HELD || piece?.color === owner) continue;
      const half = (piece ? 6 : 8) + (piece ? 12 : 22) * sure;
      wanted.set(`${vertex} ${owner} ${half}`, () => this.square(vertex, owner, half));
    }
    this.held.show(wanted);
  }

  square(vertex, owner, half) {
    const ink = this.pieces.inks[owner];
    const box = { x: -half, y: -half, width: 2 * half, height: 2 * half, rx: 4 };
    const filled = owner === "black";
    const paint = {
      fill: this.painter.color("flat", ink),
      "fill-opacity": filled ? 0.65 : 0.8,
      stroke: this.painter.color(filled ? "halo" : "rim", filled ? null : ink),
      "stroke-width": filled ? 1.5 : 4,
    };
    return make("rect", { ...box, ...paint, transform: standing(vertex, this.pieces.size) });
  }
}

/** The reported candidates to show, the best one first. */
export function worthy(turns) {
  const best = turns[0]?.visits ?? 0;
  return turns.filter(({ visits }, n) => n < SURE || visits >= best * LEAST_SHARE);
}

/**
 * The candidates to show, each `{turn, key, at, to, part, shape}`. The first step of a turn names one
 * vertex or two, `at` and `to`. Its chip stands at `part` of the way between them, 0 to 1: a piece that
 * moves is told where it goes, or on its way if another chip is there. Of turns with the same first
 * step the best one is shown.
 */
export function apart(turns, view) {
  const shown = new Map();
  const taken = new Set();
  for (const turn of turns) {
    const where = placed(turn, view);
    if (!where) continue;
    const { at, to, moves } = where;
    const key = `${at} ${to ?? ""}`;
    if (shown.has(key)) continue;
    const stand = moves ? to : at;
    const free = !taken.has(stand);
    if (!free && !to) continue;
    taken.add(stand);
    shown.set(key, { turn, key, ...where, part: free ? Number(moves) : ON_WAY });
  }
  return [...shown.values()];
}

/**
 * The first step of a candidate: `{at, to, moves, shape}`; null for a turn without a vertex. `moves`
 * tells that a piece goes from `at` to `to`; other steps with two vertices place one.
 */
function placed({ drawn: [[first]] }, view) {
  if (!first) return null;
  const { at, to, shape } = first;
  return { at, to, moves: Boolean(to && !shape), shape: view.tools.length > 1 && !to ? shape : null };
}

/** The chance of a candidate in words: percent, or the proven result. */
export function chance({ proven, chance: share }) {
  if (proven === 1) return "win";
  if (proven === 0) return "loss";
  if (proven === 0.5) return "draw";
  return String(Math.round(share * 100));
}

/** What a candidate loses against the best one, in percent of the chance to win; a proven result has its word. */
export function behind(turn, best) {
  if (typeof turn.proven === "number") return chance(turn);
  const lost = 100 * ((best.proven ?? best.chance) - turn.chance);
  if (lost < 0.05) return "=";
  return `\u2212${lost < 9.95 ? lost.toFixed(1) : Math.round(lost)}`;
}

/** A number in at most four characters: 950, 1.2k, 34k, 1.2M. */
export function short(number) {
  if (number < 1000) return String(number);
  const [value, unit] = number < 999500 ? [number / 1000, "k"] : [number / 1e6, "M"];
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)}${unit}`;
}
