/** A step on a connection that was lost: sent again, given up, or found to be played. */

import assert from "node:assert/strict";
import test from "node:test";
import { Store } from "./store.js";
import { unsentSteps } from "./unsent.js";

const SEATS = { black: { kind: "human" }, white: { kind: "human" } };

function state(rev, position, node) {
  return { kind: "state", rev, node, seats: SEATS, view: { position, outcome: null, turn: { to_move: "black" } } };
}

/** A page that has clicked C3 in the position `start`, at the node 1. */
function clicked() {
  const store = new Store();
  const steps = [];
  const told = [];
  const app = { store, step: (word) => (steps.push(word), app.sending(word)) };
  unsentSteps(app);
  store.on("told", ({ text }) => told.push(text));
  store.connected(true, 0);
  store.take({ kind: "nodes", reset: true, set: [{ id: 0, parent: null }, { id: 1, parent: 0, word: "B2" }] });
  store.take(state(5, "start", 1));
  app.step("C3");
  return { app, store, steps, told };
}

function back({ store }, { rev = 5, position = "start", node = 1, set = [] } = {}) {
  store.connected(true, 0);
  if (set.length) store.take({ kind: "nodes", reset: false, set });
  store.take(state(rev, position, node));
}

test("a step without an answer is sent again once the connection is back", () => {
  const page = clicked();
  assert.equal(page.app.unsent(), null);
  page.store.connected(false, 1);
  assert.equal(page.app.unsent(), "C3");
  back(page, { rev: 1 }); // the server was started anew
  assert.deepEqual(page.steps, ["C3", "C3"]);
  assert.equal(page.app.unsent(), null);
});

test("a step that was taken back is not sent again", () => {
  const page = clicked();
  page.store.connected(false, 1);
  page.app.takeBack();
  assert.equal(page.app.unsent(), null);
  back(page);
  assert.deepEqual([page.steps, page.told], [["C3"], []]);
});

test("a step that had reached the server before it was taken back is told", () => {
  const page = clicked();
  page.store.connected(false, 1);
  page.app.takeBack();
  back(page);
  page.store.take({ kind: "nodes", reset: false, set: [{ id: 2, parent: 1, word: "C3" }] });
  page.store.take(state(6, "later", 2));
  page.store.take(state(7, "latest", 2));
  assert.deepEqual([page.steps, page.told], [["C3"], ["C3 had reached the board before you took it back."]]);
});

test("nothing is told of a step that was taken back in time", () => {
  const page = clicked();
  page.store.connected(false, 1);
  page.app.takeBack();
  back(page, { rev: 7, position: "other", node: 0 });
  assert.deepEqual(page.told, []);
});

test("a step that the server has played is not sent again", () => {
  const page = clicked();
  page.store.connected(false, 1);
  back(page, { rev: 7, position: "later", node: 3, set: [{ id: 2, parent: 1, word: "C3" }, { id: 3, parent: 2, word: "D4" }] });
  assert.deepEqual([page.steps, page.told], [["C3"], []]);
});

test("after a change of the position it is told that the step was not played", () => {
  const page = clicked();
  page.store.connected(false, 1);
  back(page, { rev: 7, position: "other", node: 0 });
  assert.deepEqual(page.steps, ["C3"]);
  assert.match(page.told[0], /^C3 was not played/);
});

for (const answer of [state(6, "later", 1), { kind: "refused" }, { kind: "sure" }, { kind: "told", level: "error", text: "" }]) {
  test(`a step that was answered by ${answer.kind} is never unsent`, () => {
    const page = clicked();
    page.store.take(state(5, "start", 1)); // a seat has changed
    page.store.take(answer);
    page.store.connected(false, 1);
    assert.equal(page.app.unsent(), null);
  });
}
