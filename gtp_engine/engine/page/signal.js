/** The sounds of a game: a piece, a capture, one's own turn, the last seconds of one's clock, the end. */

import { afterPicture } from "./dom.js";

/** Tones of each sound: the pitch in hertz; in seconds when a tone begins, and how long it lasts. */
const SOUNDS = {
  piece: [{ pitch: 330, begins: 0, lasts: 0.07, volume: 0.25 }],
  capture: [{ pitch: 330, begins: 0, lasts: 0.07, volume: 0.25 }, { pitch: 220, begins: 0.08, lasts: 0.12, volume: 0.25 }],
  turn: [{ pitch: 587, begins: 0, lasts: 0.3, volume: 0.12 }, { pitch: 784, begins: 0.13, lasts: 0.3, volume: 0.12 }],
  tick: [{ pitch: 988, begins: 0, lasts: 0.05, volume: 0.08 }],
  end: [523, 659, 784].map((pitch, n) => ({ pitch, begins: 0.16 * n, lasts: 0.4, volume: 0.12 })),
};

/** Seconds between two sounds of one moment. */
const APART = 0.2;

/** Seconds of a clock that are counted. */
const COUNTED = 10;
/** A timer may be early by so many seconds. */
const EARLY = 0.05;

/** Sound what happens in the game, if the settings say so. */
export function signalPanel(app) {
  const { store } = app;
  let context = null;
  let before = null;
  let ticking = null;
  // A browser lets a page sound only after somebody has used it.
  document.addEventListener("pointerdown", () => (context ??= audio()), { once: true });
  document.addEventListener("keydown", () => (context ??= audio()), { once: true });
  const play = (names) => {
    if (names.length && app.settings.sound && context) afterPicture(() => sound(context, names));
  };
  const count = (clock, since) => {
    const left = clock[clock.running] - (performance.now() - since) / 1000;
    const next = nextTick(left);
    if (!next || !store.online) return;
    ticking = setTimeout(() => {
      play(["tick"]);
      count(clock, since);
    }, 1000 * (left - next));
  };
  store.on("hello", ({ table }) => {
    if (before?.table !== table) before = null;
  });
  store.on("state", (state) => {
    if (app.game || state.looking) return;
    const now = momentOf(store);
    const played = before?.tree === now.tree && before.node !== now.node && store.tree.path(now.node).includes(before.node);
    play(soundsOf(before, now, played));
    before = now;
    clearTimeout(ticking);
    const { clock } = state;
    if (clock?.running && store.plays(clock.running)) count(clock, state.came);
  });
}

/** What of a state can be heard when it changes. */
function momentOf(store) {
  const { tree, node, over, view } = store.state;
  const mine = !over && store.opponent && store.plays(view.turn.to_move);
  return { table: store.hello?.table, tree, node, over: Boolean(over), pieces: view.pieces, mine };
}

/**
 * What is heard when a moment follows another one: names of sounds, in order.
 * @param {object|null} before @param {object} now see `momentOf`
 * @param {boolean} played whether turns lead from one to the other
 */
export function soundsOf(before, now, played) {
  if (!before) return [];
  const list = [];
  const kept = new Set(now.pieces.map(({ id }) => id));
  if (played && JSON.stringify(before.pieces) !== JSON.stringify(now.pieces)) list.push(before.pieces.every(({ id }) => kept.has(id)) ? "piece" : "capture");
  if (played && now.over && !before.over) list.push("end");
  if (now.mine && !before.mine) list.push("turn");
  return list;
}

/** The number of seconds at which a clock with so many left is heard next; 0 if it is not. */
export function nextTick(left) {
  return Math.max(0, Math.min(COUNTED, Math.ceil(left - EARLY) - 1));
}

/** The sound of the browser, at rest: while it runs, it keeps the processor busy also in silence. */
function audio() {
  if (!window.AudioContext) return null;
  const context = new AudioContext();
  context.suspend();
  return context;
}

let sounding = 0;

/** Short, soft tones. */
async function sound(context, names) {
  sounding += 1;
  await context.resume();
  const tones = names.flatMap((name, n) => SOUNDS[name].map(({ pitch, begins, lasts, volume }) => {
    const tone = context.createOscillator();
    const gain = context.createGain();
    const start = context.currentTime + APART * n + begins;
    tone.frequency.value = pitch;
    gain.gain.setValueAtTime(volume, start);
    gain.gain.exponentialRampToValueAtTime(0.001, start + lasts);
    tone.connect(gain).connect(context.destination);
    tone.start(start);
    tone.stop(start + lasts);
    return tone;
  }));
  tones.at(-1).onended = () => {
    sounding -= 1;
    if (sounding === 0) context.suspend();
  };
}
