/** Says when the server does not answer, or something is being opened; what is there then cannot be used. */

import { at, button, fill } from "./dom.js";

const GIVEN_UP = 6;

/** Whether the server has not been there for so long that nobody knows when it comes back. */
export function serverGone({ failures }) {
  return failures > GIVEN_UP;
}

/**
 * Show the state of the connection, and add to the app:
 *
 * opening(arrived) -- nothing below the links can be used until a state comes of which `arrived(state)` holds, if that is
 *   given, an exercise comes, the server tells something, or the person goes elsewhere; null ends that
 */
export function connectionPanel(app) {
  const { store } = app;
  const veil = at("veil");
  let arrived = null;
  const shown = () => {
    const waiting = !store.state;
    const away = !store.online;
    at("nav").inert = waiting;
    at("page").inert = waiting || Boolean(arrived);
    at("stage").classList.toggle("away", away);
    document.body.classList.toggle("dismissed", store.failures === Infinity);
    veil.hidden = !at("page").inert && !away;
    const unsent = app.unsent();
    if (store.failures === Infinity) veil.textContent = "This invitation was closed. Thank you for playing.";
    else if (serverGone(store) && store.role !== "host") veil.textContent = "The board of your host does not respond. If it does not come back, ask for a new invitation.";
    else if (serverGone(store)) veil.textContent = "The server does not respond. Start it again: then this page goes on by itself. Until then you can look through the game, and save it.";
    else if (store.failures && unsent) fill(veil, `Connection lost. Reconnecting. ${unsent} has got no answer: it is sent again afterwards. `, button({ label: "Take it back", class: "offer", onclick: app.takeBack }));
    else if (store.failures && !waiting) veil.textContent = "Connection lost. Reconnecting automatically.";
    else veil.textContent = `${waiting ? "Connect" : "Open"}ing\u2026`;
  };
  app.opening = (test = () => false) => {
    arrived = store.online ? test : null; // what was asked for is lost with the connection
    shown();
  };
  const end = () => app.opening(null);
  store.on("online", end);
  store.on("screen", end);
  store.on("told", end);
  store.on("exercise", ({ id }) => id === store.asked && end());
  store.on("state", (state) => {
    if (!arrived?.(state)) return shown();
    end();
    app.focusBoard();
  });
  end();
}
