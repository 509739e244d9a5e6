"""Imports point one way. Each test looks at all files, and tells what is wrong."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import gtp_engine
from documents.reference import documented_games
from gtp_engine.rules import games

PACKAGE = Path(gtp_engine.__file__).parent


ROOMS = sorted(path.parent.name for path in PACKAGE.glob("*/__init__.py"))
FOLDERS = sorted(
    path.parent.relative_to(PACKAGE).as_posix() for path in PACKAGE.glob("*/*/__init__.py")
)


def head(place: str) -> str:
    """The docstring at the head of a room, or of a folder of it."""
    return ast.get_docstring(ast.parse((PACKAGE / place / "__init__.py").read_text())) or ""


def declared_imports(place: str) -> set[str]:
    """The rooms, and the folders and files of rooms, that a place may import from besides itself.

    The head of a room names them all. The head of a folder names other folders of its room; if it
    names rooms, too, it may import only these, else those of its room. Files beside the folders of
    a room are for all of these, unless the room says what they import.
    """
    (written,) = re.findall(r"^May import: ([^.]*)\.$", head(place), re.MULTILINE)
    room, _, folder = place.partition("/")
    if not folder:
        return set(ROOMS) - {room} if written == "every other room" else _names(written)
    names = {f"{room}/{name}" if f"{room}/{name}" in FOLDERS else name for name in _names(written)}
    outside = {name for name in names if not name.startswith(f"{room}/")}
    limited = outside or written == "no other room"
    return names if limited else names | declared_imports(room)


def _names(written: str) -> set[str]:
    if written in ("no other room", "no other folder"):
        return set()
    return set(written.replace("\n", " ").split(", "))


MAY_IMPORT = {place: declared_imports(place) for place in (*ROOMS, *FOLDERS)}

# Files beside the folders of a room that do not import these, but for those that are named.
BESIDE_FOLDERS = {"arena": set(), "rules": {"rules/points"}}

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
    "api/bindings.cpp": {
        "api/arguments.hpp",
        "api/signal_watch.hpp",
        "board/exact_functions.hpp",
    },
    "api/byte_calls.cpp": {
        "api/arguments.hpp",
        "api/marshalled.hpp",
        "board/exact_functions.hpp",
        "solve/limits.hpp",
    },
    "api/marshalled.hpp": set(),
    "api/signal_watch.hpp": set(),
    "api/arguments.cpp": {"api/arguments.hpp"},
    "api/arguments.hpp": {"api/added_games.hpp", "api/interface.hpp", "nn/net.hpp"},
    "api/added_games.cpp.in": {"api/added_games.hpp"},
    "api/added_games.hpp": {"api/interface.hpp"},
    "api/game_module.cpp.in": {"api/game_parts.hpp"},
    "api/game_parts.hpp": {"api/interface.hpp"},
}

# Modules that only some of our files, or the files of a folder, may import.
RESERVED = {
    "pyparsing": {"rules/notation/grammar.py", "rules/notation/position_text.py"},
    "loguru": {"base/log.py", "cli/engine.py"},
    "sgfmill": {"rules/records/sgf.py"},
    "random": {
        "cli/hosted.py",
        "arena/checking/check_subject.py",
        "arena/playing/openings.py",
        "learn/game_in_progress.py",
        "learn/gate_match.py",
        "learn/selfplay.py",
        "learn/training.py",
        "learn/puzzle_mining.py",
        "search/benchmark.py",
        "search/random_games.py",
        "search/backends/",
        "search/step_features.py",
        "search/simple_players.py",
        "search/player.py",
        "search/named_players.py",
        "search/assessment.py",
    },
    "resvg_py": {"engine/pictures/svg.py"},
    "gtp_engine.kernel": {
        "learn/",
        "search/backends/kernel.py",
    },
    "argparse": {"cli/"},
    "pyodide": {"browser/javascript.py"},
    "subprocess": {"browser/making.py", "gtp/client/child.py", "base/platforms.py"},
    "select": {"base/platforms.py"},
    "fcntl": {"base/platforms.py"},
    "msvcrt": {"base/platforms.py"},
    "resource": {"base/platforms.py"},
    "psutil": {"arena/storage/database.py", "base/affinity.py", "gtp/client/child.py"},
    "segno": {"board/server/invitations.py"},
    "tornado": {"board/server/"},
    "sqlite3": {"arena/storage/database.py", "base/database.py", "board/journal/file.py"},
    "distributed": {"base/cluster.py"},
    "optuna": {"arena/tuning/tune.py"},
    "jax": {"learn/"},
    "optax": {"learn/"},
    "numpy": {"arena/stats/ratings.py", "arena/tuning/tune.py", "learn/"},
    "rich": {"arena/reporting/terminal.py", "cli/arena_progress.py"},
}

FILES = sorted(path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py"))
KERNEL = PACKAGE / "kernel"
KERNEL_FILES = sorted(
    path.relative_to(KERNEL) for path in KERNEL.rglob("*") if path.suffix in (".hpp", ".cpp", ".in")
)


@cache
def text(path: Path) -> str:
    return (PACKAGE / path).read_text()


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(text(path))


@cache
def nodes(path: Path) -> dict[type, list[ast.AST]]:
    """What stands anywhere in a file, by its kind."""
    found: dict[type, list[ast.AST]] = {}
    for node in ast.walk(tree(path)):
        found.setdefault(type(node), []).append(node)
    return found


@cache
def imported(path: Path) -> list[tuple[int, str]]:
    """The modules that a file imports, anywhere in it, with the numbers of their lines."""
    found = []
    for node in nodes(path).get(ast.Import, []):
        found += [(node.lineno, alias.name) for alias in node.names]
    for node in nodes(path).get(ast.ImportFrom, []):
        assert node.level == 0, f"{path}:{node.lineno}: relative import"
        found.append((node.lineno, node.module))
        if node.module == "gtp_engine" or node.module in OUR_FOLDERS:
            found += [(node.lineno, f"{node.module}.{alias.name}") for alias in node.names]
    return found


def imports(path: Path) -> set[str]:
    """The modules that a file imports."""
    return {module for _, module in imported(path)}


OUR_FOLDERS = {f"gtp_engine.{place.replace('/', '.')}" for place in MAY_IMPORT}


def defined(path: Path) -> set[str]:
    """The names of the functions and classes of a file."""
    return {each.name for each in tree(path).body if isinstance(each, CLASS_OR_FUNCTION)}


CLASS_OR_FUNCTION = ast.FunctionDef | ast.ClassDef


def test_there_are_eleven_rooms_at_most_and_two_files_beside_them():
    assert len(ROOMS) <= 11
    assert {path.name for path in PACKAGE.glob("*.py")} == {"__init__.py", "__main__.py"}


def test_rooms_and_folders_import_only_what_is_below_them():
    above = {
        place: {
            each
            for name in names
            for each in MAY_IMPORT
            if each == name or (name.startswith(f"{each}/") and each not in place)
        }
        for place, names in MAY_IMPORT.items()
    }
    while above:
        lowest = {place for place, below in above.items() if not below & above.keys()}
        assert lowest, f"each of {sorted(above)} may import another of them"
        above = {place: below for place, below in above.items() if place not in lowest}


def test_the_names_at_the_head_of_a_room_exist():
    wrong = []
    for place in MAY_IMPORT:
        (begin,) = re.findall(r"^Begin with: ([^\n]*)\.$", head(place), re.MULTILINE)
        for name in re.findall(r"`([^`]+)`", begin):
            file = PACKAGE / place / name
            if file.exists() or file.with_suffix(".py").exists():
                continue
            module, _, last = name.rpartition(".")
            path = Path(place, *module.split("."))
            files = (path.with_suffix(".py"), path / "__init__.py")
            if not any((PACKAGE / each).exists() and last in defined(each) for each in files):
                wrong.append(f"{place}: {name}")
    assert not wrong, "\n".join(wrong)


def too_high(path: Path, module: str) -> bool:
    """Whether a module of ours is above a file, or beside it, where the file may not import it."""
    ours, *parts = module.split(".")
    if ours != "gtp_engine" or not parts or parts[0] not in ROOMS or str(path) == "__init__.py":
        return False  # the face of the package
    if path.name == "__main__.py":
        return parts[0] not in ("cli", "base")
    own, there = place_of(path), place_of(Path(*parts, "_"))
    room = path.parts[0]
    if there in (own, room):
        return False
    if own == room and there.startswith(f"{room}/"):
        return room in BESIDE_FOLDERS and there not in BESIDE_FOLDERS[room]
    wanted = "/".join(parts)
    return not any(f"{wanted}/".startswith(f"{name}/") for name in MAY_IMPORT[own])


def place_of(path: Path) -> str:
    """The folder of a room that has a file, or else the room."""
    folder = "/".join(path.parts[:2])
    return folder if folder in MAY_IMPORT else path.parts[0]


def out_of_place(path: Path, module: str) -> bool:
    """Whether a module belongs to other files."""
    return any(
        f"{module}.".startswith(f"{name}.") and not path.as_posix().startswith(tuple(places))
        for name, places in RESERVED.items()
    )


def test_imports_point_one_way_and_reserved_modules_are_where_they_belong():
    assert len(FILES) > 200
    wrong = [
        f"{path}:{line}: imports {module}"
        for path in FILES
        for line, module in imported(path)
        if too_high(path, module) or out_of_place(path, module)
    ]
    assert not wrong, "\n".join(wrong)


def test_rules_need_nothing_but_values_and_no_other_game():
    """No clock, no chance, no files: only the standard library's vocabulary of types."""
    allowed = {"abc", "collections", "dataclasses", "enum", "functools", "re", "types", "typing"}
    names, wrong = {game.name for game in games()}, []
    for path in (path for path in FILES if path.parent == Path("rules")):
        discovery = {"importlib", "pkgutil"} if path.name == "__init__.py" else set()
        others = names - {path.stem} if path.stem in names else set()
        wrong += [
            f"{path}:{line}: imports {module}"
            for line, module in imported(path)
            if module.split(".")[0] not in allowed | discovery | {"gtp_engine"}
            or module.split(".")[-1] in others
        ]
    assert not wrong, "\n".join(wrong)


