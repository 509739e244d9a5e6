/**
 * Gestures on the board by mouse, finger, pen, keyboard and screen reader, reduced to a few verbs:
 * `click`, `lift`, `drag`, `drop`, `hover`, `aim`. Their meaning is defined elsewhere.
 */

import { Grid } from "./grid.js";

const SLOP = { mouse: 4, touch: 10, pen: 6 };
const LONG_PRESS = 400;

/**
 * Listens on an element.
 *
 * to -- the listener: `click(vertex, other)`, `lift(vertex)` returns whether there is something to
 *       drag, `drag(x, y)`, `drop(vertex)`, `hover(vertex)`, `aims(pointer)` returns whether this
 *       pointer aims first, `aim(vertex, x, y, held)`, `rest(vertex)` for a long press returns
 *       whether it has played, `any()` before every gesture, `draws()` returns whether every pointer
 *       marks, `draw(from, to)` while it does, and `drawn(from, to)` at its end; `to` is null outside
 *       the board
 * at -- returns the vertex under a place of the window, or null
 */
export class Gestures {
  constructor(node, at, to) {
    Object.assign(this, { node, at, to });
    this.press = null;
    this.timer = 0;
    const listen = (kind, handle) => node.addEventListener(kind, handle.bind(this));
    listen("pointerdown", this.down);
    listen("pointermove", this.move);
    listen("pointerup", this.up);
    listen("pointercancel", this.stop);
    listen("pointerleave", this.leave);
    listen("click", this.clicked);
    node.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  /** Drop the gesture in progress without notice. */
  forget() {
    clearTimeout(this.timer);
    this.press = null;
  }

  // The browser takes over the pointer, for scrolling or zooming; or it was lifted where nobody noticed.
  stop() {
    const { state, vertex } = this.press ?? {};
    if (state === "draw") this.to.drawn(vertex, null);
    this.forget();
    if (state === "drag") this.to.drop(null);
    if (state === "aim") this.to.aim(null, 0, 0, true);
  }

  down(event) {
    if (this.press?.id === event.pointerId) this.stop();
    // Others than the left and the right one lead elsewhere, such as back to another page.
    if (this.press || ![0, 2].includes(event.button)) return;
    this.to.any();
    const vertex = this.at(event.clientX, event.clientY);
    const { pointerId: id, pointerType: pointer, clientX: x, clientY: y, button, timeStamp: began } = event;
    this.press = { id, pointer, x, y, button, vertex, began, state: "press" };
    if (vertex && (event.altKey || this.to.draws())) return this.draw(event, vertex);
    if (button === 2) return;
    if (this.to.aims(pointer)) {
      this.press.state = "aim";
      this.capture(event);
      this.to.aim(vertex, x, y, true);
    } else if (pointer !== "mouse") {
      this.timer = setTimeout(() => this.rest(), LONG_PRESS);
    }
  }

  move(event) {
    if (!event.buttons && this.press?.id === event.pointerId) this.stop();
    const { press } = this;
    const vertex = this.at(event.clientX, event.clientY);
    if (!press) {
      if (event.pointerType === "mouse" || event.pointerType === "pen") this.to.hover(vertex);
      return;
    }
    if (event.pointerId !== press.id) return;
    if (press.state === "aim") this.to.aim(vertex, event.clientX, event.clientY, true);
    else if (press.state === "draw") this.to.draw(press.vertex, vertex);
    else if (press.state === "drag") this.to.drag(event.clientX, event.clientY);
    else if (press.state === "press" && this.far(event)) this.begin(event);
  }

  begin(event) {
    const { press } = this;
    clearTimeout(this.timer);
    if (press.button === 2 && press.vertex) return this.draw(event, press.vertex);
    const drags = press.button === 0 && press.vertex && this.to.lift(press.vertex);
    press.state = drags ? "drag" : "moved";
    if (!drags) return;
    this.capture(event);
    this.to.drag(event.clientX, event.clientY);
  }

  // Marks are drawn with the right button, with Alt, or with a switch of the page.
  draw(event, vertex) {
    this.press.state = "draw";
    this.capture(event);
    this.to.draw(vertex, this.at(event.clientX, event.clientY));
  }

  up(event) {
    const { press } = this;
    if (!press || event.pointerId !== press.id) return;
    clearTimeout(this.timer);
    this.press = null;
    const vertex = this.at(event.clientX, event.clientY);
    // On a busy device it was not the finger that was late.
    if (press.state === "rested" && event.timeStamp - press.began < LONG_PRESS) press.state = "press";
    if (press.state === "drag") this.to.drop(vertex);
    else if (press.state === "draw") this.to.drawn(press.vertex, vertex);
    else if (press.state === "aim") this.to.aim(vertex, event.clientX, event.clientY, false);
    else if (press.state === "press" || (press.state === "moved" && vertex === press.vertex)) {
      this.to.click(vertex, press.button === 2);
    }
  }

  leave(event) {
    if (!this.press && event.pointerType !== "touch") this.to.hover(null);
  }

  // Enter and Space arrive as keys; this is a screen reader's click, which has no pointer.
  clicked(event) {
    const vertex = Grid.vertexOf(event);
    const spoken = event.detail === 0 && !event.pointerType && vertex;
    if (!spoken) return;
    this.to.any();
    this.to.click(vertex, event.shiftKey);
  }

  rest() {
    const { press } = this;
    if (press?.state !== "press" || !press.vertex) return;
    press.state = this.to.rest(press.vertex) ? "used" : "rested";
  }

  far({ clientX, clientY }) {
    const { x, y, pointer } = this.press;
    return Math.hypot(clientX - x, clientY - y) >= (SLOP[pointer] ?? SLOP.mouse);
  }

  capture({ pointerId }) {
    this.node.setPointerCapture(pointerId);
  }
}
