/** What a finger and a mouse on the board mean. */

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

/** What a mouse does that was pressed on C3 and released outside: the calls of the listener; `drags` tells whether C3 has a piece to drag. */
function releasedOutside(events, drags = true) {
  const calls = [];
  const note = (name) => (vertex) => void calls.push(`${name} ${vertex}`);
  const to = { any() {}, draws: () => false, aims: () => false, click: note("click"), hover: note("hover"), drop: note("drop"), lift: () => (calls.push("lift"), drags), drag() {} };
  const node = Object.assign(new EventTarget(), { setPointerCapture() {} });
  const gestures = new Gestures(node, (x) => ["A1", "B2", "C3"][x / 100], to);
  const mouse = (kind, x, buttons) => gestures[kind]({ pointerId: 1, pointerType: "mouse", clientX: x, clientY: 0, button: 0, buttons });
  mouse("down", 200, 1);
  for (const event of events) mouse(...event);
  return calls;
}

test("a mouse that was released outside carries nothing, and its next click counts", () => {
  const back = ["move", 100, 0];
  const click = [["down", 100, 1], ["up", 100, 0]];
  assert.deepEqual(releasedOutside([back, ...click]), ["hover B2", "click B2"]);
  assert.deepEqual(releasedOutside(click), ["click B2"], "it has not moved over the board");
  assert.deepEqual(releasedOutside([["move", 100, 1], back, ...click]), ["lift", "drop null", "hover B2", "click B2"]);
  assert.deepEqual(releasedOutside([["move", 100, 1], back, ...click], false), ["lift", "hover B2", "click B2"]);
});

test("the buttons of a mouse that lead to other pages play nothing, nor does the eraser of a pen", () => {
  const pressed = (button) => {
    const clicks = [];
    const to = { any() {}, draws: () => false, aims: () => false, click: (vertex, other) => clicks.push([vertex, other]) };
    const gestures = new Gestures(new EventTarget(), () => "C3", to);
    const event = { pointerId: 1, pointerType: "mouse", clientX: 5, clientY: 5, button };
    gestures.down(event);
    gestures.up(event);
    return clicks;
  };
  assert.deepEqual([0, 1, 2, 3, 4, 5].map(pressed), [[["C3", false]], [], [["C3", true]], [], [], []]);
});

test("a mouse that comes back with its button held goes on", () => {
  assert.deepEqual(releasedOutside([["move", 100, 1], ["up", 0, 0]]), ["lift", "drop A1"]);
});
