/** What the person has solved, by the set of the exercises. The journal of the server keeps it. */

/** Add `progress(set)` to the app: the solved exercises of a set, to read, to add, and to count those of a game. */
export function progressStore(app) {
  const kept = new Map();
  const best = (key, stars) => kept.set(key, Math.max(stars, kept.get(key) ?? 0));
  app.store.on("hello", ({ progress = {} }) => {
    for (const [set, solved] of Object.entries(progress)) {
      for (const [id, stars] of Object.entries(solved)) best(`${set} ${id}`, stars);
    }
    app.store.tell("progress", null);
  });
  app.progress = (set) => ({
    has: (id) => kept.has(`${set} ${id}`),
    count: (game) => [...kept.keys()].filter((key) => key.startsWith(`${set} ${game}.`)).length,
    add: (id, stars = 1) => {
      best(`${set} ${id}`, stars);
      app.send("progress", { set, id, stars });
      app.store.tell("progress", null);
    },
  });
}
