/** The data from the server, and its listeners. */

import { leavesOf } from "./input.js";
import { Tree, curve } from "./tree.js";

export const COLORS = ["black", "white"];

/** How the keys of the tables for exercises begin, which disturb no game. */
export const EXERCISES = "exercise";

/** Milliseconds within which a message comes right behind another one. */
const RIGHT_BEHIND = 5;

/** The newest message of each kind from the server; panels read it and listen to kinds. */
export class Store {
  constructor() {
    this.hello = null;
    this.state = null;
    this.actual = null;
    this.frame = null;
    this.rules = null;
    this.exercise = null;
    this.asked = null; // the id of the exercise that the page is at, or on its way to
    this.online = false;
    this.failures = 0;
    this.tree = new Tree();
    this.nodes = null; // not told yet
    this.commands = new Map();
    this.listeners = new Map();
  }

  /** Call `listener(message)` after each message of a kind; the kind `online` is our own. */
  on(kind, listener) {
    const list = this.listeners.get(kind);
    if (list) list.push(listener);
    else this.listeners.set(kind, [listener]);
  }

  /** Call `listener` when what was asked for may not come: after an error, and without a connection. */
  onFailure(listener) {
    this.on("told", ({ level }) => level === "error" && listener());
    this.on("online", () => this.online || listener());
  }

  /** Call `listener` when the page comes to a table, also to the same one again: it is told all anew. */
  onArrival(listener) {
    this.on("hello", ({ first }) => first && listener());
  }

  /**
   * Handle a message of the server. Frames and previews of another position are dropped, and
   * positions of a table for exercises where the page is there without one. Nodes are told with the
   * position that comes right behind them, so that the page draws once for both.
   */
  take(message) {
    const keep = KEEP[message.kind];
    if (keep && keep(this, message) === false) return;
    this.tellNodes();
    if (message.kind !== "nodes") return this.tell(message.kind, message);
    this.nodes = message;
    this.timer = setTimeout(() => this.tellNodes(), RIGHT_BEHIND);
  }

  tellNodes() {
    const { nodes } = this;
    clearTimeout(this.timer);
    this.nodes = null;
    if (nodes) this.tell("nodes", nodes);
  }

  /** The connection opened, or failed for the nth time. */
  connected(online, failures) {
    this.online = online;
    this.failures = failures;
    this.greeted = false;
    this.tell("online", null);
  }

  tell(kind, message) {
    for (const listener of this.listeners.get(kind) ?? []) {
      try {
        listener(message);
      } catch (error) {
        setTimeout(() => { throw error; }); // the other panels go on
      }
    }
  }

  /** The catalog of the board engine, or null before it is known. */
  get catalog() {
    return this.hello?.catalog ?? null;
  }

  /** What the catalog tells of a game, undefined for another one. */
  game(name) {
    return this.catalog?.games.find((one) => one.name === name);
  }

  /** The losses from which a turn is a `mistake` and a `blunder`, as the engine tells. */
  get measure() {
    return this.catalog ?? this.hello ?? {};
  }

  /** Whether the page only plays one color, or only watches. */
  get guest() {
    return this.role !== "host";
  }

  /** The names of the engines that can play. */
  get players() {
    const names = (this.hello?.engines ?? []).map(({ name }) => name);
    return names.filter((name) => !SERVANTS.includes(name));
  }

  /** The title of a color in the game on the board. */
  title(color) {
    return this.state?.view.game.colors[color]?.title ?? color;
  }

  /** Whether a person plays a color. */
  person(color) {
    return this.state?.seats[color]?.kind === "human";
  }

  /** What the person at the page is here: `host`, a guest's color, or `watch`. */
  get role() {
    return this.hello?.role ?? "host";
  }

  /** Whether the page may send a kind of message. */
  may(kind) {
    return this.hello?.may_send?.includes(kind) ?? true;
  }

  /** Whether a guest has a seat. */
  get shared() {
    return Object.values(this.state?.seats ?? {}).some(({ guest }) => guest);
  }

  /** Whether the person at the page plays a color. */
  plays(color) {
    return this.person(color) && (this.state.seats[color].guest ?? "host") === this.role;
  }

  /** The one color that the person at the page plays; null if it is none or both. */
  get own() {
    const mine = COLORS.filter((color) => this.plays(color));
    return mine.length === 1 ? mine[0] : null;
  }

