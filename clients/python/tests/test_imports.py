"""Modules import those below them: there is no circle.

Imports for the type checker alone don't count: their names stand in annotations only.
"""

import ast
from pathlib import Path

import pytest

import reelwire

SOURCES = Path(reelwire.__file__).parent


def _imported(tree, names, package):
    """The modules of a package that a module of it imports, inside functions too.

    Those of a package inside it import each other by one dot, and those of the outer one by two.
    """
    hidden = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            hidden |= {id(each) for statement in node.body for each in ast.walk(statement)}
    found = set()
    for node in ast.walk(tree):
        if not isinstance(node, ast.ImportFrom) or not node.level or id(node) in hidden:
            continue
        prefix = "".join(f"{part}." for part in package.split(".")[: -node.level])
        imported = [node.module] if node.module else [each.name for each in node.names]
        found |= {prefix + each for each in imported}
    return sorted(found & names)


def _graph(sources):
    names = set(sources)
    return {name: _imported(ast.parse(text), names, name) for name, text in sources.items()}


def _circle(graph):
    """The first circle that there is, as a list of modules; ``None`` without any."""
    done = set()

    def visit(name, path):
        if name in path:
            return [*path[path.index(name) :], name]
        if name in done:
            return None
        for other in graph[name]:
            if circle := visit(other, [*path, name]):
                return circle
        done.add(name)
        return None

    return next((circle for name in graph if (circle := visit(name, []))), None)


def test_no_module_imports_itself_by_way_of_others():
    paths = {path: path.relative_to(SOURCES).with_suffix("") for path in SOURCES.rglob("*.py")}
    sources = {".".join(name.parts): path.read_text() for path, name in paths.items()}
    graph = _graph(sources)
    assert len(graph) > 30
    assert {"engine", "jobs.job"} <= set(graph["jobs.worker"])
    assert sum(map(len, graph.values())) > 100
    assert _circle(graph) is None


@pytest.mark.parametrize(
    ("last", "circle"),
    [
        ("from .a import x", ["a", "b", "c", "a"]),
        ("from . import b", ["b", "c", "b"]),
        ("def f():\n    from .a import x", ["a", "b", "c", "a"]),
        ("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .a import x", None),
        ("import a", None),
        ("from .d.e import x", ["c", "d.e", "d.f", "d.g", "c"]),
    ],
)
def test_a_circle_is_found(last, circle):
    inner = {"d.e": "from .f import x", "d.f": "from . import g", "d.g": "from ..c import z"}
    graph = _graph({"a": "from .b import y", "b": "from . import c", "c": last, **inner})
    assert _circle(graph) == circle
