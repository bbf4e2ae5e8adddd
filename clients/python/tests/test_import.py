"""The package loads its modules when their names are used first."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import reelwire

SOURCE = Path(reelwire.__file__)


def test_names_are_where_type_checkers_find_them():
    tree = ast.parse(SOURCE.read_text())
    (checked,) = [node for node in tree.body if isinstance(node, ast.If)]
    places = {alias.name: node.module for node in checked.body for alias in node.names}
    assert places == reelwire._PLACES
    assert set(places) <= set(reelwire.__all__)


def test_every_name_is_there():
    for name in reelwire.__all__:
        assert getattr(reelwire, name) is not None
    assert set(reelwire.__all__) <= set(dir(reelwire))


def test_no_module_hides_a_name():
    # Importing a module sets it as an attribute of its package, in place of a function with its name.
    modules = {path.stem for path in SOURCE.parent.iterdir()}
    assert not modules & set(reelwire.__all__)
    script = "import reelwire; reelwire.Engine; print(callable(reelwire.write_video))"
    path = f"import sys; sys.path.insert(0, {str(SOURCE.parents[1])!r}); "
    assert subprocess.check_output([sys.executable, "-c", path + script], text=True).strip() == "True"


def test_modules_are_attributes():
    assert reelwire.protocol.ERROR_NAMES
    assert reelwire.time.MediaTime is reelwire.MediaTime


@pytest.mark.parametrize("name", ["nothing", "__wrapped__"])
def test_what_is_not_there_is_an_attribute_error(name):
    with pytest.raises(AttributeError, match=f"module 'reelwire' has no attribute '{name}'"):
        getattr(reelwire, name)


@pytest.mark.parametrize(
    ("statement", "module", "is_loaded"),
    [
        ("import reelwire", "reelwire.protocol", False),
        ("import reelwire", "asyncio", False),
        ("from reelwire import Engine", "reelwire.compat", False),
        ("from reelwire import Engine, Table, jobs", "numpy", False),
        ("from reelwire import Engine", "html", False),
        ("from reelwire import TimeRange", "asyncio", False),
        ("from reelwire import Engine", "asyncio", True),
        ("from reelwire import FileAlreadyExistsError", "reelwire.engine", False),
        ("from reelwire import *", "reelwire.engine", True),
    ],
)
def test_what_is_used_is_loaded(statement, module, is_loaded):
    script = f"{statement}\nimport sys; print({module!r} in sys.modules)"
    path = f"import sys; sys.path.insert(0, {str(SOURCE.parents[1])!r}); "
    printed = subprocess.check_output([sys.executable, "-c", path + script], text=True)
    assert printed.strip() == str(is_loaded)
