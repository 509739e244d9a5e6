/** The players: the dialog for a new game, and the two players with their seats. */

import { at, button, capital, choices, confirmed, el, field, fill, write } from "./dom.js";
import { adapts, levelName, sitter } from "./guests.js";
import { COLORS } from "./store.js";
import { clockFields } from "./timing.js";

const PIE = [
  { value: "pieces", text: "Swap pieces", about: "The second player may answer the first turn by a swap: the pieces change color." },
  { value: "sides", text: "Swap sides", about: "The second player may answer the first turn by a swap: the players exchange colors." },
  { value: "off", text: "No swap", about: "A strong first turn stays with who played it." },
];

/** Build the dialog for a new game and the cards of the players; add `newGame(game)` to the app. */
export function gamePanel(app) {
  const { store } = app;
  const form = newGameForm(app);
  const players = COLORS.map((color) => playerCard(app, color));
  if (!app.game) newGameDialog(app, form);
  const about = el("p", { class: "score-note" });
  at("players").append(...players.map((player) => player.card), about);
  /** Whether what is shown has a title of its own, such as that of a match. */
  const titled = () => app.game || (store.hello?.readonly && !store.guest);
  store.on("hello", ({ title }) => {
    if (titled()) at("title").textContent = title;
    form.offer();
  });
  store.on("state", () => {
    const { game } = store.state.view;
    form.follow();
    const played = app.game?.hello.date;
    if (!titled()) write(at("title"), game.title);
    write(at("subtitle"), `${titled() ? `${game.title} ` : ""}${game.size}\u2009\u00d7\u2009${game.size}${played ? `, ${played}` : ""}`);
    for (const player of players) player.show();
    const { unit = "", when = "" } = store.state.view.score ?? {};
    write(about, when ? `${capital(unit)} ${when}` : "");
  });
}

/** The dialog: `app.newGame(game)` opens it, by default with the game on the board. */
function newGameDialog(app, form) {
  const cancel = button({ label: "Cancel", onclick: () => dialog.close() });
  const answers = el("div", { class: "answers" }, cancel, el("button", { type: "submit", class: "primary", text: "New game" }));
  form.node.append(answers);
  const dialog = el("dialog", { id: "new-game", "aria-labelledby": "new-title" }, el("h2", { id: "new-title", text: "New game" }), form.node);
  document.body.append(dialog);
  form.node.addEventListener("submit", () => dialog.close());
  app.newGame = (game = null) => {
    form.choose(game);
    dialog.showModal();
  };
  at("tools").append(button({ label: "New game", icon: "plus", iconOnly: true, class: "writes act", onclick: () => app.newGame() }));
}

