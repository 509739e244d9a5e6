/** Says when the server does not answer; until it first does, nothing on the page can be used. */

import { at, button, fill } from "./dom.js";

const GIVEN_UP = 6;

/** Whether the server has not been there for so long that nobody knows when it comes back. */
export function serverGone({ failures }) {
  return failures > GIVEN_UP;
}

/** Show the state of the connection. */
export function connectionPanel(app) {
  const { store } = app;
  const veil = at("veil");
  const shown = () => {
    const waiting = !store.state;
    const away = !store.online;
    document.body.classList.toggle("waiting", waiting);
    for (const part of ["page", "nav"]) at(part).inert = waiting;
    at("stage").classList.toggle("away", away);
    document.body.classList.toggle("dismissed", store.failures === Infinity);
    veil.hidden = !waiting && !away;
    const unsent = app.unsent();
    if (store.failures === Infinity) veil.textContent = "This invitation was closed. Thank you for playing.";
    else if (serverGone(store) && store.role !== "host") veil.textContent = "The board of your host does not respond. If it does not come back, ask for a new invitation.";
    else if (serverGone(store)) veil.textContent = "The server does not respond. Start it again: then this page goes on by itself. Until then you can look through the game, and save it.";
    else if (store.failures && unsent) fill(veil, `Connection lost. Reconnecting. ${unsent} has got no answer: it is sent again afterwards. `, button({ label: "Take it back", class: "offer", onclick: app.takeBack }));
    else if (store.failures && !waiting) veil.textContent = "Connection lost. Reconnecting automatically.";
    else veil.textContent = "Connecting\u2026";
  };
  store.on("online", shown);
  store.on("state", shown);
  shown();
}
