"""Checks guides against the declarations: the JSON examples, and the methods that they name."""

from __future__ import annotations

import json
import re
from typing import Any, Dict, Iterator, List, Tuple

PREFIX = "#/components/schemas/"
METHOD_NOT_FOUND, INVALID_PARAMS = -32601, -32602


def problems(
    markdown: str, document: Dict[str, Any], page: str = "protocol.md"
) -> List[str]:
    """The problems of the messages in the ```json fences.

    A message with a `method` is checked as a request or a notification, one with a `result` against
    the method of the last request with its `id`, one with an `error` as an error object. A request
    that is answered with -32602 in the same fence has to be wrong, and one that is answered with
    -32601 has to be unknown. Other JSON only has to be JSON.
    """
    found: List[str] = []
    methods = {method["name"]: method for method in document["methods"]}
    notifications = {entry["name"]: entry for entry in document["x-notifications"]}
    pending: Dict[str, Dict[str, Any]] = {}
    codes: Dict[str, int] = {}
    checker = Checker(document["components"]["schemas"])

    def check(message: Dict[str, Any]) -> Iterator[str]:
        if "method" in message:
            name = message["method"]
            code = codes.get(json.dumps(message.get("id")))
            declared = methods.get(name) or notifications.get(name)
            if declared is None or code == METHOD_NOT_FOUND:
                if (declared is None) != (code == METHOD_NOT_FOUND):
                    yield f"there is {'no' if declared is None else 'a'} method {name}"
                return
            if "id" in message:
                pending[json.dumps(message["id"])] = declared
            wrong = list(
                checker.check(_params_schema(declared), message.get("params", {}), "params")
            )
            # Params that fit their types may still be wrong together.
            if code != INVALID_PARAMS:
                yield from wrong
        elif "result" in message:
            method = pending.get(json.dumps(message.get("id")))
            if method is None:
                yield f"no request before it has the id {message.get('id')}"
            elif method["name"] != "rpc.discover":
                yield from checker.check(method["result"]["schema"], message["result"], "result")
        elif "error" in message:
            schema = {"$ref": PREFIX + "ErrorObject"}
            yield from checker.check(schema, message["error"], "error")

    for line, text in fences(markdown):
        try:
            messages = list(_values(text))
        except ValueError as error:
            found.append(f"{page}:{line}: an example is no JSON: {error}")
            continue
        codes = {
            json.dumps(value.get("id")): value["error"]["code"]
            for value in messages
            if isinstance(value, dict) and "error" in value
        }
        for value in messages:
            for message in value if isinstance(value, list) else [value]:
                if isinstance(message, dict):
                    found += [f"{page}:{line}: {problem}" for problem in check(message)]
    return found


def unknown_methods(
    markdown: str, document: Dict[str, Any], page: str = "protocol.md"
) -> List[str]:
    """The methods in `code` of a namespace of the protocol that do not exist."""
    named = [*document["methods"], *document["x-notifications"]]
    names = {entry["name"] for entry in named}
    namespaces = {name.partition("/")[0] for name in names if "/" in name}
    found: List[str] = []
    for match in re.finditer(r"`(\w+)/(\w+)`", markdown):
        name = match.group(0).strip("`")
        if match.group(1) in namespaces and name not in names:
            line = markdown.count("\n", 0, match.start()) + 1
            found.append(f"{page}:{line}: there is no method {name}")
    return found


def fences(markdown: str) -> Iterator[Tuple[int, str]]:
    """The line number and the text of each ```json fence."""
    for match in re.finditer(r"^```json\n(.*?)^```", markdown, flags=re.S | re.M):
        yield markdown.count("\n", 0, match.start()) + 1, match.group(1)


def _values(text: str) -> Iterator[Any]:
    decoder = json.JSONDecoder()
    position = 0
    while text[position:].strip():
        position += len(text[position:]) - len(text[position:].lstrip())
        value, position = decoder.raw_decode(text, position)
        yield value


def _params_schema(declared: Dict[str, Any]) -> Dict[str, Any]:
    return {
        "type": "object",
        "properties": {param["name"]: param["schema"] for param in declared["params"]},
        "required": [param["name"] for param in declared["params"] if param["required"]],
    }


class Checker:
    """The part of JSON Schema that the generated schemas use; unknown members are problems too."""

    def __init__(self, schemas: Dict[str, Any]) -> None:
        self.schemas = schemas

    def check(self, schema: Dict[str, Any], value: Any, path: str) -> Iterator[str]:
        if "$ref" in schema:
            yield from self.check(self.schemas[schema["$ref"][len(PREFIX) :]], value, path)
        elif "anyOf" in schema:
            forms = [list(self.check(form, value, path)) for form in schema["anyOf"]]
            if all(forms):
                yield f"{path}: none of the forms fits: " + "; ".join(f[0] for f in forms)
        elif "const" in schema or "enum" in schema:
            allowed = schema.get("enum", [schema.get("const")])
            if value not in allowed:
                yield f"{path}: {json.dumps(value)} is none of {json.dumps(allowed)}"
        elif "type" in schema and not _is_a(schema["type"], value):
            yield f"{path}: {json.dumps(value)[:60]} is no {schema.get('type')}"
        elif isinstance(value, list):
            for index, element in enumerate(value):
                yield from self.check(schema["items"], element, f"{path}/{index}")
        elif isinstance(value, dict):
            yield from self._object(schema, value, path)
        elif "pattern" in schema and not re.search(schema["pattern"], value):
            yield f"{path}: {json.dumps(value)} does not match {schema['pattern']}"

    def _object(self, schema: Dict[str, Any], value: Dict[str, Any], path: str) -> Iterator[str]:
        properties = schema.get("properties", {})
        for name in schema.get("required", []):
            if name not in value:
                yield f"{path}/{name} is missing"
        for name, member in value.items():
            if name in properties:
                yield from self.check(properties[name], member, f"{path}/{name}")
            elif "additionalProperties" in schema:
                yield from self.check(schema["additionalProperties"], member, f"{path}/{name}")
            elif "properties" in schema:
                yield f"{path}/{name} does not exist"


def _is_a(kind: Any, value: Any) -> bool:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return {
        "string": isinstance(value, str),
        "boolean": isinstance(value, bool),
        "integer": is_number and value == int(value),
        "number": is_number,
        "null": value is None,
        "array": isinstance(value, list),
        "object": isinstance(value, dict),
    }.get(str(kind), False)
