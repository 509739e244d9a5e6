/** What the page keeps of what the server tells. */

import assert from "node:assert/strict";
import test from "node:test";
import { chanceWords } from "./analysis.js";
import { behind, short } from "./candidates.js";
import { keep } from "./console.js";
import { percent, withRules } from "./dom.js";
import { seatValue, seatsFor } from "./game.js";
import { playersOf, ratingWords, resultOf } from "./games.js";
import { costliest } from "./graph.js";
import { adapts, levelName, sitter } from "./guests.js";
import { readSettings } from "./prefs.js";
import { streak } from "./puzzles.js";
import { nextTick, soundsOf } from "./signal.js";
import { Store, forBlack, words } from "./store.js";
import { turnTitle } from "./title.js";
import { Part, lossMark } from "./turns.js";

const MEASURE = { mistake: 0.05, blunder: 0.2 };
const HUMAN = { kind: "human" };
const ENGINE = { kind: "engine", engine: "A", level: 5 };
const HELLO = { kind: "hello", title: "T", readonly: false, engines: [{ name: "board" }, { name: "analyst" }, { name: "A" }], catalog: null };

function state(rev, more = {}) {
  const view = { game: { colors: { black: { title: "Blue" } } }, turn: { to_move: "black" }, outcome: null, ...more.view };
  return { kind: "state", rev, node: 0, seats: { black: HUMAN, white: ENGINE }, thinking: null, paused: false, resting: false, ...more, view };
}

test("a report of a position that is not shown any more is dropped", () => {
  const store = new Store();
  const heard = [];
  store.on("frame", ({ rev }) => heard.push(rev));
  store.take(state(3));
  store.take({ kind: "frame", rev: 2, node: 0, data: {} });
  store.take({ kind: "frame", rev: 3, node: 0, data: {} });
  assert.deepEqual(heard, [3]);
  store.take(state(4));
  assert.equal(store.frame, null);
});

test("a report of the position that the game is at is not shown at the one that people look back at", () => {
  const store = new Store();
  const heard = [];
  store.on("frame", ({ node }) => heard.push(node));
  const frame = (node) => store.take({ kind: "frame", rev: 3, node, data: {} });
  store.take(state(3, { node: 5 }));
  frame(5);
  store.take({ kind: "looked", node: 2, view: store.state.view });
  assert.equal(store.frame, null);
  frame(5);
  assert.equal(store.frame, null);
  store.take({ kind: "looked", node: 5, view: store.state.view });
  frame(5);
  assert.deepEqual(heard, [5, 5]);
  assert.equal(store.frame.node, 5);
});

test("a game that is over stays so while people step back in it", () => {
  const store = new Store();
  store.take(HELLO);
  store.take({ kind: "nodes", reset: true, set: [{ id: 0, parent: null }, { id: 1, parent: 0 }] });
  store.take(state(1));
  assert.deepEqual([store.begun, turnTitle(store)], [true, "Your turn"]);
  store.take(state(2, { over: true }));
  assert.deepEqual([store.begun, turnTitle(store)], [false, "Blue to move"]);
});

test("nodes are told with the position right behind them, else alone", async () => {
  const store = new Store();
  const heard = [];
  const nodes = (id) => ({ kind: "nodes", reset: false, set: [{ id, parent: 0, children: [] }], drop: [] });
  store.on("nodes", ({ set }) => heard.push(`node ${set[0].id}`));
  store.on("state", ({ rev }) => heard.push(`state ${rev}`));
  store.take(nodes(1));
  assert.ok(store.tree.get(1), "kept at once");
  assert.deepEqual(heard, []);
  store.take(state(1));
  assert.deepEqual(heard, ["node 1", "state 1"]);
  store.take(nodes(2));
  store.take(nodes(3));
  assert.deepEqual(heard.slice(2), ["node 2"], "none replaces another");
  await new Promise((resolve) => store.on("nodes", resolve));
  assert.deepEqual(heard.slice(2), ["node 2", "node 3"]);
});

