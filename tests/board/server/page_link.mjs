/** The connection that comes back by itself, on a clock and a network of the test. */

import assert from "node:assert/strict";
import test from "node:test";
import { DELAYS, Link, pause } from "./socket.js";

class Outside {
  constructor() {
    this.sockets = [];
    this.timers = [];
    this.isHidden = false;
  }
  open = () => {
    const socket = { readyState: 0, sent: [], send: (text) => socket.sent.push(JSON.parse(text)) };
    this.sockets.push(socket);
    return socket;
  };
  later = (work, milliseconds) => this.timers.push({ work, milliseconds });
  forget = (number) => {
    if (this.timers[number - 1]) this.timers[number - 1].work = () => {};
  };
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
  for (let n = 0; n < DELAYS.length + 2; n += 1) {
    outside.lose();
    outside.timers.at(-1).work();
  }
  assert.deepEqual(outside.timers.map(({ milliseconds }) => milliseconds), [...DELAYS, DELAYS.at(-1), DELAYS.at(-1)]);
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
  outside.timers.at(-1).work();
  outside.accept();
  assert.deepEqual(outside.socket.sent, [{ kind: "hello" }]);
});

test("it comes back at once when the network or the eye does, and never twice", () => {
  const { outside } = connected();
  outside.lose();
  outside.online();
  assert.equal(outside.sockets.length, 2);
  outside.online();
  outside.timers.at(-1).work();
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
  outside.timers.at(-1).work();
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
