/** Games that the page encloses, in place of a server: they answer what the panels ask. */

import { at } from "./dom.js";

/**
 * The games inside this page, as `replay_page.py` tells them; null on the page of a server.
 * @param {string} fragment names the game to begin with
 * @returns {Promise<{look: object, rules: object, list: Array, load: (number) => Promise<object>,
 *   number: number, game: object} | null>}
 */
export async function enclosed(fragment) {
  if (!at("enclosed")) return null;
  const games = { ...(await unpacked("enclosed")), load: (number) => unpacked(`game-${number}`) };
  const number = numberOf(games.list, fragment) ?? games.list[0].game;
  return { ...games, number, game: await games.load(number) };
}

async function unpacked(id) {
  const packed = Uint8Array.from(atob(at(id).textContent), (sign) => sign.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

/** The parts of a fragment: `#game=5&turn=12`; on a page of one game also `#12`; and `#node=34`. */
const PARTS = /^#(?:game=(\d{1,9})(?:&|$))?(?:(?:turn=)?(\d{1,6})|node=(\d{1,6}))?$/;

/** The number of the game that a fragment names, if the list has it. */
export function numberOf(list, fragment) {
  const number = Number(PARTS.exec(fragment)?.[1]);
  return list.find(({ game }) => game === number)?.game ?? null;
}

/**
 * The node that a fragment names: the end of a turn, or any node; the start without one.
 * @param {{ends: number[], nodes: Array}} game
 */
export function nodeOf({ ends, nodes }, fragment) {
  const [, , turn, node] = PARTS.exec(fragment) ?? [];
  if (node) return Number(node) < nodes.length ? Number(node) : 0;
  return ends[Math.min(Number(turn ?? 0), ends.length - 1)];
}

/** The fragment for a node, with its #; `number` is that of the game on a page of several. */
export function fragmentOf({ ends }, node, number = null) {
  const turn = ends.indexOf(node);
  if (number === null) return turn < 0 ? `#node=${node}` : `#${turn}`;
  return `#game=${number}&${turn < 0 ? "node" : "turn"}=${turn < 0 ? node : turn}`;
}

/** What a state says of a game that is over for this page. */
const FIXED = { kind: "state", thinking: null, paused: true, resting: false, reviewing: false, reviewed: false, swap_note: null, pie: null, engines: [] };

/**
 * The games; in place of a Link.
 *
 * number, game -- the shown game
 */
export class Playback {
  /**
   * @param {object} games see `enclosed` @param {string} fragment names the first node to show
   * @param {object} listener as that of a Link
   */
  constructor(games, fragment, listener) {
    this.games = games;
    this.listener = listener;
    this.number = games.number;
    this.game = games.game;
    this.node = nodeOf(this.game, fragment);
    this.rev = 0;
    this.analysing = Boolean(this.game.hello.reviewed);
  }

  /** Whether there are several games, so that an address names one. */
  get several() {
    return this.games.list.length > 1;
  }

  /** The fragment for what is shown, with its #. */
  get fragment() {
    return fragmentOf(this.game, this.node, this.several ? this.number : null);
  }

  /** Send what a page is sent at its start. */
  start() {
    this.listener.onChange(true, 0);
    if (this.several) this.tell({ kind: "games", list: this.games.list });
    this.begin();
  }

  /** Send the shown game. */
  begin() {
    const { hello, nodes, left_out: illegal } = this.game;
    this.tell(hello);
    this.tell({ kind: "watching", game: this.number });
    this.tell({ kind: "nodes", reset: true, set: nodes, drop: [] });
    this.show();
    if (illegal) this.tell({ kind: "told", level: "error", text: `${illegal === 1 ? "One variation was" : `${illegal} variations were`} left out: against the rules.` });
  }

  /** Show what a fragment names; without a game that is here, in the shown one. */
  async follow(fragment) {
    const number = numberOf(this.games.list, fragment) ?? this.number;
    this.wanted = number;
    if (number === this.number) return ANSWERS.goto(this, { node: nodeOf(this.game, fragment) });
    const game = await this.games.load(number);
    if (this.wanted !== number) return; // somebody has chosen again meanwhile
    this.number = number;
    this.game = game;
    this.node = nodeOf(game, fragment);
    this.rev += 1;
    this.begin();
  }

  /** Answer a message; false for one that needs an engine. */
  send({ kind, ...fields }) {
    const answer = ANSWERS[kind];
    answer?.(this, fields);
    return Boolean(answer);
  }

  show() {
    const { game, node, rev, analysing } = this;
    this.tell({ ...FIXED, rev, node, analysing, view: this.view(), seats: this.seats(), can_undo: node !== 0, can_redo: false });
    const data = analysing && game.frames[node];
    if (data) this.tell({ kind: "frame", rev, node, data });
  }

  view() {
    const view = this.game.views[this.node];
    return { ...view, pieces: view.pieces.map((piece) => this.game.pieces[piece]) };
  }

  seats() {
    const { black, white } = this.game.players;
    const seat = (engine) => ({ kind: "engine", engine, level: null });
    const [first, second] = this.game.nodes[this.node].exchanged ? [white, black] : [black, white];
    return { black: seat(first), white: seat(second) };
  }

  // Later, like the answer of a server: a listener must not hear the next message in between.
  tell(message) {
    queueMicrotask(() => this.listener.onMessage(message));
  }
}

const ANSWERS = {
  goto(playback, { node }) {
    if (playback.game.views[node] === undefined) return;
    playback.node = node;
    playback.rev += 1;
    playback.show();
  },
  analyse(playback, { on }) {
    playback.analysing = on;
    playback.show();
  },
  watch(playback, { game }) {
    playback.follow(`#game=${game}`);
  },
  rules(playback) {
    playback.tell(playback.games.rules[playback.view().game.name]);
  },
  save(playback, { form }) {
    playback.tell({ ...playback.game.records[form], form });
  },
};
