/** Vertices, outlines and names of the board. */

import assert from "node:assert/strict";
import test from "node:test";
import {
  CELL,
  allVertices,
  center,
  heart,
  moved,
  outline,
  place,
  vertexAt,
  vertexUnder,
} from "./geometry.js";
import { Clicks } from "./input.js";
import { lastTurn, names, readings, signs } from "./grid.js";

test("a vertex has a column without I and a row from below", () => {
  assert.deepEqual(place("A1"), { column: 0, row: 0 });
  assert.deepEqual(place("T19"), { column: 18, row: 18 });
  for (const text of ["I5", "A0", "A20", "U1", "pass", "a1"]) assert.equal(place(text), null);
  for (const vertex of allVertices(19)) {
    const { column, row } = place(vertex);
    assert.equal(vertexAt(column, row), vertex);
  }
});

test("a place of the drawing belongs to the cell around it", () => {
  for (const size of [2, 9, 19]) {
    for (const vertex of allVertices(size)) {
      const { x, y } = center(vertex, size);
      assert.equal(vertexUnder(x, y, size), vertex);
      assert.equal(vertexUnder(x - CELL * 0.49, y + CELL * 0.49, size), vertex);
    }
    assert.equal(vertexUnder(-1, 10, size), null);
    assert.equal(vertexUnder(10, size * CELL + 1, size), null);
  }
});

test("arrows go one step and stop at the edge", () => {
  assert.equal(moved("B2", "ArrowUp", 3), "B3");
  assert.equal(moved("B2", "ArrowDown", 3), "B1");
  assert.equal(moved("B2", "ArrowLeft", 3), "A2");
  assert.equal(moved("H2", "ArrowRight", 9), "J2");
  assert.equal(moved("C3", "ArrowRight", 3), "C3");
  assert.equal(moved("B2", "x", 3), null);
});

test("Home and End go along the row, with Control to the corners", () => {
  assert.equal(moved("B2", "Home", 3), "A2");
  assert.equal(moved("B2", "End", 3), "C2");
  assert.equal(moved("B2", "Home", 3, true), "A3");
  assert.equal(moved("B2", "End", 3, true), "C1");
});

test("while something is chosen arrows jump to the nearest target in their direction", () => {
  const targets = new Set(["B5", "D5", "E2", "B1"]);
  assert.equal(moved("B2", "ArrowUp", 5, false, targets), "B5");
  assert.equal(moved("B2", "ArrowRight", 5, false, targets), "E2");
  assert.equal(moved("B5", "ArrowRight", 5, false, targets), "D5");
  assert.equal(moved("B2", "ArrowLeft", 5, false, targets), "B2");
});

/** The area within the loops of a path of straight lines, in cells; holes count as less. */
function covered(path) {
  let sum = 0;
  for (const loop of path.split("Z").filter(Boolean)) {
    const corners = [...loop.matchAll(/Q([\d.-]+) ([\d.-]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);
    corners.forEach(([x, y], n) => {
      const [nextX, nextY] = corners[(n + 1) % corners.length];
      sum += x * nextY - nextX * y;
    });
  }
  return sum / 2 / CELL ** 2;
}

test("the outline of every area of three rows of four holds just its cells", () => {
  const all = allVertices(4).slice(4);
  for (let bits = 1; bits < 2 ** all.length; bits++) {
    const area = all.filter((_, n) => (bits >> n) & 1);
    assert.equal(covered(outline(area, 4, 0, 0)), area.length, area.join(" "));
  }
});

test("an outline lies inside its cells", () => {
  const numbers = outline(["A1"], 1, 10, 0)
    .match(/[\d.]+/g)
    .map(Number);
  assert.deepEqual(
    [...new Set(numbers)].sort((a, b) => a - b),
    [10, 90],
  );
});

test("the heart of an area is one of its vertices", () => {
  assert.equal(heart(["A1", "B1", "C1"]), "B1");
  assert.equal(heart(["A1", "A2", "B1", "B2", "C2"]), "B2");
});

const VIEW = {
  game: { size: 2, title: "Any" },
  pieces: [
    { id: 1, at: "A1", text: "blue stack, height 2" },
    { id: 2, at: "B1", text: "red stack, height 2" },
  ],
  listed: ["Blue stack, height 2: A1", "Red stack, height 2: B1"],
  areas: [{ points: ["A2", "B2"], owner: "white", name: "a patch of Red", text: "Patch A2 B2: owner Red" }],
  verbs: { capture: { template: "{}-{}" }, place: { template: "{}" } },
  tools: [],
  turn: { open: false },
  options: [
    { at: "A1", area: [], verb: "capture", then: [{ at: "B1", area: [], step: "A1-B1", captures: ["B1"] }] },
    { at: "A2", area: [], verb: "place", step: "A2" },
  ],
  last: { text: "Red plays B1", number: 4, points: ["B1"], why: [{ text: "Red puts a disk on B1" }] },
  outcome: null,
};

function clicksOn(view) {
  const clicks = new Clicks();
  clicks.show(view, true);
  return clicks;
}

test("the name of a point says what is there and what can be done", () => {
  const said = names(VIEW, clicksOn(VIEW));
  assert.equal(said.get("A1"), "A1, blue stack, height 2, can capture");
  assert.equal(said.get("B1"), "B1, red stack, height 2, can be captured, last turn");
  assert.equal(said.get("A2"), "A2, empty");
  assert.equal(said.get("B2"), "B2, empty, not legal");
});

test("a piece with a sign of captures says what it can capture", () => {
  assert.deepEqual([...signs(clicksOn(VIEW))], [["A1", "Can capture B1"]]);
  assert.deepEqual([...signs(new Clicks())], []);
});

test("the name of a point tells its area where a click takes the area, and after the end", () => {
  const options = [{ at: "A2", area: ["B2"], verb: "resolve", step: "A2", owner: "white" }];
  const due = { ...VIEW, options, verbs: { resolve: { template: "{}" } } };
  assert.equal(names(due, clicksOn(due)).get("B2"), "B2, empty, in a patch of Red");
  const over = { ...VIEW, options: [], outcome: { points: ["A2"] } };
  assert.equal(names(over, new Clicks()).get("A2"), "A2, empty, in a patch of Red, decided the game");
});

test("a name tells the turn in which a piece appeared where numbers are shown", () => {
  const [first, second] = VIEW.pieces;
  const dated = { ...VIEW, pieces: [{ ...first, turn: 3 }, { ...second, turn: null }] };
  assert.equal(names(dated, new Clicks(), true).get("A1"), "A1, blue stack, height 2, turn 3");
  assert.equal(names(dated, new Clicks(), true).get("B1"), "B1, red stack, height 2, last turn");
  assert.equal(names(dated, new Clicks()).get("A1"), "A1, blue stack, height 2");
});

test("after a first click the names tell what is chosen and what can be", () => {
  const clicks = clicksOn(VIEW);
  clicks.click("A1");
  const said = names(VIEW, clicks);
  assert.match(said.get("A1"), /, selected$/);
  assert.match(said.get("B1"), /can be chosen/);
  assert.doesNotMatch(said.get("A2"), /not legal|can be chosen/);
});

test("keys read the board", () => {
  const read = readings(VIEW, clicksOn(VIEW));
  assert.equal(read.pieces, "Blue stack, height 2: A1; Red stack, height 2: B1.");
  assert.equal(read.areas, "Patch A2 B2: owner Red.");
  assert.equal(read.captures, "B1 can be captured.");
  assert.equal(read.last, "Red plays B1. Red puts a disk on B1.");
  assert.equal(lastTurn(VIEW), read.last);
});
