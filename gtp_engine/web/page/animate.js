/**
 * How a turn is shown: the events of a view, phase by phase, on the pieces. The first half is pure.
 *
 * An event is `{phase, do, id}` with `at` (place), `from` and `to` (move) or `value` (color, shape,
 * height); a piece is `{id, at, shape, color, height}`. The pieces of a view are the truth, events
 * only say the way to them.
 */

import {center, place} from "./geometry.js";

/** A turn takes at most so many milliseconds. */
export const LONGEST = 1200;

const TIMES = {place: 120, remove: 140, color: 220, shape: 220, height: 120};
const MOVE = {first: 160, each: 40, longest: 300};
const STAGGER = {each: 40, longest: 160};
const OUTLINED = 200;
const DIFFERENCE = 120;

/** The events of each phase, in order. */
export function phases(events) {
  const numbers = [...new Set(events.map(({phase}) => phase))].sort((a, b) => a - b);
  return numbers.map((number) => events.filter(({phase}) => phase === number));
}

/** The pieces (a Map by id) after an event; `known` says what a new piece looks like. */
export function after(pieces, event, known) {
  const next = new Map(pieces);
  const piece = next.get(event.id);
  if (event.do === "place") {
    const {shape, color, kind, height} = {...known(event.id), ...event};
    next.set(event.id, {id: event.id, at: event.at, shape, color, kind, height});
  } else if (event.do === "remove") next.delete(event.id);
  else if (piece) next.set(event.id, {...piece, ...changed(event)});
  return next;
}