test("the measure of mistakes is the engine's, also in a page that encloses a game", () => {
  const store = new Store();
  assert.deepEqual(store.measure, {});
  store.take({ ...HELLO, ...MEASURE });
  assert.equal(store.measure.mistake, 0.05);
  store.take({ ...HELLO, catalog: { mistake: 0.1 } });
  assert.equal(store.measure.mistake, 0.1);
});

test("a person plays on their turn, and for an engine that rests", () => {
  const store = new Store();
  store.take(HELLO);
  store.take(state(1));
  assert.equal(store.live, false, "without a connection");
  store.connected(true, 0);
  assert.equal(store.live, true);
  store.take(state(2, { thinking: { color: "white" } }));
  assert.equal(store.live, false, "an engine thinks");
  store.take(state(3, { view: { turn: { to_move: "white" } } }));
  assert.equal(store.live, false, "an engine is to move");
  store.take(state(3, { view: { turn: { to_move: "white" } }, resting: true }));
  assert.equal(store.live, true);
  store.take(state(4, { view: { outcome: { winner: null } } }));
  assert.equal(store.live, false, "the game is over");
  store.take({ ...HELLO, readonly: true });
  store.take(state(5));
  assert.equal(store.live, false, "people only watch");
  assert.deepEqual(store.players, ["A"]);
});

test("all words that a view takes are found, those without a point first", () => {
  const view = {
    buttons: [{ step: "pass", text: "nothing else is possible" }],
    options: [
      { at: "A1", step: "pA1", text: "a pawn on A1" },
      { at: "B2", then: [{ at: "A2", step: "sB2-A2", text: "away" }, { at: "C2", then: [{ at: "D2", step: "sB2-C2-D2" }] }] },
    ],
  };
  assert.deepEqual(words(view).map(({ step }) => step), ["pass", "pA1", "sB2-A2", "sB2-C2-D2"]);
  assert.equal(words(view, 2).length, 2);
});

test("values of a report are turned to those of Black", () => {
  const data = { color: "white", chance: 0.25, proven: null, visits: 9, turns: [{ lead: 2 }] };
  assert.deepEqual(forBlack(data), { chance: 0.75, proven: null, lead: -2, visits: 9 });
  assert.equal(forBlack({ ...data, proven: 1 }).proven, 0);
  assert.equal(forBlack({ ...data, color: "black", turns: [] }).lead, null);
});

test("seats follow from the side that a person takes", () => {
  const engines = ["A", "B"];
  const player = (engine) => ({ kind: "engine", engine, level: 3 });
  assert.deepEqual(seatsFor("black", "A", "3", engines), { black: HUMAN, white: player("A") });
  assert.deepEqual(seatsFor("white", "B", "3", engines), { black: player("B"), white: HUMAN });
  assert.deepEqual(seatsFor("both", "A", "3", engines), { black: HUMAN, white: HUMAN });
  assert.deepEqual(seatsFor("neither", "A", "3", engines), { black: player("A"), white: player("B") });
  assert.deepEqual(seatsFor("neither", "A", "", ["A"]).white, { kind: "engine", engine: "A", level: null });
  assert.equal(seatsFor("black", "A", "adaptive", engines).white.level, "adaptive");
  assert.deepEqual(seatsFor("lot", "A", "3", engines, () => 0.9), { black: player("A"), white: HUMAN });
  assert.equal(seatValue({ kind: "engine", level: 3, engine: "A" }), seatValue(player("A")));
});

