// Replaces the sources in folders by bytecode, by the Python that will run it: without docstrings and assertions,
// and without the columns of a line, which only a traceback with the source shows.
//
// usage: node compile_python.mjs FOLDER_OF_PYODIDE FOLDER[=PART,PART...]...    PART: of the folder, keeps docstrings
import { pathToFileURL } from "node:url";

const [pyodide, ...folders] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`));
const python = await loadPyodide({
  indexURL: `${pyodide}/`,
  env: { HOME: "/home/pyodide", PYTHONNODEBUGRANGES: "1" },
});
python.runPython(`
import compileall, pathlib, py_compile

def compile_all(root, part, level):
    done = compileall.compile_dir(f"{root}/{part}", stripdir=f"{root}/", quiet=1, legacy=True, optimize=level,
        invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
    assert done, "a source cannot be compiled"
    for source in pathlib.Path(root, part).rglob("*.py"):
        source.unlink()
`);
const compileAll = python.globals.get("compile_all");
for (const [number, given] of folders.entries()) {
  const [folder, parts] = given.split("=");
  python.FS.mkdirTree(`/${number}`);
  python.FS.mount(python.FS.filesystems.NODEFS, { root: folder }, `/${number}`);
  for (const part of parts?.split(",") ?? []) compileAll(`/${number}`, part, 0);
  compileAll(`/${number}`, "", 2);
}
process.exit(0);
