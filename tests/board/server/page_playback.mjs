/** A game inside the page: its steps, its addresses, its answers. */

import assert from "node:assert/strict";
import test from "node:test";
import { Playback, fragmentOf, nodeOf, numberOf } from "./playback.js";
import { betterWords } from "./reviewed.js";
import { Store } from "./store.js";
import { step } from "./stepping.js";
import { Tree, betterLine, blocks, curve } from "./tree.js";

// Two turns, the first in two steps; beside it a better line of two turns.
const NODES = [
  { id: 0, parent: null, color: "", word: "", number: 0, open: false, chance: 0.5 },
  { id: 1, parent: 0, color: "black", word: "C2", number: 1, open: true, best: "B1", better: 4, loss: 0.3 },
  { id: 2, parent: 1, color: "black", word: "C1", number: 1, open: false, best: "B1", better: 4, loss: 0.3 },
  { id: 3, parent: 2, color: "white", word: "A1", number: 2, open: false, exchanged: true },
  { id: 4, parent: 0, color: "black", word: "B1", number: 1, open: false, instead: 2, listed: true },
  { id: 5, parent: 4, color: "white", word: "B2", number: 2, open: false, instead: 2, listed: true },
];
const GAME = {
  hello: { kind: "hello", readonly: true, reviewed: "yes" },
  players: { black: "Ann", white: "Bob" },
  nodes: NODES,
  ends: [0, 2, 3],
  pieces: [{ id: 1 }, { id: 2 }],
  views: NODES.map(({ id }) => ({ rev: id, game: { name: "implo" }, pieces: id ? [1, 0] : [] })),
  frames: { 0: { color: "black" } },
  records: { plain: { kind: "record", text: "(;)" } },
};
const OTHER = { ...GAME, hello: { ...GAME.hello, reviewed: "" }, players: { black: "Cid", white: "Dot" }, left_out: 1 };

/** Enclosed games; the given promises say when a game is there. */
function games(list, arrival = {}) {
  const known = { 7: GAME, 9: OTHER };
  return { rules: { implo: { kind: "rules", sentences: [] } }, list: list.map((game) => ({ game })), number: list[0], game: known[list[0]], load: async (number) => (await arrival[number], known[number]) };
}

function played(given, fragment = "") {
  const store = new Store();
  const playback = new Playback(given, fragment, { onMessage: (message) => store.take(message), onChange: (open) => store.connected(open, 0) });
  return { store, playback };
}

function tree() {
  const made = new Tree();
  made.take({ reset: true, set: NODES, drop: [] });
  return made;
}

test("an address names a turn of the game, or any node", () => {
  assert.deepEqual(["", "#0", "#1", "#2", "#99", "#node=4", "#node=99", "#x"].map((text) => nodeOf(GAME, text)), [0, 0, 2, 3, 3, 4, 0, 0]);
  assert.deepEqual([0, 1, 2, 3, 4].map((id) => fragmentOf(GAME, id)), ["#0", "#node=1", "#1", "#2", "#node=4"]);
});

test("on a page of several games an address names one", () => {
  const { list } = games([7, 9]);
  assert.deepEqual(["#game=9", "#game=7&turn=1", "#game=8", "#12", "#game=implo&size=8"].map((text) => numberOf(list, text)), [9, 7, null, null, null]);
  assert.deepEqual(["#game=9", "#game=9&turn=1", "#game=9&node=4", "#game=9&"].map((text) => nodeOf(GAME, text)), [0, 2, 4, 0]);
  assert.deepEqual([2, 4].map((id) => fragmentOf(GAME, id, 9)), ["#game=9&turn=1", "#game=9&node=4"]);
  assert.equal(played(games([7])).playback.fragment, "#0");
  assert.equal(played(games([7, 9]), "#game=7&turn=1").playback.fragment, "#game=7&turn=1");
});

test("steps go through turns, and from the better line back to its turn", () => {
  const made = tree();
  assert.deepEqual([0, 1, 2, 3].map((id) => step(made, id, 1)), [1, 2, 3, null]);
  assert.deepEqual([0, 1, 2, 3].map((id) => step(made, id, -1)), [null, 0, 1, 2]);
  made.visit(5);
  assert.deepEqual([4, 5].map((id) => step(made, id, 1)), [5, null]);
  assert.deepEqual([4, 5].map((id) => step(made, id, -1)), [2, 4]);
  assert.equal(step(made, 0, 1), 1, "going forward stays in the game");
});