test("numbers are short, and only what is proven is certain", () => {
  assert.deepEqual([950, 1234, 34_000, 999_600, 5_600_000].map(short), ["950", "1.2k", "34k", "1.0M", "5.6M"]);
  assert.deepEqual([0, 0.004, 0.634, 0.999].map(percent), ["1 %", "1 %", "63 %", "99 %"]);
  assert.equal(chanceWords({ chance: 0.999, proven: null }), "99 %");
  assert.deepEqual([1, 0.5, 0].map((proven) => chanceWords({ chance: 0.5, proven })), ["wins", "draws", "loses"]);
  assert.deepEqual([null, 0.01, 0.1, 0.5].map((loss) => lossMark(loss, MEASURE)), ["", "", "?", "??"]);
  const best = { chance: 0.51, proven: null };
  const lost = [0.51, 0.5099, 0.506, 0.4].map((chance) => behind({ chance, proven: null }, best));
  assert.deepEqual(lost, ["=", "=", "\u22120.4", "\u221211"]);
  assert.equal(behind({ chance: 0, proven: 0 }, best), "loss");
  assert.equal(lossMark(0.5, {}), "", "an engine without a measure");
});

test("an engine has a name and a level, also an adaptive one", () => {
  const levels = [{ level: "adaptive", name: "Adaptive" }, { level: 5, name: "Novice" }];
  const store = new Store();
  store.take({ ...HELLO, catalog: { levels } });
  store.take(state(1, { adaptive: 5 }));
  const seats = [5, "adaptive", 6, null].map((level) => ({ level }));
  assert.deepEqual(seats.map((seat) => levelName(store, seat)), ["Novice", "Novice", "Level 6", ""]);
  assert.deepEqual(seats.map((seat) => adapts(store, seat)), [false, true, false, false]);
  assert.equal(sitter(store, "white"), "A, Novice");
  assert.equal(sitter(store, "black"), "You");
  store.take(state(2, { adaptive: null }));
  assert.equal(levelName(store, { level: "adaptive" }), "Adaptive");

  const game = { black: "", white: "A", human: "black", level: "5", opened: false };
  const players = (changed) => playersOf(store, { ...game, ...changed });
  assert.equal(players({}), "You \u2013 A, novice");
  assert.equal(players({ black: "A", white: "", human: "white" }), "A, novice \u2013 You");
  assert.equal(players({ white: "Guest", human: "", level: "" }), "You \u2013 Guest");
  assert.equal(players({ black: "Ann", white: "Ben", human: "", level: "" }), "Ann \u2013 Ben");
  assert.equal(players({ white: "", human: "", level: "" }), "Both sides");
  assert.equal(players({ human: "", level: "", opened: true }), "Unknown \u2013 A");
});

test("the result of a kept game is told in words", () => {
  const store = { game: () => ({ colors: { black: "Black", white: "White" } }) };
  const told = (result, human = "") => resultOf(store, { game: "robble", human, winner: { B: "black", W: "white", 0: "draw" }[result[0]] ?? "", result, turns: 3 });
  assert.equal(told("W+R"), "White won, Black resigned");
  assert.equal(told("W+R", "white"), "You won, Black resigned");
  assert.equal(told("W+R", "black"), "You lost, you resigned");
  assert.deepEqual(["B+7", "B+", "B+T", "B+F", "0"].map((result) => told(result)), ["Black won by 7", "Black won", "Black won on time", "Black won by forfeit", "Draw"]);
  assert.equal(told("B+T", "white"), "You lost on time");
  assert.equal(told(""), "3 turns, not over");
  assert.equal(told("B+constructor"), "Black won by constructor", "whatever a record says");
});

test("a rating is told by the level that plays as well", () => {
  const levels = [["Novice", 167], ["Casual", 270], ["Club", 1536]].map(([name, rating]) => ({ name, rating }));
  const level = (rating) => /^You play about as well as (\w+): your rating is (-?\d+), /.exec(ratingWords({ catalog: { levels } }, rating)).slice(1);
  assert.deepEqual(level(-50), ["Novice", "-50"]);
  assert.deepEqual(level(250), ["Casual", "250"]);
  assert.deepEqual(level(1200), ["Club", "1200"]);
});

