/** Sharing a game without a server: as text, as a page in one file, as a picture. */

import { at, button, el, fill } from "./dom.js";
import { copy, download, isOwn, openText, wasOwn } from "./files.js";
import { pack, packedIn, unpack } from "./packed.js";
import { lineOf } from "./record.js";

const PIXELS = 1200;

/** Build the dialog, and open a game that comes in the address. */
export function sharePanel(app) {
  const { store } = app;
  const link = el("textarea", { rows: "3", readonly: true, "aria-label": "Game as text", spellcheck: "false" });
  const status = el("p", { class: "done", role: "status" });
  const copyLink = button({ label: "Copy", icon: "copy", class: "primary", onclick: async () => (status.textContent = (await copy(link.value, link)) ? "Copied." : "The browser refused to copy.") });
  const page = app.game ? null : button({ label: "Game as a page", icon: "record", class: "writes", title: "One HTML file that steps through the game, without a server", onclick: () => app.send("save", { form: "page" }) });
  const dialog = el(
    "dialog",
    { id: "share", "aria-labelledby": "share-title" },
    el("div", { class: "dialog-head" }, el("h2", { id: "share-title", text: "Share the game" }), button({ label: "Done", onclick: () => dialog.close() })),
    el("p", { class: "about", text: "This text is the game. A friend pastes it into a board (Ctrl+V), plays a turn, and sends the new text back." }),
    link,
    el("div", { class: "row" }, copyLink, page, button({ label: "Picture (PNG)", onclick: () => picture(app, "png") }), button({ label: "Picture (SVG)", onclick: () => picture(app, "svg") })),
    status,
  );
  document.body.append(dialog);
  // The notes of the page are behind the dialog.
  store.on("told", ({ text }) => dialog.open && (status.textContent = text));
  const show = async () => {
    status.textContent = "";
    link.value = "";
    dialog.showModal();
    const record = await app.record();
    const packed = record && (await pack(record.text));
    copyLink.disabled = !packed;
    link.value = packed ?? "";
    if (!packed) status.textContent = record ? "The game is too long for this. Save it as a page." : "The game did not come. Try again.";
  };
  at("tools").append(button({ label: "Share", icon: "link", iconOnly: true, class: "act", onclick: show }));
  at("more").querySelector(".menu").append(button({ label: "Share", icon: "link", onclick: show }));

  const arrive = async (packed) => {
    if (!packed) return;
    const text = await unpack(packed);
    if (store.state && text === lineOf(store)) return; // it is on the board
    const fault = !text ? "The link holds no game." : app.game ? "This page shows no other game. Open the link on a board." : "";
    if (fault && text !== app.game?.records.plain.text) store.tell("told", { level: "error", text: fault });
    else if (!app.game) openText(app, text);
  };
  window.addEventListener("hashchange", () => arrive(isOwn() ? null : packedIn(location.hash)));
  let first = wasOwn() ? null : packedIn(location.hash);
  store.on("state", () => {
    arrive(first);
    first = null;
  });
}

/** Save the board as it is shown. */
async function picture(app, form) {
  const text = new XMLSerializer().serializeToString(still(at("board").querySelector(".board-picture")));
  const { game, turn } = app.store.state.view;
  const name = `${game.name}-${game.size}-turn-${turn.number}.${form}`;
  if (form === "svg") return download(new Blob([text], { type: "image/svg+xml" }), name);
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = el("canvas", { width: String(PIXELS), height: String(PIXELS) });
  canvas.getContext("2d").drawImage(image, 0, 0, PIXELS, PIXELS);
  return canvas.toBlob((blob) => download(blob, name), "image/png");
}

/** A copy of the drawing that needs no style sheet, without what only shows where the pointer is. */
function still(drawing) {
  const copied = drawing.cloneNode(true);
  const [from, to] = [drawing, copied].map((root) => [root, ...root.querySelectorAll("*")]);
  from.forEach((node, n) => {
    const style = getComputedStyle(node);
    for (const key of ["fill", "stroke", "stroke-width", "opacity", "font-size", "font-family", "font-weight", "text-anchor", "display"]) {
      const value = style.getPropertyValue(key);
      if (value) to[n].setAttribute(key, value);
    }
  });
  for (const name of [".ghosts", ".cross"]) copied.querySelector(name)?.remove();
  for (const [key, value] of Object.entries({ xmlns: "http://www.w3.org/2000/svg", width: PIXELS, height: PIXELS })) copied.setAttribute(key, value);
  return copied;
}
