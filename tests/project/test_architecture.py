"""Imports point one way; files stay short."""

import ast
import re
import sys
from pathlib import Path

import pytest

import gtp_engine
from documents.reference import documented_games
from gtp_engine.rules import games

PACKAGE = Path(gtp_engine.__file__).parent
LONGEST_FILE = 400


def head(folder: Path) -> str:
    """The docstring at the head of a folder."""
    return ast.get_docstring(ast.parse((folder / "__init__.py").read_text())) or ""


def declared_imports(folder: Path) -> set[str]:
    """The other rooms that a room may import from, as its head declares them."""
    (text,) = re.findall(r"^May import: ([^.]*)\.$", head(folder), re.MULTILINE)
    named = {
        "no other room": set(),
        "no other folder": set(),
        "every other room": set(ROOMS) - {folder.name},
    }
    return named[text] if text in named else set(text.replace("\n", " ").split(", "))


ROOMS = sorted(path.parent.name for path in PACKAGE.glob("*/__init__.py"))
MAY_IMPORT = {room: declared_imports(PACKAGE / room) for room in ROOMS}

# For each folder of the arena the other folders of it that it may import from. The file beside
# them, `values.py`, is for all, and imports from none.
ARENA_MAY_IMPORT = {
    path.parent.name: declared_imports(path.parent) for path in PACKAGE.glob("arena/*/__init__.py")
}

# For each folder of the kernel the other folders whose headers it may include.
MAY_INCLUDE = {
    "board": set(),
    "rules": {"board"},
    "games": {"board", "rules"},
    "nn": {"board", "rules"},
    "mcts": {"board", "rules", "nn"},
    "solve": {"board", "rules"},
    "api": {"board", "rules", "games", "nn", "mcts", "solve"},
}

# The examples in documentation need some game: dialogues of commands, and lines of Python.
EXAMPLE = re.compile(r'(?:Example:\n|>>> ).*?"""', re.DOTALL)

# What files may include of ours that see plain structs and functions, and no search.
INTERFACE = {
    "api/bindings.cpp": {"api/arguments.hpp"},
    "api/arguments.cpp": {"api/arguments.hpp"},
    "api/arguments.hpp": {"api/added_games.hpp", "api/interface.hpp", "nn/net.hpp"},
    "api/added_games.cpp.in": {"api/added_games.hpp"},
    "api/added_games.hpp": {"api/interface.hpp"},
    "api/game_module.cpp.in": {"api/game_parts.hpp"},
    "api/game_parts.hpp": {"api/interface.hpp"},
}

# Modules that only some of our files, or the files of a folder, may import.
RESERVED = {
    "pyparsing": {"notation/grammar.py", "notation/position_text.py"},
    "loguru": {"log.py", "cli/engine.py"},
    "sgfmill": {"records/sgf.py"},
    "random": {
        "arena/checking/check_subject.py",
        "arena/playing/openings.py",
        "learn/game_in_progress.py",
        "learn/selfplay.py",
        "learn/training.py",
        "puzzles/grading.py",
        "search/benchmark.py",
        "search/random_games.py",
        "search/backends/",
        "search/glance.py",
        "search/naive.py",
        "search/player.py",
        "search/players.py",
        "search/finite_search.py",
    },
    "resvg_py": {"look/svg.py"},
    "gtp_engine.kernel": {
        "learn/",
        "search/backends/kernel.py",
        "search/backends/kernel_solver.py",
        "search/backends/kernel_tree.py",
    },
    "argparse": {"cli/"},
    "subprocess": {"gtp/child.py", "platforms.py"},
    "select": {"platforms.py"},
    "fcntl": {"platforms.py"},
    "msvcrt": {"platforms.py"},
    "resource": {"platforms.py"},
    "psutil": {"arena/storage/database.py", "affinity.py", "gtp/child.py"},
    "segno": {"web/invitations.py"},
    "tornado": {"web/"},
    "sqlite3": {"arena/storage/database.py", "database_faults.py", "journal/file.py"},
    "distributed": {"cluster/"},
    "optuna": {"arena/tuning/tune.py"},
    "jax": {"learn/"},
    "optax": {"learn/"},
    "numpy": {"arena/stats/ratings.py", "arena/tuning/tune.py", "learn/"},
    "rich": {"arena/reporting/report.py", "cli/arena_progress.py"},
}