function newGameForm(app) {
  const { store } = app;
  const game = el("select", {});
  const size = el("select", {});
  const side = el("select", {});
  const engine = el("select", {});
  const level = el("select", {});
  const pie = choices(el("select", { "aria-describedby": "pie-about" }), PIE);
  const pieAbout = el("p", { id: "pie-about", class: "about" });
  const timing = clockFields();
  const handicap = el("select", {});
  const engineField = field("Engine", engine);
  const levelField = field("Strength", level);
  const pieField = field("Pie rule", pie);
  const handicapField = field("Handicap", handicap);
  const form = el(
    "form",
    { class: "fields" },
    field("Game", game),
    field("Size", size),
    field("You play", side),
    engineField,
    levelField,
    pieField,
    pieAbout,
    handicapField,
    timing.nodes,
  );
  const chosen = () => store.game(game.value);
  const offerGame = () => {
    const { sizes, recommended, default_size: usual, colors, pie: hasPie, handicap: most = 0 } = chosen();
    pieField.hidden = pieAbout.hidden = hasPie === false;
    handicapField.hidden = !most;
    choices(handicap, handicapChoices(colors.black, most), "0");
    choices(size, sizeChoices(sizes, recommended), String(usual));
    const before = side.value || "black";
    choices(side, sideChoices(colors).filter(({ value }) => !store.shared || value === "black" || value === "white"), before);
  };
  const explain = () => (pieAbout.textContent = PIE.find(({ value }) => value === pie.value)?.about ?? "");
  const offerEngine = () => {
    const people = side.value === "both" || store.shared;
    engineField.hidden = people || store.players.length < 2;
    levelField.hidden = people || !store.catalog.levels.length;
  };
  game.addEventListener("change", offerGame);
  side.addEventListener("change", offerEngine);
  pie.addEventListener("change", explain);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (store.begun && !store.shared && !(await confirmed({ title: "Start a new game?", text: store.leaving, yes: "New game", no: "Play on" }))) return;
    const seats = store.shared ? sharedSeats(store, side.value) : seatsFor(side.value, engine.value, level.value, store.players);
    const extra = Number(handicap.value) ? { handicap: Number(handicap.value) } : {};
    const { tree: left } = store.state;
    app.send("new", { game: game.value, size: Number(size.value), pie: pie.value, clock: timing.clock(), ...seats, ...extra });
    app.screen("board");
    app.close();
    app.focusBoard();
    if (!store.shared) app.opening(({ tree }) => tree !== left); // else the other player is asked
  });
  let offeredShared = false;
  let offered = "";
  const offer = () => {
    const wanted = JSON.stringify([store.catalog, store.players]);
    if (!store.catalog || wanted === offered) return;
    offered = wanted;
    const { games, levels, default_game: usual, default_level: usualLevel } = store.catalog;
    choices(game, games.map((one) => ({ value: one.name, text: one.title })), game.value || usual);
    if (!game.value) game.value = games[0].name;
    choices(engine, store.players.map((name) => ({ value: name, text: name })));
    choices(level, levelChoices(levels), level.value || usualLevel);
    if (!size.value) offerGame();
    offerEngine();
    follow();
  };
  // The form shows the present game until somebody changes it.
  let followed = "";
  const follow = () => {
    const { name, size: points } = store.state?.view.game ?? {};
    const now = `${name} ${points}`;
    if (!store.catalog || !name || now === followed) return;
    const first = !followed;
    followed = now;
    game.value = name;
    offerGame();
    size.value = String(points);
    pie.value = store.state.pie ?? pie.value;
    explain();
    if (first) followSeats();
  };
  const followSeats = () => {
    const player = Object.values(store.state.seats).find(({ kind }) => kind === "engine");
    side.value = seatsOf(store.state.seats);
    if (player) engine.value = player.engine;
    if (player?.level) level.value = String(player.level);
    offerEngine();
  };
  const choose = (wanted) => {
    const { shared, state } = store;
    if (shared !== offeredShared) {
      offeredShared = shared;
      if (shared) side.value = store.plays("white") ? "white" : "black";
      offerGame();
      offerEngine();
    }
    timing.show(state.clock);
    if (!wanted || wanted === game.value) return;
    game.value = wanted;
    offerGame();
  };
  return { node: form, offer, follow, choose };
}

function sizeChoices([least, most], recommended) {
  const all = Array.from({ length: most - least + 1 }, (_, n) => least + n);
  const choice = (n) => ({ value: String(n), text: `${n} \u00d7 ${n}` });
  if (!recommended) return all.map(choice);
  const [low, high] = recommended;
  const fits = (n) => n >= low && n <= high;
  return [
    { group: "Recommended", choices: all.filter(fits).map(choice) },
    { group: "Other sizes", choices: all.filter((n) => !fits(n)).map(choice) },
  ].filter(({ choices: list }) => list.length);
}

function sideChoices(colors) {
  return [
    { value: "black", text: `${colors.black}, first` },
    { value: "white", text: `${colors.white}, second` },
    { value: "lot", text: "Random" },
    { value: "both", text: "Both sides" },
    { value: "neither", text: "Neither side" },
  ];
}

/** The choice of sides that gives these seats. */
function seatsOf({ black, white }) {
  if (black.kind === white.kind) return black.kind === "human" ? "both" : "neither";
  return black.kind === "human" ? "black" : "white";
}

function handicapChoices(black, most) {
  return Array.from({ length: most + 1 }, (_, extra) => ({
    value: String(extra),
    text: extra ? `${black} +${extra}` : "None",
    title: extra ? `${extra} more ${extra === 1 ? "turn" : "turns"} for ${black} at the start, and no swap.` : "",
  }));
}

function levelChoices(levels) {
  return levels.map(({ level, name, text }) => ({ value: String(level), text: name, title: text }));
}

/** The seats for a choice of sides. If two engines play each other, the second is Black's opponent. */
export function seatsFor(side, engine, level, engines, random = Math.random) {
  const human = { kind: "human" };
  const player = (name) => ({ kind: "engine", engine: name, level: Number(level) || level || null });
  const mine = side === "lot" ? (random() < 0.5 ? "black" : "white") : side;
  if (mine === "both") return { black: human, white: human };
  if (mine === "black") return { black: human, white: player(engine) };
  if (mine === "white") return { black: player(engine), white: human };
  const other = engines.find((name) => name !== engine) ?? engine;
  return { black: player(engine), white: player(other) };
}

/** The seats of now, where the person at the page takes a side. */
function sharedSeats(store, side) {
  const { black, white } = store.state.seats;
  return store.plays(side) ? { black, white } : { black: white, white: black };
}

