/** The board itself: wood, cells or lines, goals and coordinates. Drawn once per size. */

import { CELL, columnLetter } from "./geometry.js";
import { make } from "./pieces.js";

const USUAL_SIZE = 9;
const GAP = 3;

/** The margin around the cells: it grows with the board, and is smaller without coordinates. */
export function marginOf(look, size, coordinates) {
  const share = size < USUAL_SIZE ? Math.max(0.5, size / USUAL_SIZE) : 1 + (size - USUAL_SIZE) * 0.035;
  return look.board.margin * (coordinates ? share : 0.5);
}

/** The part of the margin left for letters, beside the bars of goal edges. */
export function letterRoom(look, game, margin) {
  return margin - (game.edges ? look.board.rail + GAP : 0);
}

/**
 * The board without pieces, as one group.
 *
 * game        -- the view's `game`: `size`, `on`, `edges`, `colors`
 * coordinates -- whether the margin shows letters and numbers
 */
export function ground(painter, game, coordinates) {
  const { size, on } = game;
  const { board } = painter.look;
  const margin = marginOf(painter.look, size, coordinates);
  const parts = board.surface.filter((layer) => !layer.on || layer.on === on);
  const drawn = parts.flatMap((layer) => surface(painter, layer, size, margin));
  if (on === "points") drawn.push(...lines(painter, size));
  if (game.edges) drawn.push(...goals(painter, game));
  if (coordinates) drawn.push(...letters(painter, size, margin - letterRoom(painter.look, game, margin) / 2));
  return make("g", { class: "ground" }, drawn);
}

function surface(painter, { area, grow, on, ...attributes }, size, margin) {
  const side = size * CELL;
  const rectangle = (x, y, length) => {
    const [drawn] = painter.draw([{ tag: "rect", ...attributes }]);
    const grown = { x: x - grow, y: y - grow, width: length + 2 * grow, height: length + 2 * grow };
    for (const [name, value] of Object.entries(grown)) drawn.setAttribute(name, value);
    return drawn;
  };
  if (area === "whole") return [rectangle(-margin, -margin, side + 2 * margin)];
  if (area === "field") return [rectangle(0, 0, side)];
  const counted = [...Array(size).keys()];
  return counted.flatMap((row) => counted.map((column) => rectangle(column * CELL, row * CELL, CELL)));
}

function lines(painter, size) {
  const {
    line,
    border,
    dot,
    hoshi,
    hoshi_sizes: [least, most],
  } = painter.look.board;
  const half = CELL / 2;
  const far = size * CELL - half;
  let path = "";
  for (let n = 1; n < size - 1; n++) {
    const at = half + n * CELL;
    path += `M${half} ${at}H${far}M${at} ${half}V${far}`;
  }
  const rim = `M${half} ${half}H${far}V${far}H${half}Z`;
  const drawn = [
    ...painter.draw([{ tag: "path", ...line, d: path }]),
    ...painter.draw([{ tag: "path", ...border, d: rim }]),
  ];
  if (size < least || size > most) return drawn;
  const edge = size < 13 ? 2 : 3;
  const places = [edge, size - 1 - edge, ...(size % 2 ? [(size - 1) / 2] : [])];
  for (const column of places) {
    for (const row of places) {
      const [cx, cy] = [half + column * CELL, half + row * CELL];
      drawn.push(...painter.draw([{ tag: "circle", ...dot, cx, cy, r: hoshi }]));
    }
  }
  return drawn;
}

// A bar along each goal edge, outside the cells, in the ink of its color.
function goals(painter, { size, edges, colors }) {
  const { goal, rail } = painter.look.board;
  const side = size * CELL;
  const bars = {
    top: { x: 0, y: -rail - GAP, width: side, height: rail },
    bottom: { x: 0, y: side + GAP, width: side, height: rail },
    left: { x: -rail - GAP, y: 0, width: rail, height: side },
    right: { x: side + GAP, y: 0, width: rail, height: side },
  };
  return Object.entries(edges)
    .filter(([edge, color]) => bars[edge] && colors[color])
    .flatMap(([edge, color]) => painter.draw([{ tag: "rect", ...goal, ...bars[edge] }], colors[color].ink));
}

// Their size depends on the size of the board on the screen: the style sheet sets it.
function letters(painter, size, away) {
  const far = size * CELL + away;
  const { dy, ...look } = painter.look.board.coordinates;
  const write = (words, x, y) => {
    const node = painter.text(look, words, null, y);
    node.setAttribute("x", x);
    node.setAttribute("class", "coordinate");
    return node;
  };
  return [...Array(size).keys()].flatMap((n) => {
    const at = (n + 0.5) * CELL;
    const [column, row] = [columnLetter(n), String(size - n)];
    return [write(column, at, -away), write(column, at, far), write(row, -away, at), write(row, far, at)];
  });
}