FILES = sorted(path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py"))
KERNEL = PACKAGE / "kernel"
KERNEL_FILES = sorted(
    path.relative_to(KERNEL) for path in KERNEL.rglob("*") if path.suffix in (".hpp", ".cpp", ".in")
)


def imports(path: Path) -> set[str]:
    """The modules that a file imports, anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse((PACKAGE / path).read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            found.add(node.module)
            if node.module == "gtp_engine" or node.module in our_folders():
                found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def our_folders() -> set[str]:
    return {f"gtp_engine.{folder}" for folder in MAY_IMPORT}


@pytest.mark.parametrize("table", [MAY_IMPORT, ARENA_MAY_IMPORT], ids=["rooms", "arena"])
def test_rooms_import_only_rooms_below_them(table):
    above = dict(table)
    while above:
        lowest = {room for room, below in above.items() if not below & above.keys()}
        assert lowest, f"each of {sorted(above)} may import another of them"
        above = {room: below for room, below in above.items() if room not in lowest}


def defined(file: Path) -> set[str]:
    """The names of the functions and classes of a file."""
    tree = ast.parse(file.read_text())
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}


@pytest.mark.parametrize("room", [*ROOMS, *(f"arena/{folder}" for folder in ARENA_MAY_IMPORT)])
def test_the_names_at_the_head_of_a_room_exist(room):
    (begin,) = re.findall(r"^Begin with: ([^\n]*)\.$", head(PACKAGE / room), re.MULTILINE)
    for name in re.findall(r"`([^`]+)`", begin):
        place = PACKAGE / room / name
        if not place.exists() and not place.with_suffix(".py").exists():
            module, _, last = name.rpartition(".")
            file = f"{module.replace('.', '/') or '__init__'}.py"
            assert last in defined(PACKAGE / room / file), name


@pytest.mark.parametrize("path", FILES, ids=str)
def test_imports_point_one_way(path):
    own = path.parts[0]
    # The files beside the folders are for all of these, and so import none of them.
    if own == "__init__.py":  # the face of the package
        return
    allowed = {"cli"} if path.name == "__main__.py" else MAY_IMPORT.get(own, set()) | {own}
    for module in imports(path):
        parts = module.split(".")
        if parts[0] == "gtp_engine" and len(parts) > 1 and parts[1] in MAY_IMPORT:
            assert parts[1] in allowed, f"{path} imports {module}"


ARENA_FILES = [path for path in FILES if path.parts[0] == "arena"]


@pytest.mark.parametrize("path", ARENA_FILES, ids=str)
def test_imports_within_the_arena_point_one_way(path):
    own = path.parts[1]
    allowed = ARENA_MAY_IMPORT[own] | {own} if len(path.parts) > 2 else set()
    for module in imports(path):
        parts = module.split(".")
        if parts[:2] == ["gtp_engine", "arena"] and len(parts) > 2 and parts[2] in ARENA_MAY_IMPORT:
            assert parts[2] in allowed, f"{path} imports {module}"


@pytest.mark.parametrize("path", FILES, ids=str)
def test_reserved_modules_are_imported_where_they_belong(path):
    for module in imports(path):
        for name, places in RESERVED.items():
            if f"{module}.".startswith(f"{name}."):
                assert path.as_posix().startswith(tuple(places)), f"{path} imports {module}"


# What some systems lack: calls and values of modules, arguments, and the files of Linux.
NOT_EVERYWHERE = re.compile(
    r"\bos\.(?:set_blocking|killpg|setsid|getsid|getpgid|fork|waitid|W[A-Z]+|getuid|geteuid|sysconf"
    r"|sched_\w+|setpriority|mkfifo|O_NOFOLLOW|O_DIRECTORY|fchmod|uname|getloadavg)\b"
    r"|\bsignal\.(?:SIGKILL|SIGHUP|SIGPIPE|SIGUSR\d|SIGALRM|alarm|pthread_\w+)\b"
    r"|\bsocket\.AF_UNIX\b|\btime\.clock_gettime\b|\.add_signal_handler\b"
    r"|\bstart_new_session\b|\bpreexec_fn\b|\bpass_fds\b|\bshlex\.split\b|\"/(?:proc|sys)\b"
)


@pytest.mark.parametrize("path", FILES, ids=str)
def test_what_some_systems_lack_is_in_one_module(path):
    # The guard runs alone, and only where all of this exists.
    if path.name not in ("platforms.py", "guard.py"):
        assert NOT_EVERYWHERE.findall((PACKAGE / path).read_text()) == []


@pytest.mark.parametrize("path", [path for path in FILES if path.parts[0] == "rules"], ids=str)
def test_rules_need_nothing_but_values(path):
    """No clock, no chance, no files: only the standard library's vocabulary of types."""
    allowed = {"abc", "collections", "dataclasses", "enum", "functools", "re", "types", "typing"}
    discovery = {"importlib", "pkgutil"} if path.name == "__init__.py" else set()
    for module in imports(path):
        assert module.split(".")[0] in allowed | discovery | {"gtp_engine"}


def test_games_do_not_know_each_other():
    names = {game.name for game in games()}
    for name in names:
        imported = {module.split(".")[-1] for module in imports(Path("rules", f"{name}.py"))}
        assert not imported & (names - {name})


def public_types(path: Path) -> list[str]:
    """The public classes and type aliases that a file defines at its top level."""
    names = []
    for node in ast.parse((PACKAGE / path).read_text()).body:
        if isinstance(node, ast.ClassDef):
            names.append(node.name)
        elif isinstance(node, ast.Assign):
            names += [target.id for target in node.targets if isinstance(target, ast.Name)]
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.append(node.target.id)
    return [name for name in names if name[0].isupper() and not name.isupper()]


def test_no_two_files_define_a_type_of_the_same_name():
    """Who searches for a name finds one definition. A type variable is private to its file."""
    places: dict[str, list[str]] = {}
    for path in FILES:
        for name in public_types(path):
            places.setdefault(name, []).append(str(path))
    assert len(places) > 200
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def includes(path: Path) -> set[Path]:
    """The headers of ours that a file of the kernel includes."""
    return {Path(name) for name in re.findall(r'#include "(.+)"', (KERNEL / path).read_text())}


def test_every_folder_of_the_kernel_is_in_the_table():
    assert {path.parts[0] for path in KERNEL_FILES} == set(MAY_INCLUDE)
    readme = (KERNEL / "README.md").read_text()
    assert all(f"| `{folder}/" in readme for folder in MAY_INCLUDE)


@pytest.mark.parametrize("path", KERNEL_FILES, ids=str)
def test_includes_point_one_way(path):
    own = path.parts[0]
    for header in includes(path):
        assert (KERNEL / header).exists() or "@game@" in header.name, f"{path} includes {header}"
        assert header.parts[0] in MAY_INCLUDE[own] | {own}, f"{path} includes {header}"
        if own == "games":
            same = header.parts[:2] == path.parts[:2]
            assert same or header.parts[0] != own, f"{path} includes {header}"


@pytest.mark.parametrize("path", INTERFACE)
def test_the_bindings_see_only_the_interface(path):
    assert {str(header) for header in includes(Path(path))} == INTERFACE[path]


@pytest.mark.parametrize(
    "path", [*FILES, *(Path("kernel", path) for path in KERNEL_FILES)], ids=str
)
def test_files_are_short(path):
    assert len((PACKAGE / path).read_text().splitlines()) <= LONGEST_FILE


@pytest.mark.parametrize("path", FILES, ids=str)
def test_only_entry_points_print(path):
    tree = ast.parse((PACKAGE / path).read_text())
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    prints = [call for call in calls if isinstance(call.func, ast.Name) and call.func.id == "print"]
    assert not prints or path.parts[0] == "cli"


@pytest.mark.parametrize("path", FILES, ids=str)
def test_files_are_written_in_one_place(path):
    """Modes, links, drafts and what a failure leaves are the business of files.py.

    A log is different: it is read while it grows.
    """
    if path in (Path("files.py"), Path("gtp/wirelog.py")):
        return
    for call in ast.walk(ast.parse((PACKAGE / path).read_text())):
        if not isinstance(call, ast.Call):
            continue
        called = ast.unparse(call.func)
        assert not called.endswith((".write_text", ".write_bytes")), f"{path}: {called}"
        assert called not in ("os.replace", "os.rename", "NamedTemporaryFile", "mkstemp"), path
        if called == "open" or called.endswith(".open"):
            words = (str(each.value) for each in call.args if isinstance(each, ast.Constant))
            modes = [word for word in words if len(word) <= 3]
            assert not any(set("wax") & set(mode) for mode in modes), f"{path}: {called}"


def test_only_the_bindings_know_nanobind():
    for path in KERNEL_FILES:
        knows = "#include <nanobind" in (KERNEL / path).read_text()
        assert knows == (path.name == "bindings.cpp")


def test_a_name_costs_no_grammar_logger_or_kernel():
    """What is slow to import is not loaded before a command needs it."""
    import subprocess

    code = (
        "import sys; from gtp_engine.cli.engine import main; main();"
        "slow = {'pyparsing', 'loguru', 'sgfmill', 'resvg_py', 'gtp_engine.kernel'};"
        "print(sorted(slow & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", code], input="name\n", capture_output=True, text=True
    )
    assert done.stdout == "= Patchpie\n\n"
    assert done.stderr.strip() == "[]"


