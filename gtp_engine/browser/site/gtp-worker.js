// A GTP engine in a module worker, for web pages: protocol_specs/clients/browser.md.
//
//   const engine = new Worker("gtp-worker.js?game=boloa&size=9", { type: "module" });
//   engine.onmessage = ({ data }) => console.log(data);
//   engine.postMessage("genmove b");
//
// It posts strings, which are what the engine writes to stdout, and objects: { loading }, { ready },
// { log } and { exit }.
import { Kernel } from "./kernel.mjs";
import { loadPyodide } from "./pyodide/pyodide.mjs";

// Whether WebAssembly can wait for promises. Elsewhere messages arrive only between two commands.
const SUSPENDS = "Suspending" in WebAssembly;
const MEMORY_MB = 64, MEMORY_MB_OF_PHONES = 32;

/** What Python sees of its surroundings; see host.py. */
class Host {
  waits = SUSPENDS;
  suspends = SUSPENDS;
  has_files = false;
  memory_mb = /Mobi|Android/.test(navigator.userAgent) || navigator.deviceMemory < 4 ? MEMORY_MB_OF_PHONES : MEMORY_MB;
  kernel = null;
  pieces = [];
  arrived = () => {};
  tasks = new MessageChannel();

  say(text) {
    postMessage(text);
  }

  /** Without seconds, the messages that wait arrive; else the first one, or the end of the time. */
  async rest(seconds) {
    if (!SUSPENDS || this.pieces.length) return;
    await new Promise((resolve) => {
      this.arrived = resolve;
      if (seconds) return setTimeout(resolve, seconds * 1000);
      this.tasks.port1.onmessage = resolve;
      this.tasks.port2.postMessage(null);
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
const from = (name) => new URL(name, import.meta.url);

/** `?game=boloa&size=9` as options of gtp-engine. */
function optionsOf(address) {
  return [...new URL(address).searchParams].flatMap(([name, value]) => [`--${name}`, ...(value ? [value] : [])]);
}

async function startPython(host) {
  const files = fetch(from("python.zip")).then((found) => found.arrayBuffer());
  const python = await loadPyodide({
    indexURL: from("pyodide/").href,
    env: { HOME: "/home/pyodide", PYTHONDONTWRITEBYTECODE: "1" },
  });
  python.setStdout({ batched: (line) => host.say(`${line}\n`) });
  python.setStderr({ batched: log });
  postMessage({ loading: "engine" });
  python.unpackArchive(await files, "zip", { extractDir: "/engine" });
  python.runPython("import sys; sys.path.insert(0, '/engine')");
  return python;
}

/** Answer with promises: one call of Python until the end. */
async function runSuspending(program) {
  leave(await program.run.callPromising());
}

/** Answer without: a call of Python for what has arrived, and one for each line of an analysis. */
function runInTurns(program, host) {
  const turn = () => {
    if (program.turn()) return leave(0);
    if (program.analyzes) host.tasks.port2.postMessage(null);
  };
  host.tasks.port1.onmessage = turn;
  host.arrived = () => host.tasks.port2.postMessage(null);
  host.arrived();
}

function leave(status) {
  postMessage({ exit: status });
  close();
}

const host = new Host();
onmessage = ({ data }) => host.take(data);
postMessage({ loading: "python" });
try {
  const compiled = WebAssembly.compileStreaming(fetch(from("kernel.wasm")));
  const python = await startPython(host);
  const wanted = SUSPENDS ? () => host.wantsCallBack() : () => false;
  host.kernel = await Kernel.start(await compiled, wanted, SUSPENDS, log);
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
