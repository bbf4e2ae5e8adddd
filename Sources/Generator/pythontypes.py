"""The types of the Python client."""

from __future__ import annotations

import json
import keyword
import re
import textwrap
from typing import Any, Dict, List, Set

PREFIX = "#/components/schemas/"
ANY = "AnyHandle"

HEADER = '''"""The protocol's types: params, results, notifications and the values in them.

Generated from the Swift declarations by Sources/Generator/generate.py; do not edit.

A params type ends in ``Params``, a result type in ``Result``; a notification has the name of its
method. The server reads ``TimeInput`` and its like, and writes ``Time``.
"""

from __future__ import annotations

from typing import (
    Any,
    Awaitable,
    Dict,
    List,
    Literal,
    NewType,
    Protocol,
    TypedDict,
    Union,
    overload,
)
'''


class PythonTypes:
    """Turns the schemas of an OpenRPC document into Python declarations."""

    def __init__(self, document: Dict[str, Any]) -> None:
        self.document = document
        self.schemas: Dict[str, Dict[str, Any]] = document["components"]["schemas"]
        self.parts: List[str] = []
        self.done: Set[str] = set()
        self.names: List[str] = []

    def write(self) -> str:
        for name in self.schemas:
            self._component(name)
        methods = self.document["methods"]
        for method in methods:
            self._params(method)
        self._tables(methods)
        self._request_protocol([m for m in methods if "result" in m])
        exported = "".join(f'    "{name}",\n' for name in sorted(self.names))
        body = "\n\n\n".join(part.rstrip("\n") for part in self.parts)
        return f"{HEADER}\n__all__ = [\n{exported}]\n\n\n{body}\n"

    def _component(self, name: str) -> None:
        """Declares a schema after those that it needs at run time."""
        if name in self.done:
            return
        self.done.add(name)
        schema = self.schemas[name]
        if "properties" in schema:
            self._typed_dict(name, schema)
        elif schema.get("type") == "string" and "enum" not in schema:
            # A handle of one kind is a str of its own; where any will do, so does every str.
            code = f"{name} = str" if name == ANY else f'{name} = NewType("{name}", str)'
            self._declare(name, code, schema.get("description", ""))
        else:
            for reference in _references(schema):
                self._component(reference)
            self._declare(name, f"{name} = {self._type(schema)}", schema.get("description", ""))

    def _declare(self, name: str, code: str, description: str) -> None:
        self.names.append(name)
        if len(code) > 100:
            code = re.sub(r"(Literal|Union)\[(.*)\]$", _break_lines, code)
        self.parts.append(f"{code}\n{_doc_string(description, '')}")

    def _typed_dict(self, name: str, schema: Dict[str, Any]) -> None:
        properties: Dict[str, Dict[str, Any]] = schema["properties"]
        required = [key for key in properties if key in schema.get("required", [])]
        optional = [key for key in properties if key not in required]
        self.names.append(name)
        if any(keyword.iskeyword(key) for key in properties):
            self._functional_typed_dict(name, schema, required, optional)
            return
        doc = _doc_string(schema.get("description", ""), "    ")
        parts = []
        base = "TypedDict"
        if required and optional:
            base = f"_{name}Required"
            parts.append(f"class {base}(TypedDict):\n{self._fields(properties, required)}")
        if required and not optional:
            header, body = f"class {name}(TypedDict):\n", self._fields(properties, required)
        else:
            header = f"class {name}({base}, total=False):\n"
            body = self._fields(properties, optional)
        parts.append(header + doc + ("\n" if doc and body else "") + body)
        self.parts.append("\n\n".join(part.rstrip("\n") + "\n" for part in parts))

    def _functional_typed_dict(
        self, name: str, schema: Dict[str, Any], required: List[str], optional: List[str]
    ) -> None:
        """For members that are keywords of Python, such as `from`."""
        groups = [(required, ""), (optional, ", total=False")]
        bases = []
        for keys, total in groups:
            if not keys:
                continue
            fields = "".join(
                # Not a class, whose annotations wait until they are looked at; a type may be one of its own.
                f'        "{key}": {json.dumps(self._type(schema["properties"][key]))},\n'
                for key in keys
            )
            base = name if not (required and optional) else f"_{name}{len(bases)}"
            bases.append(base)
            self.parts.append(f'{base} = TypedDict(\n    "{base}",\n    {{\n{fields}    }}{total},\n)')
        if len(bases) > 1:
            doc = _doc_string(schema.get("description", ""), "    ")
            self.parts.append(f"class {name}({', '.join(bases)}):\n{doc or '    pass'}")

    def _fields(self, properties: Dict[str, Dict[str, Any]], keys: List[str]) -> str:
        lines = []
        for key in keys:
            schema = properties[key]
            lines.append(f"    {key}: {self._type(schema)}\n")
            text = schema.get("description", "")
            if "default" in schema:
                text += f" Default: ``{json.dumps(schema['default'])}``."
            lines.append(_doc_string(text, "    "))
        return "".join(lines)

    def _type(self, schema: Dict[str, Any]) -> str:
        if "$ref" in schema:
            return str(schema["$ref"])[len(PREFIX) :]
        if "const" in schema:
            return f"Literal[{_literal(schema['const'])}]"
        if "enum" in schema:
            return f"Literal[{', '.join(_literal(value) for value in schema['enum'])}]"
        if "anyOf" in schema:
            types = list(dict.fromkeys(self._type(form) for form in schema["anyOf"]))
            if "float" in types and "int" in types:
                types.remove("int")
            return types[0] if len(types) == 1 else f"Union[{', '.join(types)}]"
        kind = schema.get("type", "any")
        if kind == "any":
            return "Any"
        if kind == "array":
            return f"List[{self._type(schema['items'])}]"
        if kind == "object" and "additionalProperties" in schema:
            return f"Dict[str, {self._type(schema['additionalProperties'])}]"
        scalars = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}
        return scalars.get(str(kind), "None" if kind == "null" else "Dict[str, Any]")

    def _params(self, method: Dict[str, Any]) -> None:
        properties = {
            param["name"]: {**param["schema"], "description": param["description"]}
            for param in method["params"]
        }
        schema = {
            "description": f"The params of ``{method['name']}``.",
            "properties": properties,
            "required": [param["name"] for param in method["params"] if param["required"]],
        }
        self._typed_dict(params_name(method["name"]), schema)

    def _tables(self, methods: List[Dict[str, Any]]) -> None:
        errors = self.document["components"]["errors"]
        lines = "".join(f'    {error["code"]}: "{name}",\n' for name, error in errors.items())
        self.names += ["ERROR_NAMES", "TERMINAL_NOTIFICATIONS"]
        self.parts.append(
            f'ERROR_NAMES: Dict[int, str] = {{\n{lines}}}\n"""The name of each error code."""'
        )
        lines = "".join(
            f'    "{m["name"]}": "{m["x-terminal"]}",\n' for m in methods if "x-terminal" in m
        )
        self.parts.append(
            f"TERMINAL_NOTIFICATIONS: Dict[str, str] = {{\n{lines}}}\n"
            '"""The notification that ends the work of each request that starts some."""'
        )

    def _request_protocol(self, methods: List[Dict[str, Any]]) -> None:
        """One overload a method: the params and the result of a client's `request`."""
        self.names += ["AsyncRequest", "Request"]
        for name, wrap in (("Request", "{}"), ("AsyncRequest", "Awaitable[{}]")):
            kind = "answers" if name == "Request" else "answers later"
            lines = [f"class {name}(Protocol):", f'    """Sends a request and {kind}."""']
            for method in methods:
                result = wrap.format(self._type(method["result"]["schema"]))
                default = "" if any(param["required"] for param in method["params"]) else " = ..."
                params = params_name(method["name"])
                arguments = [
                    "self",
                    f'method: Literal["{method["name"]}"]',
                    f"params: {params}{default}",
                ]
                row = "        " + ", ".join(arguments)
                rows = [row] if len(row) <= 100 else [f"        {a}," for a in arguments]
                lines += [
                    "",
                    "    @overload",
                    "    def __call__(",
                    *rows,
                    f"    ) -> {result}: ...",
                ]
            self.parts.append("\n".join(lines) + "\n")


