/** In which order and when the board shows what a turn did. */

import assert from "node:assert/strict";
import test from "node:test";
import { LONGEST, alike, beginning, leading, phases, timeline } from "./animate.js";

/** Pieces from words such as `1bA1` or, for a height, `1bA1*2`: id, color, vertex. */
function pieces(text) {
  const found = text
    .split(" ")
    .filter(Boolean)
    .map((word) => {
      const [, id, sign, at, height = "1"] = word.match(/^(\d+)([bw])([A-T]\d+)(?:\*(\d))?$/);
      const color = { b: "black", w: "white" }[sign];
      return [
        Number(id),
        { id: Number(id), at, shape: "stone", kind: "stone", color, height: Number(height) },
      ];
    });
  return new Map(found);
}

const WHAT = { shape: "stone", kind: "stone", color: "black", height: 1 };
const place = (phase, id, at) => ({ phase, do: "place", id, at, ...WHAT });
const move = (phase, id, from, to) => ({ phase, do: "move", id, from, to });
const remove = (phase, id, at, color = "white") => ({ phase, do: "remove", id, at, was: { ...WHAT, color } });
const turnWhite = (phase, id, at) => ({ phase, do: "color", id, at, value: "white", was: "black" });
const grow = (phase, id, at) => ({ phase, do: "height", id, at, value: 2, was: 1 });

const START = pieces("1bA1 2wC1 3bB3");
const EVENTS = [
  remove(1, 2, "C1"),
  move(1, 1, "A1", "C1"),
  grow(2, 1, "C1"),
  place(3, 4, "A1"),
  turnWhite(3, 3, "B3"),
];
const END = pieces("1bC1*2 3wB3 4bA1");

test("events of one phase stand together, in the order of phases", () => {
  const mixed = [place(2, 4, "A1"), remove(1, 2, "C1"), grow(2, 1, "C1")];
  assert.deepEqual(
    phases(mixed).map((list) => list.map(({ id }) => id)),
    [[2], [4, 1]],
  );
});

test("the events of a turn lead from the pieces before to those after", () => {
  assert.deepEqual(leading(START, EVENTS, END), phases(EVENTS));
});

test("of an open turn only what is new is shown", () => {
  const between = pieces("1bC1 3bB3");
  assert.deepEqual(leading(between, EVENTS, END), phases(EVENTS).slice(1));
});

test("where no events lead there, there are none: after undo or a jump", () => {
  assert.equal(leading(END, EVENTS, START), null);
  assert.equal(leading(pieces("9bA1"), EVENTS, END), null);
  assert.equal(leading(END, [], START), null);
});

test("a turn can be taken back to its beginning from its end alone", () => {
  assert.ok(alike(beginning(END, EVENTS), START));
});

test("pieces are alike only where all of them look alike", () => {
  assert.ok(alike(START, pieces("3bB3 2wC1 1bA1")));
  for (const other of [
    "1bA1 2wC1",
    "1bA1 2bC1 3bB3",
    "1bA2 2wC1 3bB3",
    "1bA1*2 2wC1 3bB3",
    "1bA1 2wC1 4bB3",
  ]) {
    assert.equal(alike(START, pieces(other)), false, other);
  }
});

/** The times of all events: `[do, start, end]`, from the beginning of the turn. */
function clock(events, why) {
  let begun = 0;
  return timeline(phases(events), why).flatMap((phase) => {
    const start = begun;
    begun += phase.length;
    return phase.events.map(({ event, delay, time }) => [event.do, start + delay, start + delay + time]);
  });
}

test("a phase begins when the one before has ended", () => {
  const times = clock(EVENTS);
  const ends = times.slice(0, 2).map(([, , end]) => end);
  assert.equal(times[2][1], Math.max(...ends));
  assert.equal(times[3][1], times[2][2]);
  assert.equal(times[4][1], times[2][2]);
});

test("what is met by a moving piece goes when that arrives", () => {
  const [removed, moved] = clock(EVENTS);
  assert.ok(removed[1] > moved[1] && removed[1] < moved[2]);
});

test("many new pieces come one after the other, two at once from nothing", () => {
  const times = clock([place(1, 1, "A1"), place(1, 2, "A2"), place(1, 3, "A3")]);
  assert.deepEqual(
    times.map(([, start]) => start),
    [0, 40, 80],
  );
});

test("no turn takes longer than the limit", () => {
  const long = Array.from({ length: 40 }, (_, n) => place(n + 1, n, "A1"));
  const times = clock(long);
  assert.ok(Math.abs(times.at(-1)[2] - LONGEST) < 1e-6);
});

test("a group that one sentence is about is outlined before it changes", () => {
  const events = [remove(1, 1, "A1"), remove(1, 2, "A2")];
  const why = [{ phase: 1, points: ["A1", "A2", "B2"] }];
  const [phase] = timeline(phases(events), why);
  assert.deepEqual(phase.outline, ["A1", "A2"]);
  assert.ok(phase.events.every(({ delay }) => delay >= phase.lead && phase.lead > 0));
  const [one] = timeline(phases([remove(1, 1, "A1")]), why);
  assert.deepEqual([one.outline, one.lead], [[], 0]);
});
