/** The heartbeat of a connection: one that freezes without closing is found by its silence. */

/** Milliseconds from the server's answer to the page's next question. */
export const BEAT = 2000;

/** Milliseconds that the server has for an answer; with BEAT less than the five seconds in which people are told. */
export const PATIENCE = 2500;

const LONGEST_PATIENCE = 40000;

/**
 * Asks the server regularly whether it is there.
 *
 * After each silence the patience doubles until the server has answered once: a line on which the
 * answer waits behind a long message is slow, not dead.
 */
export class Pulse {
  /**
   * @param {{later: (work: () => void, milliseconds: number) => number, forget: (timer: number) => void}} outside
   * @param {() => void} ask sends the question
   * @param {() => void} silent called when no answer has come; then the pulse stands still
   */
  constructor(outside, ask, silent) {
    Object.assign(this, { outside, ask, silent });
    this.patience = PATIENCE;
    this.timer = null;
    this.waits = false;
  }

  /** Wait for an answer to what was just sent. */
  expect() {
    this.stop();
    this.waits = true;
    this.timer = this.outside.later(() => {
      this.stop();
      this.patience = Math.min(2 * this.patience, LONGEST_PATIENCE);
      this.silent();
    }, this.patience);
  }

  /** Ask now. */
  beat() {
    this.ask();
    this.expect();
  }

  /** Something has come from the server: if it was asked, it is there, and is asked again after a while. */
  heard() {
    if (!this.waits) return;
    this.patience = PATIENCE;
    this.stop();
    this.timer = this.outside.later(() => this.beat(), BEAT);
  }

  /** There is no connection. */
  stop() {
    this.outside.forget(this.timer);
    this.timer = null;
    this.waits = false;
  }
}
