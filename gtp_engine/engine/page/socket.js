/** The connection to the server: it reconnects automatically, and stores nothing to send later. */

import { Pulse } from "./heartbeat.js";

/** Milliseconds before each new attempt; the last value is repeated. */
export const DELAYS = [250, 500, 1000, 2000, 5000];

/** The code with which the server ends the socket of a guest whose invitation was closed. */
const CLOSED = 4001;

/** The kind of the heartbeat, both the question and the answer. */
const ALIVE = "alive";

/**
 * The time before a new attempt.
 * @param {number} attempt failed attempts so far
 * @param {() => number} random 0 to 1
 * @returns {number} milliseconds, three to five quarters of that attempt's delay
 */
export function pause(attempt, random) {
  return DELAYS[Math.min(attempt, DELAYS.length - 1)] * (0.75 + random() / 2);
}

/** What a connection needs from the browser; tests replace it. */
export function browser() {
  return {
    // A site without a server has a script that brings its own.
    open: (address) => globalThis.carrier?.() ?? new WebSocket(address),
    later: (work, milliseconds) => setTimeout(work, milliseconds),
    forget: (timer) => clearTimeout(timer),
    random: Math.random,
    hidden: () => document.visibilityState === "hidden",
    onOnline: (work) => window.addEventListener("online", work),
    onVisible: (work) => document.addEventListener("visibilitychange", work),
  };
}

/**
 * A WebSocket that reconnects.
 *
 * table -- the key of the table that a new connection enters, null for the first
 */
export class Link {
  /**
   * @param {string} address @param {{onMessage: (message: object) => void, onChange: (open:
   * boolean, failures: number) => void}} listener
   *   `onChange` is called when the connection opens, and each time it is lost or cannot be made
   * @param {object} outside see `browser`
   */
  constructor(address, listener, outside = browser()) {
    this.address = address;
    this.listener = listener;
    this.outside = outside;
    this.socket = null;
    this.failures = 0;
    this.timer = null;
    this.table = null;
    this.ended = false;
    this.pulse = new Pulse(outside, () => this.send({ kind: ALIVE }), () => this.drop());
  }

  /** Whether messages can be sent now. */
  get open() {
    return this.socket !== null && this.socket.readyState === 1;
  }

  /** Connect, and keep reconnecting. */
  start() {
    this.outside.onOnline(() => this.hurry());
    this.outside.onVisible(() => this.seen());
    this.connect();
  }

  /**
   * Send a message, or drop it without a connection.
   * @param {object} message
   * @returns {boolean} whether it was sent
   */
  send(message) {
    if (!this.open) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  seen() {
    const on = !this.outside.hidden();
    if (this.open) {
      this.send({ kind: "visible", on });
      if (on) this.pulse.beat(); // nobody knows how long the page has slept
    } else if (on) this.hurry();
  }

  hurry() {
    if (this.socket !== null || this.ended) return;
    this.outside.forget(this.timer);
    this.connect();
  }

  connect() {
    this.timer = null;
    const socket = this.outside.open(this.address);
    this.socket = socket;
    this.pulse.expect();
    socket.onopen = () => {
      this.send({ kind: "hello", ...(this.table && { table: this.table }) });
      if (this.outside.hidden()) this.send({ kind: "visible", on: false });
      this.pulse.beat();
      this.listener.onChange(true, 0);
    };
    socket.onmessage = (event) => {
      if (this.socket !== socket) return;
      this.pulse.heard();
      const message = parsed(event.data);
      if (message === null) return;
      this.failures = 0; // not before: a page without a place is sent away after its hello
      if (message.kind !== ALIVE) this.listener.onMessage(message);
    };
    socket.onclose = (event) => {
      if (this.socket !== socket) return;
      this.ended = event?.code === CLOSED;
      this.lost();
    };
  }

  /** Leave a connection on which nothing comes any more; what it delivers later is not read. */
  drop() {
    const { socket } = this;
    this.lost();
    socket.close();
  }

  /** Try again after a while, unless the server has ended it for good. */
  lost() {
    this.socket = null;
    this.pulse.stop();
    if (this.ended) return this.listener.onChange(false, Infinity);
    const wait = pause(this.failures, this.outside.random);
    this.failures += 1;
    this.timer = this.outside.later(() => this.connect(), wait);
    this.listener.onChange(false, this.failures);
  }
}

function parsed(text) {
  try {
    const message = JSON.parse(text);
    return typeof message?.kind === "string" ? message : null;
  } catch {
    return null;
  }
}
