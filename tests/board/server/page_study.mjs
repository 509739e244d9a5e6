/** The pure parts of the study: the swap map, results of past games, the draft of a position, marks. */

import assert from "node:assert/strict";
import test from "node:test";
import { marked } from "./annotate.js";
import { Draft } from "./editor.js";
import { shares } from "./explore.js";
import { advice, worth, worths } from "./swapmap.js";

const OPENINGS = [
  { turns: ["sA1", "sC1"], points: ["A1", "C1"], verb: "stone", value: 0.5, margin: 0.001, swap: "no?" },
  { turns: ["pA1", "pC1"], points: ["A1", "C1"], verb: "pawn", value: 0.45, margin: 0.001, swap: "no" },
  { turns: ["sB2"], points: ["B2"], verb: "stone", value: 0.6, margin: 0.001, swap: "yes" },
  { turns: ["pB2"], points: ["B2"], verb: "pawn", value: 1, margin: 0, swap: "yes" },
];

test("a point shows the most even opening of the tool, and how clear the advice is", () => {
  const slants = (verb) => [...worths(OPENINGS, verb)].map(([at, { slant, turn }]) => [at, Number(slant.toFixed(3)), turn]);
  assert.deepEqual(slants("stone"), [["A1", 0, "sA1"], ["C1", 0, "sC1"], ["B2", 1, "sB2"]]);
  assert.deepEqual(slants("pawn"), [["A1", -0.1, "pA1"], ["C1", -0.1, "pC1"], ["B2", 1, "pB2"]]);
  assert.equal(worths(OPENINGS).get("A1").one.turns[0], "sA1");
  assert.equal(worths([]).size, 0);
});

test("advice and values have words", () => {
  const words = ["yes", "no?", "either", "never"].map((swap) => advice({ swap }));
  assert.deepEqual(words, ["swap", "play on?", "either", "ends the game"]);
  assert.deepEqual([0.5012, 1, 0, 0.5].map((value, n) => worth({ value, margin: n ? 0 : 0.01 }, "Blue")), ["50.1 %", "Blue wins", "Blue loses", "a draw"]);
});

test("the bar of a turn has a part for each result that occurs", () => {
  assert.deepEqual(shares({ games: 4, black: 1, draws: 0, white: 2 }), [
    { kind: "black", share: 0.25 },
    { kind: "white", share: 0.5 },
    { kind: "none", share: 0.25 },
  ]);
});

const PIECES = {
  palette: [
    { shape: "stack", kind: "stack", color: "black", text: "black stack", words: ["B1", "B2"] },
    { shape: "block", kind: "block", color: null, text: "block", words: ["x"] },
  ],
  cells: { A1: "B2", B1: "x" },
  to_move: "white",
};

test("a draft begins with the board, and has the words of its pieces", () => {
  const draft = new Draft(PIECES);
  assert.deepEqual(draft.words, PIECES.cells);
  draft.put("A1", { tool: 0, height: 1 });
  draft.put("B1", { tool: 1, height: 1 });
  draft.put("C1", { tool: 0, height: 2 });
  assert.deepEqual(draft.words, { A1: "B1", C1: "B2" }, "the same piece once more goes");
  draft.put("C1", null);
  assert.deepEqual(draft.words, { A1: "B1" });
});

test("a draft is shown as a view in which nothing can be played", () => {
  const view = { game: { size: 3 }, verbs: {}, turn: { number: 7, to_move: "black", open: true, steps: ["A1"] }, options: [{ at: "A1", step: "A1" }], buttons: [1], areas: [1], last: {}, outcome: {}, rev: 3 };
  const shown = new Draft(PIECES).shown(view, 5);
  assert.deepEqual(shown.pieces[0], { id: "A1 0", at: "A1", shape: "stack", kind: "stack", color: "black", height: 2, text: "black stack, height 2" });
  assert.deepEqual([shown.options, shown.buttons, shown.areas, shown.last, shown.outcome], [[], [], [], null, null]);
  assert.equal(shown.turn.to_move, "white");
  assert.notEqual(shown.rev, view.rev);
});

test("a mark that is drawn once more goes", () => {
  const [circle, arrow] = [{ kind: "circle", at: "A1" }, { kind: "arrow", at: "A1", to: "B2" }];
  assert.deepEqual(marked([], "A1", "A1"), [circle]);
  assert.deepEqual(marked([circle], "A1", "B2"), [circle, arrow]);
  assert.deepEqual(marked([circle, arrow], "A1", "B2"), [circle]);
  assert.deepEqual(marked([circle, arrow], "A1", "A1"), [arrow]);
  assert.deepEqual(marked([arrow], "B2", "A1"), [arrow, { kind: "arrow", at: "B2", to: "A1" }]);
  const read = [{ kind: "label", at: "A1", text: "1" }, { kind: "square", at: "A1" }];
  assert.deepEqual(marked(read, "A1", "A1"), [], "whatever stands on a point goes");
});
