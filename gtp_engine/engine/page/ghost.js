/** Previews: pieces of a later position as ghosts over the present ones. */

import { CELL, arrow, center, outline } from "./geometry.js";
import { same } from "./animate.js";
import { make, put, standing } from "./pieces.js";

const GONE = "0.3";

/** The side of the piece under the pointer, with its shadow, in units of the drawing. */
const SIDE = 120;

/**
 * The ghosts of one board; `pieces` are the present pieces.
 *
 * over -- the piece under the pointer, a picture of its own: it moves, and nothing is drawn again
 */
export class Ghost {
  /** `margin` and `side` are those of the picture. */
  constructor(painter, pieces, overlay, margin, side) {
    Object.assign(this, { painter, pieces, overlay, margin, placed: null, appearing: [] });
    this.node = make("g", { class: "ghosts" });
    this.faded = new Set();
    this.symbol = make("use");
    this.over = make("svg", { class: "board-ghost", viewBox: `${-SIDE / 2} ${-SIDE / 2} ${SIDE} ${SIDE}`, "aria-hidden": "true" }, [this.symbol]);
    this.over.style.inlineSize = `${(100 * SIDE) / side}%`;
  }

  /** Whether any ghost is shown. */
  get shown() {
    return this.placed !== null || this.node.childElementCount > 0;
  }

  /** The pieces that are shown, and are not on the board yet. */
  get foreseen() {
    return this.placed ? [this.placed, ...this.appearing] : this.appearing;
  }

  /** Remove the ghosts. */
  clear() {
    this.placed = null;
    this.over.style.opacity = "0";
    this.clearEffects();
  }

  clearEffects() {
    this.appearing = [];
    this.node.replaceChildren();
    this.foresee(false);
    for (const node of this.faded) node.removeAttribute("opacity");
    this.faded.clear();
  }

  // The chips of areas make room for those of the later position.
  foresee(on) {
    const { node } = this.overlay.last;
    if (on ? node.querySelector(".chip") : node.classList.contains("foreseen")) node.classList.toggle("foreseen", on);
  }

  /**
   * Show the piece that a click would place, before the engine has reported the other effects;
   * `within` the drawing, where a loupe magnifies it.
   */
  placing(vertex, shape, color, within = false) {
    const piece = { at: vertex, shape, color, height: 1 };
    this.clear();
    if (within) return this.node.append(this.pieces.copy(piece, { class: "ghost" }));
    this.placed = piece;
    put(this.symbol, "href", `#${this.pieces.symbol(piece)}`);
    const { x, y } = center(vertex, this.pieces.size);
    const [left, top] = [x, y].map((at) => (100 * (this.margin + at)) / SIDE - 50);
    Object.assign(this.over.style, { transform: `translate(${left}%, ${top}%)`, opacity: "" });
    // Small boards have no pointer, and never need it.
    if (!this.over.isConnected) this.node.ownerSVGElement.after(this.over);
  }

  /** Show the changes from the position on the board to a view. */
  view(view) {
    const { placed } = this;
    const under = placed && view.pieces.find((piece) => same(piece, placed) && !this.pieces.pieces.has(piece.id));
    if (under) this.clearEffects();
    else this.clear();
    this.foresee(true);
    const later = new Map(view.pieces.map((piece) => [piece.id, piece]));
    const taken = new Set(view.pieces.map(({ at }) => at));
    for (const [id, piece] of this.pieces.pieces) {
      if (!later.has(id)) this.leaves(piece, taken.has(piece.at));
    }
    for (const piece of view.pieces) {
      const now = this.pieces.pieces.get(piece.id);
      if (piece === under) continue;
      if (!now) {
        this.appearing.push(piece);
        this.node.append(this.pieces.copy(piece, { class: "ghost" }));
      } else if (!same(now, piece)) this.becomes(now, piece);
    }
    for (const area of view.areas) if (this.overlay.manner(area, view) === "due") this.area(area);
  }

  /** Show a line of play, beginning with a color: numbered ghosts in alternating colors. */
  line(turns, color) {
    this.clear();
    this.foresee(true);
    const standing = new Map();
    let mover = color;
    turns.forEach((turn, n) => {
      for (const step of turn) this.turn(step, mover, n + 1, standing);
      mover = mover === "black" ? "white" : "black";
    });
    for (const nodes of standing.values()) this.node.append(...nodes);
  }

  // A later turn of a line hides an earlier ghost on the same vertex, but not its number.
  turn({ at: from, to, shape }, color, number, standing) {
    const nodes = [];
    if (to) {
      const path = arrow(this.middle(from), this.middle(to), 12, 30);
      nodes.push(this.painter.along("arrow", path));
    }
    const at = shape || !to ? from : to;
    if (shape) nodes.push(this.pieces.copy({ at, shape, color, height: 1 }, { class: "ghost strong" }));
    const words = String(number);
    nodes.push(shape ? this.overlay.turn(words, at, this.pieces.inks[color]) : this.overlay.label(words, at));
    standing.set(at, nodes);
  }

  // A cross where a piece disappears, unless another piece replaces it.
  leaves(piece, replaced) {
    this.fade(piece.id);
    if (!replaced) this.node.append(this.overlay.on("leaves", piece.at));
  }

  // Moved: an arrow and a ghost at the goal. Other shape: its ghost over the fading piece. Other
  // color or height: half of the new look.
  becomes(now, piece) {
    if (now.at !== piece.at) {
      this.fade(now.id);
      const path = arrow(this.middle(now.at), this.middle(piece.at), 12, 30);
      const moved = this.pieces.copy(piece, { class: "ghost strong" });
      this.node.append(moved, this.painter.along("arrow", path));
      return;
    }
    if (now.shape !== piece.shape) {
      this.fade(now.id);
      this.node.append(this.pieces.copy(piece, { class: "ghost strong" }));
      return;
    }
    const half = this.half();
    const copy = this.pieces.copy(piece, { class: "ghost strong" });
    this.node.append(this.clipped(copy, piece.at, half));
  }

  clipped(copy, vertex, half) {
    copy.removeAttribute("transform");
    copy.setAttribute("clip-path", `url(#${half})`);
    return make("g", { transform: standing(vertex, this.pieces.size) }, [copy]);
  }

  half() {
    return this.painter.once("half", () => {
      const far = CELL / 2;
      return make("clipPath", {}, [make("path", { d: `M${far} ${-far}V${far}H${-far}Z` })]);
    });
  }

  area({ points, owner }) {
    const path = outline(points, this.pieces.size, 6);
    const ink = this.pieces.inks[owner];
    const parts = [];
    if (ink) {
      const fill = `url(#${this.painter.hatch(ink, owner === "black" ? "right" : "left")})`;
      parts.push(make("path", { d: path, fill, class: "hatch" }));
    }
    this.node.append(make("g", {}, [...parts, this.painter.along("patch", path)]));
  }

  fade(id) {
    const node = this.pieces.nodes.get(id);
    if (!node) return;
    node.setAttribute("opacity", GONE);
    this.faded.add(node);
  }

  middle(vertex) {
    return center(vertex, this.pieces.size);
  }
}
