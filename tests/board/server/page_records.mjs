/** The address that holds a position, and the record that the page writes without a server. */

import assert from "node:assert/strict";
import test from "node:test";
import { fragmentOf, readFragment, seldom, writeFragment } from "./files.js";
import { packedIn, unpack } from "./packed.js";
import { lineOf, sgf } from "./record.js";
import { screenOf } from "./screens.js";
import { Tree } from "./tree.js";

const SHOWN = { game: "alpha", size: 4, position: "alpha 4 B2../.x../W1../.... w passes=1 pie=pieces" };

test("a position survives the way through the address", () => {
  const fragment = writeFragment(SHOWN);
  assert.deepEqual(readFragment(fragment), SHOWN);
  assert.match(fragment, /^#[\x21-\x7e]+$/);
  assert.ok(fragment.includes("B2../.x../W1../...."), "it can be read by eye");
  const long = { ...SHOWN, position: `${SHOWN.position} earlier=${"x".repeat(7000)}` };
  assert.deepEqual(readFragment(writeFragment(long)), long);
});

test("an address that holds no position holds nothing", () => {
  for (const fragment of ["", "#", "#board", "#game=alpha&size=4", "#game=alpha&size=999&position=x", "#game=../x&size=4&position=x",
    "#game=alpha&size=4&position=", "#game=alpha&size=4&position=%0Aquit", "#game=alpha&size=4&position=%23", `#game=alpha&size=4&position=${"x".repeat(9000)}`]) {
    assert.equal(readFragment(fragment), null, fragment.slice(0, 60));
  }
});

test("only the name of a screen leads to one", () => {
  assert.deepEqual(screenOf("#learn/robble"), ["learn", "robble"]);
  assert.deepEqual(["#constructor", "#toString/x"].map(screenOf), [["board", ""], ["board", ""]]);
  assert.equal(screenOf(""), null);
});

test("the address changes at once a few times, then seldom, and the last change is not lost", () => {
  let position = 0;
  const written = [];
  const timers = [];
  const write = seldom(() => written.push(position), 200, 2, (work) => timers.push(work));
  for (position = 1; position < 6; position += 1) write();
  assert.deepEqual(written, [1, 2]);
  assert.equal(timers.length, 1);
  timers.shift()();
  assert.deepEqual(written, [1, 2, 6]);
  while (timers.length) timers.shift()();
  for (position = 7; position < 11; position += 1) write();
  assert.deepEqual(written, [1, 2, 6, 7, 8]);
  timers.shift()();
  assert.deepEqual(written, [1, 2, 6, 7, 8, 11]);
});

test("without a server the record has what the page knows", () => {
  const marks = [{ kind: "circle", at: "A1" }, { kind: "arrow", at: "A1", to: "C4" }, { kind: "label", at: "B2", text: "a]" }, { kind: "circle", at: "D4" }];
  const tree = new Tree();
  tree.take({ reset: true, set: [
    { id: 0, parent: null, color: "", word: "", comment: "", marks: [] },
    { id: 1, parent: 0, color: "black", word: "A1", comment: "Good", marks },
    { id: 2, parent: 1, color: "white", word: "B1", comment: "", marks: [] },
  ] });
  const seats = { black: { kind: "human", name: "Ann" }, white: { kind: "engine", engine: "patchpie", level: 3 } };
  const state = { view: { game: { name: "alpha", size: 4 } }, pie: "off", start: "", seats };
  const views = new Map([[1, { outcome: null }], [2, { outcome: { result: "B+2" } }]]);
  assert.equal(sgf({ tree, state }, views),
    "(;FF[4]CA[UTF-8]GAME[alpha]SZ[4]PIE[off]PB[Ann]PW[patchpie]WR[level 3]RE[B+2]" +
    ";B[A1]C[Good]CR[ad][da]AR[ad:ca]LB[bc:a\\]];W[B1])\n");
});

/** A store after a line of turns whose position is a long text. */
function longGame(words, earlier) {
  const tree = new Tree();
  const played = words.map((word, n) => ({ id: n + 1, parent: n, color: n % 2 ? "white" : "black", word }));
  tree.take({ reset: true, set: [{ id: 0, parent: null, color: "", word: "" }, ...played, { id: 999, parent: 3, color: "white", word: "aside" }] });
  const view = { game: { name: "alpha", size: 10 }, position: `alpha 10 W1../.... w pie=pieces earlier=${earlier}` };
  return { tree, state: { node: words.length, view, pie: "pieces", start: "" } };
}

test("the address of a long game holds the turns to the shown position, and stays short", async () => {
  let seed = 7;
  const random = (below) => (seed = (seed * 48271) % 2147483647) % below;
  const point = () => "ABCDEFGHJK"[random(10)] + (1 + random(10));
  const words = Array.from({ length: 200 }, (_, n) => (n % 3 ? point() : `${point()}-${point()}`));
  const store = longGame(words, "x".repeat(20_000));
  const fragment = await fragmentOf(store);
  assert.ok(fragment.length <= 2000, `${fragment.length} characters`);
  const text = await unpack(packedIn(fragment));
  assert.equal(text, lineOf(store));
  assert.match(text, /^\(;FF\[4\]CA\[UTF-8\]GAME\[alpha\]SZ\[10\]PIE\[pieces\];B\[/);
  assert.equal(text.match(/;[BW]\[/g).length, 200);
  assert.ok(!text.includes("aside"));
});

test("the address of a short position can be read by eye, also in a long game", async () => {
  const store = longGame(["A1", "B1", "C1"], "none");
  assert.deepEqual(readFragment(await fragmentOf(store)), { game: "alpha", size: 10, position: store.state.view.position });
});
