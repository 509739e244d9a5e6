// A service worker: keeps the files of the board, so that it works offline. make_site.py puts what it
// keeps, and the word for all of it, into the first two lines of code.
//
// A new version is fetched beside the one in use. The browser turns to it when no tab of the board is
// open any more, so never in the middle of a game.
const VERSION = "";
const FILES = {};

const NAME = `patchpie ${registration.scope} `;
const here = (name) => new URL(name, registration.scope).href;

/**
 * All files, or none: also none while the host has some of another version. The next visit tries again. Those
 * that are as before are not sent again by a host that tells.
 */
async function keep() {
  const kept = await caches.open(NAME + VERSION);
  await kept.addAll(Object.entries(FILES).map(([name, integrity]) => new Request(here(name), { cache: "no-cache", integrity })));
}

async function forgetOthers() {
  for (const name of await caches.keys()) {
    if (name.startsWith(NAME) && name !== NAME + VERSION) await caches.delete(name);
  }
}

async function answer(request) {
  const kept = await caches.open(NAME + VERSION);
  const { origin, pathname } = new URL(request.url);
  const name = origin + pathname; // the page is kept by that of its folder
  return (await kept.match(name === here("index.html") ? here("") : name)) ?? fetch(request);
}

addEventListener("install", (event) => event.waitUntil(keep()));
addEventListener("activate", (event) => event.waitUntil(forgetOthers()));
addEventListener("fetch", (event) => {
  if (event.request.method === "GET") event.respondWith(answer(event.request));
});
