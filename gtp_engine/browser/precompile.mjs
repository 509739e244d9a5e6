// Makes bytecode of the sources in a folder, by the Python that will run it; then, if a file is named,
// writes a snapshot of the memory of a Python that has imported the engine.
//
// usage: node precompile.mjs FOLDER_OF_PYODIDE FOLDER_OF_SOURCES [SNAPSHOT]
import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [pyodide, folder, snapshot] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`));

/** A Python that finds the folder at the place where the program will have it. */
async function python(options) {
  const made = await loadPyodide({
    indexURL: `${pyodide}/`,
    env: { HOME: "/home/pyodide", PYTHONDONTWRITEBYTECODE: "1", PYTHONHASHSEED: "0" },
    ...options,
  });
  made.FS.mkdirTree("/engine");
  made.FS.mount(made.FS.filesystems.NODEFS, { root: folder }, "/engine");
  return made;
}

(await python({})).runPython(`
import compileall, pathlib, py_compile
done = compileall.compile_dir("/engine", quiet=1, legacy=True, optimize=0,
    invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
assert done, "a source cannot be compiled"
for source in pathlib.Path("/engine").rglob("*.py"):
    source.unlink()
`);

if (snapshot) {
  const made = await python({ _makeSnapshot: true });
  made.runPython(`
import sys
sys.path.insert(0, "/engine")
from gtp_engine.cli import hosted
hosted.preload()
`);
  writeFileSync(snapshot, made.makeMemorySnapshot());
}
process.exit(0);