# What some systems lack: calls and values of modules, arguments, and the files of Linux.
NOT_EVERYWHERE = re.compile(
    r"\bos\.(?:set_blocking|killpg|setsid|getsid|getpgid|fork|waitid|W[A-Z]+|getuid|geteuid|sysconf"
    r"|sched_\w+|setpriority|mkfifo|O_NOFOLLOW|O_DIRECTORY|fchmod|uname|getloadavg)\b"
    r"|\bsignal\.(?:SIGKILL|SIGHUP|SIGPIPE|SIGUSR\d|SIGALRM|alarm|pthread_\w+)\b"
    r"|\bsocket\.AF_UNIX\b|\btime\.clock_gettime\b|\.add_signal_handler\b"
    r"|\bstart_new_session\b|\bpreexec_fn\b|\bpass_fds\b|\bshlex\.split\b|\"/(?:proc|sys)\b"
)


def test_what_some_systems_lack_is_in_one_module():
    """The guard runs alone, and only where all of this exists."""
    wrong = [
        f"{path}:{text(path).count(chr(10), 0, found.start()) + 1}: {found[0]}"
        for path in FILES
        if path.name not in ("platforms.py", "guard.py")
        for found in NOT_EVERYWHERE.finditer(text(path))
    ]
    assert not wrong, "\n".join(wrong)


