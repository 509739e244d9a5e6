/** The connection that comes back by itself, on a clock and a network of the test. */

import assert from "node:assert/strict";
import test from "node:test";
import { BEAT, PATIENCE } from "./heartbeat.js";
import { DELAYS, Link, pause } from "./socket.js";

class Outside {
  constructor() {
    this.sockets = [];
    this.timers = [];
    this.now = 0;
    this.isHidden = false;
  }
  open = () => {
    const socket = { readyState: 0, all: [], closed: false, send: (text) => socket.all.push(JSON.parse(text)), close: () => (socket.closed = true) };
    Object.defineProperty(socket, "sent", { get: () => socket.all.filter(({ kind }) => kind !== "alive") });
    this.sockets.push(socket);
    return socket;
  };
  later = (work, milliseconds) => {
    this.timers.push({ work, milliseconds, at: this.now + milliseconds });
    return this.timers.at(-1);
  };
  forget = (timer) => (this.timers = this.timers.filter((one) => one !== timer));
  random = () => 0.5;
  hidden = () => this.isHidden;
  onOnline = (work) => (this.online = work);
  onVisible = (work) => (this.visible = work);
  get socket() {
    return this.sockets.at(-1);
  }
  accept() {
    this.socket.readyState = 1;
    this.socket.onopen();
  }
  lose() {
    this.socket.readyState = 3;
    this.socket.onclose();
  }
  hears(kind) {
    this.socket.onmessage({ data: JSON.stringify({ kind }) });
  }
  /** Do what waits longest. */
  next() {
    const timer = this.timers.at(-1);
    this.forget(timer);
    timer.work();
  }
  /** Let time pass, and do what is due, in its order. */
  turn(milliseconds) {
    const end = this.now + milliseconds;
    for (;;) {
      const [due] = this.timers.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at);
      if (!due) break;
      this.now = due.at;
      this.forget(due);
      due.work();
    }
    this.now = end;
  }
}

function connected() {
  const outside = new Outside();
  const heard = [];
  const link = new Link("ws://x/", { onMessage: (message) => heard.push(message), onChange: (open, failures) => heard.push([open, failures]) }, outside);
  link.start();
  return { outside, heard, link };
}

test("the first message says hello, and others are read if they are messages", () => {
  const { outside, heard } = connected();
  outside.accept();
  assert.deepEqual(outside.socket.sent, [{ kind: "hello" }]);
  for (const data of ['{"kind": "state"}', "no JSON", "[1]", "null", '{"kind": 3}']) outside.socket.onmessage({ data });
  assert.deepEqual(heard, [[true, 0], { kind: "state" }]);
});

test("after each loss it waits longer, and from the start again once it was answered", () => {
  const { outside, heard } = connected();
  const waits = [];
  for (let n = 0; n < DELAYS.length + 2; n += 1) {
    outside.lose();
    waits.push(...outside.timers.map(({ milliseconds }) => milliseconds));
    outside.next();
  }
  assert.deepEqual(waits, [...DELAYS, DELAYS.at(-1), DELAYS.at(-1)]);
  assert.deepEqual(heard.at(-1), [false, DELAYS.length + 2]);
  outside.accept();
  assert.deepEqual(heard.at(-1), [true, 0]);
  outside.lose();
  assert.equal(outside.timers.at(-1).milliseconds, DELAYS.at(-1), "there was no place for it");
  outside.timers.at(-1).work();
  outside.accept();
  outside.socket.onmessage({ data: '{"kind": "hello"}' });
  outside.lose();
  assert.equal(outside.timers.at(-1).milliseconds, DELAYS[0]);
});

test("pages that lose the server together do not come back together", () => {
  assert.deepEqual([pause(0, () => 0), pause(0, () => 1)], [0.75 * DELAYS[0], 1.25 * DELAYS[0]]);
});

test("nothing is kept to be sent later", () => {
  const { outside, link } = connected();
  assert.equal(link.send({ kind: "undo" }), false);
  outside.accept();
  assert.equal(link.send({ kind: "undo" }), true);
  outside.lose();
  assert.equal(link.send({ kind: "undo" }), false);
  outside.next();
  outside.accept();
  assert.deepEqual(outside.socket.sent, [{ kind: "hello" }]);
});