def test_a_click_costs_no_grammar_logger_or_kernel():
    """The first click at a board is as quick as all others."""
    import subprocess

    code = (
        "import sys; from gtp_engine.cli.engine import main; main();"
        "slow = {'pyparsing', 'loguru', 'sgfmill', 'resvg_py', 'gtp_engine.kernel'};"
        "print(sorted(slow & set(sys.modules)), file=sys.stderr)"
    )
    lines = "play b c4\nplay w d4\nplay w d4\ngame-view\ngame-preview b d5\nundo\n"
    done = subprocess.run(
        [sys.executable, "-P", "-c", code], input=lines, capture_output=True, text=True
    )
    assert done.stdout.startswith("=\n\n=\n\n? illegal move\n\n= {")
    assert done.stderr.strip() == "[]"


def test_a_ruler_of_guis_loads_no_kernel():
    """GoGui starts several processes that never search."""
    import subprocess

    code = (
        "import sys; from gtp_engine.cli.engine import main; main();"
        "print([name for name in sys.modules if 'kernel._' in name], file=sys.stderr)"
    )
    queries = ("game_id", "board_size", "board_gfx", "legal_moves", "side_to_move")
    lines = ["play b c4", *(f"gogui-rules_{query}" for query in queries)]
    done = subprocess.run(
        [sys.executable, "-P", "-c", code],
        input="\n".join(lines),
        capture_output=True,
        text=True,
    )
    assert done.stdout.startswith("=\n\n= Implo\n\n= 8\n\n")
    assert done.stderr.strip() == "[]"