def test_only_entry_points_print_and_files_are_written_in_one_place():
    """Modes, links, drafts and what a failure leaves are the business of files.py.

    A log is different: it is read while it grows.
    """
    wrong = []
    for path in FILES:
        writes = path in (Path("base/files.py"), Path("gtp/client/wirelog.py"))
        for call in nodes(path).get(ast.Call, []):
            called = ast.unparse(call.func)
            if (called == "print" and path.parts[0] != "cli") or (
                not writes and writes_a_file(called, call)
            ):
                wrong.append(f"{path}:{call.lineno}: {called}")
    assert not wrong, "\n".join(wrong)


def writes_a_file(called: str, call: ast.Call) -> bool:
    """Whether a call of this name writes, makes or moves a file."""
    if called.endswith((".write_text", ".write_bytes")):
        return True
    if called in ("os.replace", "os.rename", "NamedTemporaryFile", "mkstemp"):
        return True
    if called != "open" and not called.endswith(".open"):
        return False
    words = (str(each.value) for each in call.args if isinstance(each, ast.Constant))
    return any(set("wax") & set(word) for word in words if len(word) <= 3)


def includes(path: Path) -> Iterator[tuple[int, Path]]:
    """The headers of ours that a file of the kernel includes, with the numbers of their lines."""
    for line, written in enumerate(text(Path("kernel", path)).splitlines(), 1):
        for name in re.findall(r'#include "(.+)"', written):
            yield line, Path(name)


