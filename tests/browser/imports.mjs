// Writes what all modules of a site import, also inside their functions: a list for each module, in JSON.
//
// usage: node imports.mjs FOLDER
import { pathToFileURL } from "node:url";

const [folder] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide/pyodide.mjs`));
const python = await loadPyodide({ indexURL: `${folder}/pyodide/` });
python.FS.mkdirTree("/site");
python.FS.mount(python.FS.filesystems.NODEFS, { root: folder }, "/site");
const found = python.runPython(`
import dis, json, marshal, zipfile
from importlib.util import resolve_name
from types import CodeType

HEADER = 16  # bytes before the code in a file of bytecode
IMPORT = dis.opmap["IMPORT_NAME"]

def imports(code, package):
    """The modules that a code imports, and the names from them, which may be modules."""
    taken = []
    for instruction in dis.get_instructions(code) if IMPORT in code.co_code[::2] else ():
        if instruction.opname == "IMPORT_NAME":
            level, names = (each.argval for each in taken[-2:])
            module = resolve_name("." * level + instruction.argval, package)
            yield module
            yield from (f"{module}.{name}" for name in names or ())
        taken.append(instruction)
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from imports(inner, package)

found = {}
for archive in ("python.zip", "pyodide/python_stdlib.zip"):
    with zipfile.ZipFile(f"/site/{archive}") as packed:
        for file in packed.namelist():
            if file.endswith(".pyc"):
                name = file.removesuffix(".pyc").replace("/", ".")
                module = name.removesuffix(".__init__")
                package = module if module != name else module.rpartition(".")[0]
                code = marshal.loads(packed.read(file)[HEADER:])
                found[module] = sorted(set(imports(code, package)))
json.dumps(found)
`);
process.stdout.write(found, () => process.exit(0));
