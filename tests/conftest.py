"""Fixtures and drivers that all tests share."""

import os
import random
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from documents.reference import documented_games
from gtp_engine.base.affinity import processor_count
from gtp_engine.base.log import logger
from gtp_engine.rules import find_game, games
from gtp_engine.search.backends.kernel import kernel_built, kernel_for
from support import examples
from support.driver import Driver
from support.mirror import games_in_kernel
from support.packages import hide_what_only_test_all_has
from support.thorough import first_of, leave_out, only_if_all

# What the caller has set for his own engines changes no test, and reaches no engine of a test.
for name in [each for each in os.environ if each.startswith("PATCHPIE_")]:
    del os.environ[name]

pytest_plugins = [
    "support.chromium",
    "support.collecting",
    "support.dask_cluster",
    "support.hung",
    "support.order",
    "support.other_browsers",
    "support.shipped_data",
    "support.tools",
]

settings.register_profile(
    "suite",
    derandomize=True,
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow],
)
# Other examples in each run; tests/standing takes it, and a failure shows how to repeat it.
settings.register_profile(
    "standing", settings.get_profile("suite"), derandomize=False, max_examples=300, print_blob=True
)
settings.load_profile("suite")


# What needs JAX, optuna, SciPy, charts or a Dask cluster: thorough as a whole, and not imported
# without --all.
NEED_MUCH = (
    "learn",
    "cli/test_train.py",
    "arena/test_cluster.py",
    "arena/test_cluster_page.py",
    "arena/test_numerics.py",
    "arena/test_report_page.py",
    "arena/test_statistics.py",
    "arena/test_tune.py",
)


def pytest_addoption(parser):
    parser.addoption(
        "--all", action="store_true", help="run also the tests that are marked as thorough"
    )
    parser.addoption(
        "--rest", action="store_true", help="run only what the suite without --all leaves out"
    )
    parser.addoption(
        "--games", type=int, default=33, help="random games of each kind to compare with the kernel"
    )


def pytest_configure(config):
    """What was named runs whole. The workers of pytest-xdist keep one folder for JAX."""
    if config.option.rest or config.args_source is pytest.Config.ArgsSource.ARGS:
        config.option.all = True
    if not config.option.all:
        hide_what_only_test_all_has()
        leave_out()
    if not hasattr(config, "workerinput"):
        keep_compiled(config)


def keep_compiled(config):
    """Many fits compile the same programs: JAX keeps them in a folder of this session."""
    folder = tempfile.TemporaryDirectory(prefix="compiled-", ignore_cleanup_errors=True)
    config.add_cleanup(folder.cleanup)
    os.environ["JAX_COMPILATION_CACHE_DIR"] = folder.name
    os.environ["JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS"] = "0"


@pytest.fixture(scope="session", autouse=True)
def own_data_folder(tmp_path_factory):
    """No test writes into the journal of whoever runs it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        yield


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers():
    return processor_count() + 2  # many tests wait for a process or for a moment


def pytest_ignore_collect(collection_path, config):
    tests = Path(__file__).parent
    if not config.option.all and collection_path in [tests / each for each in NEED_MUCH]:
        return True
    return None


def pytest_collection_modifyitems(config, items):
    """Without --all the fast part runs; with --rest all others, so both together are the suite."""
    if config.option.all and not config.option.rest:
        return
    much = tuple(str(Path(__file__).parent / each) for each in NEED_MUCH)
    fast, rest = [], []
    for item in items:
        slow = item.get_closest_marker("thorough") or str(item.path).startswith(much)
        (rest if slow else fast).append(item)
    items[:], left_out = (rest, fast) if config.option.rest else (fast, rest)
    config.hook.pytest_deselected(items=left_out)


@pytest.fixture
def drive() -> Driver:
    return Driver()


@pytest.fixture
def logged():
    """What the package logs, a text for each line."""
    told = []
    logger().enable("gtp_engine")
    sink = logger().add(told.append, format="{level.name}: {message}")
    yield told
    logger().remove(sink)
    logger().disable("gtp_engine")


@pytest.fixture(params=[game.name for game in documented_games()])
def documented(request):
    return find_game(request.param)


@pytest.fixture(params=[game.name for game in games()])
def game(request):
    return find_game(request.param)


@pytest.fixture(params=[*games_in_kernel(), *map(only_if_all, examples.NAMES)])
def kernel_game(request):
    """Each game that the kernel has, and the example games, which are compiled for these tests."""
    if not kernel_built():
        pytest.skip("no kernel was built")
    if request.param in examples.NAMES and (why := examples.build()):
        pytest.skip(why)
    with examples.any_game_there(request.param) as game:
        kernel_for(request.param)  # adds it to the core
        yield game


@pytest.fixture(params=[*(game.name for game in games()), *first_of(examples.NAMES, 2)])
def any_game(request):
    """Each game, and those that only these tests know."""
    with examples.any_game_there(request.param) as game:
        yield game


@pytest.fixture
def rng() -> random.Random:
    return random.Random(20261121)
