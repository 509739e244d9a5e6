/** The page: connects the server, the store, the board and the panels. */

import { Board } from "./board.js";
import { analysisPanel } from "./analysis.js";
import { awayDesk } from "./away.js";
import { clocksPanel } from "./clocks.js";
import { connectionPanel } from "./connection.js";
import { consolePanel } from "./console.js";
import { at, el, later, svg, typing } from "./dom.js";
import { exercisePanel } from "./exercise.js";
import { filesPanel } from "./files.js";
import { gamePanel } from "./game.js";
import { guestsPanel } from "./guests.js";
import { gamesScreen } from "./games.js";
import { graphPanel } from "./graph.js";
import { doubted } from "./hint.js";
import { invitePanel } from "./invite.js";
import { kernelBar } from "./kernel.js";
import { learnScreen } from "./learn.js";
import { exercisesOfGame } from "./lookback.js";
import { ownName } from "./names.js";
import { phrasesPanel } from "./phrases.js";
import { paths } from "./path.js";
import { Painter } from "./pieces.js";
import { Playback, enclosed } from "./playback.js";
import { preferences } from "./prefs.js";
import { premoves } from "./premove.js";
import { presencePanel } from "./presence.js";
import { progressStore } from "./progress.js";
import { puzzlesScreen } from "./puzzles.js";
import { rulesPanel } from "./rules.js";
import { sharePanel } from "./share.js";
import { signalPanel } from "./signal.js";
import { Link } from "./socket.js";
import { startScreen } from "./start.js";
import { statusPanel } from "./status.js";
import { screens } from "./screens.js";
import { sizing } from "./sizing.js";
import { Store } from "./store.js";
import { studyPanel } from "./study.js";
import { tabs } from "./tabs.js";
import { tabTitle } from "./title.js";
import { turnsPanel } from "./turns.js";
import { unsentSteps } from "./unsent.js";
import { watchPanel } from "./watch.js";

/**
 * What the panels share.
 *
 * link -- the server, or the games that the page encloses
 */
class App {
  /** @param {object|null} games that the page encloses, null on the page of a server */
  constructor(games) {
    this.store = new Store();
    this.board = null;
    this.spoken = [];
    this.announce = later(() => (at("live").textContent = this.spoken.splice(0).join(" ")));
    this.early = [];
    const listener = {
      onMessage: (message) => this.hear(() => this.store.take(message)),
      onChange: (open, failures) => this.hear(() => this.store.connected(open, failures)),
    };
    this.link = games ? new Playback(games, location.hash, listener) : new Link(socketAddress(), listener);
    document.body.classList.toggle("enclosed", Boolean(games));
    this.store.on("hello", ({ table }) => (this.link.table = table));
  }

  /** The shown game that the page encloses, null on the page of a server. */
  get game() {
    return this.link.game ?? null;
  }

  /** Handle what the server tells; before the panels listen it waits. */
  hear(work) {
    if (this.early) this.early.push(work);
    else work();
  }

  /** All panels listen. */
  begin() {
    const waiting = this.early;
    this.early = null;
    waiting.forEach((work) => work());
  }

  /** Go to a table; null is a new one. */
  enter(table) {
    return this.send("enter", { table });
  }

  /** Send a message; without a connection it is dropped. */
  send(kind, fields = {}) {
    if (kind === "goto" && this.store.apart) return this.send("look", fields);
    if (!this.store.may(kind)) return false;
    return this.link.send({ kind, ...fields }) || Boolean(this.away?.(kind, fields));
  }

  /** Play a step, if its position is still shown; before a mistake the server may ask. */
  step(word) {
    const { live, state } = this.store;
    if (!live) return;
    this.sending(word);
    const most = doubted(this);
    if (most === null || !this.send("try", { rev: state.rev, word, most })) this.send("step", { rev: state.rev, word });
  }

  /** Announce something to screen readers; the texts of one picture are announced together. */
  say(text) {
    if (!text) return;
    this.spoken.push(text);
    this.announce();
  }
}

/** The address of the WebSocket, beside the page. */
function socketAddress() {
  const address = new URL("socket", location.href);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  address.hash = "";
  return address.href;
}

function showBoard(app) {
  const { store, board } = app;
  const show = (animate) => {
    if (!store.state) return;
    const draft = app.draft?.();
    board.show(draft ?? store.state.view, { animate: animate && !draft, live: store.live && !draft });
  };
  store.on("state", () => show(true));
  store.on("online", () => show(false));
  store.on("refused", (message) => board.refused(message));
  // A preview for a panel is shown at once, one for the board only while the pointer is there.
  store.on("preview", ({ view, word }) => (word === app.asked ? board.ghost(view) : board.ghost(view, word)));
}

