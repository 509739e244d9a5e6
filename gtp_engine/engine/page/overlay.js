/**
 * Marks on the board: the last turn, areas and their owners, legal clicks, and what decided the
 * game. Every mark has a key; a change of the board changes only the marks that differ.
 */

import { CELL, arrow, center, heart, outline } from "./geometry.js";
import { make, standing } from "./pieces.js";
import { isDue } from "./input.js";

/** Areas larger than this share of the board are not marked before the end of the game. */
const QUIET = 0.4;

/** A group of marks, each created once per key. */
export class Marks {
  constructor(name) {
    this.node = make("g", { class: `marks ${name}` });
    this.shown = new Map();
  }

  /** Show these marks: a Map from keys to functions that create a node. */
  show(wanted) {
    for (const [key, node] of this.shown) {
      if (wanted.has(key)) continue;
      node.remove();
      this.shown.delete(key);
    }
    for (const [key, build] of wanted) {
      if (this.shown.has(key)) continue;
      const node = build();
      this.shown.set(key, node);
      this.node.append(node);
    }
  }

  /** Remove all marks. */
  clear() {
    this.show(new Map());
  }
}

/** All marks of one board, except those of a search and ghosts. */
export class Overlay {
  constructor(painter, size, inks) {
    Object.assign(this, { painter, size, inks });
    this.tint = new Marks("tint");
    this.areas = new Marks("areas");
    this.beneath = new Marks("beneath");
    this.decisive = new Marks("decisive");
    this.last = new Marks("last");
    this.targets = new Marks("targets");
    this.reason = new Marks("reason");
    this.pulse = new Marks("pulse");
    this.worths = new Marks("worths");
    this.numbers = new Marks("numbers");
    this.turns = new Marks("turns");
    this.notes = new Marks("notes");
    this.plans = new Marks("plans");
  }

  /** The layer under the pieces. */
  get under() {
    return [this.worths.node, this.tint.node, this.areas.node, this.beneath.node];
  }

  /** The layer over the pieces. */
  get over() {
    return [this.turns.node, this.decisive.node, this.last.node, this.pulse.node, this.targets.node, this.reason.node, this.notes.node, this.plans.node];
  }

  /** Mark a view's position: the last turn, areas, what decided the game; and the turns of the pieces. */
  position(view, numbers) {
    const tint = new Map();
    const last = new Map();
    if (view.last) this.lastTurn(view, tint, last);
    const areas = new Map();
    for (const area of view.areas) this.area(area, areas, last, this.manner(area, view));
    const points = view.outcome?.points ?? [];
    const path = points.length ? outline(points, this.size, 4) : "";
    this.decisive.show(new Map(path ? [[path, () => this.painter.along("decisive", path)]] : []));
    this.tint.show(tint);
    this.areas.show(areas);
    this.last.show(last);
    const dated = numbers ? view.pieces.filter(({ turn }) => turn) : [];
    this.turns.show(new Map(dated.map((piece) => [JSON.stringify(piece), () => this.turnOf(piece)])));
  }

  // The number of the turn of a piece; below its height if that is written on it.
  turnOf({ at, shape, color, height, turn }) {
    const look = this.painter.look.shapes[shape];
    const moved = height > 1 ? look?.turn_below : look?.turn;
    return this.turn(String(turn), at, this.inks[color] ?? "neutral", moved);
  }

  /** The number of a turn on a piece in an ink. */
  turn(words, vertex, ink, moved = "") {
    const text = this.painter.text(this.painter.look.marks.turn.number, words, ink);
    return make("g", { class: "mark turn", transform: `${standing(vertex, this.size)} ${moved}` }, [text]);
  }

  /** Remove the marks of the position, during an animation. */
  bare() {
    for (const marks of [this.tint, this.areas, this.beneath, this.decisive, this.last, this.targets, this.turns]) marks.clear();
  }

