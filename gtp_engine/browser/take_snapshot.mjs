// Writes a snapshot of the memory of a Python that has imported the engine.
//
// usage: node take_snapshot.mjs FOLDER_OF_PYODIDE FOLDER_OF_THE_PACKAGE SNAPSHOT
import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [pyodide, folder, snapshot] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`));
const python = await loadPyodide({
  indexURL: `${pyodide}/`,
  env: { HOME: "/home/pyodide", PYTHONDONTWRITEBYTECODE: "1", PYTHONHASHSEED: "0" },
  _makeSnapshot: true,
});
python.FS.mkdirTree("/engine"); // the place where the program will have it
python.FS.mount(python.FS.filesystems.NODEFS, { root: folder }, "/engine");
python.runPython(`
import random, sys
sys.path.insert(0, "/engine")
from gtp_engine.cli import hosted
hosted.preload()
random.seed(0)
`);
writeFileSync(snapshot, python.makeMemorySnapshot());
process.exit(0);