test("it comes back at once when the network or the eye does, and never twice", () => {
  const { outside } = connected();
  outside.lose();
  outside.online();
  assert.equal(outside.sockets.length, 2);
  outside.online();
  outside.turn(DELAYS[0]);
  assert.equal(outside.sockets.length, 2);
  outside.lose();
  outside.isHidden = true;
  outside.visible();
  assert.equal(outside.sockets.length, 2);
  outside.isHidden = false;
  outside.visible();
  assert.equal(outside.sockets.length, 3);
});

test("a hidden tab says so", () => {
  const { outside } = connected();
  outside.accept();
  outside.isHidden = true;
  outside.visible();
  outside.isHidden = false;
  outside.visible();
  assert.deepEqual(outside.socket.sent.slice(1), [{ kind: "visible", on: false }, { kind: "visible", on: true }]);
});

test("a new connection enters the table where the page was", () => {
  const { outside, link } = connected();
  outside.accept();
  link.table = "2";
  outside.lose();
  outside.next();
  outside.accept();
  assert.deepEqual(outside.socket.sent, [{ kind: "hello", table: "2" }]);
});

test("a guest whose invitation was closed does not come back", () => {
  const { outside, heard } = connected();
  outside.accept();
  outside.socket.readyState = 3;
  outside.socket.onclose({ code: 4001 });
  assert.deepEqual(heard.at(-1), [false, Infinity]);
  outside.online();
  outside.visible();
  assert.equal(outside.timers.length, 0);
  assert.equal(outside.sockets.length, 1);
});

test("a connection that freezes without closing is left within five seconds", () => {
  const { outside, heard } = connected();
  outside.accept();
  outside.hears("state");
  const told = heard.length;
  outside.turn(BEAT);
  assert.deepEqual(outside.socket.all.at(-1), { kind: "alive" });
  assert.equal(heard.length, told);
  outside.turn(PATIENCE);
  assert.ok(outside.now <= 5000);
  assert.deepEqual(heard.at(-1), [false, 1]);
  const [frozen] = outside.sockets;
  assert.ok(frozen.closed);
  outside.turn(DELAYS[0]);
  outside.accept();
  frozen.onmessage({ data: '{"kind": "state"}' }); // it thaws
  frozen.onclose();
  assert.equal(outside.sockets.length, 2);
  assert.deepEqual(heard.slice(told), [[false, 1], [true, 0]]);
});

test("a server that answers is asked for ever, and nobody is told", () => {
  const { outside, heard } = connected();
  outside.accept();
  for (let n = 0; n < 10; n += 1) {
    outside.hears("alive");
    outside.turn(BEAT + PATIENCE / 2);
  }
  assert.equal(outside.socket.all.filter(({ kind }) => kind === "alive").length, 11);
  assert.deepEqual(heard, [[true, 0]]);
});

test("what the server says while it is asked is an answer, too", () => {
  const { outside } = connected();
  outside.accept();
  for (let n = 0; n < 10; n += 1) {
    outside.turn(PATIENCE - 1);
    outside.hears("nodes");
    outside.turn(BEAT);
  }
  assert.equal(outside.sockets.length, 1);
});

test("a slow line gets more time after each silence, until the server has answered", () => {
  const { outside } = connected();
  const silences = [];
  for (let n = 0; n < 3; n += 1) {
    silences.push(outside.timers[0].milliseconds);
    outside.turn(outside.timers[0].milliseconds); // the handshake freezes
    outside.turn(DELAYS[n]);
  }
  assert.deepEqual(silences, [PATIENCE, 2 * PATIENCE, 4 * PATIENCE]);
  outside.accept();
  outside.hears("alive");
  outside.turn(BEAT);
  assert.equal(outside.timers[0].milliseconds, PATIENCE);
});

test("a page that is seen again asks at once", () => {
  const { outside } = connected();
  outside.accept();
  outside.hears("alive");
  outside.visible();
  assert.deepEqual(outside.socket.all.slice(-2), [{ kind: "visible", on: true }, { kind: "alive" }]);
});
