#!/usr/bin/env node
// The engine on stdin and stdout, under Node. The options are those of `gtp-engine`; --help lists them.
//
// Node's first thread reads stdin and takes signals; the engine runs in another one, which looks for
// what arrived between two slices of a search.
import { existsSync, fstatSync, readFileSync, readdirSync, write, writeSync } from "node:fs";
import { constants, totalmem } from "node:os";
import { fileURLToPath } from "node:url";
import { isMainThread, parentPort, receiveMessageOnPort, Worker, workerData } from "node:worker_threads";

const HERE = new URL(".", import.meta.url);
const MOST_UNREAD = 2 ** 22; // bytes of input that may wait for the engine
const PATIENCE = 10_000; // ms for a client that has closed stdin to read an answer
const LAST_WAIT = 500; // ms for stderr at the end
const LOOK = 1000; // ms between two looks for a client that has died
const LOST = 2; // the exit status if an answer cannot be written

// What both threads see: how often something was sent, the bytes of input that wait, whether an
// answer is being written, and the pieces of answers that were written.
const SENT = 0, UNREAD = 1, WRITES = 2, WRITTEN = 3, SHARED_BYTES = 16;

/** Read and take signals until the engine has ended. */
function readForEngine() {
  const client = process.ppid;
  const shared = new Int32Array(new SharedArrayBuffer(SHARED_BYTES));
  const data = { shared, arguments: process.argv.slice(2) };
  const engine = new Worker(new URL(import.meta.url), { workerData: data, resourceLimits: { stackSizeMb: 16 } });
  const logging = [];
  const leave = (status) => {
    if (!logging.length) process.exit(status);
    setTimeout(() => process.exit(status), LAST_WAIT);
    Promise.allSettled(logging).then(() => process.exit(status));
  };
  const log = (line) => {
    const done = new Promise((told) => write(2, `${line}\n`, told));
    logging.push(done);
    done.then(() => logging.splice(logging.indexOf(done), 1));
  };
  const send = (piece) => {
    engine.postMessage(piece);
    Atomics.add(shared, UNREAD, piece.length);
    Atomics.add(shared, SENT, 1);
    Atomics.notify(shared, SENT);
    if (Atomics.load(shared, UNREAD) >= MOST_UNREAD) process.stdin.pause();
  };
  engine.on("message", (told) => {
    if ("log" in told) log(told.log);
    else if ("status" in told) leave(told.status);
    else if (Atomics.load(shared, UNREAD) < MOST_UNREAD) process.stdin.resume();
  });
  engine.on("error", (error) => {
    log(`ERROR: ${error.stack ?? error}`);
    leave(1);
  });
  for (const name of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(name, () => process.exit(0));
  process.stdin.on("data", send);
  let ended = false;
  const end = () => {
    if (ended) return;
    ended = true;
    send(new Uint8Array(0));
    leaveIfUnread(shared, log, leave);
    leaveIfAlone(client, leave);
  };
  // A file has no "close", and what fails has no "end".
  for (const name of ["end", "error", "close"]) process.stdin.on(name, end);
}

/** End when an answer was not read for a long time. */
function leaveIfUnread(shared, log, leave) {
  let before = -1, since = Date.now();
  setInterval(() => {
    const written = Atomics.load(shared, WRITTEN);
    if (!Atomics.load(shared, WRITES) || written !== before) since = Date.now();
    before = written;
    if (Date.now() - since < PATIENCE) return;
    log("ERROR: answers are lost: the client has closed stdin and does not read stdout");
    leave(LOST);
  }, 250).unref();
}

/**
 * End when the process that started this one has died and was the one to read the answers: a search may have no
 * end. Node cannot tell whether anybody reads a pipe, and a file is for later.
 */
function leaveIfAlone(client, leave) {
  const out = fstatSync(1);
  if (out.isFIFO() || out.isSocket()) setInterval(() => process.ppid !== client && leave(0), LOOK).unref();
}

/** What Python sees of its surroundings; see host.py. */
class Host {
  waits = true;
  has_files = true;
  suspends = false;
  memory_mb = Math.min(512, Math.floor(totalmem() / 2 ** 22));
  kernel = null;
  pieces = [];
  seen = 0;
  shared = workerData.shared;

  say(text) {
    const bytes = Buffer.from(text);
    Atomics.store(this.shared, WRITES, 1);
    for (let at = 0; at < bytes.length; Atomics.add(this.shared, WRITTEN, 1)) {
      try {
        at += writeSync(1, bytes, at, Math.min(4096, bytes.length - at));
      } catch (error) {
        if (error.code !== "EAGAIN") return leave(error.code === "EPIPE" || error.code === "EOF" ? 0 : LOST, error);
        Atomics.wait(this.shared, SENT, Atomics.load(this.shared, SENT), 1);
      }
    }
    Atomics.store(this.shared, WRITES, 0);
  }

  /** Wait until something was sent; then all of it is in `pieces`. */
  rest(seconds) {
    this.takeAll();
    if (!seconds || this.pieces.length) return;
    Atomics.wait(this.shared, SENT, this.seen, seconds * 1000);
    this.takeAll();
  }

  heard() {
    const piece = this.pieces.shift();
    if (piece === undefined) return undefined;
    Atomics.sub(this.shared, UNREAD, piece.length);
    parentPort.postMessage({ read: piece.length });
    return piece;
  }

  takeAll() {
    this.seen = Atomics.load(this.shared, SENT);
    for (let got; (got = receiveMessageOnPort(parentPort)) !== undefined; ) this.pieces.push(got.message);
  }
}

/** End the process, from the thread of the engine. */
function leave(status, error) {
  if (status && error) log(`ERROR: cannot write to stdout: ${error.message}`);
  parentPort.postMessage({ status });
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); // nothing more is to be done here
}