def test_every_folder_of_the_kernel_is_in_the_table():
    assert {path.parts[0] for path in KERNEL_FILES} == set(MAY_INCLUDE)
    readme = (KERNEL / "README.md").read_text()
    assert all(f"| `{folder}/" in readme for folder in MAY_INCLUDE)


def test_includes_point_one_way_and_the_bindings_see_only_the_interface():
    wrong = []
    for path in KERNEL_FILES:
        own = path.parts[0]
        for line, header in includes(path):
            there = (KERNEL / header).exists() or "@game@" in header.name
            below = header.parts[0] in MAY_INCLUDE[own] | {own}
            other_game = own == header.parts[0] == "games" and header.parts[1] != path.parts[1]
            if not there or not below or other_game:
                wrong.append(f"{path}:{line}: includes {header}")
        knows = "#include <nanobind" in text(Path("kernel", path))
        if knows != (path.name == "bindings.cpp"):
            wrong.append(f"{path}: {'knows' if knows else 'lacks'} nanobind")
    for name, seen in INTERFACE.items():
        if (found := {str(header) for _, header in includes(Path(name))}) != seen:
            wrong.append(f"{name} sees {sorted(found)}, not {sorted(seen)}")
    assert not wrong, "\n".join(wrong)


def after_a_run(code: str, lines: str) -> subprocess.CompletedProcess[str]:
    """Our engine answers lines; then some code runs in its process."""
    code = f"import sys; from gtp_engine.cli.engine import main; main(); {code}"
    command = [sys.executable, "-P", "-c", code]
    return subprocess.run(command, input=lines, capture_output=True, text=True)


def test_a_name_and_a_click_cost_no_grammar_logger_or_kernel():
    """What is slow to import is not loaded before a command needs it: a first click is quick."""
    slow = {"pyparsing", "loguru", "sgfmill", "resvg_py", "gtp_engine.kernel"}
    lines = "name\nplay b c4\nplay w d4\nplay w d4\ngame-view\ngame-preview b d5\nundo\n"
    done = after_a_run(f"print(sorted({slow} & set(sys.modules)), file=sys.stderr)", lines)
    assert done.stdout.startswith("= Patchpie\n\n=\n\n=\n\n? illegal move\n\n= {")
    assert done.stderr.strip() == "[]"


def test_a_ruler_of_guis_loads_no_kernel():
    """GoGui starts several processes that never search."""
    queries = ("game_id", "board_size", "board_gfx", "legal_moves", "side_to_move")
    lines = ["play b c4", *(f"gogui-rules_{query}" for query in queries)]
    loaded = "print([name for name in sys.modules if 'kernel._' in name], file=sys.stderr)"
    done = after_a_run(loaded, "\n".join(lines))
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


def test_a_wrong_command_line_of_the_arena_loads_only_what_checks_it():
    lines = ("--nonsense", "", "--engine A=a --engine B=b --games 7")
    code = (
        "import sys; from gtp_engine.cli.arena import main\n"
        f"for line in {lines}:\n"
        "    try: print(main(['run', *line.split()]))\n"
        "    except SystemExit as end: print(end.code)\n"
        "print(*(name for name in sys.modules if name.startswith('gtp_engine')))"
    )
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True)
    *statuses, loaded = done.stdout.splitlines()
    rooms = {name.split(".")[1] for name in loaded.split() if "." in name and name != "gtp_engine"}
    assert statuses == ["2"] * len(lines) and "cli" in rooms
    assert rooms & set(MAY_IMPORT) <= {"arena", "base", "cli", "gtp", "rules"}
    assert "gtp_engine.arena.playing" not in loaded
