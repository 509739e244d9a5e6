/** What was asked for at one table is not done at another; and what is heard of a game that is over. */

import assert from "node:assert/strict";
import test from "node:test";
import { exercisesOfGame } from "./lookback.js";
import { ownName } from "./names.js";
import { signalPanel } from "./signal.js";
import { Store } from "./store.js";

const HUMAN = { kind: "human" };
const ENGINE = { kind: "engine", engine: "A" };

function state(fields) {
  const view = { outcome: null, turn: { to_move: "black" }, pieces: [] };
  return { kind: "state", rev: 1, node: 0, tree: 1, seats: { black: HUMAN, white: ENGINE }, view, ...fields };
}

/** A store at a table, and what its app sends: kinds of messages. */
function page() {
  const store = new Store();
  const sent = [];
  const app = { store, sets: {}, settings: { sound: true, name: "Ann" }, opening() {}, review: () => sent.push("review"), send: (kind) => sent.push(kind) };
  store.connected(true, 0);
  store.take({ kind: "hello", table: "1" });
  store.take({ kind: "nodes", reset: true, set: [{ id: 0, parent: null }, { id: 1, parent: 0 }] });
  store.take(state());
  return { app, store, sent };
}

const REVIEWED = { kind: "review", done: 9, total: 9, over: true };

/** A page that has asked to learn from mistakes in a game without a review, and what happens to it before a review ends. */
function learning(happens) {
  const { app, store, sent } = page();
  exercisesOfGame(app);
  app.mistakes();
  happens(store);
  store.take(REVIEWED);
  return sent;
}

test("mistakes are asked for when the review is over", () => {
  assert.deepEqual(learning(() => {}), ["review", "mistakes"]);
  assert.deepEqual(learning((store) => store.take({ kind: "hello", table: "1" })), ["review", "mistakes"], "an engine has started");
});

test("they are not after another review: of another table, after a refusal, or a lost connection", () => {
  assert.deepEqual(learning((store) => store.take({ kind: "hello", table: "2" })), ["review"]);
  assert.deepEqual(learning((store) => store.take({ kind: "told", level: "error", text: "No." })), ["review"]);
  assert.deepEqual(learning((store) => store.connected(false, 1)), ["review"]);
});

test("the name of the person is told at each table", () => {
  const { app, store, sent } = page();
  ownName(app);
  store.take(state());
  store.take(state());
  assert.deepEqual(sent, ["names"]);
  store.take({ kind: "hello", table: "2" });
  store.take(state());
  assert.deepEqual(sent, ["names", "names"]);
});

/** The tones of a page that shows one state after another. */
async function tones(context, states) {
  const heard = [];
  const part = () => ({ connect: (other) => other, setValueAtTime() {}, exponentialRampToValueAtTime() {} });
  class AudioContext {
    currentTime = 0;
    suspend() {}
    resume() {}
    createOscillator() {
      return { ...part(), frequency: {}, stop() {}, start() { heard.push(this.frequency.value); } };
    }
    createGain() {
      return { ...part(), gain: part() };
    }
  }
  const pressed = [];
  globalThis.document = { hidden: true, addEventListener: (kind, listener) => pressed.push(listener) };
  globalThis.window = { AudioContext };
  globalThis.AudioContext = AudioContext;
  context.after(() => ["document", "window", "AudioContext"].forEach((name) => delete globalThis[name]));
  const { app, store } = page();
  signalPanel(app);
  pressed[0]();
  states.forEach((fields) => store.take(state(fields)));
  await new Promise((resolve) => setTimeout(resolve)); // after the timers of the sounds
  return heard;
}

const THEIRS = { view: { outcome: null, turn: { to_move: "white" }, pieces: [] } };

test("one's own turn is heard, but not where people step back in a game that is over", async (context) => {
  assert.equal((await tones(context, [THEIRS, {}])).length, 2);
  assert.deepEqual(await tones(context, [{ ...THEIRS, over: true }, { over: true }]), []);
});
