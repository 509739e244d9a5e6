/** Says by a sound that it is one's turn. */

const TONES = [587, 784];

/** Sound when it becomes one's own turn. */
export function signalPanel(app) {
  const { store } = app;
  let context = null;
  let mine = null;
  // A browser lets a page sound only after somebody has used it.
  document.addEventListener("pointerdown", () => (context ??= audio()), { once: true });
  document.addEventListener("keydown", () => (context ??= audio()), { once: true });
  store.on("state", (state) => {
    if (app.game || state.looking) return;
    const before = mine;
    mine = !state.view.outcome && store.opponent && store.plays(state.view.turn.to_move);
    if (mine && before === false && app.settings.sound && context) sound(context);
  });
}

/** The sound of the browser, at rest: while it runs, it keeps the processor busy also in silence. */
function audio() {
  if (!window.AudioContext) return null;
  const context = new AudioContext();
  context.suspend();
  return context;
}

let sounding = 0;

/** Two short, soft tones. */
async function sound(context) {
  sounding += 1;
  await context.resume();
  const tones = TONES.map((pitch, n) => {
    const tone = context.createOscillator();
    const volume = context.createGain();
    const start = context.currentTime + 0.13 * n;
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.12, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + 0.3);
    tone.connect(volume).connect(context.destination);
    tone.start(start);
    tone.stop(start + 0.3);
    return tone;
  });
  tones.at(-1).onended = () => {
    sounding -= 1;
    if (sounding === 0) context.suspend();
  };
}
