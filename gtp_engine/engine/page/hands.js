/** A person's actions on a board: clicks, drags, hovering, aiming, keys, and their effects. */

import { Gestures } from "./gestures.js";
import { Grid } from "./grid.js";
import { pressed } from "./keys.js";

/** Milliseconds for which a pointer rests before a ghost: one on its way leaves none behind. */
const GHOST_AFTER = 20;

/** Milliseconds from the ghost to the question what else the turn does. */
const PREVIEW_AFTER = 60;

/**
 * The actions on a Board. A Gestures object calls them by its verbs.
 *
 * hovered -- the vertex with the pointer or the focus, or null
 */
export class Hands {
  constructor(board) {
    this.board = board;
    this.hovered = null;
    this.questioned = null;
    this.pinned = null;
    this.previews = new Map();
  }

  /** Listen on a new stage. */
  take(node) {
    node.addEventListener("keydown", (event) => this.key(event));
    node.addEventListener("focusin", (event) => this.focusMoved(event));
    node.addEventListener("focusout", (event) => {
      if (!node.contains(event.relatedTarget)) this.hover(null);
    });
    this.gestures = new Gestures(node, (x, y) => this.board.stage.vertex(x, y), this);
  }

  /** End the gesture in progress, and hover nothing. */
  leave() {
    this.ignore();
    this.gestures?.forget();
    this.lay();
  }

  /** No piece is carried any more. */
  lay() {
    this.board.stage?.node.classList.remove("carrying");
  }

  /** Hover nothing until the pointer or the focus moves. */
  ignore() {
    clearTimeout(this.timer);
    this.hovered = null;
  }

  /** Drop requests about a view that is no longer shown. */
  forget() {
    this.previews.clear();
    this.questioned = null;
  }

  /** Store the view after a word; return whether a click would play that word now. */
  asked(word, view) {
    this.previews.set(word, view);
    return this.word() === word;
  }

  /** The vertex whose click was refused with a word, null for any other word. */
  refused(word) {
    const { questioned } = this;
    return questioned && (word === null || questioned.word === word) ? questioned.vertex : null;
  }

  // By the verbs of Gestures -------------------------------------------------------------------

  /** Before every gesture and key. */
  any() {
    this.board.hush();
  }

  /** A click on a vertex, null outside the board; `other` uses the other tool. */
  click(vertex, other = false) {
    const { clicks, stage } = this.board;
    if (!vertex) {
      if (clicks.selecting) this.board.cancel();
      return;
    }
    stage.grid.rove(vertex);
    stage.aim.clear();
    if (this.board.onPoint) return this.board.onPoint(vertex, other);
    if (this.board.offers.has(vertex)) return this.board.offers.get(vertex).take();
    if (this.board.draws) return this.pin(vertex);
    if (other && !clicks.otherTool && this.board.told.onMark) return this.drawn(vertex, vertex);
    this.follow(clicks.click(vertex, other), vertex);
  }

  /** Begin to drag: return whether there is something to drag. */
  lift(vertex) {
    const lifted = this.board.clicks.lift(vertex);
    if (lifted) this.board.chose();
    return lifted;
  }

  /** Move the dragged piece to a place of the window. */
  drag(x, y) {
    const piece = this.carried;
    if (piece) this.board.stage.carry(piece, x, y);
  }

  /** End a drag on a vertex, null outside the board. */
  drop(vertex) {
    const piece = this.carried;
    const next = this.board.clicks.drop(vertex);
    this.lay();
    if (next.does === "step" && piece) this.board.stage.pieces.rest(piece.id, vertex);
    else this.board.chose();
    if (next.does !== "select") this.follow(next, vertex);
  }

  /** The pointer or the focus is on a vertex, or on none; `magnified` under a loupe. */
  hover(vertex, magnified = false) {
    if (vertex === this.hovered) return;
    clearTimeout(this.timer);
    this.hovered = vertex;
    this.board.element.dispatchEvent(new CustomEvent("pointed", { detail: vertex }));
    if (magnified || !vertex) this.foresee(magnified);
    else this.timer = setTimeout(() => this.foresee(false), GHOST_AFTER);
  }

