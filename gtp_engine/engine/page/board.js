/**
 * The board of the page: shows the view of a position, and turns a person's actions into words for
 * the engine. It knows no rule and no game.
 */

import { Clicks } from "./input.js";
import { Hands } from "./hands.js";
import { Painter } from "./pieces.js";
import { Stage } from "./stage.js";
import { alike, beginning, leading, phases } from "./animate.js";
import { lastTurn, names, signs } from "./grid.js";
import { USUAL } from "./prefs.js";

const SMALLEST_CELL = 32;
const FLASH = 600;

/**
 * A board in an element.
 *
 * view    -- the shown view, null before the first
 * draws   -- whether every pointer marks instead of playing
 * onPoint -- takes each click instead, `onPoint(vertex, other)`; or null. See `edit`
 *
 * Its events on the element: `selection` (detail `{text}`: the selection in words, "" for none),
 * `tools` (the tool has changed) and `pointed` (detail: the vertex with the pointer or the focus).
 */
export class Board {
  /**
   * element -- the board fills its width
   * look    -- the object of look.json
   * told    -- the listener: `onStep(word)`, `onWhy(word)`, `onPreview(word)`, `onSay(text)`; also
   *            `onMark(from, to)` and `onDraws()` (a key switches `draws`) if people may mark points,
   *            and `onEarly(vertex)`, a click on a board that accepts none; `frame` shares the class `aims`
   */
  constructor(element, look, told) {
    Object.assign(this, { element, look, told, view: null, report: null, stage: null, draws: false });
    Object.assign(this, { notes: [], worths: new Map(), onPoint: null, planned: null, offers: new Map() });
    this.chosen = { ...USUAL };
    this.clicks = new Clicks();
    this.hands = new Hands(this);
    element.classList.add("board");
    this.observer = new ResizeObserver(() => this.measure());
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
  }

  /** The settings of this browser (prefs.js); its `board` names a board of the look. */
  get options() {
    return this.chosen;
  }

  set options(options) {
    this.chosen = { ...USUAL, ...options };
    this.rebuild();
    this.measure();
  }

  /**
   * Show a view. With `animate`, a turn that leads from the shown view to this one is animated;
   * with `live` false the board accepts no clicks. Showing the same view again keeps the selection
   * and the animation.
   */
  show(view, { animate = true, live = true } = {}) {
    const was = this.view;
    this.view = view;
    const fresh = this.drawn !== this.form;
    if (fresh) this.build();
    else if (was.rev === view.rev && was.position === view.position) return this.again(live);
    const { foreseen } = this.stage.ghosts;
    this.settle();
    this.clicks.show(view, live);
    this.hands.forget();
    this.arrive(animate && !fresh, foreseen);
    if (was && goesOn(was.last, view.last)) this.told.onSay(lastTurn(view));
    this.changed();
  }

  // The same position again: only whether it accepts clicks may change.
  again(live) {
    if (this.stage.pieces.rested !== null) this.stage.pieces.show(this.view.pieces);
    if (live === this.clicks.live) return;
    this.clicks.show(this.view, live);
    this.stage.aim.clear();
    this.stage.ghosts.clear();
    this.hands.ignore();
    this.marks();
    this.changed();
  }

  /** Show a report of a search on the board, null for none. */
  candidates(report) {
    this.report = report;
    if (!this.view) return;
    const { candidates, ghosts, cell } = this.stage;
    candidates.show(this.onPoint ? null : report, this.view, cell);
    if (!ghosts.shown) this.hands.look();
  }

  /**
   * Show a later view as ghosts, null for none. With the `word` that was requested, it is shown
   * only while a click would still play that word.
   */
  ghost(view, word = null) {
    if (word && !this.hands.asked(word, view)) return;
    if (!this.stage || this.stage.player.busy) return;
    if (view) this.stage.ghosts.view(view);
    else this.stage.ghosts.clear();
  }

  /** Show a line of play, its turns as a report draws them; null for none. */
  line(turns) {
    const { ghosts, candidates } = this.stage;
    if (turns) ghosts.line(turns, this.view.turn.to_move);
    else ghosts.clear();
    candidates.hidden(Boolean(turns));
  }

