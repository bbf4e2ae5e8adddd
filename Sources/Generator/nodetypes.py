"""The declarations of the Node client."""

from __future__ import annotations

import json
import re
import textwrap
from typing import Any, Dict, List

from pythontypes import ANY, PREFIX, params_name

HEADER = """\
// The protocol's types: params, results, notifications and the values in them.
//
// Generated from the Swift declarations by Sources/Generator/generate.py; do not edit.
//
// A params type ends in `Params`, a result type in `Result`; a notification has the name of its
// method. The server reads `TimeInput` and its like, and writes `Time`. An integer
// beyond ±(2^53 − 1) comes as a decimal string, regardless of its type here.
"""
TABLES_HEADER = """\
// The tables of the protocol that the client needs when it runs.
//
// Generated from the Swift declarations by Sources/Generator/generate.py; do not edit.
"""
KEYS = {"assetKeys": "AssetKey", "trackKeys": "TrackKey"}


class NodeTypes:
    """Turns an OpenRPC document into TypeScript declarations, and into a module of tables."""

    def __init__(self, document: Dict[str, Any]) -> None:
        self.schemas: Dict[str, Dict[str, Any]] = document["components"]["schemas"]
        self.errors: Dict[str, Dict[str, Any]] = document["components"]["errors"]
        self.methods: List[Dict[str, Any]] = document["methods"]
        self.notifications: List[Dict[str, Any]] = document["x-notifications"]

    def write(self) -> str:
        """The text of the declarations."""
        parts = [HEADER]
        parts += [self._component(name, schema) for name, schema in self.schemas.items()]
        parts += [self._params(method) for method in self.methods]
        answered = [method for method in self.methods if "result" in method]
        silent = [method for method in self.methods if "result" not in method]
        parts.append(self._requests(answered))
        parts.append(self._sent("ClientNotifications", "The notifications that a client may send.", silent))
        parts.append(self._notifications())
        parts.append(self._table_types())
        return "\n".join(parts)

    def tables(self) -> str:
        """The text of the module with the tables that are needed at run time."""
        errors = {str(error["code"]): name for name, error in self.errors.items()}
        terminals = {m["name"]: m["x-terminal"] for m in self.methods if "x-terminal" in m}
        parts = [
            TABLES_HEADER,
            _object("errorNames", errors),
            _object("terminalNotifications", terminals),
        ]
        for name, schema in KEYS.items():
            keys = "".join(f"  {_quoted(key)},\n" for key in self.schemas[schema]["enum"])
            parts.append(f"export const {name} = Object.freeze([\n{keys}]);\n")
        return "\n".join(parts)

    def _component(self, name: str, schema: Dict[str, Any]) -> str:
        doc = _doc(schema.get("description", ""), "")
        if "properties" in schema:
            return f"{doc}export interface {name} {{\n{self._members(schema)}}}\n"
        if schema.get("type") == "string" and "enum" not in schema:
            # A handle of one kind is a string of its own; where any will do, so does every string.
            brand = "" if name == ANY else f' & {{ readonly __kind?: "{name}" }}'
            return f"{doc}export type {name} = string{brand};\n"
        return f"{doc}export type {name} ={_broken(self.type(schema), len(name))};\n"

    def _members(self, schema: Dict[str, Any]) -> str:
        required = schema.get("required", [])
        lines = []
        for key, member in schema["properties"].items():
            text = member.get("description", "")
            if "default" in member:
                text += f" Default: `{json.dumps(member['default'])}`."
            mark = "" if key in required else "?"
            lines.append(f"{_doc(text, '  ')}  {key}{mark}: {self.type(member)};\n")
        return "".join(lines)

    def type(self, schema: Dict[str, Any]) -> str:
        if "$ref" in schema:
            return str(schema["$ref"])[len(PREFIX) :]
        if "const" in schema:
            return json.dumps(schema["const"])
        if "enum" in schema:
            return " | ".join(json.dumps(value) for value in schema["enum"])
        if "anyOf" in schema:
            types = [self.type(form) for form in schema["anyOf"]]
            return " | ".join(dict.fromkeys(types))
        kind = schema.get("type", "any")
        if kind == "array":
            item = self.type(schema["items"])
            return f"({item})[]" if " " in item else f"{item}[]"
        if kind == "object" and "properties" in schema:
            if schema["properties"]:
                raise ValueError("an object with members needs a name")
            return "Record<string, never>"
        if kind == "object" and "additionalProperties" in schema:
            return f"Record<string, {self.type(schema['additionalProperties'])}>"
        scalars = {"string": "string", "integer": "number", "number": "number"}
        scalars.update({"boolean": "boolean", "null": "null", "object": "Record<string, unknown>"})
        return scalars.get(str(kind), "unknown")

    def _params(self, method: Dict[str, Any]) -> str:
        return self._component(
            params_name(method["name"]),
            {
                "description": f"The params of `{method['name']}`.",
                "properties": {
                    param["name"]: {**param["schema"], "description": param["description"]}
                    for param in method["params"]
                },
                "required": [param["name"] for param in method["params"] if param["required"]],
            },
        )

    def _requests(self, methods: List[Dict[str, Any]]) -> str:
        """The params and the result of a client's `request`, by the method."""
        lines = []
        for method in methods:
            result = self.type(method["result"]["schema"])
            params = params_name(method["name"])
            lines.append(_doc(method["summary"], "  "))
            lines.append(
                f"  {_quoted(method['name'])}: {{ params: {params}; result: {result} }};\n"
            )
        doc = _doc("Every request: its params and its result.", "")
        return f"{doc}export interface Requests {{\n{''.join(lines)}}}\n"

    def _sent(self, name: str, text: str, methods: List[Dict[str, Any]]) -> str:
        lines = [f"  {_quoted(m['name'])}: {params_name(m['name'])};\n" for m in methods]
        return f"{_doc(text, '')}export interface {name} {{\n{''.join(lines)}}}\n"

    def _notifications(self) -> str:
        lines = []
        for entry in self.notifications:
            name = params_name(entry["name"])[: -len("Params")]
            lines.append(f"  {_quoted(entry['name'])}: {name};\n")
        doc = _doc("The notifications that the server sends.", "")
        return f"{doc}export interface ServerNotifications {{\n{''.join(lines)}}}\n"

    def _table_types(self) -> str:
        names = _broken(" | ".join(_quoted(name) for name in self.errors), 0)
        tables = [
            _doc("The name of every error.", "") + f"export type ErrorName ={names};\n",
            _doc("The name of each error code.", "")
            + "export const errorNames: Readonly<Record<string, ErrorName>>;\n",
            _doc("The notification that ends the work of each request that starts some.", "")
            + "export const terminalNotifications: Readonly<Record<string, string>>;\n",
        ]
        for name, schema in KEYS.items():
            text = f"Every `{schema}`."
            tables.append(f"{_doc(text, '')}export const {name}: readonly {schema}[];\n")
        return "\n".join(tables)


def _object(name: str, members: Dict[str, str]) -> str:
    lines = "".join(f"  {_quoted(key)}: {_quoted(value)},\n" for key, value in members.items())
    return f"export const {name} = Object.freeze({{\n{lines}}});\n"


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _broken(union: str, indent: int) -> str:
    """A union on one line where it fits, else a line for each of its members."""
    if len(union) + indent < 80:
        return " " + union
    return "\n  | " + union.replace(" | ", "\n  | ")


def _doc(text: str, indent: str) -> str:
    if not text:
        return ""
    text = re.sub(r"\*/", "*\\/", text)
    lines = textwrap.wrap(text, 94 - len(indent), break_on_hyphens=False)
    if len(lines) == 1:
        return f"{indent}/** {lines[0]} */\n"
    body = "".join(f"{indent} * {line}\n" for line in lines)
    return f"{indent}/**\n{body}{indent} */\n"
