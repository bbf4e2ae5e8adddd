"""No rule is broken."""

from conftest import Tree


def test_the_tree_has_no_violations(tree: Tree) -> None:
    assert tree.violations() == []