  /**
   * Show what people have marked, the worths of first turns, a vertex planned for the next turn, and
   * signs that take clicks, a Map from vertices to `{sign, take}`; see Overlay.
   */
  lay({ notes = this.notes, worths = this.worths, planned = this.planned, offers = this.offers } = {}) {
    Object.assign(this, { notes, worths, planned, offers });
    this.stage?.overlay.annotate(this.onPoint ? [] : notes);
    this.stage?.overlay.worth(this.onPoint ? new Map() : worths);
    this.stage?.overlay.plan(planned, offers);
  }

  /** Give all clicks to a function, null to play again; meanwhile nothing but pieces is shown. */
  edit(onPoint) {
    this.onPoint = onPoint;
    this.lay();
    this.candidates(this.report);
  }

  /** Show that a click was refused: `{word, points}`; a lifted piece returns. */
  refused({ points = [], word = null }) {
    this.stage.pieces.show(this.view.pieces);
    this.stage.overlay.refused(points);
    const vertex = this.hands.refused(word);
    if (vertex) this.shake(vertex);
  }

  /** Animate the last turn again. */
  replay() {
    const { last, pieces } = this.view ?? {};
    if (!last) return;
    this.settle();
    if (!this.moving) return this.flash();
    const { player, overlay } = this.stage;
    overlay.bare();
    this.stage.pieces.show([...beginning(this.stage.pieces.pieces, last.events).values()]);
    player.play(phases(last.events), pieces, last.why, () => this.overlay());
  }

  /** The tools of the view: `{verb, title, shape, active}`; none if clicks need no tool. */
  tools() {
    const { tools, verbs } = this.view ?? { tools: [] };
    if (tools.length < 2) return [];
    return tools.map((verb) => {
      const { title, shape } = verbs[verb];
      return { verb, title, shape, active: verb === this.clicks.tool };
    });
  }

  /** Change the tool for clicks. */
  useTool(verb) {
    if (!this.clicks.useTool(verb)) return;
    this.cancel();
    this.element.dispatchEvent(new CustomEvent("tools"));
  }

  /** Drop the selection, and nothing else. */
  cancel() {
    this.clicks.cancel();
    if (!this.view) return;
    this.chose();
  }

  /** Put the keyboard's focus on the board. */
  focus() {
    this.stage?.grid.focus(this.stage.grid.current);
  }

  /** The selection has changed: show it, and announce it. */
  chose() {
    const { ghosts, pieces, aim } = this.stage;
    aim.clear();
    ghosts.clear();
    this.hands.ignore();
    pieces.show(this.view.pieces);
    this.marks();
    this.changed();
    if (!this.clicks.selecting) return;
    const piece = pieces.at(this.clicks.path[0].at);
    if (piece) pieces.raise(piece);
    this.told.onSay(this.selection());
  }

  /** Whether the first tap of a finger aims. */
  get aiming() {
    return this.chosen.confirmTaps || this.stage.cell < SMALLEST_CELL;
  }

  /** End the animation, and remove the marks of a refusal. */
  hush() {
    this.stage.player.finish();
    this.stage.overlay.refused([]);
  }

  /** Show on the board that a click on a vertex has no effect. */
  shake(vertex) {
    if (!this.moving) return;
    const { verbs, turn } = this.view;
    const verb = this.clicks.tool ?? Object.keys(verbs)[0];
    this.stage.shake(vertex, verbs[verb]?.shape ?? "marker", turn.to_move);
  }

  // Drawing ------------------------------------------------------------------------------------

  get moving() {
    return this.chosen.animations && !this.still.matches;
  }

  get surface() {
    const named = this.chosen.board;
    return this.look.boards[named] ? named : Painter.boardFor(this.look, document.documentElement.dataset.theme);
  }

  /** Draw everything again if the theme, the surface, the coordinates or the numbers have changed. */
  rebuild() {
    if (!this.view || this.drawn === this.form) return;
    const { live } = this.clicks;
    this.build();
    this.clicks.show(this.view, live);
    this.arrive(false);
    this.candidates(this.report);
    this.changed();
  }

