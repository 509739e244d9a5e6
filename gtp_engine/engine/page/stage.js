/** Everything drawn for one board of one size: the picture, its layers, the grid over it. */

import { Aim } from "./aim.js";
import { CELL, center, vertexUnder } from "./geometry.js";
import { Candidates } from "./candidates.js";
import { Ghost } from "./ghost.js";
import { Grid } from "./grid.js";
import { Overlay } from "./overlay.js";
import { Painter, Pieces, make } from "./pieces.js";
import { Player } from "./animate.js";
import { ground, letterRoom, marginOf } from "./ground.js";

const ABOVE_FINGER = 84;
const LOUPE = 64;
const SHAKE = { duration: 260, easing: "ease-in-out" };

// The height of the letters in the margin, in pixels: the board's width divided by `each`, limited.
const LETTERS = { least: 11, each: 52, largest: 22 };

/**
 * A stage: the contents of a Board until the game, its size or the surface changes.
 *
 * node -- the picture and the grid; `bar` is the button for confirmed taps
 * cell -- the width of a cell in CSS pixels, once `fit` has measured
 */
export class Stage {
  /**
   * look, surface -- the look and the name of one of its boards
   * game          -- the view's `game`
   * coordinates   -- whether letters and numbers are shown
   * confirm       -- called with the aimed vertex when the button is pressed
   */
  constructor(look, surface, game, coordinates, confirm) {
    const painter = new Painter(look, surface);
    const { size } = game;
    const inks = Object.fromEntries(Object.entries(game.colors).map(([color, { ink }]) => [color, ink]));
    this.size = size;
    this.margin = marginOf(look, size, coordinates);
    this.side = size * CELL + 2 * this.margin;
    this.room = letterRoom(look, game, this.margin);
    this.pieces = new Pieces(painter, size, inks);
    this.overlay = new Overlay(painter, size, inks);
    this.candidates = new Candidates(painter, this.pieces);
    this.ghosts = new Ghost(painter, this.pieces, this.overlay, this.margin, this.side);
    this.player = new Player(this.pieces, size, (points) => this.overlay.pulsing(points));
    this.grid = new Grid(size, `${game.title}, ${size} by ${size}`);
    const id = `${painter.prefix}-scene`;
    this.aim = new Aim(painter, size, id, confirm);
    this.bar = this.aim.bar;
    this.node = this.assembled(painter, this.scene(id, painter, ground(painter, game, coordinates)));
  }

  /** The place of the drawing under a place of the window. */
  units(x, y) {
    const box = this.node.getBoundingClientRect();
    const scale = this.side / box.width;
    return { x: (x - box.left) * scale - this.margin, y: (y - box.top) * scale - this.margin };
  }

  /** The vertex under a place of the window, null outside the board. */
  vertex(x, y) {
    const spot = this.units(x, y);
    return vertexUnder(spot.x, spot.y, this.size);
  }

  /** Fit the letters of the margin, and `cell`, the width of one in CSS pixels, to the present width of the board. */
  fit() {
    const width = this.node.clientWidth;
    this.cell = (width / this.side) * CELL;
    const pixels = Math.min(LETTERS.largest, Math.max(LETTERS.least, width / LETTERS.each));
    const letter = Math.min((pixels * this.side) / (width || 1), this.room * 0.78);
    this.node.style.setProperty("--letter", `${letter.toFixed(1)}px`);
  }

  /** The place of the loupe for a finger at a place of the window: above it, or below at the top. */
  aboveFinger(x, y) {
    const box = this.node.getBoundingClientRect();
    const inside = Math.min(Math.max(x - box.left, LOUPE), box.width - LOUPE);
    const above = y - box.top > ABOVE_FINGER * 1.4;
    return { x: inside, y: y - box.top + (above ? -ABOVE_FINGER : ABOVE_FINGER) };
  }

  /** Move a piece to a place of the window while it is dragged. */
  carry(piece, x, y) {
    const node = this.pieces.nodes.get(piece.id);
    const spot = this.units(x, y);
    this.pieces.node.append(node);
    this.node.classList.add("carrying");
    node.setAttribute("transform", `translate(${spot.x} ${spot.y}) scale(1.08)`);
  }

  /** Shake the piece on a vertex, or else a temporary ghost of `shape` and `color`. */
  shake(vertex, shape, color) {
    const piece = this.pieces.at(vertex);
    if (!piece) this.ghosts.placing(vertex, shape, color, true);
    const node = piece ? this.pieces.nodes.get(piece.id) : this.ghosts.node.firstElementChild;
    const { x, y } = center(vertex, this.size);
    const at = (aside) => ({ transform: `translate(${x + aside}px, ${y}px)` });
    const shaking = node.animate([at(0), at(-9), at(8), at(-5), at(0)], SHAKE);
    if (!piece) shaking.onfinish = () => node.remove();
  }

  scene(id, painter, board) {
    const layers = [
      // As large as the board, and not seen: a layer of changing size would be drawn anew.
      make("rect", { x: -this.margin, y: -this.margin, width: this.side, height: this.side, fill: "none", stroke: "#000", "stroke-opacity": 0.001 }),
      ...this.overlay.under,
      this.pieces.node,
      this.candidates.held.node,
      ...this.overlay.over,
      this.candidates.node,
      this.ghosts.node,
      this.overlay.numbers.node,
    ];
    return make("g", { id }, [board, make("g", { class: "upon" }, layers)]);
  }

  assembled(painter, scene) {
    const box = `${-this.margin} ${-this.margin} ${this.side} ${this.side}`;
    const picture = make("svg", { viewBox: box, class: "board-picture", "aria-hidden": "true" });
    picture.append(painter.defs, scene, this.aim.cross);
    const node = document.createElement("div");
    node.className = "board-stage";
    node.style.setProperty("--margin", `${(100 * this.margin) / this.side}%`);
    for (const role of ["accent", "halo"]) node.style.setProperty(`--${role}`, painter.color(role));
    node.append(picture, this.grid.node, this.aim.loupe);
    return node;
  }
}