  // Show what a click on the hovered vertex would do.
  foresee(magnified) {
    const { hovered: vertex } = this;
    const { stage, clicks, view, told } = this.board;
    if (stage.player.busy) return;
    stage.ghosts.clear();
    stage.candidates.hidden(false);
    if (!vertex || this.look() || !clicks.live) return;
    const option = clicks.pick(vertex);
    const shape = view.verbs[option?.verb]?.shape;
    if (shape && option.step) stage.ghosts.placing(vertex, shape, view.turn.to_move, magnified);
    const word = this.word();
    if (!word) return;
    if (this.previews.has(word)) this.board.ghost(this.previews.get(word), word);
    else this.timer = setTimeout(() => told.onPreview(word), PREVIEW_AFTER);
  }

  /** Show the line of the hovered candidate; return whether there is one. */
  look() {
    const turns = this.hovered && this.board.stage.candidates.lineAt(this.hovered);
    if (turns) this.board.line(turns);
    return Boolean(turns);
  }

  /** Whether the first tap of a kind of pointer aims. */
  aims(pointer) {
    return pointer !== "mouse" && this.board.clicks.live && this.board.aiming;
  }

  /** A finger aims at a vertex, at a place of the window; `held` until it is lifted. */
  aim(vertex, x, y, held) {
    const { stage, clicks } = this.board;
    const { aim } = stage;
    this.hover(vertex, held);
    if (vertex && held) aim.show(vertex, stage.aboveFinger(x, y));
    else if (!vertex) {
      aim.clear();
      if (!held) this.click(null);
    } else if (vertex === aim.aimed || !clicks.pick(vertex)?.step) this.click(vertex);
    else aim.take(vertex, `Play ${vertex}`);
  }

  /** Whether every pointer marks instead of playing. */
  draws() {
    return this.board.draws;
  }

  /** A mark is being drawn between two vertices. */
  draw(from, to) {
    const { told, notes, stage } = this.board;
    if (told.onMark) stage.overlay.annotate(to && to !== from ? [...notes, { kind: "arrow", at: from, to }] : notes);
  }

  /** It is drawn; it is dropped outside the board. */
  drawn(from, to) {
    this.pinned = null;
    this.board.lay();
    if (to) this.board.told.onMark?.(from, to);
  }

  /** The beginning of a mark by keys, then its end. */
  pin(vertex) {
    if (this.pinned) return this.drawn(this.pinned, vertex);
    this.pinned = vertex;
    this.board.told.onSay(`From ${vertex}: now the end of the arrow, or the same point for a circle.`);
  }

  /** A long press: use the other tool, or preview a tap; return whether the tool was used. */
  rest(vertex) {
    const { clicks } = this.board;
    const acts = clicks.otherTool && !clicks.selecting;
    if (acts) this.click(vertex, true);
    else this.hover(vertex);
    return acts;
  }

  // ---------------------------------------------------------------------------------------------

  follow({ does, word }, vertex) {
    const { board } = this;
    clearTimeout(this.timer);
    if (does === "step") board.told.onStep(word);
    else if (does === "nothing") board.told.onEarly?.(vertex);
    else if (does === "select" || does === "cancel") board.chose();
    else if (does === "refuse") {
      board.chose();
      this.questioned = { vertex, word };
      if (word) board.told.onWhy(word);
      else {
        board.told.onSay(`${vertex}: nothing to do here.`);
        board.shake(vertex);
      }
    }
  }

  key(event) {
    this.any();
    if (!pressed(event, this.board)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  focusMoved(event) {
    const vertex = Grid.vertexOf(event);
    if (!vertex) return;
    this.board.stage.grid.rove(vertex);
    if (event.target.matches(":focus-visible")) this.hover(vertex);
  }

  // The dragged piece, if the selection is one.
  get carried() {
    const [first] = this.board.clicks.path;
    return first && this.board.stage.pieces.at(first.at);
  }

  // The word that a click on the hovered vertex would play, null if it would not complete a word.
  word() {
    return this.hovered ? (this.board.clicks.pick(this.hovered)?.step ?? null) : null;
  }
}