  /** Mark the legal clicks and the selection. */
  choices(clicks, pieceAt) {
    const marks = new Map();
    const mark = (name, vertex) => marks.set(`${name} ${vertex}`, () => this.on(name, vertex));
    const beneath = new Map();
    for (const { at, area, verb } of clicks.path) {
      if (area?.length) continue;
      mark("selected", at);
      const { verbs, turn } = clicks.view;
      const shape = verbs[verb]?.shape;
      if (shape) beneath.set(at, () => this.piece(shape, turn.to_move, at));
    }
    if (clicks.selecting) this.ways(clicks, beneath);
    this.beneath.show(beneath);
    for (const vertex of clicks.dots) {
      const taking = clicks.pick(vertex);
      const taken = [...(taking.captures ?? []), ...(taking.removes ?? [])];
      if (clicks.selecting && taken.includes(vertex)) mark("capture", vertex);
      else if (pieceAt(vertex)) mark("selected", vertex);
      else mark("target", vertex);
    }
    if (clicks.selecting) this.groups(clicks, marks);
    else this.chevrons(clicks, marks);
    this.targets.show(marks);
  }

  /** Frame the points that a refusal names. */
  refused(points) {
    this.reason.show(new Map(points.map((at) => [at, () => this.on("refused", at)])));
  }

  /** Frame the vertex that is to be played at the next turn, null for none; show signs on vertices. */
  plan(vertex, offers) {
    const marks = new Map([...offers].map(([at, { sign }]) => [`${sign} ${at}`, () => this.label(sign, at)]));
    if (vertex) marks.set(vertex, () => this.chosen(outline([vertex], this.size, 6)));
    this.plans.show(marks);
  }

  /** Outline points for the duration of a phase of a turn; none clears it. */
  pulsing(points) {
    const path = points.length ? outline(points, this.size, 5) : "";
    const marks = path ? [[path, () => this.painter.along("patch", path)]] : [];
    this.pulse.show(new Map(marks));
  }

  /**
   * Show whether first turns are to be swapped, a Map from vertices to `{slant, words}`: from -1, a
   * ring, to 1, a disk; the nearer to 0, the smaller. `words` stand on the point, if there are any.
   */
  worth(values) {
    const [marks, numbers] = [new Map(), new Map()];
    for (const [at, { slant, words }] of values) {
      marks.set(`${at} ${slant}`, () => {
        const node = this.on(slant > 0 ? "swapped" : "unswapped", at);
        node.setAttribute("transform", `${standing(at, this.size)} scale(${(0.2 + 0.8 * Math.abs(slant)).toFixed(2)})`);
        return node;
      });
      if (words) numbers.set(`${at} ${words}`, () => this.label(words, at));
    }
    this.worths.show(marks);
    this.numbers.show(numbers);
  }

  /** Show what people have marked: a list of `{kind, at, to, text}`. */
  annotate(marks) {
    const known = marks.filter(({ kind, to, text }) => to || text || this.painter.look.marks[kind]);
    this.notes.show(new Map(known.map((mark) => [JSON.stringify(mark), () => this.note(mark)])));
  }

  note({ kind, at, to, text }) {
    if (text) return this.label(text.slice(0, 4), at);
    if (!to) return this.on(kind, at);
    const [one, other] = [center(at, this.size), center(to, this.size)];
    const path = kind === "arrow" ? arrow(one, other, 20, 14, 26) : `M${one.x} ${one.y}L${other.x} ${other.y}`;
    return this.painter.along("pointer", path);
  }

  /** A mark of the look on a vertex. */
  on(name, vertex, ink = null) {
    const node = this.painter.use(this.painter.mark(name, ink), standing(vertex, this.size));
    node.setAttribute("class", `mark ${name}`);
    return node;
  }

  // Lines from the selected piece to its possible captures, over the vertices in between.
  ways(clicks, beneath) {
    const from = center(clicks.path[0].at, this.size);
    for (const { at, path } of clicks.options) {
      if (!path?.length) continue;
      const to = center(at, this.size);
      const line = `M${from.x} ${from.y}L${to.x} ${to.y}`;
      beneath.set(line, () => this.chosen(line));
    }
  }

  // The piece that the selection will put under another one.
  piece(shape, color, vertex) {
    const symbol = this.painter.piece({ shape, ink: this.inks[color] });
    return this.painter.use(symbol, standing(vertex, this.size), { class: "ghost" });
  }

  // Corners where the turn began, a tint on all changed points, arrows for moved pieces.
  lastTurn({ last: { points, began = points, changed = [], events = [] } }, tint, last) {
    for (const at of new Set([...points, ...changed])) {
      tint.set(`changed ${at}`, () => this.on("changed", at));
    }
    for (const at of began) last.set(`last ${at}`, () => this.on("last", at));
    for (const { do: what, from, to } of events) {
      if (what !== "move") continue;
      const path = arrow(center(from, this.size), center(to, this.size), 12, 30);
      last.set(`arrow ${path}`, () => this.painter.along("arrow", path));
    }
  }

