"""The supervisor finds handles and files where the types have them."""

import pytest
from conftest import ROOT
from memberpaths import MemberPaths
from model import GeneratorError, parse_doc


def _ref(name):
    return {"$ref": f"#/components/schemas/{name}"}


@pytest.fixture
def declare(document):
    """Adds a method with params and a result of those members, and returns the code that is generated of it."""

    def generated(params, result, objects=()):
        document["methods"].append(
            {
                "name": "gadget/make",
                "params": [
                    {"name": name, "required": True, "schema": schema}
                    for name, schema in params.items()
                ],
                "result": {"schema": {"type": "object", "properties": result}},
                "x-objects": list(objects),
            }
        )
        (line,) = [
            line.strip()
            for line in MemberPaths(document).swift().splitlines()
            if '"gadget/make"' in line
        ] or [None]
        return line

    return generated


def test_handles_are_found_at_any_depth(document, declare):
    document["components"]["schemas"]["Gadget"] = {
        "type": "object",
        "properties": {
            "asset": _ref("AssetHandle"),
            "lease": _ref("LeaseHandle"),
            "parts": {"type": "array", "items": _ref("Gadget")},
        },
    }
    params = {
        "gadgets": {"type": "array", "items": _ref("Gadget")},
        "byName": {"type": "object", "additionalProperties": _ref("OutputHandle")},
        "choice": {"anyOf": [{"type": "string"}, _ref("CompositionHandle")]},
    }
    # A type within itself is followed once.
    assert declare(params, {}) == (
        '"gadget/make": MessageMembers(handles: ["gadgets/*/asset", "byName/*", "choice"]),'
    )


def test_files_are_those_that_are_read(declare):
    params = {
        "url": {"type": "string", "x-path": "read"},
        "urls": {"type": "array", "items": {"type": "string"}, "x-path": "read"},
        "outputURL": {"type": "string", "x-path": "written"},
    }
    assert declare(params, {}) == '"gadget/make": MessageMembers(files: ["url", "urls/*"]),'


def test_new_objects_are_in_the_order_of_their_kinds(declare):
    result = {
        "outputs": {"type": "array", "items": _ref("OutputHandle")},
        "assetReader": _ref("AssetReaderHandle"),
    }
    assert declare({}, result, ["assetReader", "output"]) == (
        '"gadget/make": MessageMembers(objects: ["assetReader", "outputs"]),'
    )


def test_a_new_object_that_is_not_declared_is_refused(declare):
    with pytest.raises(GeneratorError, match="gadget/make: its result names a new asset; declare it"):
        declare({"composition": _ref("CompositionHandle")}, {"asset": _ref("AssetHandle")})


def test_an_object_that_the_request_names_is_not_new(declare):
    assert declare({"asset": _ref("AssetHandle")}, {"asset": _ref("AssetHandle")}) == (
        '"gadget/make": MessageMembers(handles: ["asset"]),'
    )


def test_a_declared_object_that_the_result_lacks_is_refused(declare):
    with pytest.raises(GeneratorError, match="gadget/make: the result has no new library"):
        declare({}, {"asset": _ref("AssetHandle")}, ["library"])


def test_a_method_without_either_is_not_listed(declare):
    assert declare({"n": {"type": "integer"}}, {"n": {"type": "integer"}}) is None


def test_a_path_has_one_of_three_kinds():
    assert parse_doc(["The file.", "", "- Path: `read`"], "Gadget.url").path == "read"
    with pytest.raises(GeneratorError, match="Gadget.url: a path is read, written or folder"):
        parse_doc(["The file.", "", "- Path: `seen`"], "Gadget.url")


def test_the_table_is_that_of_the_document(document):
    path = ROOT / "Sources/EngineProtocol/Generated/MemberPaths.swift"
    assert path.read_text(encoding="utf-8") == MemberPaths(document).swift()
