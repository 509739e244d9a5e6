/** What clicks on the board mean, by the options of a view. */

import assert from "node:assert/strict";
import test from "node:test";
import { Clicks } from "./input.js";

const VERBS = {
  stone: { title: "Stone", template: "s{}", meaning: "a stone on {}", shape: "stone" },
  pawn: { title: "Pawn", template: "p{}", meaning: "a pawn on {}", shape: "pawn" },
  push: {
    title: "Push",
    template: "s{}-{}",
    meaning: "a stone on {}, whose pawn moves to {}",
    shape: "stone",
  },
};

/**
 * A view from lines: `stone A1` for an option of one click, `push B2 > A2 B3` for one of two; an area
 * as `A1+A2`. Pieces as `piece B2`.
 */
function view(text, more = {}) {
  const made = {
    game: { size: 3 },
    pieces: [],
    areas: [],
    verbs: VERBS,
    tools: [],
    options: [],
    turn: { open: false, to_move: "black" },
  };
  for (const line of text
    .trim()
    .split("\n")
    .map((words) => words.trim())) {
    const [verb, first, , ...rest] = line.split(" ");
    if (verb === "piece") {
      made.pieces.push({ id: made.pieces.length, at: first });
      continue;
    }
    const [at, ...area] = first.split("+");
    const word = (...places) =>
      places.reduce((filled, place) => filled.replace("{}", place), VERBS[verb].template);
    const then = rest.map((places) => {
      const [to, ...others] = places.split("+");
      return { at: to, area: others, step: word(at, to) };
    });
    made.options.push({ at, area, verb, ...(then.length ? { then } : { step: word(at) }) });
  }
  return { ...made, ...more };
}

function shown(text, more) {
  const clicks = new Clicks();
  clicks.show(view(text, more), true);
  return clicks;
}

const TOOLS = { tools: ["stone", "pawn"] };
const BOTH = "piece B2\nstone A1\npawn A1\npawn C3\npush B2 > A2 B3";

test("a click takes the tool, another button the other tool", () => {
  const clicks = shown(BOTH, TOOLS);
  assert.deepEqual(clicks.click("A1"), { does: "step", word: "sA1" });
  assert.deepEqual(clicks.click("A1", true), { does: "step", word: "pA1" });
  assert.ok(clicks.useTool("pawn"));
  assert.deepEqual(clicks.click("A1"), { does: "step", word: "pA1" });
  assert.deepEqual(clicks.click("A1", true), { does: "step", word: "sA1" });
  assert.equal(clicks.useTool("push"), false);
});

test("a tool never becomes another one by itself", () => {
  const clicks = shown(BOTH, TOOLS);
  assert.deepEqual(clicks.click("C3"), { does: "refuse", word: "sC3" });
  assert.deepEqual(clicks.click("C3", true), { does: "step", word: "pC3" });
});

test("the tool stays from view to view while there is one", () => {
  const clicks = shown(BOTH, TOOLS);
  clicks.useTool("pawn");
  clicks.show(view(BOTH, TOOLS), true);
  assert.equal(clicks.tool, "pawn");
  clicks.show(view("stone A1"), true);
  assert.equal(clicks.tool, null);
  assert.equal(clicks.otherTool, null);
});

test("another tool stands in while the chosen one can do nothing", () => {
  const clicks = shown(BOTH, TOOLS);
  clicks.show(view("pawn A1", TOOLS), true);
  assert.deepEqual(clicks.click("A1"), { does: "step", word: "pA1" });
  clicks.show(view(BOTH, TOOLS), true);
  assert.equal(clicks.tool, "stone");
  clicks.show(view("pawn A1", TOOLS), false); // the other is to move
  assert.equal(clicks.tool, "stone");
});

test("two clicks make one step, with either tool", () => {
  const clicks = shown(BOTH, TOOLS);
  clicks.useTool("pawn");
  assert.equal(clicks.click("B2").does, "select");
  assert.deepEqual([...clicks.targets], ["A2", "B3"]);
  assert.deepEqual(clicks.click("B3"), { does: "step", word: "sB2-B3" });
});