test("days in a row count up to today, or to yesterday while today is open", () => {
  const of = (...days) => (today) => streak((day) => days.includes(day), today);
  assert.equal(of()("2026-03-01"), 0);
  assert.equal(of("2026-03-01")("2026-03-01"), 1);
  assert.equal(of("2026-02-27", "2026-02-28", "2026-03-01")("2026-03-01"), 3);
  assert.equal(of("2026-02-27", "2026-02-28")("2026-03-01"), 2);
  assert.equal(of("2026-02-27", "2026-03-01")("2026-03-01"), 1);
  assert.equal(of("2026-02-27")("2026-03-01"), 0);
  assert.equal(of("2027-12-31", "2028-01-01")("2028-01-01"), 2);
});

test("what happens in a game has a sound of its own", () => {
  const moment = (ids, more = {}) => ({ pieces: [...ids].map((id) => ({ id })), over: false, mine: false, ...more });
  const heard = (before, now, played = true) => soundsOf(before, now, played);
  const [ab, abc, bc] = ["ab", "abc", "bc"].map((ids) => moment(ids));
  assert.deepEqual(heard(null, ab), []);
  assert.deepEqual(heard(ab, abc), ["piece"]);
  assert.deepEqual(heard(ab, bc), ["capture"]);
  assert.deepEqual(heard(abc, ab, false), [], "a turn is taken back");
  assert.deepEqual(heard(ab, ab), [], "a seat has changed");
  assert.deepEqual(heard(ab, moment("abc", { mine: true })), ["piece", "turn"]);
  assert.deepEqual(heard(ab, moment("ab", { over: true })), ["end"], "somebody has resigned");
  assert.deepEqual(heard(moment("ab", { over: true }), moment("abc", { over: true })), ["piece"], "looking back");
  assert.deepEqual([30, 10.5, 9.96, 9.5, 1.01, 0.9, 0].map(nextTick), [10, 10, 9, 9, 0, 0, 0]);
});

test("settings of another version are passed over", () => {
  const usual = readSettings("{}");
  assert.deepEqual(readSettings("no JSON"), usual);
  assert.deepEqual(readSettings("null"), usual);
  assert.equal(readSettings('{"theme": "dark", "letters": "maybe"}').theme, "dark");
  assert.equal(readSettings('{"theme": "dark", "letters": "maybe"}').letters, usual.letters);
});

test("of reports that follow one another the console keeps the newest", () => {
  const lines = [];
  const line = (direction, text, engine = "A") => keep(lines, { engine, direction, text });
  line(">", "game-analyze b 10");
  line("<", '{"visits": 1}');
  line("<", '{"visits": 2}');
  line("<", '{"visits": 1}', "B");
  for (let n = 0; n < 1000; n += 1) line("<", '{"visits": 3}', "B");
  assert.deepEqual(lines.map(({ text, times }) => [text, times]), [["game-analyze b 10", undefined], ['{"visits": 2}', 2], ['{"visits": 3}', 1001]]);
  for (let n = 0; n < 1000; n += 1) line("<", "=");
  assert.equal(lines.length, 400);
});

test("only numbers of rules that there are become links", () => {
  assert.deepEqual(withRules("no rule at C4 (Q7)", () => false), ["no rule at ", "C4", " (", "Q7", ")"]);
});

test("a point outside parentheses is no rule, though a rule has its name", () => {
  assert.deepEqual(withRules("B2 is not empty", () => true), ["", "B2", " is not empty"]);
});

