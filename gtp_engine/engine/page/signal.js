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

function audio() {
  return window.AudioContext ? new AudioContext() : null;
}

/** Two short, soft tones. */
function sound(context) {
  TONES.forEach((pitch, n) => {
    const tone = context.createOscillator();
    const volume = context.createGain();
    const start = context.currentTime + 0.13 * n;
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.12, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + 0.3);
    tone.connect(volume).connect(context.destination);
    tone.start(start);
    tone.stop(start + 0.3);
  });
}
