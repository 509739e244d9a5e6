/**
 * The board as a grid of buttons for pointer, keyboard and screen reader: grid > row > gridcell >
 * button, with one tab stop, laid over the picture; and the name of each button.
 */

import { allVertices, moved } from "./geometry.js";
import { isDue } from "./input.js";

/** The grid of one board; `node` is its element. */
export class Grid {
  constructor(size, title) {
    this.size = size;
    this.node = document.createElement("div");
    this.node.className = "board-grid";
    this.node.setAttribute("role", "grid");
    this.node.setAttribute("aria-label", title);
    this.node.style.setProperty("--size", size);
    this.buttons = new Map();
    let row = null;
    allVertices(size).forEach((vertex, n) => {
      if (n % size === 0) {
        row = element("div", "row", "board-row");
        this.node.append(row);
      }
      const cell = element("div", "gridcell", "board-cell");
      cell.append(this.button(vertex));
      row.append(cell);
    });
    const middle = Math.ceil(size / 2);
    this.current = allVertices(size)[(middle - 1) * size + middle - 1];
    this.buttons.get(this.current).tabIndex = 0;
  }

  /** The vertex of the button that received an event, or null. */
  static vertexOf(event) {
    return event.target.closest?.("[data-vertex]")?.dataset.vertex ?? null;
  }

  /** The vertex with the keyboard's focus, null if the board does not have it. */
  get focused() {
    return Grid.vertexOf({ target: document.activeElement });
  }

  /** Move the focus by a key; return whether the key moves it. */
  move(key, control, targets) {
    const to = moved(this.current, key, this.size, control, targets);
    if (to === null) return false;
    this.focus(to);
    return true;
  }

  /** Make a vertex the tab stop, and focus it. */
  focus(vertex) {
    this.rove(vertex);
    this.buttons.get(vertex).focus({ preventScroll: true });
  }

  /** Make a vertex the tab stop. */
  rove(vertex) {
    this.buttons.get(this.current).tabIndex = -1;
    this.current = vertex;
    this.buttons.get(vertex).tabIndex = 0;
  }

  /**
   * Name the buttons, and mark the usable ones. `names` and `signs` are Maps from vertices to texts;
   * `legal` and `lifted` are sets: the vertices that can be clicked, and those from which a piece can
   * be dragged.
   */
  show(names, signs, legal, lifted) {
    for (const [vertex, button] of this.buttons) {
      const name = names.get(vertex);
      if (button.getAttribute("aria-label") !== name) button.setAttribute("aria-label", name);
      const sign = signs.get(vertex) ?? "";
      if (button.title !== sign) button.title = sign;
      const can = legal.has(vertex);
      if (button.classList.contains("legal") !== can) button.classList.toggle("legal", can);
      const drag = lifted.has(vertex);
      if (button.classList.contains("drag") !== drag) button.classList.toggle("drag", drag);
    }
  }

  // Not a `button`: a browser draws that anew when it is pressed and released, and Chromium lets the
  // server's answer wait until that is drawn. Keys and screen readers arrive as on a `button`.
  button(vertex) {
    const button = element("div", "button", "board-point");
    button.tabIndex = -1;
    button.dataset.vertex = vertex;
    button.setAttribute("aria-label", vertex);
    this.buttons.set(vertex, button);
    return button;
  }
}

function element(tag, role, name) {
  const made = document.createElement(tag);
  made.setAttribute("role", role);
  made.className = name;
  return made;
}

/**
 * The name of each vertex: "C4, white stack, height 2, can be captured".
 *
 * view    -- the shown view
 * clicks  -- its possible clicks
 * numbers -- whether to tell in which turn a piece appeared
 */
export function names(view, clicks, numbers = false) {
  const { size } = view.game;
  const pieces = new Map(view.pieces.map((piece) => [piece.at, piece]));
  const said = new Map(allVertices(size).map((at) => [at, [at, pieces.get(at)?.text ?? "empty"]]));
  const say = (at, words) => {
    const told = said.get(at);
    if (told && !told.includes(words)) told.push(words);
  };
  for (const { at, turn } of view.pieces) if (numbers && turn) say(at, `turn ${turn}`);
  for (const area of view.areas) {
    const matters = area.owner && (view.outcome || isDue(area, view));
    if (matters) for (const at of area.points) say(at, `in ${area.name}`);
  }
  for (const { root, leaf } of clicks.leaves) {
    for (const at of leaf.captures ?? []) {
      say(at, "can be captured");
      say(root.at, "can capture");
    }
  }
  if (clicks.selecting) {
    for (const { at } of clicks.path) say(at, "selected");
    for (const at of clicks.targets) say(at, "can be chosen");
  } else if (clicks.live) {
    for (const [at, told] of said) {
      if (!clicks.pick(at) && told[1] === "empty") told.push("not legal");
    }
  }
  for (const at of view.last?.points ?? []) say(at, "last turn");
  for (const at of view.outcome?.points ?? []) say(at, "decided the game");
  return new Map([...said].map(([at, told]) => [at, told.join(", ")]));
}

/** What the signs at the rim of pieces mean, by vertices: "Can capture C4, D5". */
export function signs({ takers }) {
  return new Map([...takers].map(([at, taken]) => [at, `Can capture ${[...taken].join(", ")}`]));
}

/**
 * Sentences for the reading keys of the board: `pieces` for all pieces, `areas`, `last` for the
 * last turn, `captures` for possible captures.
 */
export function readings(view, clicks) {
  const list = (items, none) => (items.length ? `${items.join("; ")}.` : none);
  const captured = new Set(clicks.leaves.flatMap(({ leaf }) => leaf.captures ?? []));
  return {
    pieces: list(view.listed, "The board is empty."),
    areas: list(view.areas.map(({ text }) => text), "No area is marked."),
    last: view.last ? lastTurn(view) : "No turn has been played.",
    captures: list(
      [...captured].map((at) => `${at} can be captured`),
      "Nothing can be captured.",
    ),
  };
}

/** The last turn and its effects in sentences. */
export function lastTurn({ last: { text, why = [] } }) {
  return [text, ...why.map((effect) => effect.text)].map((each) => `${each}.`).join(" ");
}
