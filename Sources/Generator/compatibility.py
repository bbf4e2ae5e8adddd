"""The changes that would break a client of a released protocol: `compatibility.py` compares docs/openrpc.json with it.

    compatibility.py             prints the breaking changes, and exits with 1 if there are any
    compatibility.py --release   makes docs/openrpc.json the released one

Within a major version methods, members, values of enumerations, notifications and errors are added, and no more (the
policy is in protocol.md, "Versions"). The released protocol is Tests/Generator/released.json: docs/openrpc.json without
its texts.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
CURRENT = ROOT / "docs/openrpc.json"
RELEASED = ROOT / "Tests/Generator/released.json"
TEXTS = {"description", "summary", "tags", "examples", "x-advice", "x-objects", "errors", "title"}
Shape = dict[str, Any]


def shape(value: Any, is_named: bool = False) -> Any:
    """A document without its texts. The keys of an object of names (``is_named``) are all kept."""
    if isinstance(value, list):
        return [shape(item) for item in value]
    if not isinstance(value, dict):
        return value
    named = {"properties", "schemas"}
    return {
        key: shape(item, key in named)
        for key, item in value.items()
        if is_named or key not in TEXTS
    }


class Comparison:
    def __init__(self, old: Shape, new: Shape) -> None:
        self.old, self.new = old["components"]["schemas"], new["components"]["schemas"]
        self.seen: set[tuple[str, str, bool]] = set()

    def breaks(self, old: Shape, new: Shape, place: str, is_input: bool) -> Iterator[str]:
        """The messages that a client can't send any more (``is_input``), or finds changed when it receives them."""
        if "$ref" in old and "$ref" in new:
            names = [schema["$ref"].split("/")[-1] for schema in (old, new)]
            key = (names[0], names[1], is_input)
            if key not in self.seen:
                self.seen.add(key)
                yield from self.breaks(self.old[names[0]], self.new[names[1]], names[0], is_input)
            return
        old, new = self.resolved(old, self.old), self.resolved(new, self.new)
        if "anyOf" in old or "anyOf" in new:
            yield from self.alternatives(old, new, place, is_input)
            return
        if old.get("type") != new.get("type"):
            if not (is_input and "type" not in new):
                yield f"{place}: the type was {old.get('type')}, and is {new.get('type')}"
            return
        if is_input or "enum" not in new:
            for value in old.get("enum", []):
                if "enum" in new and value not in new["enum"]:
                    yield f"{place}: the value {value} is gone"
        if "items" in old and "items" in new:
            yield from self.breaks(old["items"], new["items"], f"{place}[]", is_input)
        members, others = old.get("properties", {}), new.get("properties", {})
        for name, member in members.items():
            if name not in others:
                yield f"{place}.{name} is gone"
            else:
                yield from self.breaks(member, others[name], f"{place}.{name}", is_input)
        required = (set(old.get("required", [])), set(new.get("required", [])))
        for name in sorted(required[1] - required[0] if is_input else required[0] - required[1]):
            yield f"{place}.{name} is {'required' if is_input else 'optional'} now"

    @staticmethod
    def resolved(schema: Shape, schemas: Shape) -> Shape:
        while "$ref" in schema:
            schema = schemas[schema["$ref"].split("/")[-1]]
        return schema

    def alternatives(self, old: Shape, new: Shape, place: str, is_input: bool) -> Iterator[str]:
        """Each alternative that was there is one that is there; more may be accepted, but not returned."""
        olds, news = old.get("anyOf", [old]), new.get("anyOf", [new])
        wanted, offered = (olds, news) if is_input else (news, olds)
        for number, schema in enumerate(wanted):
            pairs = [(schema, other) if is_input else (other, schema) for other in offered]
            seen = set(self.seen)
            if all(any(self.breaks(*pair, place, is_input)) for pair in pairs):
                self.seen = seen
                yield f"{place}: alternative {number} is {'gone' if is_input else 'new'}"

    def method(self, old: Shape, new: Shape) -> Iterator[str]:
        place = old["name"]
        news = {parameter["name"]: parameter for parameter in new["params"]}
        for parameter in old["params"]:
            name = parameter["name"]
            if (other := news.pop(name, None)) is None:
                yield f"{place}: the parameter {name} is gone"
                continue
            if other.get("required") and not parameter.get("required"):
                yield f"{place}: {name} is required now"
            path = f"{place} {name}"
            yield from self.breaks(parameter["schema"], other["schema"], path, True)
        for name, parameter in news.items():
            if parameter.get("required"):
                yield f"{place}: the new parameter {name} is required"
        if ("result" in old) != ("result" in new):
            yield f"{place}: it has a result, and had none, or the reverse"
        elif "result" in old:
            schemas = old["result"]["schema"], new["result"]["schema"]
            yield from self.breaks(*schemas, f"{place} result", False)

    def notification(self, old: Shape, new: Shape) -> Iterator[str]:
        news = {parameter["name"]: parameter for parameter in new["params"]}
        for parameter in old["params"]:
            name = parameter["name"]
            place = f"{old['name']} {name}"
            if (other := news.get(name)) is None:
                yield f"{place} is gone"
                continue
            if parameter.get("required") and not other.get("required"):
                yield f"{place} is optional now"
            yield from self.breaks(parameter["schema"], other["schema"], place, False)


def breaks(old: Shape, new: Shape) -> list[str]:
    """The requests and members of the old document that a client can't use or doesn't get any more."""
    comparison = Comparison(old, new)
    found = []
    for part, compare in [
        ("methods", comparison.method),
        ("x-notifications", comparison.notification),
    ]:
        news = {method["name"]: method for method in new[part]}
        for method in old[part]:
            if method["name"] in news:
                found += compare(method, news[method["name"]])
            else:
                found.append(f"{method['name']} is gone")
    return found


def main() -> None:
    current = json.loads(CURRENT.read_text())
    if sys.argv[1:] == ["--release"]:
        text = json.dumps(shape(current), ensure_ascii=False, separators=(",", ":"))
        RELEASED.write_text(text + "\n")
        return
    if sys.argv[1:]:
        sys.exit(__doc__)
    found = breaks(json.loads(RELEASED.read_text()), current)
    for line in found:
        print(line)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
