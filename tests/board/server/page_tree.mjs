/** The tree of variations of the page. */

import assert from "node:assert/strict";
import test from "node:test";
import { Tree, blocks, curve, entryFrom, turnEnd, turnStart } from "./tree.js";

/** A tree from lines such as "1<0 b C4" (id, parent, color, word); a `+` after the word leaves the turn open. */
function tree(text) {
  const nodes = [{ id: 0, parent: null, color: "", word: "", number: 0, open: false, comment: "", chance: null, loss: null, best: null }];
  for (const line of text.trim().split("\n")) {
    const [, id, parent, color, word, open] = line.trim().match(/^(\d+)<(\d+) ([bw]) ([^+]+)(\+?)$/);
    const before = nodes.find((node) => node.id === Number(parent));
    nodes.push({
      id: Number(id),
      parent: Number(parent),
      color: { b: "black", w: "white" }[color],
      word,
      number: before.number + (before.open ? 0 : 1),
      open: open === "+",
      comment: "",
      chance: null,
      loss: null,
      best: null,
    });
  }
  const made = new Tree();
  made.take({ reset: true, set: nodes, drop: [] });
  return made;
}

/** Blocks as lines: two blanks a depth, then the numbers and words. */
function drawn(made) {
  return blocks(made).map(({ depth, entries }) => {
    const words = entries.map(({ number, word, goesOn }) => `${number} ${goesOn ? "../" : ""}${word}`);
    return `${"  ".repeat(depth)}${words.join(", ")}`;
  });
}

const GAME = `
  1<0 b C4
  2<1 w D4
  3<2 b E5
  4<3 w C5
  5<2 b E4
  6<5 w A1
  7<5 w A2
  8<1 w swap
`;

test("the main line stays left, and variations stand under the turn that they replace", () => {
  assert.deepEqual(drawn(tree(GAME)), ["1 C4", "2 D4", "  2 swap", "3 E5", "  3 E4, 4 A1", "    4 A2", "4 C5"]);
});

test("a tree without turns has no blocks", () => {
  const made = new Tree();
  assert.deepEqual(blocks(made), []);
  made.take({ reset: true, set: [{ id: 0, parent: null }], drop: [] });
  assert.deepEqual(blocks(made), []);
});

test("steps of one turn are one entry, up to where the tree branches", () => {
  const made = tree("1<0 b C4+\n2<1 b A1+\n3<2 b B2\n4<3 w D4");
  assert.deepEqual(drawn(made), ["1 C4/A1/B2", "2 D4"]);
  assert.deepEqual(entryFrom(made, 1).ids, [1, 2, 3]);
  const branched = tree("1<0 b C4+\n2<1 b A1\n3<1 b B2\n4<2 w D4");
  assert.deepEqual(drawn(branched), ["1 C4", "1 ../A1", "  1 ../B2", "2 D4"]);
});

test("a long line of variations inside variations needs no deep stack", () => {
  const lines = ["1<0 b A1", "2<1 w A2"];
  for (let id = 3; id < 30000; id += 2) lines.push(`${id}<${id - 2} ${id % 4 === 3 ? "w" : "b"} A3`, `${id + 1}<${id - 2} w A4`);
  const nodes = lines.map((line) => line.split(/[< ]/));
  const made = new Tree();
  made.take({
    reset: true,
    set: [{ id: 0, parent: null, number: 0 }, ...nodes.map(([id, parent, color, word]) => ({ id: +id, parent: +parent, color, word, number: 1, open: false }))],
  });
  assert.equal(blocks(made).flatMap(({ entries }) => entries).length, nodes.length);
});

test("dropped nodes go, and the next one takes their place", () => {
  const made = tree(GAME);
  made.take({ reset: false, set: [], drop: [3, 4] });
  assert.deepEqual(drawn(made), ["1 C4", "2 D4", "  2 swap", "3 E4", "4 A1", "  4 A2"]);
  assert.deepEqual(made.children(2), [5]);
  assert.equal(made.get(3), undefined);
});

test("children that are told together are told in their order", () => {
  const made = tree(GAME);
  assert.equal(made.isMain(5), false);
  made.take({ reset: false, set: [made.get(5), made.get(3)], drop: [] });
  assert.deepEqual(made.children(2), [5, 3]);
  assert.equal(made.isMain(5), true);
  made.take({ reset: false, set: [{ ...made.get(3), comment: "late" }], drop: [] });
  assert.deepEqual(made.children(2), [5, 3]);
  assert.equal(made.get(3).comment, "late");
});

test("going forward goes the way that was visited last", () => {
  const made = tree(GAME);
  assert.deepEqual(made.line(0), [0, 1, 2, 3, 4]);
  made.visit(7);
  assert.deepEqual(made.line(1), [0, 1, 2, 5, 7]);
  made.take({ reset: false, set: [], drop: [7] });
  assert.deepEqual(made.line(1), [0, 1, 2, 5, 6]);
});

test("a turn is walked over as a whole", () => {
  const made = tree("1<0 b C4+\n2<1 b A1\n3<2 w D4+\n4<3 w D5+\n5<4 w D6");
  assert.equal(turnStart(made, 0), null);
  assert.equal(turnStart(made, 1), 0);
  assert.equal(turnStart(made, 2), 0);
  assert.equal(turnStart(made, 5), 2);
  assert.equal(turnEnd(made, 0), 2);
  assert.equal(turnEnd(made, 3), 5);
  assert.equal(turnEnd(made, 5), null);
});

test("the graph has one point a turn, and one where the game stands inside of a turn", () => {
  const made = tree("1<0 b C4+\n2<1 b A1\n3<2 w D4");
  assert.deepEqual(curve(made, 3).map(({ id, word }) => [id, word]), [[0, ""], [2, "C4/A1"], [3, "D4"]]);
  assert.deepEqual(curve(made, 1).map(({ id }) => id), [0, 1, 2, 3]);
});
