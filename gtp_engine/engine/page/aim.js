/**
 * Taps on small boards: the first tap aims, with a cross over the whole board and a magnified
 * picture above it; a second tap there, or the button, plays.
 */

import { CELL, center } from "./geometry.js";
import { make } from "./pieces.js";
import { write } from "./dom.js";

const LOUPE_CELLS = 3;

/**
 * Aims at a vertex of one board.
 *
 * aimed -- the vertex aimed at, null for none
 */
export class Aim {
  constructor(painter, size, sceneId, confirm) {
    Object.assign(this, { painter, size, aimed: null });
    this.cross = make("g", { class: "cross" });
    this.loupe = make("svg", { class: "board-loupe", "aria-hidden": "true" });
    this.copy = make("use", { href: `#${sceneId}` });
    this.bar = document.createElement("div");
    this.bar.className = "board-confirm";
    this.button = document.createElement("button");
    this.button.type = "button";
    this.button.addEventListener("click", () => this.aimed && confirm(this.aimed));
    this.bar.append(this.button);
    this.say("");
  }

  /** Show the cross on a vertex, and the loupe at a place of the stage while a finger is down. */
  show(vertex, spot) {
    const { x, y } = center(vertex, this.size);
    const far = this.size * CELL;
    const path = `M${x} 0V${y - CELL / 2}M${x} ${y + CELL / 2}V${far}M0 ${y}H${x - CELL / 2}M${x + CELL / 2} ${y}H${far}`;
    const lines = [
      ["halo", 9],
      ["accent", 5],
    ].map(([role, width]) =>
      make("path", { d: path, stroke: this.painter.color(role), "stroke-width": width }),
    );
    this.cross.replaceChildren(
      ...lines,
      this.painter.use(this.painter.mark("cursor"), `translate(${x} ${y})`),
    );
    this.magnify(Boolean(spot));
    if (!spot) return;
    const side = LOUPE_CELLS * CELL;
    this.loupe.setAttribute("viewBox", `${x - side / 2} ${y - side / 2} ${side} ${side}`);
    this.loupe.style.transform = `translate(${spot.x}px, ${spot.y}px)`;
  }

  /** Aim at a vertex; `words` is the text of the button. */
  take(vertex, words) {
    this.aimed = vertex;
    this.show(vertex, null);
    this.say(words);
  }

  /** Aim at nothing. */
  clear() {
    this.aimed = null;
    this.cross.replaceChildren();
    this.magnify(false);
    this.say("");
  }

  // A browser renews the whole copy at each change of the board, also where nobody sees it.
  magnify(on) {
    this.loupe.classList.toggle("shown", on);
    if (!on) this.copy.remove();
    else if (!this.copy.isConnected) this.loupe.append(this.copy);
  }

  say(words) {
    write(this.button, words || "Tap to aim");
    this.button.disabled = !words;
  }
}