test("of a long game the turns around the current one are shown", () => {
  const all = Array.from({ length: 1000 }, (_, n) => ({ depth: 0, entries: [{ ids: [n + 1] }] }));
  const part = new Part(100);
  const ends = (node) => {
    const shown = part.of(all, node);
    const ids = shown.filter(({ further }) => !further).map(({ entries }) => entries[0].ids[0]);
    return [shown[0].further, ids[0], ids.at(-1), shown.at(-1).further];
  };
  assert.deepEqual(ends(1), [undefined, 1, 100, 1]);
  assert.deepEqual(ends(100), [undefined, 1, 100, 1]);
  assert.equal(part.holds(101), false);
  assert.deepEqual(ends(101), [-1, 51, 150, 1]);
  assert.equal(part.holds(101), true);
  assert.deepEqual(ends(1000), [-1, 901, 1000, undefined]);
  part.move(-1);
  assert.deepEqual(ends(1000), [-1, 851, 950, 1]);
  assert.deepEqual(ends(1000), [-1, 851, 950, 1], "it stays where somebody has looked");
  assert.deepEqual(ends(999), [-1, 901, 1000, undefined]);
  part.of(all.slice(0, 3), 1);
  assert.deepEqual(part.of(all.slice(0, 3), 1), all.slice(0, 3));
});

test("the turns that cost most are told, the worst first", () => {
  const points = [0, 0.1, null, 0.5, 0.02, 0.3, 0.2].map((loss, id) => ({ id, loss }));
  assert.deepEqual(costliest(points, MEASURE).map(({ id }) => id), [3, 5, 6]);
  assert.deepEqual(costliest(points.slice(0, 1), MEASURE), []);
});

test("at a table with a guest each page plays its own color, and looks back alone", () => {
  const guest = { kind: "human", guest: "white" };
  const shared = (rev, to_move) => state(rev, { seats: { black: HUMAN, white: guest }, view: { turn: { to_move } } });
  const stores = ["host", "white", "watch"].map((role) => {
    const store = new Store();
    store.take({ ...HELLO, role, readonly: role === "watch" });
    store.connected(true, 0);
    store.take(shared(1, "white"));
    return store;
  });
  assert.deepEqual(stores.map((store) => store.live), [false, true, false]);
  assert.deepEqual(stores.map((store) => store.opponent), [true, true, false]);
  assert.deepEqual(stores.map((store) => store.own), ["black", "white", null]);
  assert.deepEqual(stores.map((store) => store.apart), [true, true, true]);
  const [host, mine] = stores;
  const over = { ...shared(2, "white"), over: true };
  host.take(over);
  assert.equal(host.apart, false, "of a game that is over the host shows every position");
  mine.take({ kind: "looked", node: 7, view: { ...mine.state.view, turn: { to_move: "white" } } });
  assert.equal(mine.state.looking, true);
  assert.equal(mine.live, false, "nobody plays in the past");
  mine.take({ kind: "looked", node: 0, view: mine.actual.view });
  assert.equal(mine.live, true, "the game itself");
  mine.take({ kind: "looked", node: 7, view: mine.actual.view });
  mine.take(shared(2, "white"));
  assert.equal(mine.state.looking, undefined, "the newest turn is shown");
});

test("positions of a table for exercises are told with an exercise, and only while the page wants one", () => {
  const store = new Store();
  const heard = [];
  store.on("state", ({ rev }) => heard.push(rev));
  store.on("exercise", ({ id }) => heard.push(id));
  const there = { ...HELLO, table: "exercise-1a" };
  const exercise = (id) => store.take({ kind: "exercise", set: "lessons", id, status: "open" });
  store.connected(true, 0);
  store.take({ ...HELLO, table: "1" });
  store.take(state(1));
  store.asked = "b";
  store.take(there);
  store.take(state(2));
  exercise("a");
  assert.deepEqual(heard, [1], "another page is at the exercise a");
  assert.equal(store.live, false);
  exercise("b");
  store.take(state(3));
  assert.equal(store.live, true);
  exercise("c");
  assert.deepEqual(heard, [1, "b", 3, "c"], "all pages at the table follow");
  exercise(null);
  store.asked = null;
  store.take(state(4));
  exercise("c");
  assert.deepEqual(heard, [1, "b", 3, "c", null], "the page is on its way home");
  store.take({ ...HELLO, table: "1" });
  store.take(state(5));
  assert.equal(heard.at(-1), 5);
});
