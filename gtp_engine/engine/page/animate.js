/**
 * The animation of a turn: the events of a view, phase by phase, on the pieces. The first half of
 * this file is pure.
 *
 * An event is `{phase, do, id}` with further keys for each action: `at` and the piece (place), `at`
 * and `was` (remove), `from` and `to` (move), `at`, `value` and `was` (color, shape, height). A
 * piece is `{id, at, shape, color, height}`. The pieces of a view decide; events only add the way.
 */

import { center, place } from "./geometry.js";

/** Longest time of a turn, in milliseconds. */
export const LONGEST = 1200;

const TIMES = { place: 120, remove: 140, color: 220, shape: 220, height: 120 };
const MOVE = { first: 160, each: 40, longest: 300 };
const STAGGER = { each: 40, longest: 160 };
const OUTLINED = 200;
const DIFFERENCE = 120;

/** The events of each phase, in order. */
export function phases(events) {
  const numbers = [...new Set(events.map(({ phase }) => phase))].sort((a, b) => a - b);
  return numbers.map((number) => events.filter(({ phase }) => phase === number));
}

/** The pieces (a Map by id) after an event. */
export function after(pieces, event) {
  const next = new Map(pieces);
  const piece = next.get(event.id);
  if (event.do === "place") next.set(event.id, told(event));
  else if (event.do === "remove") next.delete(event.id);
  else if (event.do === "move" && piece) next.set(event.id, { ...piece, at: event.to });
  else if (piece) next.set(event.id, { ...piece, [event.do]: event.value });
  return next;
}

/** The pieces (a Map by id) before an event, from those after it. */
export function before(pieces, event) {
  const last = new Map(pieces);
  const piece = last.get(event.id);
  if (event.do === "place") last.delete(event.id);
  else if (event.do === "remove") last.set(event.id, told({ ...event, ...event.was }));
  else if (event.do === "move" && piece) last.set(event.id, { ...piece, at: event.from });
  else if (piece) last.set(event.id, { ...piece, [event.do]: event.was });
  return last;
}

function told({ id, at, shape, kind, color, height }) {
  return { id, at, shape, kind, color, height };
}

/** Whether two Maps of pieces look alike. */
export function alike(one, other) {
  if (one.size !== other.size) return false;
  for (const [id, piece] of one) {
    const twin = other.get(id);
    if (!twin || !same(piece, twin)) return false;
  }
  return true;
}

/** Whether two pieces look alike and stand on the same vertex. */
export function same(one, other) {
  const heights = (one.height ?? 1) === (other.height ?? 1);
  return heights && one.at === other.at && one.shape === other.shape && one.color === other.color;
}

/**
 * The phases that lead from the shown pieces to the new ones: the last ones of a turn if its first
 * steps are on the board already. Null if no phases fit: then only the difference is animated.
 */
export function leading(shown, events, target) {
  const all = phases(events);
  for (let first = 0; first < all.length; first++) {
    const rest = all.slice(first);
    const reached = rest
      .flat()
      .reduce((pieces, event) => pieces && fits(pieces, event) && after(pieces, event), shown);
    if (reached && alike(reached, target)) return rest;
  }
  return null;
}

// Whether an event is possible with these pieces.
function fits(pieces, event) {
  const piece = pieces.get(event.id);
  if (event.do === "place") return !piece;
  if (event.do === "move") return piece?.at === event.from;
  return Boolean(piece) && (event.do === "remove" || piece[event.do] === event.was);
}

/** The pieces before a turn, from those after it. */
export function beginning(pieces, events) {
  return phases(events).flat().reduceRight(before, pieces);
}

/**
 * The times of the events: `[{events: [{event, delay, time}], outline, lead, length}]`, one entry
 * per phase, in milliseconds. New pieces of a phase appear one after the other; a piece in the way
 * of a moving one disappears when that arrives. Several pieces that change by one sentence of `why`
 * are outlined first, for `lead`. The total is limited to LONGEST.
 */
