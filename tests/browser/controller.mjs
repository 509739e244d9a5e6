// A controller over the worker, as @sabaki/gtp is one over a process: commands in a queue, a promise for
// each response, and a subscriber for the lines of a response that comes in pieces.
export class Controller {
  constructor(address) {
    this.worker = new Worker(address, { type: "module" });
    this.waiting = [];
    this.told = [];
    this.text = "";
    this.ready = new Promise((resolve, reject) => {
      this.worker.onerror = (event) => reject(new Error(event.message));
      this.worker.onmessage = ({ data }) => {
        if (typeof data === "string") return this.take(data);
        this.told.push(data);
        if (data.ready) resolve(data);
        if ("exit" in data) this.waiting.forEach(({ reject: refuse }) => refuse(new Error(`exit ${data.exit}`)));
      };
    });
  }

  /** The text of the response without `=` or `?` and the id. */
  sendCommand(line, subscriber = () => {}) {
    return new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject, subscriber });
      this.worker.postMessage(line);
    });
  }

  take(piece) {
    this.text += piece;
    this.waiting[0].subscriber(piece);
    if (!this.text.endsWith("\n\n")) return;
    const [, sign, content] = /^([=?])\d* ?([^]*)\n\n$/.exec(this.text);
    this.text = "";
    this.waiting.shift().resolve({ error: sign === "?", content });
  }
}