function playerCard(app, color) {
  const { store } = app;
  const name = el("span", { class: "name" });
  const engine = el("span", { class: "engine-name" });
  const seat = app.game ? el("span", { class: "label" }) : el("select", { class: "quiet-select" });
  const score = el("span", { class: "score" });
  const sign = el("span", { class: "piece" });
  const card = el("div", { class: "player", data: { color } }, sign, el("div", { class: "who" }, el("span", { class: "called" }, name, engine), seat), score);
  let signature = "";
  seat.addEventListener("change", () => {
    const seats = { black: store.state.seats.black, white: store.state.seats.white };
    app.send("seats", { ...seats, [color]: JSON.parse(seat.value) });
  });
  const offer = () => {
    const sitting = store.state.seats[color];
    if (app.game) {
      seat.textContent = sitting.engine;
      return;
    }
    const now = seatValue(sitting);
    const fixed = store.shared || store.role !== "host";
    const watched = sitting.engine && !store.players.includes(sitting.engine); // then the players cannot be changed
    const text = fixed || watched ? sitter(store, color) : seatWords(store, color);
    const list = fixed || watched ? [{ value: now, text }] : seatChoices(store.players, store.catalog?.levels ?? [], now, text);
    const wanted = JSON.stringify([list, now]);
    if (wanted !== signature) choices(seat, list, now);
    signature = wanted;
    seat.value = now;
    seat.title = text;
    seat.disabled = fixed || Boolean(store.hello?.readonly) || !store.online;
    const own = sitting.engine && !fixed && !watched;
    const called = own && store.players.length > 1 && sitting.engine; // of one engine alone the level says enough
    const follows = own && adapts(store, sitting);
    write(engine, [called, follows && "adapts"].filter(Boolean).join(", "));
    engine.title = [called, follows && "The level follows your results."].filter(Boolean).join(". ");
  };
  const show = () => {
    const { view, thinking } = store.state;
    const { title, ink } = view.game.colors[color];
    const piece = `${ink} ${document.documentElement.dataset.theme}`;
    if (sign.dataset.piece !== piece) fill(sign, app.sign("stone", ink));
    sign.dataset.piece = piece;
    write(name, title);
    if (!app.game) seat.setAttribute("aria-label", `Who plays ${title}`);
    offer();
    const moves = !view.outcome && view.turn.to_move === color;
    card.classList.toggle("to-move", moves);
    card.classList.toggle("thinks", thinking?.color === color);
    card.classList.toggle("won", view.outcome?.winner === color);
    write(score, view.score ? String(view.score[color]) : "");
  };
  store.on("hello", () => store.state && offer());
  store.on("online", () => store.state && offer());
  return { card, show };
}

/** What is chosen for a seat: the person by name, or the level of the engine. */
function seatWords(store, color) {
  const seat = store.state.seats[color];
  if (seat.engine) return levelName(store, seat) || "Default level";
  return seat.name || (store.own === color ? "You" : "A person");
}

/** All that may sit on a seat; `text` is that of the present choice `now`. */
function seatChoices(engines, levels, now, text) {
  const called = (choice) => (choice.value === now ? { ...choice, text } : choice);
  const people = [called({ value: seatValue({ kind: "human" }), text: "A person" })];
  const groups = engines.map((name) => ({
    group: name,
    choices: [
      ...levels.map(({ level, name: title, text }) => ({
        value: seatValue({ kind: "engine", engine: name, level }),
        text: engines.length > 1 ? `${name}, ${title.toLowerCase()}` : title,
        title: text,
      })),
      { value: seatValue({ kind: "engine", engine: name, level: null }), text: engines.length > 1 ? `${name}, default level` : "Default level" },
    ].map(called),
  }));
  return [...people, ...groups];
}

/** A seat as the value of an option: equal seats have equal texts. */
export function seatValue({ kind, engine, level, guest }) {
  return JSON.stringify(kind === "human" ? { kind, guest } : { kind, engine, level: level ?? null });
}

/** A button that resigns after a confirmation: for the person's one color, else for the color to move. */
export function resignButton(app) {
  const { store } = app;
  return button({
    label: "Resign",
    icon: "flag",
    iconOnly: true,
    class: "resign",
    onclick: async () => {
      const color = store.own ?? store.state.view.turn.to_move;
      const title = store.title(color);
      const sure = await confirmed({ title: `Resign for ${title}?`, text: `${title} loses the game.`, yes: "Resign", no: "Play on" });
      if (sure) app.send("resign", { color });
    },
  });
}
