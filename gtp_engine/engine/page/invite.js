/** Inviting friends: links and codes for guests, and the games of this server. */

import { at, button, el, fill, svg } from "./dom.js";
import { copy } from "./files.js";
import { COLORS } from "./store.js";

const LOCAL = /^(localhost|127\.|\[::1\])/;

/** Build the dialog of the host. */
export function invitePanel(app) {
  if (app.game) return;
  const { store } = app;
  const reach = el("p", { class: "about" });
  const guests = el("div", { class: "guests" });
  const games = el("div", { class: "tables", role: "group", "aria-labelledby": "tables-title" });
  const offers = el("div", { class: "row" });
  const dialog = el(
    "dialog",
    { id: "invite", "aria-labelledby": "invite-title" },
    el("div", { class: "dialog-head" }, el("h2", { id: "invite-title", text: "Invite a friend" }), button({ label: "Done", onclick: () => dialog.close() })),
    reach,
    offers,
    guests,
    el("h3", { id: "tables-title", text: "Games here" }),
    games,
  );
  document.body.append(dialog);
  const base = () => location.origin + location.pathname.replace(/[^/]+\/$/, "");
  const offer = (role, label) => button({ label, icon: "plus", onclick: () => app.send("invite", { role, base: base() }) });
  let told = { list: [], public: false };
  const show = () => {
    if (!store.state) return;
    const here = told.list.find(({ table }) => table === store.hello.table);
    const taken = (here?.guests ?? []).map(({ role }) => role);
    const colors = store.hello.readonly ? [] : COLORS.filter((color) => !taken.includes(color));
    fill(offers, colors.map((color) => offer(color, `To play ${store.title(color)}`)), offer("watch", "To watch"));
    fill(guests, (here?.guests ?? []).map((guest) => invitation(app, guest)));
    fill(games, told.list.map((one) => table(app, one)), store.hello.readonly ? null : el("div", { class: "row" }, button({ label: "Another game", icon: "plus", onclick: () => app.enter(null) })));
    reach.textContent = reachWords(told.public);
  };
  const open = () => {
    app.send("tables");
    show();
    dialog.showModal();
  };
  store.on("tables", (message) => {
    told = message;
    show();
  });
  store.on("hello", show);
  at("tools").append(button({ label: "Invite a friend", icon: "friend", iconOnly: true, class: "hosts act", onclick: open }));
  at("more").querySelector(".menu").append(button({ label: "Invite a friend", icon: "friend", class: "hosts", onclick: open }));
}

/** Who can use an invitation, in a sentence or two. */
function reachWords(isPublic) {
  if (isPublic) return "Whoever has the link can come, from your network. The connection is not encrypted: others in the network may read it.";
  if (LOCAL.test(location.host)) return "Only this computer can reach this address. To invite others in your network, start the board with --host 0.0.0.0; the guide tells how to use a proxy.";
  return location.protocol === "https:" ? "Whoever has the link can come." : "Whoever has the link can come. The connection is not encrypted: others in the network may read it.";
}

function invitation(app, { guest, role, address, code, here }) {
  const text = el("input", { type: "text", readonly: true, value: address, "aria-label": "Link for the guest" });
  const { seats } = app.store.state;
  const color = COLORS.find((one) => seats[one].guest === role) ?? role; // after a swap of sides the other
  const what = role === "watch" ? "Watches" : `Plays ${app.store.title(color)}`;
  const copied = button({ label: "Copy link", icon: "copy", onclick: async () => (copied.lastChild.textContent = (await copy(address, text)) ? "Copied" : "Not copied") });
  const come = here === 1 ? "is here" : here ? `${here} are here` : "not here yet";
  return el(
    "div",
    { class: "invitation" },
    svg("svg", { class: "code", viewBox: `-4 -4 ${code.size + 8} ${code.size + 8}`, role: "img", "aria-label": "The link as a QR code" }, svg("path", { d: code.path })),
    el("div", {},
      el("p", {}, el("b", { text: what }), `, ${come}`),
      text,
      el("div", { class: "row" }, copied, button({ label: "Close", icon: "close", title: "End this invitation: the link and its pages", onclick: () => app.send("uninvite", { guest }) }))),
  );
}

function table(app, { table: key, text, guests }) {
  const current = key === app.store.hello.table;
  const here = guests.reduce((sum, guest) => sum + guest.here, 0);
  const words = here ? `${text}, ${here === 1 ? "one guest" : `${here} guests`}` : text;
  return el(
    "div",
    { class: "table" },
    el("span", { text: words }),
    current ? el("span", { class: "about", text: "on the board" }) : button({ label: "Show", onclick: () => app.enter(key) }),
    key === "1" ? null : button({ label: `End ${text}`, icon: "close", iconOnly: true, onclick: () => app.send("end", { table: key }) }),
  );
}