test("a selection ends by a second click on it, and by a click that is refused", () => {
  const clicks = shown(BOTH, TOOLS);
  clicks.click("B2");
  assert.deepEqual(clicks.click("B2"), { does: "cancel" });
  assert.equal(clicks.selecting, false);
  clicks.click("B2");
  assert.deepEqual(clicks.click("C1"), { does: "refuse", word: "sB2-C1" });
  assert.equal(clicks.selecting, false);
});

test("a click on another piece that can be chosen chooses that", () => {
  const clicks = shown("piece B2\npiece C2\npush B2 > A2\npush C2 > C3");
  clicks.click("B2");
  assert.equal(clicks.click("C2").option.at, "C2");
  assert.deepEqual(clicks.click("C3"), { does: "step", word: "sC2-C3" });
});

test("any vertex of an area means its option, for both clicks", () => {
  const clicks = shown("push A1+B1 > C1+C2");
  assert.equal(clicks.click("B1").does, "select");
  assert.deepEqual(clicks.click("C2"), { does: "step", word: "sA1-C1" });
});

test("a drag is two clicks", () => {
  const clicks = shown(BOTH, TOOLS);
  assert.equal(clicks.lift("A1"), false);
  assert.ok(clicks.lift("B2"));
  assert.deepEqual(clicks.drop("A2"), { does: "step", word: "sB2-A2" });
});

test("a drag back to its beginning leaves the piece chosen; beside the board it ends", () => {
  const clicks = shown(BOTH, TOOLS);
  clicks.lift("B2");
  assert.equal(clicks.drop("B2").does, "select");
  assert.ok(clicks.selecting);
  assert.deepEqual(clicks.drop(null), { does: "cancel" });
  assert.equal(clicks.selecting, false);
});

test("a drag to a wrong place is refused, and nothing stays chosen", () => {
  const clicks = shown(BOTH, TOOLS);
  clicks.lift("B2");
  assert.deepEqual(clicks.drop("C1"), { does: "refuse", word: "sB2-C1" });
  assert.equal(clicks.selecting, false);
});

test("an own piece without a legal move is chosen, and its move refused", () => {
  const verbs = { ...VERBS, take: { title: "Take", template: "{}-{}", meaning: "{} takes {}" } };
  const pieces = [
    { id: 1, at: "A1", color: "black" },
    { id: 2, at: "B1", color: "white" },
  ];
  const clicks = shown("stone C1", { verbs, pieces });
  assert.equal(clicks.click("A1").does, "select");
  assert.equal(clicks.targets.size, 0);
  assert.deepEqual(clicks.click("B1"), { does: "refuse", word: "A1-B1" });
  assert.ok(clicks.lift("A1"));
  assert.deepEqual(clicks.drop("B1"), { does: "refuse", word: "A1-B1" });
  assert.equal(clicks.click("A1").does, "select");
  assert.deepEqual(clicks.click("A1"), { does: "cancel" });
  assert.equal(clicks.click("B1").does, "refuse");
  assert.equal(clicks.lift("B1"), false);
  assert.equal(shown("stone C1", { pieces }).lift("A1"), false);
});

test("a board that is not live takes nothing", () => {
  const clicks = new Clicks();
  clicks.show(view(BOTH, TOOLS), false);
  assert.deepEqual(clicks.click("A1"), { does: "nothing" });
  assert.equal(clicks.lift("B2"), false);
  assert.equal(clicks.targets.size, 0);
});

test("what a refused click asks about has as many vertices as its verb", () => {
  assert.equal(shown("piece A1").click("A1").word, "sA1");
  const only = { verbs: { push: VERBS.push } };
  assert.equal(shown("piece A1", only).click("A1").word, null);
});

test("dots stand where few are legal, inside an open turn, or at targets", () => {
  const few = "stone A1\nstone A2\nstone A3";
  assert.deepEqual(shown(few).dots, ["A1", "A2", "A3"]);
  assert.deepEqual(shown(`${few}\nstone B1`).dots, []);
  assert.deepEqual(shown(`${few}\nstone B1`, { turn: { open: true } }).dots, ["A1", "A2", "A3", "B1"]);
  const clicks = shown(BOTH, TOOLS);
  clicks.click("B2");
  assert.deepEqual(clicks.dots, ["A2", "B3"]);
});

test("areas with an owner need no dots", () => {
  const areas = [{ points: ["A1"], owner: "black" }];
  assert.deepEqual(shown("stone A1\nstone A2", { areas }).dots, ["A2"]);
});
