/**
 * Pieces and marks as SVG, drawn from the look (`look.json`): elements with roles for colors,
 * created once as symbols and reused everywhere.
 */

import { center } from "./geometry.js";

const SVG = "http://www.w3.org/2000/svg";

let boards = 0;

/** An SVG element with attributes; undefined ones are omitted. */
export function make(tag, attributes = {}, children = []) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}

/** The transform to a vertex, in SVG and in CSS. */
export function standing(vertex, size) {
  const { x, y } = center(vertex, size);
  return `translate(${x} ${y})`;
}

/**
 * Draws the elements of a look on one board.
 *
 * look  -- the object of look.json
 * name  -- the name of one of its boards
 * defs  -- the element with all definitions; it must be part of the picture
 */
export class Painter {
  constructor(look, name) {
    this.look = look;
    this.surface = look.boards[name];
    this.prefix = `board${++boards}`;
    this.defs = make("defs");
    this.made = new Map();
  }

  /** The name of a look's board for a theme, `light` or `dark`. */
  static boardFor(look, theme) {
    const names = Object.keys(look.boards);
    return names.find((name) => look.boards[name].theme === theme) ?? names[0];
  }

  /** The color of a role of the board, or of an ink. */
  color(role, ink = null) {
    const known = this.look.inks[ink] ?? this.look.inks.neutral;
    if (role === "rim" && this.surface.rims[ink]) return this.surface.rims[ink];
    return this.surface.roles[role] ?? known.roles[role] ?? "none";
  }

  /** Elements of the look as nodes, in an ink; `more` are attributes for all of them. */
  draw(elements, ink = null, more = {}) {
    return elements.map((element) => {
      const node = make(element.tag, more);
      for (const [name, value] of Object.entries(element)) {
        if (name !== "tag") node.setAttribute(name, this.value(value, ink));
      }
      return node;
    });
  }

  /** The value of an attribute: roles become colors, `@name` becomes a gradient of this document. */
  value(value, ink) {
    if (typeof value !== "string") return value;
    if (value.startsWith("@")) return `url(#${this.gradient(value.slice(1), ink)})`;
    return value.replace(/\{(\w+)\}/g, (_, role) => this.color(role, ink));
  }

  /** The id of a gradient in an ink. */
  gradient(name, ink) {
    return this.once(`${name}-${ink}`, () => {
      const { tag, stops, ...attributes } = this.look.gradients[name];
      const nodes = stops.map(([offset, color, opacity]) =>
        make("stop", { offset, "stop-color": this.value(color, ink), "stop-opacity": opacity }),
      );
      return make(tag, attributes, nodes);
    });
  }

  /** The id of a hatch of thin lines in an ink, leaning to the right or the left. */
  hatch(ink, leaning) {
    return this.once(`hatch-${ink}-${leaning}`, () => {
      const pattern = { patternUnits: "userSpaceOnUse", width: 18, height: 18 };
      const turned = { patternTransform: `rotate(${leaning === "right" ? 45 : -45})` };
      const line = (color, width) =>
        make("path", { d: "M0 9H18", stroke: color, "stroke-width": width, "stroke-opacity": 0.85 });
      const lines = [line(this.color("rim", ink), 6.5), line(this.color("flat", ink), 3.5)];
      return make("pattern", { ...pattern, ...turned }, lines);
    });
  }

  /** The id of the symbol of a piece `{shape, ink, height}`. */
  piece({ shape, ink, height = 1 }) {
    return this.once(`${shape}-${ink}-${height}`, () => {
      const known = this.look.shapes[shape];
      if (!known) return this.unknown(shape, ink);
      const { shadow = [], parts = [], levels, top = [], number } = known;
      const drawn = [...this.draw(shadow), ...this.draw(parts, ink)];
      let highest = 0;
      if (levels) {
        const count = Math.max(1, Math.min(height, levels.most));
        const lowest = ((count - 1) * levels.rise) / 2;
        highest = lowest - (count - 1) * levels.rise;
        for (let level = 0; level < count; level++) {
          drawn.push(this.raised(levels.parts, ink, lowest - level * levels.rise));
        }
      }
      drawn.push(this.raised(top, ink, highest));
      if (height > 1 && number) drawn.push(this.text(number, String(height), ink, highest));
      return make("g", {}, drawn);
    });
  }

  /** The id of the symbol of a mark, in an ink if it has one. */
  mark(name, ink = null) {
    return this.once(`mark-${name}-${ink}`, () => make("g", {}, this.draw(this.look.marks[name].parts, ink)));
  }

