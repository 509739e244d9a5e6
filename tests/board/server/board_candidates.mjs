/** What the board makes of the report of a search. */

import assert from "node:assert/strict";
import test from "node:test";
import { apart, chance, placed, short, worthy } from "./candidates.js";

const VERBS = {
  stone: { template: "s{}", shape: "stone" },
  pawn: { template: "p{}", shape: "pawn" },
  push: { template: "s{}-{}", shape: "stone" },
};
const MOVING = { verbs: { move: { template: "{}-{}", shape: null } }, tools: [] };
const TOOLS = { verbs: VERBS, tools: ["stone", "pawn"] };

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
  assert.equal(shown(...Array(40).fill(9)).length, 12);
  assert.deepEqual(shown(), []);
});

test("a candidate has the first vertex of its turn, with an arrow to the second", () => {
  const where = (turn, view = TOOLS) => placed({ turn, clicks: ["C3", "C3"] }, view);
  assert.deepEqual(where("pD4"), { at: "D4", to: null, moves: false, shape: "pawn" });
  assert.deepEqual(where("sD4-D5"), { at: "D4", to: "D5", moves: false, shape: null });
  assert.deepEqual(where("sD4/pE5"), { at: "D4", to: null, moves: false, shape: "stone" });
  assert.deepEqual(where("B2-C3", MOVING), { at: "B2", to: "C3", moves: true, shape: null });
});

const shown = (view, ...turns) =>
  apart(turns.map((turn) => ({ turn })), view).map(({ key, part }) => [key, Math.round(part * 100)]);

test("moves of one piece do not hide each other: each is told where it goes", () => {
  assert.deepEqual(shown(MOVING, "B2-B3", "B2-C3", "B2-A3"), [["B2 B3", 100], ["B2 C3", 100], ["B2 A3", 100]]);
});

test("moves to one vertex do not, either: the best one stands there, others on their way", () => {
  assert.deepEqual(shown(MOVING, "B2-C3", "D2-C3", "C2-C3"), [["B2 C3", 100], ["D2 C3", 33], ["C2 C3", 33]]);
});

test("of pieces placed on one vertex the best one is told, but displacements apart", () => {
  assert.deepEqual(shown(TOOLS, "pD4", "sD4", "sD4-D5"), [["D4 ", 0], ["D4 D5", 33]]);
});

test("the piece is told only where there are several tools, and clicks help out", () => {
  assert.equal(placed({ turn: "pD4", clicks: [] }, { verbs: VERBS, tools: [] }).shape, null);
  assert.equal(placed({ turn: "swap", clicks: ["C3", "C3"] }, TOOLS).at, "C3");
  assert.equal(placed({ turn: "pass", clicks: ["pass"] }, TOOLS), null);
});
