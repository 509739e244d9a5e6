/** What a finger on the board means. */

import assert from "node:assert/strict";
import test from "node:test";
import { Gestures } from "./gestures.js";

/**
 * A finger that touches C3 and is lifted `lifted` ms later, while the page hears of that `heard` ms
 * later: the calls of the listener. `acts` tells whether a long press plays something.
 */
function touched(context, lifted, heard, acts = false) {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const calls = [];
  const note = (name) => (vertex) => void calls.push(`${name} ${vertex}`);
  const to = { any() {}, draws: () => false, aims: () => false, click: note("click"), rest: (at) => (note("rest")(at), acts) };
  const gestures = new Gestures(new EventTarget(), () => "C3", to);
  const event = { pointerId: 1, pointerType: "touch", clientX: 5, clientY: 5, button: 0 };
  gestures.down({ ...event, timeStamp: 1000 });
  context.mock.timers.tick(heard);
  gestures.up({ ...event, timeStamp: 1000 + lifted });
  return calls;
}

test("a short touch is a click", (context) => {
  assert.deepEqual(touched(context, 90, 90), ["click C3"]);
});

test("a long press is none", (context) => {
  assert.deepEqual(touched(context, 600, 600), ["rest C3"]);
});

test("a short touch of which a busy page hears late is a click all the same", (context) => {
  assert.deepEqual(touched(context, 90, 600), ["rest C3", "click C3"]);
});

test("what a long press has played is not played again", (context) => {
  assert.deepEqual(touched(context, 90, 600, true), ["rest C3"]);
});