  get form() {
    return JSON.stringify([this.view.game, this.surface, this.chosen.coordinates, this.chosen.numbers]);
  }

  build() {
    const { game } = this.view;
    const focused = this.element.contains(document.activeElement);
    this.stage?.player.abandon();
    this.hands.leave();
    this.drawn = this.form;
    const confirm = (vertex) => this.hands.click(vertex);
    this.stage = new Stage(this.look, this.surface, game, this.chosen.coordinates, confirm);
    const { node, bar } = this.stage;
    this.hands.take(node);
    this.element.replaceChildren(node, bar);
    this.lay();
    this.observer.disconnect();
    this.observer.observe(node);
    this.measure();
    if (focused) this.focus();
  }

  measure() {
    if (!this.stage) return;
    this.stage.fit();
    for (const node of [this.element, this.told.frame]) node?.classList.toggle("aims", this.aiming && navigator.maxTouchPoints > 0);
    if (this.report) this.candidates(this.report);
  }

  // Bring the pieces to those of the view, with or without animation; see Player.play for `foreseen`.
  arrive(animate, foreseen = []) {
    const { pieces, player, overlay } = this.stage;
    const { view } = this;
    const target = new Map(view.pieces.map((piece) => [piece.id, piece]));
    const done = () => this.overlay();
    if (!animate || !this.moving || alike(pieces.pieces, target)) {
      const flashes = animate && !alike(pieces.pieces, target);
      pieces.show(view.pieces);
      this.marks();
      if (flashes && this.still.matches) this.flash();
      return;
    }
    const { events = [], why = [] } = view.last ?? {};
    const list = leading(pieces.pieces, events, target);
    if (list) {
      overlay.bare();
      player.play(list, view.pieces, why, done, foreseen);
    } else player.difference(view.pieces, done);
    this.marks();
  }

  // Vertex names describe the final position, even during an animation; marks wait for its end.
  marks() {
    const { targets } = this.clicks;
    const lifted = new Set([...targets].filter((vertex) => this.clicks.pick(vertex)?.then));
    this.stage.grid.show(names(this.view, this.clicks, this.chosen.numbers), signs(this.clicks), targets, lifted);
    this.overlay();
  }

  overlay() {
    const { player, overlay, pieces } = this.stage;
    if (player.busy) return;
    overlay.position(this.view, this.chosen.numbers);
    overlay.choices(this.clicks, (vertex) => pieces.at(vertex));
  }

  settle() {
    const { player, overlay, ghosts, aim } = this.stage;
    player.finish();
    this.hands.leave();
    ghosts.clear();
    overlay.refused([]);
    overlay.pulsing([]);
    aim.clear();
  }

  changed() {
    const detail = { text: this.selection() };
    this.element.dispatchEvent(new CustomEvent("selection", { detail }));
  }

  // The selection in the words of its verb: "A stone on B2, whose pawn moves to ...".
  selection() {
    const [first] = this.clicks.path;
    if (!first) return "";
    const meaning = this.view.verbs[first.verb]?.meaning ?? "{}";
    const chosen = this.clicks.path.map(({ at }) => at);
    const text = meaning.replace(/\{\d?\}/g, () => chosen.shift() ?? "\u2026");
    return text[0].toUpperCase() + text.slice(1);
  }

  // Outline the points of the last turn for a moment, if animations are off.
  flash() {
    const { points, changed = [] } = this.view.last ?? { points: [] };
    const { overlay, player } = this.stage;
    overlay.pulsing([...new Set([...points, ...changed])]);
    clearTimeout(this.flashing);
    this.flashing = setTimeout(() => player.busy || overlay.pulsing([]), FLASH);
  }
}

// Whether a last turn is new, or an open turn with more steps.
function goesOn(was, now) {
  if (!now) return false;
  const before = was?.number ?? 0;
  return now.number > before || (now.number === before && now.plays > was.plays);
}