  // The style of an area: to be clicked, after the end of the game, or quiet while it is small
  // compared to the board; null to hide it.
  manner(area, view) {
    if (view.outcome) return "settled";
    if (isDue(area, view)) return "due";
    return area.points.length <= QUIET * this.size ** 2 ? "quiet" : null;
  }

  // An area: outlined, hatched in the ink of its owner, with a chip.
  area({ points, owner, kind }, under, over, manner) {
    if (!manner) return;
    const key = `${kind} ${owner} ${points.join(" ")} ${manner}`;
    const path = outline(points, this.size, 6);
    const ink = owner && this.inks[owner];
    under.set(key, () => {
      const fill = ink && `url(#${this.painter.hatch(ink, owner === "black" ? "right" : "left")})`;
      const hatched = fill ? [make("path", { d: path, fill, class: `hatch ${manner}` })] : [];
      return make("g", { class: `area ${manner}` }, [...hatched, this.painter.along("patch", path)]);
    });
    if (ink) over.set(`chip ${key}`, () => this.chip(points, ink, manner));
  }

  /**
   * A disk in the owner's ink with the number of points, on the middle point of an area; in the
   * corner of its cell if pieces may stand there.
   */
  chip(points, ink, manner) {
    const { number } = this.painter.look.marks.chip;
    const symbol = this.painter.use(this.painter.mark("chip", ink), "");
    const words = this.painter.text(number, String(points.length), ink);
    const { x, y } = center(heart(points), this.size);
    const [aside, scale] = manner === "due" ? [0, 1.4] : [CELL * 0.3, 1];
    const transform = `translate(${x + aside} ${y - aside}) scale(${scale})`;
    return make("g", { class: "mark chip", transform }, [symbol, words]);
  }

  // The areas that the next click chooses from: bold outlines with letters.
  groups(clicks, marks) {
    const areas = clicks.options.filter(({ area }) => area?.length);
    const [first] = clicks.path;
    if (first.area?.length) {
      const path = outline([first.at, ...first.area], this.size, 3);
      marks.set(`chosen ${path}`, () => this.chosen(path));
    }
    const lettered = areas.length ? clicks.options : [];
    lettered.forEach((option, n) => {
      const points = [option.at, ...(option.area ?? [])];
      const path = outline(points, this.size, 4);
      marks.delete(`target ${option.at}`);
      marks.delete(`selected ${option.at}`);
      marks.set(`group ${path}`, () => this.painter.along("patch", path));
      marks.set(`letter ${n} ${path}`, () => this.label(String.fromCharCode(97 + n), heart(points)));
    });
  }

  // A line in the color of choices: around the area clicked first, and along a way.
  chosen(path) {
    const lines = [
      ["halo", 12],
      ["accent", 7],
    ].map(([role, width]) =>
      make("path", { d: path, fill: "none", stroke: this.painter.color(role), "stroke-width": width }),
    );
    return make("g", { class: "mark chosen" }, lines);
  }

  /** A text on a vertex. */
  label(words, vertex, more = {}) {
    const node = this.painter.text(this.painter.look.marks.label.number, words);
    const { x, y } = center(vertex, this.size);
    return make("g", { class: "mark label", transform: `translate(${x} ${y})`, ...more }, [node]);
  }

  // Small signs at the rim of pieces that can capture, toward their possible captures.
  chevrons(clicks, marks) {
    for (const [at, taken] of clicks.takers) {
      for (const other of taken) marks.set(`chevron ${at} ${other}`, () => this.chevron(at, other));
    }
  }

  chevron(from, to) {
    const [one, other] = [center(from, this.size), center(to, this.size)];
    const turned = (Math.atan2(other.y - one.y, other.x - one.x) * 180) / Math.PI;
    const colors = { fill: this.painter.color("danger"), stroke: this.painter.color("halo") };
    const shape = {
      d: "M0 -13L15 0L0 13Z",
      "stroke-width": 5,
      "stroke-linejoin": "round",
      "paint-order": "stroke",
    };
    const node = make("path", {
      ...colors,
      ...shape,
      transform: `rotate(${turned}) translate(${CELL * 0.36} 0)`,
    });
    return make("g", { class: "mark chevron", transform: `translate(${one.x} ${one.y})` }, [node]);
  }
}
