/** Records that the page writes itself, in SGF. */

import { place } from "./geometry.js";

const MARKS = { circle: "CR", cross: "MA", square: "SQ", triangle: "TR", arrow: "AR", line: "LN", label: "LB" };

const text = (value) => String(value).replace(/[\\\]]/g, "\\$&");

const property = (name, value) => (value ? `${name}[${text(value)}]` : "");

const turnOf = (color, word) => (color ? `;${color === "black" ? "B" : "W"}[${text(word)}]` : "");

function rootOf({ view, pie, start }) {
  const { name, size } = view.game;
  return `(;FF[4]CA[UTF-8]${property("GAME", name)}${property("SZ", size)}${property("PIE", pie)}${property("POS", start)}`;
}

/** The turns from the start to the shown position as a record, and nothing else. */
export function lineOf({ tree, state }) {
  const turns = tree.path(state.node).map((id) => turnOf(tree.get(id).color, tree.get(id).word));
  return `${rootOf(state)}${turns.join("")})`;
}

/**
 * The game as a record, as far as the page knows it.
 * @param {object} store its `tree` and `state` count
 * @param {Map<number, object>} views the views that the page has seen, by node
 */
export function sgf({ tree, state }, views) {
  const { size } = state.view.game;
  const { black, white } = state.seats;
  const parts = [rootOf(state)];
  const rank = ({ level }) => (Number.isInteger(level) ? `level ${level}` : "");
  parts.push(property("PB", black.engine ?? black.name), property("PW", white.engine ?? white.name), property("BR", rank(black)), property("WR", rank(white)));
  let end = 0;
  while (tree.children(end).length) [end] = tree.children(end);
  parts.push(property("RE", views.get(end)?.outcome?.result));
  const point = (vertex) => {
    const { column, row } = place(vertex);
    return String.fromCharCode(97 + column, 96 + size - row);
  };
  const value = ({ at, to, text: label }) => [point(at), to ? point(to) : label && text(label)].filter(Boolean).join(":");
  const marked = (marks) =>
    Object.entries(MARKS).map(([kind, key]) => {
      const values = marks.filter((mark) => mark.kind === kind).map((mark) => `[${value(mark)}]`);
      return values.length ? key + values.join("") : "";
    });
  const waiting = [0];
  while (waiting.length) {
    const next = waiting.pop();
    if (typeof next === "string") {
      parts.push(next);
      continue;
    }
    const { color, word, comment, marks = [] } = tree.get(next);
    parts.push(turnOf(color, word), property("C", comment), ...marked(marks));
    const children = tree.children(next);
    for (const child of [...children].reverse()) waiting.push(...(children.length > 1 ? [")", child, "("] : [child]));
  }
  return `${parts.join("")})\n`;
}