export function timeline(list, why = []) {
  const plan = list.map((events) => {
    const outline = outlined(events, why);
    const lead = outline.length ? OUTLINED : 0;
    const gap = staggered(events);
    let number = 0;
    const timed = events.map((event) => {
      const waits = event.do === "place" ? gap * number++ : arrival(event, events);
      return { event, delay: lead + waits, time: lasting(event) };
    });
    return {
      events: timed,
      outline,
      lead,
      length: Math.max(...timed.map(({ delay, time }) => delay + time)),
    };
  });
  const total = plan.reduce((sum, { length }) => sum + length, 0);
  const scale = Math.min(1, LONGEST / (total || 1));
  return plan.map(({ events, outline, lead, length }) => ({
    events: events.map(({ event, delay, time }) => ({ event, delay: delay * scale, time: time * scale })),
    outline,
    lead: lead * scale,
    length: length * scale,
  }));
}

// The points of a sentence on which pieces disappear or change, if there are several.
function outlined(events, why) {
  if (events.some(({ do: what }) => what === "move")) return [];
  const touched = new Set(events.filter(({ do: what }) => what !== "place").map(({ at }) => at));
  const told = why.filter(({ phase }) => phase === events[0].phase);
  const groups = told.map(({ points }) => points.filter((at) => touched.has(at)));
  return [...new Set(groups.filter((points) => points.length > 1).flat())];
}

function arrival(event, events) {
  if (event.do !== "remove") return 0;
  const comes = events.find(({ do: what, to }) => what === "move" && to === event.at);
  return comes ? Math.max(0, lasting(comes) - TIMES.remove / 2) : 0;
}

function staggered(events) {
  const count = events.filter(({ do: what }) => what === "place").length;
  return count > 1 ? Math.min(STAGGER.each, STAGGER.longest / (count - 1)) : 0;
}

function lasting(event) {
  if (event.do !== "move") return TIMES[event.do] ?? TIMES.color;
  const [from, to] = [place(event.from), place(event.to)];
  const far = Math.max(Math.abs(to.column - from.column), Math.abs(to.row - from.row));
  return Math.min(MOVE.longest, MOVE.first + MOVE.each * (far - 1));
}

/**
 * Animates turns on the pieces of a board.
 *
 * busy -- whether a turn is being animated
 */
export class Player {
  constructor(pieces, size, outline) {
    this.pieces = pieces;
    this.size = size;
    this.outline = outline;
    this.running = [];
    this.target = null;
    this.timer = 0;
  }

  get busy() {
    return this.target !== null;
  }

  /**
   * Animate phases of events from the shown pieces to the target, a list of pieces. `done` is
   * called at the end, also after `finish`. Pieces that were `foreseen` where they are placed now
   * stand there at once, unless another piece has to go before.
   */
  play(list, target, why, done, foreseen = []) {
    this.finish();
    this.target = target;
    this.done = done;
    const shown = (event) => event.do === "place" && foreseen.some((piece) => same(event, piece)) && !this.pieces.at(event.at);
    const stand = new Set(list.flat().filter(shown));
    for (const event of stand) this.pieces.set(told(event));
    const left = list.map((events) => events.filter((event) => !stand.has(event)));
    const plan = timeline(left.filter(({ length }) => length), why);
    const next = (n) => {
      if (n === plan.length) return this.finish();
      this.phase(plan[n]);
      this.timer = setTimeout(() => next(n + 1), plan[n].length);
    };
    next(0);
  }

  /** Change to the target in one short animation: moves slide, everything else fades. */
  difference(target, done) {
    this.finish();
    this.target = target;
    this.done = done;
    const { pieces, nodes } = this.pieces;
    const old = new Map(pieces);
    const ids = new Set(target.map(({ id }) => id));
    for (const id of [...nodes.keys()]) if (!ids.has(id)) this.fade(id, 0, DIFFERENCE);
    for (const piece of target) {
      const was = old.get(piece.id);
      if (was && same(was, piece)) continue;
      if (was && (was.shape !== piece.shape || was.color !== piece.color)) this.ghost(was, 0, DIFFERENCE);
      const node = this.pieces.set(piece);
      if (!was) this.run(node, [{ opacity: 0 }, { opacity: 1 }], 0, DIFFERENCE);
      else if (was.at !== piece.at) this.slide(node, was.at, piece.at, 0, DIFFERENCE);
    }
    this.timer = setTimeout(() => this.finish(), DIFFERENCE);
  }

