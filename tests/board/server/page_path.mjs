/** Where the path through a game goes on. */

import assert from "node:assert/strict";
import test from "node:test";
import { following, paths } from "./path.js";
import { Store } from "./store.js";

const CATALOG = { levels: [{ level: 1 }, { level: 2 }, { level: 5 }] };
const GAME = { sizes: [2, 19], recommended: [5, 9], default_size: 7 };
const next = (played, game = GAME, catalog = CATALOG) => {
  const { size, level } = following(catalog, game, played);
  return [size, level];
};

test("a first game is on a small board against the first level", () => {
  assert.deepEqual(next(), [5, 1]);
  assert.deepEqual(next(undefined, { ...GAME, recommended: null }), [4, 1]);
  assert.deepEqual(next(undefined, GAME, { levels: [] }), [5, null]);
});

test("a win leads to the usual board, then to the next level, up to the last", () => {
  assert.deepEqual(next({ size: 5, level: "1", score: 1 }), [7, 1]);
  assert.deepEqual(next({ size: 7, level: "1", score: 1 }), [7, 2]);
  assert.deepEqual(next({ size: 9, level: "2", score: 1 }), [9, 5]);
  assert.deepEqual(next({ size: 7, level: "5", score: 1 }), [7, 5]);
});

test("what is not won is played again, and an adaptive level stays", () => {
  assert.deepEqual(next({ size: 5, level: "2", score: 0 }), [5, 2]);
  assert.deepEqual(next({ size: 5, level: "2", score: 0.5 }), [5, 2]);
  assert.deepEqual(next({ size: 7, level: "adaptive", score: 1 }), [7, "adaptive"]);
  assert.deepEqual(next({ size: 7, level: "", score: 1 }), [7, null]);
});

/** A page that has asked for a past game, whose answer is still to come; `open()` is that answer. */
function asking(sent = true) {
  const store = new Store();
  const page = { store, acts: 0, open: () => store.take({ kind: "state", tree: 2, seats: {} }) };
  const app = { store, send: () => sent, screen() {}, opening() {}, progress: () => ({}) };
  paths(app);
  store.connected(true, 0);
  store.take({ kind: "state", tree: 1, seats: {} });
  app.pastGame({ id: 7, here: false }, () => (page.acts += 1));
  return page;
}

test("what is to be done with a past game is done when it comes", () => {
  const page = asking();
  page.store.take({ kind: "state", tree: 1, seats: {} });
  assert.equal(page.acts, 0, "that is still the game from before");
  page.open();
  page.open();
  assert.equal(page.acts, 1);
});

test("it is not done with another game after the connection was lost, or without one", () => {
  const page = asking();
  page.store.connected(false, 1);
  page.store.connected(true, 0);
  page.open();
  assert.equal(page.acts, 0);
  const alone = asking(false);
  alone.open();
  assert.equal(alone.acts, 0);
});