  /** A mark along a path. */
  along(name, path, ink = null) {
    return make("g", { class: `mark ${name}` }, this.draw(this.look.marks[name].parts, ink, { d: path }));
  }

  /** A text of the look: `sizes` gives the size for its length. */
  text({ tag, dy = 0, sizes, ...attributes }, words, ink = null, y = 0) {
    const size = sizes ? sizes[Math.min(words.length, sizes.length) - 1] : undefined;
    const node = make(tag, { y: dy + y, "font-size": size });
    for (const [name, value] of Object.entries(attributes)) {
      node.setAttribute(name, this.value(value, ink));
    }
    node.textContent = words;
    return node;
  }

  /** A use of a symbol, optionally on a vertex. */
  use(id, transform, attributes = {}) {
    return make("use", { href: `#${id}`, transform, ...attributes });
  }

  raised(parts, ink, y) {
    return make("g", { transform: y ? `translate(0 ${y})` : undefined }, this.draw(parts, ink));
  }

  // A shape of a newer engine: a disk with its first letter.
  unknown(shape, ink) {
    const { parts, shadow = [], number } = this.look.shapes.stone;
    const letter = this.text(number, shape.slice(0, 1).toUpperCase(), ink);
    return make("g", {}, [...this.draw(shadow), ...this.draw(parts, ink), letter]);
  }

  once(key, build) {
    if (!this.made.has(key)) {
      const id = `${this.prefix}-${key.replace(/[^\w-]/g, "_")}`;
      this.made.set(key, id);
      const node = build();
      node.setAttribute("id", id);
      this.defs.append(node);
    }
    return this.made.get(key);
  }
}

/**
 * The pieces on a board; each is one node that lives as long as the piece.
 *
 * node   -- the group of the pieces
 * pieces -- the shown pieces, by id: `{id, at, shape, color, height}`
 * rested -- the id of a piece that was dropped on its future vertex, or null
 */
export class Pieces {
  constructor(painter, size, inks) {
    this.painter = painter;
    this.size = size;
    this.inks = inks;
    this.node = make("g", { class: "pieces" });
    this.pieces = new Map();
    this.nodes = new Map();
    this.rested = null;
  }

  /** Show these pieces: nodes of known ids are updated, others created or removed. */
  show(pieces) {
    this.rested = null;
    const ids = new Set(pieces.map(({ id }) => id));
    for (const id of [...this.nodes.keys()]) if (!ids.has(id)) this.remove(id);
    for (const piece of pieces) this.set(piece);
  }

  /** Show one piece in its present state; returns its node. */
  set(piece) {
    let node = this.nodes.get(piece.id);
    if (!node) {
      node = make("use", { class: "piece" });
      this.nodes.set(piece.id, node);
      this.node.append(node);
    }
    put(node, "href", `#${this.symbol(piece)}`);
    put(node, "transform", standing(piece.at, this.size));
    this.pieces.set(piece.id, piece);
    return node;
  }

  /** Raise a selected piece a little. The next `show` lowers it. */
  raise({ id, at }) {
    const { x, y } = center(at, this.size);
    const node = this.nodes.get(id);
    this.node.append(node);
    put(node, "transform", `translate(${x + 4} ${y - 12}) scale(1.06)`);
  }

  /** Leave a piece where it was dropped until the next view, although its position is elsewhere. */
  rest(id, vertex) {
    this.rested = id;
    put(this.nodes.get(id), "transform", standing(vertex, this.size));
  }

  /** Remove a piece; returns its node, undefined if there was none. */
  remove(id) {
    const node = this.nodes.get(id);
    node?.remove();
    this.nodes.delete(id);
    this.pieces.delete(id);
    return node;
  }

  /** The piece on a vertex, or undefined. */
  at(vertex) {
    for (const piece of this.pieces.values()) if (piece.at === vertex) return piece;
    return undefined;
  }

  /** The symbol of a piece. */
  symbol({ shape, color, height }) {
    return this.painter.piece({ shape, ink: this.inks[color] ?? "neutral", height });
  }

  /** A second node with the look of a piece, for ghosts and fading pieces. */
  copy(piece, attributes = {}) {
    return this.painter.use(this.symbol(piece), standing(piece.at, this.size), attributes);
  }
}

/** Set an attribute only if it changes. */
export function put(node, name, value) {
  if (node.getAttribute(name) !== value) node.setAttribute(name, value);
}