const log = (line) => parentPort.postMessage({ log: line });

/** Run the engine to its end. */
async function runEngine() {
  const [{ loadPyodide }, { Kernel }] = await Promise.all([import("./pyodide/pyodide.mjs"), import("./kernel.mjs")]);
  const host = new Host();
  const kernel = WebAssembly.compile(readFileSync(new URL("kernel.wasm", HERE))).then((module) =>
    Kernel.start(module, () => (host.takeAll(), host.pieces.length > 0), false, log));
  const python = await startPython(loadPyodide, host);
  host.kernel = await kernel;
  const { run } = python.pyimport("gtp_engine.cli.hosted");
  parentPort.postMessage({ status: run(host, python.toPy(workerData.arguments)) });
}

/** Python with the files of the package, from a snapshot of its memory. */
async function startPython(loadPyodide, host) {
  const snapshot = new URL("python.snapshot", HERE);
  const python = await loadPyodide({
    indexURL: fileURLToPath(new URL("pyodide/", HERE)),
    env: { HOME: "/home/pyodide", PYTHONDONTWRITEBYTECODE: "1" },
    ...(existsSync(snapshot) ? { _loadSnapshot: readFileSync(snapshot) } : {}),
  });
  python.setStdout({ batched: (line) => host.say(`${line}\n`) });
  python.setStderr({ batched: log });
  const system = python.FS;
  system.mkdirTree("/engine");
  system.mount(system.filesystems.NODEFS, { root: fileURLToPath(new URL("python/", HERE)) }, "/engine");
  mountFolders(system);
  python.runPython("import sys\nif '/engine' not in sys.path: sys.path.insert(0, '/engine')");
  return python;
}

/** Give commands with files the folders of this machine, under the same names; on Windows the current one. */
function mountFolders(system) {
  if (process.platform === "win32") {
    system.mkdirTree("/here");
    system.mount(system.filesystems.NODEFS, { root: process.cwd() }, "/here");
    return system.chdir("/here");
  }
  for (const { name } of readdirSync("/", { withFileTypes: true })) {
    if (["dev", "engine", "lib", "proc", "sys"].includes(name)) continue;
    try {
      system.mkdirTree(`/${name}`);
      system.mount(system.filesystems.NODEFS, { root: `/${name}` }, `/${name}`);
    } catch {
      // A file, or a folder without permission.
    }
  }
  try {
    system.chdir(process.cwd());
  } catch {
    // It is gone, or in a folder that is not mounted.
  }
}

if (isMainThread) readForEngine();
else await runEngine();
