// A GTP engine in a module worker, for web pages: protocol_specs/clients/browser.md.
//
//   const engine = new Worker("gtp-worker.js?game=boloa&size=9", { type: "module" });
//   engine.onmessage = ({ data }) => console.log(data);
//   engine.postMessage("genmove b");
//
// It posts strings, which are what the engine writes to stdout, and objects: { loading }, { ready },
// { log } and { exit }.
import { MEMORY_MB, Rounds, SUSPENDS, startKernel, startPython } from "./python.mjs";

/** What Python sees of its surroundings; see host.py. */
class Host {
  waits = SUSPENDS;
  suspends = SUSPENDS;
  has_files = false;
  memory_mb = MEMORY_MB;
  kernel = null;
  pieces = [];
  arrived = () => {};
  rounds = new Rounds();

  say(text) {
    postMessage(text);
  }

  /** Without seconds, the messages that wait arrive; else the first one, or the end of the time. */
  async rest(seconds) {
    if (!SUSPENDS || this.pieces.length) return;
    await new Promise((resolve) => {
      this.arrived = resolve;
      if (seconds) return setTimeout(resolve, seconds * 1000);
      this.rounds.next(resolve);
    });
  }

  heard() {
    return this.pieces.shift();
  }

  /** A message of the page. */
  take(message) {
    const line = String(message);
    this.pieces.push(new TextEncoder().encode(line.endsWith("\n") ? line : `${line}\n`));
    this.arrived();
  }

  /** Whether a solver should return, because something has arrived. */
  async wantsCallBack() {
    await this.rest(0);
    return this.pieces.length > 0;
  }
}

const log = (text) => postMessage({ log: text });

/** `?game=boloa&size=9` as options of gtp-engine. */
function optionsOf(address) {
  return [...new URL(address).searchParams].flatMap(([name, value]) => [`--${name}`, ...(value ? [value] : [])]);
}

/** Answer with promises: one call of Python until the end. */
async function runSuspending(program) {
  leave(await program.run.callPromising());
}

/** Answer without: a call of Python for what has arrived, and one for each line of an analysis. */
function runInTurns(program, host) {
  let planned = false; // never two at once: all that have come are heard in one
  const turn = () => {
    planned = false;
    if (program.turn()) return leave(0);
    if (program.analyzes) plan();
  };
  const plan = () => {
    if (planned) return;
    planned = true;
    host.rounds.next(turn);
  };
  host.arrived = plan;
  plan();
}

function leave(status) {
  postMessage({ exit: status });
  close();
}

const host = new Host();
onmessage = ({ data }) => host.take(data);
try {
  const kernel = startKernel(() => host.wantsCallBack(), log);
  const python = await startPython((text) => host.say(text), log, (loading) => postMessage({ loading }));
  host.kernel = await kernel;
  const program = python.pyimport("gtp_engine.cli.hosted").begun(host, python.toPy(optionsOf(self.location.href)));
  if (typeof program === "number") leave(program);
  else {
    postMessage({ ready: true, suspends: SUSPENDS });
    if (SUSPENDS) await runSuspending(program);
    else runInTurns(program, host);
  }
} catch (error) {
  log(`ERROR: ${error.stack ?? error}`);
  leave(1);
}
