// Replaces the sources in folders by bytecode, by the Python that will run it.
//
// usage: node compile_python.mjs FOLDER_OF_PYODIDE LEVEL=FOLDER...    LEVEL: 2 removes docstrings, 0 keeps them
import { pathToFileURL } from "node:url";

const [pyodide, ...folders] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`));
const python = await loadPyodide({ indexURL: `${pyodide}/` });
for (const [number, given] of folders.entries()) {
  const [level, folder] = given.split(/=(.*)/);
  python.FS.mkdirTree(`/${number}`);
  python.FS.mount(python.FS.filesystems.NODEFS, { root: folder }, `/${number}`);
  python.runPython(`
import compileall, pathlib, py_compile
done = compileall.compile_dir("/${number}", stripdir="/${number}/", quiet=1, legacy=True, optimize=${level},
    invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
assert done, "a source cannot be compiled"
for source in pathlib.Path("/${number}").rglob("*.py"):
    source.unlink()
`);
}
process.exit(0);