  /** Whether the person at the page plays against somebody, who has one of the colors. */
  get opponent() {
    return this.own !== null;
  }

  /** Whether whoever looks at another position leaves the others where they are. */
  get apart() {
    return this.guest || (this.shared && !this.actual.over);
  }

  /** Whether the page is at a table for exercises. */
  get exercising() {
    return Boolean(this.hello?.table?.startsWith(EXERCISES));
  }

  /** Whether the page is there without an exercise: it is on its way to one, or home. */
  get underway() {
    return this.exercising && !this.exercise;
  }

  /** Whether the person at the page can play now. */
  get live() {
    const state = this.state;
    if (!state || !this.online || this.hello?.readonly || this.underway || state.looking) return false;
    if (state.view.outcome || state.thinking) return false;
    if (this.exercise && this.exercise.status !== "open") return false;
    return this.plays(state.view.turn.to_move) || (this.role === "host" && Boolean(state.paused || state.resting));
  }

  /** What becomes of the game on the board if another one replaces it. */
  get leaving() {
    return `The game on the board is not over. ${this.hello?.lasts ? "It stays in My games." : "To keep it, save it in Record first."}`;
  }

  /** Whether the turns of the shown line were reviewed, now or before the game was kept. */
  get judged() {
    if (this.state.reviewed) return true;
    const [, ...turns] = curve(this.tree, this.state.node);
    return turns.length > 0 && turns.every(({ best }) => best);
  }

  /** Whether there is a game that a new one would replace, wherever in it people look. */
  get begun() {
    return this.tree.children(0).length > 0 && !this.state?.over;
  }
}

/** The engines without a seat: the board engine and the analyst. */
export const SERVANTS = ["board", "analyst"];

/** Whether a state shows the position of a frame: whoever looks back changes no `rev`. */
const shows = (state, frame) => state?.rev === frame?.rev && state?.node === frame?.node;

const KEEP = {
  hello(store, message) {
    // It comes again when an engine has started: then all that was told of the table holds.
    message.first = !store.greeted || store.hello.table !== message.table;
    // A frame of another table may have the same rev.
    if (message.first) store.frame = null;
    store.greeted = true;
    store.hello = message;
  },
  state(store, message) {
    if (!shows(message, store.frame)) store.frame = null;
    message.came ??= performance.now(); // an old one that is told again keeps its time
    store.state = message;
    if (!message.looking) store.actual = message;
    store.tree.visit(message.node);
    return !store.underway; // it is told with its exercise
  },
  nodes(store, message) {
    store.tree.take(message);
  },
  frame(store, message) {
    if (!shows(store.state, message)) return false;
    store.frame = message;
  },
  looked(store, { node, view }) {
    store.take({ ...store.actual, node, view, looking: node !== store.actual.node });
  },
  preview(store, message) {
    return message.rev === store.state?.rev;
  },
  rules(store, message) {
    store.rules = message;
  },
  exercise(store, message) {
    const { id } = message;
    // This page has left it, or only another page is at it.
    if (id && id !== store.asked && !store.exercise) return false;
    if (id) store.asked = id;
    store.exercise = id ? message : null;
  },
  commands(store, message) {
    store.commands.set(message.engine, message.list);
  },
};

/**
 * All words of the options and buttons of a view, in order.
 * @param {object} view
 * @param {number} most largest number of words
 * @returns {Array<{step: string, text: string}>}
 */
export function words({ buttons, options }, most = 400) {
  return [...buttons, ...leavesOf(options).map(({ leaf }) => leaf)].slice(0, most).map(({ step, text }) => ({ step, text }));
}

/**
 * The values of a frame from Black's side.
 * @param {object} data an object of the analysis stream
 * @returns {{chance: number, proven: number|null, lead: number|null, visits: number}}
 */
export function forBlack(data) {
  const turned = data.color === "white";
  const flip = (value) => (value === null || value === undefined ? null : turned ? 1 - value : value);
  const lead = data.turns?.[0]?.lead ?? null;
  return {
    chance: flip(data.chance) ?? 0.5,
    proven: flip(data.proven),
    lead: lead === null ? null : turned ? -lead : lead,
    visits: data.visits,
  };
}
