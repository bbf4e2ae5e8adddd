"""The protocol is compatible with the released one, and each kind of change that would break a client is found."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable

import pytest

from compatibility import CURRENT, RELEASED, Shape, breaks, shape

OLD: Shape = json.loads(RELEASED.read_text())


def method(document: Shape, name: str) -> Shape:
    return next(entry for entry in document["methods"] if entry["name"] == name)


def parameter(document: Shape, name: str, number: int) -> Shape:
    return method(document, name)["params"][number]


def schema(document: Shape, name: str) -> Shape:
    return document["components"]["schemas"][name]


def test_nothing_that_was_released_is_broken() -> None:
    assert breaks(OLD, shape(json.loads(CURRENT.read_text()))) == []


def test_a_protocol_is_compatible_with_itself() -> None:
    assert breaks(OLD, OLD) == []


CHANGES: dict[str, tuple[Callable[[Shape], object], str]] = {
    "method": (lambda new: new["methods"].remove(method(new, "asset/open")), "asset/open is gone"),
    "notification": (
        lambda new: new["x-notifications"].pop(0),
        f"{OLD['x-notifications'][0]['name']} is gone",
    ),
    "parameter": (
        lambda new: method(new, "handle/close")["params"].pop(0),
        "handle/close: the parameter",
    ),
    "required parameter": (
        lambda new: method(new, "handle/list")["params"].append(
            {"name": "kind", "required": True, "schema": {"type": "string"}}
        ),
        "handle/list: the new parameter kind is required",
    ),
    "type": (
        lambda new: schema(new, "AssetHandle").update(type="integer"),
        "the type was string, and is integer",
    ),
    "value": (
        lambda new: schema(new, "ApertureMode")["enum"].pop(0),
        "ApertureMode: the value cleanAperture is gone",
    ),
    "member of a result": (
        lambda new: schema(new, "AssetOpenResult")["properties"].pop("asset"),
        "AssetOpenResult.asset is gone",
    ),
    "optional member of a result": (
        lambda new: schema(new, "AssetOpenResult")["required"].remove("asset"),
        "AssetOpenResult.asset is optional now",
    ),
    "required member of params": (
        lambda new: schema(new, "AccompanimentInput").update(required=["url"]),
        "AccompanimentInput.url is required now",
    ),
    "alternative": (
        lambda new: schema(new, "AppendedBytes")["anyOf"].pop(0),
        "alternative 0 is gone",
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_what_breaks_a_client_is_found(name: str) -> None:
    change, expected = CHANGES[name]
    new = copy.deepcopy(OLD)
    change(new)
    found = breaks(OLD, new)
    assert any(expected in line for line in found), found


def test_what_is_added_breaks_nothing() -> None:
    new = copy.deepcopy(OLD)
    new["methods"].append({"name": "asset/other", "params": []})
    method(new, "handle/list")["params"].append({"name": "kind", "schema": {"type": "string"}})
    schema(new, "ApertureMode")["enum"].append("other")
    schema(new, "AssetOpenResult")["properties"]["other"] = {"type": "string"}
    schema(new, "AccompanimentInput")["properties"]["other"] = {"type": "string"}
    schema(new, "AppendedBytes")["anyOf"].append({"type": "string"})
    assert breaks(OLD, new) == []