/** The board's services for panels: pieces as small pictures, previews, and a second, small board. */
function shareBoard(app, look) {
  const painters = new Map();
  // Dark pieces on a dark page need the rims of a dark board.
  const rimmed = Object.keys(look.boards).find((name) => Object.keys(look.boards[name].rims).length);
  const ground = () => {
    const { theme } = document.documentElement.dataset;
    return (theme === "dark" && rimmed) || Painter.boardFor(look, theme);
  };
  const painter = () => {
    const surface = ground();
    if (!painters.has(surface)) {
      painters.set(surface, new Painter(look, surface));
      document.body.prepend(svg("svg", { class: "unseen", "aria-hidden": "true" }, painters.get(surface).defs));
    }
    return painters.get(surface);
  };
  app.look = look;
  app.sign = (shape, ink) =>
    svg("svg", { class: "sign", viewBox: "-50 -50 100 100", "aria-hidden": "true" }, painter().use(painter().piece({ shape, ink })));
  app.preview = (word) => {
    app.asked = word;
    if (word) app.send("preview", { rev: app.store.state.rev, word });
    else app.board.ghost(null);
  };
  app.smallBoard = (element) => {
    const nothing = () => {};
    const small = new Board(element, look, { onStep: nothing, onWhy: nothing, onPreview: nothing, onSay: nothing });
    small.options = { ...app.board.options, coordinates: false, numbers: false, animations: false };
    return small;
  };
  app.focusBoard = () => app.board.focus();
  app.store.on("state", ({ view }) => {
    for (const [color, { ink }] of Object.entries(view.game.colors)) {
      const { flat, rim } = (look.inks[ink] ?? look.inks.neutral).roles;
      document.documentElement.style.setProperty(`--flat-${color}`, flat);
      document.documentElement.style.setProperty(`--rim-${color}`, look.boards[ground()].rims[ink] ?? rim);
    }
  });
}

function keys(app) {
  document.addEventListener("keydown", (event) => {
    if (typing(event) || !app.on("board") || document.querySelector("dialog:modal")) return;
    const command = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    const turns = { pageup: -1, pagedown: 1 }[key];
    if (command && key === "z" && !event.altKey) app.send(event.shiftKey ? "redo" : "undo");
    else if (command && key === "y") app.send("redo");
    else if (turns && at("board").contains(event.target)) app.walk(turns);
    else return;
    event.preventDefault();
  });
  at("skip").addEventListener("click", () => app.focusBoard());
}

async function begin() {
  const games = await enclosed(location.hash);
  const app = new App(games);
  app.link.start();
  screens(app);
  tabTitle(app);
  unsentSteps(app);
  connectionPanel(app);
  tabs(app);
  const look = games?.look ?? JSON.parse(at("look").textContent);
  app.board = new Board(at("board"), look, {
    onStep: (word) => app.step(word),
    onWhy: (word) => app.send("why", { rev: app.store.state.rev, word }),
    onPreview: (word) => app.send("preview", { rev: app.store.state.rev, word }),
    onSay: (text) => app.say(text),
    onMark: (from, to) => app.mark(from, to),
    onEarly: (vertex) => app.playLater?.(vertex),
    onDraws: () => app.drawMarks(),
    frame: at("app"),
  });
  shareBoard(app, look);
  showBoard(app);
  preferences(app);
  sizing(app);
  progressStore(app);
  paths(app);
  statusPanel(app);
  kernelBar(app);
  gamePanel(app);
  clocksPanel(app);
  guestsPanel(app);
  presencePanel(app);
  phrasesPanel(app);
  premoves(app);
  signalPanel(app);
  turnsPanel(app);
  graphPanel(app);
  analysisPanel(app);
  studyPanel(app);
  rulesPanel(app);
  filesPanel(app);
  consolePanel(app);
  watchPanel(app);
  exercisePanel(app);
  learnScreen(app);
  gamesScreen(app);
  ownName(app);
  awayDesk(app);
  invitePanel(app);
  sharePanel(app);
  puzzlesScreen(app);
  exercisesOfGame(app);
  if (!app.game) startScreen(app);
  keys(app);
  app.begin();
}

begin().catch((fault) => {
  at("app").prepend(el("p", { class: "fault", role: "alert", text: `The page could not start: ${fault.message}` }));
  throw fault;
});
