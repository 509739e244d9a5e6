// Python and the kernel in a worker: what gtp-worker.js and board-worker.js share.
import { Kernel } from "./kernel.mjs";
import { loadPyodide } from "./pyodide/pyodide.mjs";

/** Whether WebAssembly can wait for promises. Elsewhere messages arrive only between two commands. */
export const SUSPENDS = "Suspending" in WebAssembly;

const PHONE = /Mobi|Android/.test(navigator.userAgent) || navigator.deviceMemory < 4;

/** The most memory of a search. */
export const MEMORY_MB = PHONE ? 32 : 64;

// Where Python looks for the page, which it encloses in records.
const PAGE = "/engine/gtp_engine/engine/page";

const from = (name) => new URL(name, import.meta.url);
const compiled = WebAssembly.compileStreaming(fetch(from("kernel.wasm")));
const bytes = async (name) => new Uint8Array(await (await fetch(from(name))).arrayBuffer());
const files = bytes("python.zip");
const ofPage = Promise.all(["page.js", "page.css"].map(async (name) => [name, await bytes(name)]));
for (const promise of [compiled, files, ofPage]) promise.catch(() => {}); // told where it is waited for

/**
 * Python with the files of the package.
 * @param {(text: string) => void} say takes stdout
 * @param {(line: string) => void} log takes stderr
 * @param {(part: string) => void} loading is told what is loaded
 */
export async function startPython(say, log, loading) {
  loading("python");
  const python = await loadPyodide({
    indexURL: from("pyodide/").href,
    env: { HOME: "/home/pyodide", PYTHONDONTWRITEBYTECODE: "1" },
  });
  python.setStdout({ batched: (line) => say(`${line}\n`) });
  python.setStderr({ batched: log });
  loading("engine");
  python.unpackArchive(await files, "zip", { extractDir: "/engine" });
  for (const [name, content] of await ofPage) python.FS.writeFile(`${PAGE}/${name}`, content);
  python.runPython("import sys; sys.path.insert(0, '/engine')");
  return python;
}

/** The kernel. @param {() => Promise<boolean>} wantsCallBack whether its solver should return */
export async function startKernel(wantsCallBack, log) {
  return Kernel.start(await compiled, SUSPENDS ? wantsCallBack : () => false, SUSPENDS, log);
}

/** Lets everything run that waits: resolves after one round of the event loop. */
export class Rounds {
  constructor() {
    this.channel = new MessageChannel();
    this.waiting = [];
    this.channel.port1.onmessage = () => this.waiting.shift()?.();
  }

  next(resolve) {
    this.waiting.push(resolve);
    this.channel.port2.postMessage(null);
  }
}