  /** End the animation at once: the board shows the target. */
  finish() {
    if (!this.busy) return;
    clearTimeout(this.timer);
    for (const animation of this.running.splice(0)) animation.cancel();
    for (const node of this.pieces.node.querySelectorAll(".passing")) node.remove();
    this.outline([]);
    this.pieces.show(this.target);
    this.target = null;
    this.done?.();
  }

  /** End the animation of a board that gives way to another one: nothing is drawn on it any more. */
  abandon() {
    this.done = null;
    this.finish();
  }

  phase({ events, outline }) {
    this.outline(outline);
    for (const { event, delay, time } of events) {
      const was = this.pieces.pieces.get(event.id);
      if (event.do === "remove") this.fade(event.id, delay, time);
      else if (event.do === "place" || was) {
        const piece = after(this.pieces.pieces, event).get(event.id);
        this.appear(event, was, piece, delay, time);
      }
    }
  }

  appear(event, was, piece, delay, time) {
    const turned = was && (was.shape !== piece.shape || was.color !== piece.color);
    if (turned) this.ghost(was, delay, time);
    const node = this.pieces.set(piece);
    const dropped = event.do === "move" && this.pieces.rested === event.id;
    if (dropped) this.pieces.rested = null;
    else if (event.do === "move") this.slide(node, event.from, event.to, delay, time);
    else if (event.do === "place") this.drop(node, piece, delay, time);
    else if (turned) this.run(node, this.flipped(piece.at, false), delay, time);
    else this.run(node, this.swelling(piece.at), delay, time);
  }

  slide(node, from, to, delay, time) {
    const frames = [{ transform: this.css(from) }, { transform: this.css(to) }];
    this.pieces.node.append(node);
    this.run(node, frames, delay, time, "cubic-bezier(.3,.1,.2,1)");
  }

  drop(node, { at }, delay, time) {
    const frames = [
      { transform: `${this.css(at)} scale(1.25)`, opacity: 0 },
      { transform: this.css(at), opacity: 1 },
    ];
    this.run(node, frames, delay, time, "cubic-bezier(.2,.6,.3,1)");
  }

  // Turned about its vertical axis: away in half of the time, or back in half of the time.
  flipped(at, away) {
    const [flat, full] = [`${this.css(at)} scale(0.05,1)`, `${this.css(at)} scale(1)`];
    const frame = (transform, opacity, offset) => ({ transform, opacity, offset });
    return away
      ? [frame(full, 1, 0), frame(flat, 1, 0.5), frame(flat, 0, 0.5), frame(flat, 0, 1)]
      : [frame(flat, 0, 0), frame(flat, 0, 0.5), frame(flat, 1, 0.5), frame(full, 1, 1)];
  }

  swelling(at) {
    return ["", " scale(1.12)", ""].map((scale) => ({ transform: this.css(at) + scale }));
  }

  // The former look of a piece, which turns away while the piece itself turns up.
  ghost(was, delay, time) {
    const node = this.pieces.copy(was, { class: "piece passing" });
    this.pieces.node.append(node);
    this.run(node, this.flipped(was.at, true), delay, time, "ease-in", true);
  }

  fade(id, delay, time) {
    const piece = this.pieces.pieces.get(id);
    const node = this.pieces.remove(id);
    if (!piece) return;
    node.classList.add("passing");
    this.pieces.node.append(node);
    const frames = [
      { transform: this.css(piece.at), opacity: 1 },
      { transform: `${this.css(piece.at)} scale(0.7)`, opacity: 0 },
    ];
    this.run(node, frames, delay, time, "ease-in", true);
  }

  run(node, frames, delay, time, easing = "ease-out", passing = false) {
    const animation = node.animate(frames, { delay, duration: time, easing, fill: "both" });
    this.running.push(animation);
    animation.onfinish = () => {
      if (passing) node.remove();
      animation.cancel();
    };
  }

  css(vertex) {
    const { x, y } = center(vertex, this.size);
    return `translate(${x}px, ${y}px)`;
  }
}
