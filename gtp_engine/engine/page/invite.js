/** Inviting friends: the way in for other machines, links and codes, and the games of this server. */

import { at, button, el, fill, svg } from "./dom.js";
import { copy } from "./files.js";
import { COLORS } from "./store.js";

const LOCAL = /^(localhost|127\.|\[::1\])/;

/** Build the dialog of the host. */
export function invitePanel(app) {
  if (app.game) return;
  const { store } = app;
  const shared = el("p");
  const reach = el("p");
  const internet = el("p", { class: "about", text: "A friend on the internet needs more: a VPN with you, a tunnel to this computer, or a port that your router passes on. The steps are in the file protocol_specs/play/friends.md." });
  const way = el("div", { class: "row" });
  const fault = el("p", { class: "refused", role: "alert", hidden: "" });
  const guests = el("div", { class: "guests" });
  const games = el("div", { class: "tables", role: "group", "aria-labelledby": "tables-title" });
  const offers = el("div", { class: "row" });
  const dialog = el(
    "dialog",
    { id: "invite", "aria-labelledby": "invite-title" },
    el("div", { class: "dialog-head" }, el("h2", { id: "invite-title", text: "Invite a friend" }), button({ label: "Done", onclick: () => dialog.close() })),
    shared,
    reach,
    way,
    fault,
    internet,
    offers,
    guests,
    el("h3", { id: "tables-title", text: "Games here" }),
    games,
  );
  document.body.append(dialog);
  let told = { list: [], public: false, opened: false };
  let inviting = false; // once the board is open
  const base = () => location.origin + location.pathname.replace(/[^/]+\/$/, "");
  const invite = (role) => send("invite", { role, base: base() });
  const send = (kind, fields) => {
    fault.hidden = true;
    inviting = fields.on === true;
    app.send(kind, fields);
  };
  const offer = (role, label) => button({ label, icon: "plus", onclick: () => invite(role) });
  const current = () => told.list.find(({ table }) => table === store.hello.table);
  const here = () => current()?.guests ?? [];
  const show = () => {
    if (!store.state) return;
    const taken = here().map(({ role }) => role);
    const colors = store.hello.readonly ? [] : COLORS.filter((color) => !taken.includes(color));
    fill(offers, closed(told) ? [] : [...colors.map((color) => offer(color, `To play ${store.title(color)}`)), offer("watch", "To watch")]);
    fill(guests, here().map((guest) => invitation(app, guest)));
    fill(games, told.list.map((one) => table(app, one)), store.hello.readonly ? null : el("div", { class: "row" }, button({ label: "Another game", icon: "plus", onclick: () => app.enter(null) })));
    shared.textContent = current() ? `A friend comes to this board: ${current().text}. To play something else, begin a new game.` : "";
    reach.textContent = reachWords(told.public);
    internet.hidden = !told.public && !closed(told);
    fill(
      way,
      closed(told) ? button({ label: "Open to your network", icon: "friend", class: "primary", onclick: () => send("network", { on: true }) }) : null,
      told.opened ? button({ label: "Only this computer again", icon: "close", title: "Close the way in for others; their invitations stay", onclick: () => send("network", { on: false }) }) : null,
    );
  };
  const open = () => {
    fault.hidden = true;
    app.send("tables");
    show();
    dialog.showModal();
  };
  store.on("tables", (message) => {
    told = message;
    show();
    if (!inviting || !told.public) return;
    inviting = false;
    if (!here().length) invite(firstRole(store));
  });
  store.on("told", ({ level, text }) => {
    if (level !== "error" || !dialog.open) return;
    inviting = false;
    fault.hidden = false;
    fault.textContent = text;
  });
  const [tool, item] = [{ iconOnly: true, class: "act" }, {}].map((form) => button({ label: "Invite a friend", icon: "friend", onclick: open, ...form }));
  at("tools").append(tool);
  at("more").querySelector(".menu").append(item);
  store.on("hello", () => {
    tool.hidden = item.hidden = !store.may("invite");
    show();
  });
}

/** Whether links of this page would lead nowhere on another machine. */
function closed(told) {
  return !told.public && LOCAL.test(location.host);
}

/** What the first friend comes for: the seat of an engine, else the second one. */
function firstRole({ hello, state }) {
  if (hello.readonly) return "watch";
  return COLORS.find((color) => state.seats[color].engine) ?? COLORS[1];
}

/** Who can use an invitation, in a sentence or two. */
function reachWords(isPublic) {
  const unsafe = "The connection is not encrypted: others in the network may read it.";
  if (isPublic) return `Whoever has the link can come, from your network. ${unsafe}`;
  if (LOCAL.test(location.host)) return "Only this computer reaches the board now. Open it to your network, and a friend there can come by a link.";
  return location.protocol === "https:" ? "Whoever has the link can come." : `Whoever has the link can come. ${unsafe}`;
}

function invitation(app, { guest, role, address, code, here }) {
  const { seats } = app.store.state;
  const color = COLORS.find((one) => seats[one].guest === role) ?? role; // after a swap of sides the other
  const what = role === "watch" ? "Watches" : `Plays ${app.store.title(color)}`;
  const come = here === 1 ? "is here" : here ? `${here} are here` : "not here yet";
  const close = button({ label: "Close", icon: "close", title: "End this invitation: the link and its pages", onclick: () => app.send("uninvite", { guest }) });
  const said = el("p", {}, el("b", { text: what }), `, ${come}`);
  if (!address) return el("div", { class: "invitation unreached" }, el("div", {}, said, el("p", { class: "about", text: "No link yet: only this computer reaches the board." }), el("div", { class: "row" }, close)));
  const text = el("input", { type: "text", readonly: true, value: address, "aria-label": "Link for the guest" });
  const copied = button({ label: "Copy link", icon: "copy", onclick: async () => (copied.lastChild.textContent = (await copy(address, text)) ? "Copied" : "Not copied") });
  return el(
    "div",
    { class: "invitation" },
    svg("svg", { class: "code", viewBox: `-4 -4 ${code.size + 8} ${code.size + 8}`, role: "img", "aria-label": "The link as a QR code" }, svg("path", { d: code.path })),
    el("div", {}, said, text, el("div", { class: "row" }, copied, close)),
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
