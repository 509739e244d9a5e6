/** The rules beside the board. */

import assert from "node:assert/strict";
import test from "node:test";
import { inShort } from "./rules.js";

const PICTURE = { width: 3 };
const item = (text, ...pictures) => ({ text, pictures });

test("rules in short are items, with pictures or without", () => {
  assert.deepEqual(inShort([item("Place a stone.", PICTURE), item("Win.")]), [item("Place a stone.", PICTURE), item("Win.")]);
  assert.deepEqual(inShort([{ text: "Place a stone." }]), [item("Place a stone.")]);
});

test("a text is an item for each of its sentences", () => {
  const wanted = [item("Place a stone on a free point."), item("Who cannot, loses.")];
  assert.deepEqual(inShort("Place a stone\non a free point. Who cannot, loses."), wanted);
  assert.deepEqual(inShort(["Place a stone on a free point.", "Who cannot, loses."]), wanted);
});

test("a game without a text of its rules has no item", () => {
  for (const none of [[], "", [""], [item("")], undefined, null]) assert.deepEqual(inShort(none), []);
});
