/** A game that the page encloses, in place of a server: it answers what the panels ask. */

import { at } from "./dom.js";

/** The game inside this page, as `replay_page.py` tells it; null on the page of a server. */
export async function enclosed() {
  const element = at("enclosed");
  if (!element) return null;
  const packed = Uint8Array.from(atob(element.textContent), (sign) => sign.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

/**
 * The node that a fragment names, `#12` for the end of a turn or `#node=34`; the start without one.
 * @param {{ends: number[], nodes: Array}} game
 */
export function nodeOf({ ends, nodes }, fragment) {
  const [, turn, node] = /^#(?:(\d{1,6})|node=(\d{1,6}))$/.exec(fragment) ?? [];
  if (node) return Number(node) < nodes.length ? Number(node) : 0;
  return ends[Math.min(Number(turn ?? 0), ends.length - 1)];
}

/** The fragment for a node, with its #. */
export function fragmentOf({ ends }, node) {
  const turn = ends.indexOf(node);
  return turn < 0 ? `#node=${node}` : `#${turn}`;
}

/** What a state says of a game that is over for this page. */
const FIXED = { kind: "state", thinking: null, paused: true, resting: false, reviewing: false, reviewed: false, swap_note: null, pie: null, engines: [] };

/** The game; in place of a Link. */
export class Playback {
  /**
   * @param {object} game see `enclosed` @param {string} fragment names the first node to show
   * @param {object} listener as that of a Link
   */
  constructor(game, fragment, listener) {
    this.game = game;
    this.listener = listener;
    this.node = nodeOf(game, fragment);
    this.rev = 0;
    this.analysing = Boolean(game.hello.reviewed);
  }

  /** Send what a page is sent at its start. */
  start() {
    const { hello, nodes, left_out: illegal } = this.game;
    this.listener.onChange(true, 0);
    this.tell(hello);
    this.tell({ kind: "nodes", reset: true, set: nodes, drop: [] });
    this.show();
    if (illegal) this.tell({ kind: "told", level: "error", text: `${illegal === 1 ? "One variation was" : `${illegal} variations were`} left out: against the rules.` });
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
  rules(playback) {
    playback.tell(playback.game.rules);
  },
  save(playback, { form }) {
    playback.tell(playback.game.records[form]);
  },
};