def test_no_code_names_a_game():
    """What is said of a game stands in its file, or derives from that."""
    titles = "|".join(game.title for game in games())
    names = "|".join(game.name for game in games())
    named = re.compile(rf"\b(?:{titles})\b|\b(?:{names}) [0-9]|[\"'`](?:{names})[\"'`]")
    own = {PACKAGE / "rules" / f"{game.name}.py" for game in games()}
    for path in set(PACKAGE.rglob("*.py")) - own:
        said = EXAMPLE.sub("", path.read_text())
        assert named.findall(said) == [], path.relative_to(PACKAGE)


def test_the_readme_presents_every_documented_game_and_is_short():
    """In its first sentence, and with its rules; its clicks are in the guide of the GUI."""
    text = (PACKAGE.parent / "README.md").read_text()
    guide = (PACKAGE.parent / "protocol_specs" / "play" / "gogui.md").read_text()
    titles = sorted(game.title for game in documented_games())
    first = re.search(r"\*\*([A-Z][^*]*)\*\*", text)[1]
    assert sorted(re.split(r", | and ", first)) == titles
    assert sorted(re.findall(r"^- \*\*([A-Z][a-z]+)\*\*: ", text, re.MULTILINE)) == titles
    assert sorted(re.findall(r"^   \| ([A-Z][a-z]+) \|", guide, re.MULTILINE)) == titles
    assert len(text.splitlines()) <= 150


@pytest.mark.parametrize("words", ["--nonsense", "", "--engine A=a --engine B=b --games 7"])
def test_a_wrong_command_line_of_the_arena_loads_only_what_checks_it(words):
    import subprocess

    code = (
        "import sys; from gtp_engine.cli.arena import main\n"
        f"try: print(main(['run', *{words.split()}]))\n"
        "except SystemExit as end: print(end.code)\n"
        "print(*(name for name in sys.modules if name.startswith('gtp_engine')))"
    )
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True)
    status, loaded = done.stdout.splitlines()
    rooms = {name.split(".")[1] for name in loaded.split() if "." in name and name != "gtp_engine"}
    assert status == "2" and "cli" in rooms
    assert rooms & set(MAY_IMPORT) <= {"arena", "board", "cli", "gtp", "rules"}
    assert "gtp_engine.arena.playing" not in loaded
