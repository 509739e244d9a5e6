// The board in a module worker: its tables, its engines and its journal. The page's side is site.js.
//
// It takes the messages of the page as texts, and posts those of the board; and objects: { loading },
// { ready }, { fault } and { log }.
import { MEMORY_MB, Rounds, SUSPENDS, startKernel, startPython } from "./python.mjs";

const FOLDER = "/patchpie"; // also the name of the database in which the browser keeps the journal
const OWNER = "patchpie"; // the name of the lock of the tab that has the journal
const PATIENCE = 2000; // ms for a tab that is being closed

/** What Python sees of its surroundings; see JavaScriptStacks and hosted_board.py. */
class Host {
  suspends = SUSPENDS;
  memory_mb = MEMORY_MB;
  kernel = null;
  folder = "";
  trouble = "";
  rounds = new Rounds();
  wanted = false;
  system = null;

  post(text) {
    postMessage(text);
  }

  /** Run something of Python on a stack of its own. */
  start(work) {
    setTimeout(() => work.callPromising().catch(fail).finally(() => work.destroy()));
  }

  pause() {
    return new Promise((resolve) => this.rounds.next(resolve));
  }

  call_back() {
    this.wanted = true;
  }

  /** Whether the running solver should return. */
  async wantsCallBack() {
    await this.pause();
    const { wanted } = this;
    this.wanted = false;
    return wanted;
  }

  /** Keep the files of the folder in the browser; returns why that failed, "" if it did not. */
  async save() {
    return (await this.copy()) && (this.forgetConnection(), this.copy());
  }

  copy() {
    return new Promise((resolve) => this.system.syncfs(false, (error) => resolve(error ? sentence(error) : "")));
  }

  /** Have the database opened again: the browser may have closed it. */
  forgetConnection() {
    const { dbs } = this.system.filesystems.IDBFS;
    dbs[FOLDER]?.close();
    delete dbs[FOLDER];
  }
}

function sentence(error) {
  return error.name === "QuotaExceededError" ? "the browser has no room left for them" : `the browser says: ${error.message ?? error}`;
}

const log = (text) => postMessage({ log: text });

function fail(error) {
  log(`ERROR: ${error.stack ?? error}`);
  postMessage({ fault: String(error.message ?? error).trim().split("\n").at(-1) });
}

/** Whether this tab may have the journal; as long as it lives, no other one has it then. */
function owning() {
  const signal = AbortSignal.timeout(PATIENCE);
  return new Promise((resolve) => {
    navigator.locks.request(OWNER, { signal }, () => (resolve(true), new Promise(() => {}))).catch(() => resolve(false));
  });
}

/** Bring the journal from the browser into the folder, or say why it has none. */
async function openJournal(host, owns) {
  if (!navigator.locks) return "The browser keeps games only for pages from https addresses.";
  if (!(await owns)) return "Another tab of this browser has your games.";
  const { system } = host;
  system.mkdirTree(FOLDER);
  try {
    system.mount(system.filesystems.IDBFS, {}, FOLDER);
    await new Promise((resolve, reject) => system.syncfs(true, (error) => (error ? reject(error) : resolve())));
  } catch (error) {
    return `The browser keeps no games for this page: ${error.message ?? error}.`;
  }
  host.folder = FOLDER;
  return "";
}

const host = new Host();
const early = [];
let hear = (text) => early.push(text);
onmessage = ({ data }) => hear(data);
try {
  const owns = navigator.locks && owning();
  const kernel = startKernel(() => host.wantsCallBack(), log);
  const python = await startPython(log, log, (loading) => postMessage({ loading }));
  postMessage({ loading: "board" });
  host.kernel = await kernel;
  host.system = python.FS;
  host.trouble = await openJournal(host, owns);
  const port = await python.pyimport("gtp_engine.cli.hosted_board").begun(host);
  hear = (text) => port.hear(text);
  early.forEach(hear);
  postMessage({ ready: true });
} catch (error) {
  fail(error);
}
