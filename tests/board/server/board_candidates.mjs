/** What the board makes of the report of a search. */

import assert from "node:assert/strict";
import test from "node:test";
import { apart, chance, short, worthy } from "./candidates.js";

const MOVING = { tools: [] };
const TOOLS = { tools: ["stone", "pawn"] };
const [stone, pawn] = ["stone", "pawn"].map((shape) => (at, to) => ({ at, shape, ...(to ? { to } : {}) }));
const move = (at, to) => ({ at, to });

test("numbers of visits take at most four characters", () => {
  const told = [0, 7, 999, 1000, 9949, 9950, 34000, 999499, 999500, 12345678].map(short);
  assert.deepEqual(told, ["0", "7", "999", "1.0k", "9.9k", "10k", "34k", "999k", "1.0M", "12M"]);
});

test("a chance is told in percent, a proven one in a word", () => {
  const told = [{ chance: 0.5449 }, { chance: 1 }, { proven: 1 }, { proven: 0.5 }, { proven: 0 }].map(chance);
  assert.deepEqual(told, ["54", "100", "win", "draw", "loss"]);
});

test("candidates that were hardly looked at are left out, but three are always shown", () => {
  const turns = (...visits) => visits.map((each, n) => ({ turn: String(n), visits: each }));
  const shown = (...visits) => worthy(turns(...visits)).map(({ visits: each }) => each);
  assert.deepEqual(shown(10000, 5, 4, 3, 2), [10000, 5, 4]);
  assert.deepEqual(shown(10000, 300, 5, 20, 19), [10000, 300, 5, 20]);
  assert.deepEqual(shown(), []);
});

const placed = (view, ...turns) => apart(turns.map((steps) => ({ drawn: [steps, [pawn("A1")]] })), view);

test("a candidate stands on the first point of its first step, with an arrow to the second", () => {
  const where = (view, ...steps) => placed(view, steps).map(({ at, to, moves, shape }) => [at, to, moves, shape]);
  assert.deepEqual(where(TOOLS, pawn("D4")), [["D4", undefined, false, "pawn"]]);
  assert.deepEqual(where(TOOLS, stone("D4", "D5")), [["D4", "D5", false, null]]);
  assert.deepEqual(where(TOOLS, stone("D4"), pawn("E5")), [["D4", undefined, false, "stone"]]);
  assert.deepEqual(where(MOVING, move("B2", "C3")), [["B2", "C3", true, null]]);
});

const shown = (view, ...steps) => placed(view, ...steps.map((step) => [step])).map(({ key, part }) => [key, Math.round(part * 100)]);

test("moves of one piece do not hide each other: each is told where it goes", () => {
  const moves = [move("B2", "B3"), move("B2", "C3"), move("B2", "A3")];
  assert.deepEqual(shown(MOVING, ...moves), [["B2 B3", 100], ["B2 C3", 100], ["B2 A3", 100]]);
});

test("moves to one vertex do not, either: the best one stands there, others on their way", () => {
  const moves = [move("B2", "C3"), move("D2", "C3"), move("C2", "C3")];
  assert.deepEqual(shown(MOVING, ...moves), [["B2 C3", 100], ["D2 C3", 33], ["C2 C3", 33]]);
});

test("of pieces placed on one vertex the best one is told, but displacements apart", () => {
  assert.deepEqual(shown(TOOLS, pawn("D4"), stone("D4"), stone("D4", "D5")), [["D4 ", 0], ["D4 D5", 33]]);
});

test("the piece is told only where there are several tools, and a turn without a point is not shown", () => {
  assert.equal(placed({ tools: [] }, [pawn("D4")])[0].shape, null);
  assert.deepEqual(placed(TOOLS, []), []);
});
