/** What is drawn right before the next picture, and in a tab that shows none. */

import assert from "node:assert/strict";
import test from "node:test";
import { later } from "./dom.js";

/** The tab of a browser during a test: `shows()` ends with a picture, `waits()` ends all timers. */
function tab(context) {
  const pictures = [];
  const timers = [];
  const all = (list) => list.splice(0).forEach((work) => work());
  context.mock.method(globalThis, "setTimeout", (work) => timers.push(work));
  globalThis.document = { hidden: false };
  globalThis.requestAnimationFrame = (work) => pictures.push(work);
  context.after(() => {
    delete globalThis.document;
    delete globalThis.requestAnimationFrame;
  });
  return { shows: () => all(pictures), waits: () => all(timers) };
}

test("several calls draw once, with the next picture", (context) => {
  const { shows, waits } = tab(context);
  let drawn = 0;
  const soon = later(() => (drawn += 1));
  soon();
  soon();
  waits();
  assert.equal(drawn, 0);
  shows();
  assert.equal(drawn, 1);
  soon();
  shows();
  assert.equal(drawn, 2);
});

test("a tab that is hidden before its next picture draws all the same", (context) => {
  const { shows, waits } = tab(context);
  let drawn = 0;
  const soon = later(() => (drawn += 1));
  soon();
  document.hidden = true;
  soon();
  soon();
  waits();
  assert.equal(drawn, 1);
  document.hidden = false;
  shows();
  assert.equal(drawn, 1);
});