test("the better line is known in every step of its turn and along it", () => {
  const made = tree();
  for (const id of [1, 2, 4, 5]) assert.deepEqual(betterLine(made, id).map(({ word }) => word), ["B1", "B2"]);
  assert.deepEqual(betterLine(made, 3), []);
  assert.deepEqual(curve(made, 5), curve(made, 2), "the graph is that of the game");
});

test("the list of turns has the better lines of mistakes only", () => {
  const depths = (nodes) => {
    const made = new Tree();
    made.take({ reset: true, set: nodes, drop: [] });
    return blocks(made).map(({ depth }) => depth);
  };
  assert.deepEqual(depths(NODES), [0, 1, 0]);
  assert.deepEqual(depths(NODES.map((node) => ({ ...node, listed: node.listed && false }))), [0, 0]);
});

test("a reviewed turn is compared with the best one as a whole", () => {
  const made = tree();
  const words = (more) => betterWords(made, { ...made.get(2), ...more });
  assert.equal(words({}), "Better: B1");
  assert.equal(words({ loss: 0.001 }), "As good: B1");
  assert.equal(words({ best: "C2/C1" }), "Also the best turn of the search");
  assert.equal(words({ word: "resign" }), "Still possible: B1");
});

test("the panels are answered like by a server", async () => {
  const { store, playback } = played(games([7]));
  const heard = [];
  for (const kind of ["hello", "games", "nodes", "state", "frame", "rules", "record"]) store.on(kind, ({ form }) => heard.push(form ?? kind));
  playback.start();
  assert.deepEqual(heard, [], "nothing is heard while a panel asks");
  await null;
  assert.deepEqual(heard.splice(0), ["hello", "nodes", "state", "frame"]);
  assert.deepEqual([store.online, store.live, store.state.node], [true, false, 0]);
  for (const message of [{ kind: "goto", node: 3 }, { kind: "rules" }, { kind: "save", form: "plain" }, { kind: "goto", node: 77 }]) {
    assert.equal(playback.send(message), true);
  }
  await null;
  assert.deepEqual(heard.splice(0), ["state", "rules", "plain"]);
  assert.deepEqual(store.state.view.pieces, [{ id: 2 }, { id: 1 }]);
  assert.equal(store.state.seats.black.engine, "Bob", "the players have exchanged colors");
  assert.equal(store.frame, null);
  assert.equal(playback.send({ kind: "hint" }), false);
});

test("another game takes the place of the shown one", async () => {
  const { store, playback } = played(games([7, 9]), "#2");
  const heard = [];
  for (const kind of ["games", "hello", "watching", "nodes", "state", "told"]) store.on(kind, (message) => heard.push([kind, message.game]));
  playback.start();
  await null;
  assert.deepEqual(heard.splice(0).map(([kind]) => kind), ["games", "hello", "watching", "nodes", "state"]);
  const { rev, node } = store.state;
  assert.equal(node, 3);
  assert.equal(playback.send({ kind: "watch", game: 9 }), true);
  await new Promise(setImmediate);
  assert.deepEqual(heard.splice(0), [["hello", undefined], ["watching", 9], ["nodes", undefined], ["state", undefined], ["told", undefined]]);
  assert.deepEqual([store.state.node, store.state.seats.black.engine, playback.fragment], [0, "Cid", "#game=9&turn=0"]);
  assert.notEqual(store.state.rev, rev);
  await playback.follow("#game=9&turn=1");
  await null;
  assert.deepEqual([store.state.node, heard.splice(0).length], [2, 1], "only the state of the shown game");
});

test("of two games asked for the last one is shown", async () => {
  let arrive;
  const { store, playback } = played(games([7, 9], { 9: new Promise((done) => (arrive = done)) }));
  playback.start();
  const first = playback.follow("#game=9");
  await playback.follow("#game=7&turn=1");
  arrive();
  await first;
  await null;
  assert.deepEqual([playback.number, store.state.node], [7, 2]);
});