def params_name(method: str) -> str:
    """`asset/open` is `AssetOpenParams`."""
    words = re.split(r"[/.$]", method)
    return "".join(word[:1].upper() + word[1:] for word in words) + "Params"


def _references(schema: Any) -> List[str]:
    if isinstance(schema, list):
        return [name for element in schema for name in _references(element)]
    if isinstance(schema, dict):
        own = [schema["$ref"][len(PREFIX) :]] if isinstance(schema.get("$ref"), str) else []
        return own + [name for value in schema.values() for name in _references(value)]
    return []


def _literal(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)


def _break_lines(match: "re.Match[str]") -> str:
    items = "".join(f"    {item},\n" for item in match.group(2).split(", "))
    return f"{match.group(1)}[\n{items}]"


def _doc_string(text: str, indent: str) -> str:
    if not text:
        return ""
    text = text.replace("\\", "\\\\").replace('"""', "'''")
    if text.endswith('"'):
        text += " "
    lines = textwrap.wrap(text, 96 - len(indent))
    if len(lines) == 1 and len(lines[0]) + len(indent) + 6 <= 100:
        return f'{indent}"""{lines[0]}"""\n'
    body = "".join(f"{indent}{line}\n" for line in lines[1:])
    return f'{indent}"""{lines[0]}\n{body}{indent}"""\n'