function changed({do: what, to, value}) {
  if (what === "move") return {at: to};
  if (what === "shape" && typeof value === "object") return value;
  return {[what]: value};
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
 * The phases that lead from the pieces shown to the new ones: the last few of a turn, where its
 * first steps are on the board already. Null where none do: then only the difference is shown.
 */
export function leading(shown, events, target, known) {
  const all = phases(events);
  for (let first = 0; first < all.length; first++) {
    const rest = all.slice(first);
    const reached = rest.flat().reduce((pieces, event) => after(pieces, event, known), shown);
    if (alike(reached, target)) return rest;
  }
  return null;
}

/**
 * The pieces before the events, from those after them; `known` tells pieces that were removed.
 * Null where a removed piece is not known.
 */
export function before(pieces, events, known) {
  const start = new Map(pieces);
  const placed = new Set();
  for (const event of [...events].reverse()) {
    const {do: what, id} = event;
    if (what === "place") {
      start.delete(id);
      placed.add(id);
    } else if (what === "remove") {
      const piece = known(id);
      if (!piece) return null;
      start.set(id, {...piece, ...(event.at && {at: event.at})});
    } else if (what === "move" && start.has(id)) start.set(id, {...start.get(id), at: event.from});
    else if (start.has(id)) {
      const was = event.was ?? known(id);
      if (!was) return null;
      const value = typeof was === "object" ? was : {[what]: was};
      const {at} = start.get(id);
      start.set(id, {...start.get(id), ...value, at});
    }
  }
  return start;
}

/**
 * When each event happens: `[{events: [{event, delay, time}], outline, starts, ends}]`, one for a
 * phase, in milliseconds. New pieces of a phase come one after the other from the first. Where
 * `why` names points of a phase that other pieces change, they are outlined first. The whole is
 * pressed into LONGEST.
 */
export function timeline(list, why = []) {
  let clock = 0;
  const plan = list.map((events) => {
    const points = outlined(events, why);
    const starts = clock;
    const lead = points.length ? OUTLINED : 0;
    const gap = staggered(events);
    let number = 0;
    const timed = events.map((event) => {
      const delay = lead + (event.do === "place" ? gap * number++ : 0);
      return {event, delay, time: lasting(event)};
    });
    const length = Math.max(...timed.map(({delay, time}) => delay + time));
    clock += length;
    return {events: timed, outline: points, lead, starts, ends: clock};
  });
  const scale = Math.min(1, LONGEST / (clock || 1));
  return plan.map((phase) => ({
    ...phase,
    lead: phase.lead * scale,
    starts: phase.starts * scale,
    ends: phase.ends * scale,
    events: phase.events.map(({event, delay, time}) => ({event, delay: delay * scale, time: time * scale})),
  }));
}

// Several points about which a sentence speaks, where it is not just what was placed or moved.
function outlined(events, why) {
  const plain = events.every(({do: what}) => what === "place" || what === "move");
  const told = why.filter(({phase, points}) => phase === events[0].phase && points?.length > 1);
  const several = events.filter(({do: what}) => what === "place").length > 1;
  return plain && !several ? [] : [...new Set(told.flatMap(({points}) => points))];
}

function staggered(events) {
  const count = events.filter(({do: what}) => what === "place").length;
  return count > 1 ? Math.min(STAGGER.each, STAGGER.longest / (count - 1)) : 0;
}

function lasting(event) {
  if (event.do !== "move") return TIMES[event.do] ?? TIMES.color;
  const [from, to] = [place(event.from), place(event.to)];
  const far = Math.max(Math.abs(to.column - from.column), Math.abs(to.row - from.row));
  return Math.min(MOVE.longest, MOVE.first + MOVE.each * (far - 1));
}

/**
 * Plays turns on the pieces of a board.
 *
 * busy -- whether a turn is being shown
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
   * Show phases of events from the pieces shown to the target, a list of pieces. `known` says what
   * a new piece looks like; `done` is called at the end, also after `finish`.
   */
  play(list, target, why, known, done) {
    this.finish();
    this.target = target;
    this.done = done;
    const plan = timeline(list, why);
    const next = (n) => {
      if (n === plan.length) return this.finish();
      this.phase(plan[n], known);
      this.timer = setTimeout(() => next(n + 1), plan[n].ends - plan[n].starts);
    };
    next(0);
  }

  /** Go to the target in one short change: moves slide, the rest fades. */
  difference(target, done) {
    this.finish();
    this.target = target;
    this.done = done;
    const {pieces, nodes} = this.pieces;
    const old = new Map(pieces);
    const ids = new Set(target.map(({id}) => id));
    for (const id of [...nodes.keys()]) if (!ids.has(id)) this.fade(id, 0, DIFFERENCE);
    for (const piece of target) {
      const was = old.get(piece.id);
      if (was && same(was, piece)) continue;
      if (was && (was.shape !== piece.shape || was.color !== piece.color)) this.ghost(was, 0, DIFFERENCE);
      const node = this.pieces.set(piece);
      if (!was) this.run(node, [{opacity: 0}, {opacity: 1}], 0, DIFFERENCE);
      else if (was.at !== piece.at) this.slide(node, was.at, piece.at, 0, DIFFERENCE);
    }
    this.timer = setTimeout(() => this.finish(), DIFFERENCE);
  }

  /** End what is being shown: the board is as it will be. */
  finish() {
    if (!this.busy) return;
    clearTimeout(this.timer);
    for (const animation of this.running.splice(0)) animation.cancel();
    for (const node of this.pieces.node.querySelectorAll(".passing")) node.remove();
    this.outline([], 0);
    this.pieces.show(this.target);
    this.target = null;
    this.done?.();
  }

  phase({events, outline, lead}, known) {
    if (outline.length) this.outline(outline, lead);
    for (const {event, delay, time} of events) {
      const was = this.pieces.pieces.get(event.id);
      if (event.do === "remove") this.fade(event.id, delay, time);
      else if (event.do === "place" || was) {
        const piece = after(this.pieces.pieces, event, known).get(event.id);
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
    const frames = [{transform: this.css(from)}, {transform: this.css(to)}];
    this.pieces.node.append(node);
    this.run(node, frames, delay, time, "cubic-bezier(.3,.1,.2,1)");
  }

  drop(node, {at}, delay, time) {
    const frames = [
      {transform: `${this.css(at)} scale(1.25)`, opacity: 0},
      {transform: this.css(at), opacity: 1},
    ];
    this.run(node, frames, delay, time, "cubic-bezier(.2,.6,.3,1)");
  }

  flipped(at, away) {
    const [flat, full] = [`${this.css(at)} scale(0.05,1)`, `${this.css(at)} scale(1)`];
    const order = away ? [full, flat, flat] : [flat, flat, full];
    return order.map((transform, n) => ({transform, opacity: away ? Number(n === 0 || n === 1) : Number(n > 0)}));
  }

  swelling(at) {
    return ["", " scale(1.12)", ""].map((scale) => ({transform: this.css(at) + scale}));
  }

  // What a piece was, turned away while the piece itself turns up.
  ghost(was, delay, time) {
    const node = this.pieces.copy(was, {class: "piece passing"});
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
      {transform: this.css(piece.at), opacity: 1},
      {transform: `${this.css(piece.at)} scale(0.7)`, opacity: 0},
    ];
    this.run(node, frames, delay, time, "ease-in", true);
  }

  run(node, frames, delay, time, easing = "ease-out", passing = false) {
    const animation = node.animate(frames, {delay, duration: time, easing, fill: "both"});
    this.running.push(animation);
    animation.onfinish = () => {
      if (passing) node.remove();
      animation.cancel();
    };
  }

  css(vertex) {
    const {x, y} = center(vertex, this.size);
    return `translate(${x}px, ${y}px)`;
  }
}
