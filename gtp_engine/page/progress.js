/** What the person at this browser has solved, by the set of the exercises. */

const KEY = "board-progress";

/** Add `progress(set)` to the app: the ids of the solved exercises, to read and to add. */
export function progressStore(app) {
  const kept = read();
  app.progress = (set) => {
    const ids = new Set(Array.isArray(kept[set]) ? kept[set] : []);
    return {
      has: (id) => ids.has(id),
      add: (id) => {
        ids.add(id);
        kept[set] = [...ids];
        write(kept);
        app.store.tell("progress", null);
      },
    };
  };
}

function read() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {};
  }
}

function write(kept) {
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // Without storage the progress lasts until the page is closed.
  }
}
