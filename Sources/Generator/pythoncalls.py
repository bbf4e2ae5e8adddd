"""The calls of the Python client: a class for each kind of object, and its blocking twin."""

from __future__ import annotations

import json
import keyword
import re
import textwrap
from typing import Any, Dict, List, Set, Tuple

from clientcalls import Argument, Call, Member, Schema, calls, class_name, handle_noun
from clientcalls import receivers, referred
from clientrules import Work, Written
from model import GeneratorError
from pythontables import BASES, Conversion, HANDLE_MODULES, INPUTS, LISTED, MADE_MODULES, NO_CIRCLE, OWN
from pythontables import OWN_PROGRESS, PATHS, PATH_LIKE, PROGRESS, SCALARS, SUBJECTS, TRACK, TYPE_MODULES, VALUES

HEADER = '''"""The calls that are on the wire as they are here, for each kind of object.

Generated from the Swift declarations by Sources/Generator/generate.py; do not edit.

A class ``…Calls`` is the base of an object's own class, and ``Blocking…Calls`` the same for those
who wait. Calls that need more than that are written by hand in the object's module.
"""

from __future__ import annotations

'''


class PythonCalls:
    """Turns the methods of an OpenRPC document into calls."""

    def __init__(self, document: Dict[str, Any]) -> None:
        schemas = document["components"]["schemas"]
        for name in [*INPUTS, *VALUES]:
            if name not in schemas:
                raise GeneratorError(f"pythontables.py names the type {name}, which does not exist")
        self.receivers = receivers(calls(document))
        self.imports: Dict[str, Set[str]] = {"remote": {"Caller", "Remote", "given"}}
        self.hints: Dict[str, Set[str]] = {}
        #: Of the call that is being written.
        self.written: Dict[str, Written] = {}
        self.uses_paths = False
        self.uses_mappings = False

    def write(self) -> str:
        """The text of the module."""
        names: List[str] = []
        parts: List[str] = []
        for noun, found in self.receivers.items():
            own = f"{class_name(noun)}Calls"
            names += [own, f"Blocking{own}"]
            for call in found:
                if self._is_tuple(call):
                    names.append(_tuple_name(call))
                    parts.append(self._tuple(call))
            parts += [self._class(noun, found), self._blocking(noun, found)]
        exported = "".join(f'    "{name}",\n' for name in sorted(names))
        body = "\n\n".join(parts)
        return f"{HEADER}{self._imports()}\n__all__ = [\n{exported}]\n\n\n{body}"

    # Modules

    def _use(self, conversion: Conversion) -> str:
        self.imports.setdefault(conversion.module, set()).add(conversion.name)
        return self._use_type(conversion.type)

    def _use_type(self, text: str) -> str:
        for name in re.findall(r"\w+", text):
            if name in TYPE_MODULES:
                self.hints.setdefault(TYPE_MODULES[name], set()).add(name)
            elif name == "ReelwireError":
                self.imports.setdefault("errors", set()).add(name)
        return text

    def _converted(self, conversion: Conversion, is_required: bool) -> Tuple[str, str]:
        """The type of an argument of that conversion, and the template that makes a param of it."""
        if is_required and conversion.required:
            self._use(VALUES[conversion.type[: -len("Like")]])
            return self._use_type(conversion.type), conversion.required
        return self._use(conversion), conversion.template

    def _imports(self) -> str:
        self.imports.setdefault("portal", set()).add("blocking")
        # Modules that import this one would close a circle: their names stand in annotations only.
        hints = {module: names for module, names in self.hints.items() if module not in NO_CIRCLE}
        for module, names in self.hints.items():
            if module in NO_CIRCLE:
                self.imports.setdefault(module, set()).update(names)
        typing = "TYPE_CHECKING, Any, NamedTuple" if hints else "Any, NamedTuple"
        lines = ["import os"] if self.uses_paths else []
        found = [call for calls in self.receivers.values() for call in calls]
        uses_own_work = any(
            call.rule.prepares or (call.rule.work is not None and call.rule.work.is_own)
            for call in found
        )
        abstract = "Iterable, Mapping" if self.uses_mappings else "Iterable"
        abstract = f"Awaitable, {abstract}" if uses_own_work else abstract
        lines += [f"from collections.abc import {abstract}", f"from typing import {typing}", ""]
        lines.append("from . import protocol")
        lines += [_import(module, names) for module, names in sorted(self.imports.items())]
        if hints:
            lines += ["", "if TYPE_CHECKING:"]
            lines += [f"    {_import(module, names)}" for module, names in sorted(hints.items())]
        return "\n".join(lines) + "\n"

    # Classes

    def _class(self, noun: str, found: List[Call]) -> str:
        base, body = BASES.get(noun, ("Remote", ""))
        head = f'class {class_name(noun)}Calls({base}):\n    """The calls of {_some(noun)}."""\n\n'
        written = {wire: each for call in found for wire, each in call.rule.writes.items()}
        for wire, each in written.items():
            body += f"    def _written_{_snake(wire)}(self, given: {each.python}) -> Any:\n"
            body += "        raise NotImplementedError\n\n"
        return head + body + "\n".join(self._method(call) for call in found)

    def _blocking(self, noun: str, found: List[Call]) -> str:
        own = f"{class_name(noun)}Calls"
        # Of a call that makes an object the face has a function of its own, which makes the object's face.
        names = [(_snake(call.name), ": Any" if _makes_objects(call) else "") for call in found]
        lines = "".join(f"    {name}{kind} = blocking({own}.{name})\n" for name, kind in names)
        return (
            f"class Blocking{own}:\n"
            f'    """The calls of {_some(noun)}, which wait for their answers."""\n\n{lines}'
        )

    def _method(self, call: Call) -> str:
        self.written = call.rule.writes
        annotation, body = self._returned(call)
        signature = self._signature(call)
        if call.rule.makes and any(a.wire == "delivery" for a in call.arguments):
            self.uses_paths = True
            signature.append(f"path: {PATH_LIKE} | None = None")
        stub = ""
        if call.rule.work is not None:
            annotation, body = call.rule.work.python or call.rule.work.made, ""
            signature += self._work_options(call)
            stub = self._worked(call, call.rule.work)
        line = line_of(call, signature, annotation)
        start = "" if not body else "return " if body == "return result" else "result = "
        if call.rule.work is not None:
            rows = self._work(call, call.rule.work)
        elif call.rule.makes:
            annotation, made = self._made(call)
            rows = [*self._request(call, "result = await self._request"), f"return self.{made}(result)"]
            head = f"    def {made}(self, result: {self._type(call.result)}) -> {annotation}:"
            line = f"{head}\n        raise NotImplementedError\n\n{line_of(call, signature, annotation)}"
            start = ""
        else:
            rows = self._request(call, f"{start}await self._request")
        if start == "result = ":
            rows += body.split("\n")
        if call.rule.prepares:
            before = f"_before_{_snake(call.name)}"
            rows.insert(0, f"await self.{before}()")
            stub = f"    def {before}(self) -> Awaitable[None]:\n        raise NotImplementedError\n\n"
        text = "".join(f"        {row}\n" for row in rows)
        return f"{stub}{line}\n{self._doc(call)}{text}"

    def _worked(self, call: Call, work: Work) -> str:
        """The function of the object that does its own work."""
        if not work.is_own:
            return ""
        return (
            f"    def _worked_{_snake(call.name)}(\n        self, method: str, params: Any, "
            f"progress: {work.python_progress}\n    ) -> Awaitable[{work.python}]:\n"
            "        raise NotImplementedError\n\n"
        )

    def _signature(self, call: Call) -> List[str]:
        required = [a for a in call.arguments if a.required and a.default is None]
        with_default = [a for a in call.arguments if a.default is not None]
        optional = [a for a in call.arguments if not a.required]
        placed = [a for wire in call.rule.positional for a in optional if a.wire == wire]
        named = [a for a in optional if a.wire not in call.rule.positional]
        items = ["self"]
        items += [f"{_name(a)}: {self._given(a)[0]}" for a in required]
        items += [
            f"{_name(a)}: {self._given(a)[0]} = {_literal(a.default)}" for a in with_default
        ]
        items += [f"{_name(a)}: {self._given(a)[0]} | None = None" for a in placed]
        if named:
            items.append("*")
        items += [f"{_name(a)}: {self._left_out(a)}" for a in named]
        return items

    def _left_out(self, argument: Argument) -> str:
        """The type of an optional argument, and its value when left out."""
        if not argument.nullable:
            return f"{self._given(argument)[0]} | None = None"
        self.uses_mappings = True
        self.imports["remote"].update({"OWN", "unless_own"})
        return OWN

    def _work_options(self, call: Call) -> List[str]:
        if call.rule.work is not None and call.rule.work.is_own:
            for module, names in call.rule.work.python_modules.items():
                self.hints.setdefault(module, set()).update(names)
            return ["*", f"progress: {call.rule.work.python_progress} = None"]
        self.imports.setdefault("progress", set()).add("ProgressLike")
        items = ["progress: ProgressLike = None"]
        if call.rule.work is not None and call.rule.work.is_job:
            return ["*", *items, "progress_interval: float | None = None"]
        if any(a.wire == "delivery" for a in call.arguments):
            self.uses_paths = True
            items.insert(0, f"path: {PATH_LIKE} | None = None")
        return items

    def _work(self, call: Call, work: Work) -> List[str]:
        """The lines that do work and make an object of its end."""
        if work.is_job:
            self.imports.setdefault(work.module, set()).update({work.made, "Exporter"})
            rows = ["params = given("]
            rows += [f"    {wire}=self.handle," for wire in call.subject]
            rows += [
                f"    {a.wire}={self._given(a)[1].format(_name(a))}," for a in call.arguments
            ]
            rows += ["    progressInterval=progress_interval,", ")"]
            return [*rows, f'return await self._finished("{call.method}", params, progress)']
        if work.is_own:
            members = [f"{wire}=self.handle" for wire in call.subject]
            members += [
                f"{a.wire}={self._given(a)[1].format(_name(a))}" for a in call.arguments
            ]
            worked = f"self._worked_{_snake(call.name)}"
            rows = [f"params = given({', '.join(members)})"]
            return [*rows, f'return await {worked}("{call.method}", params, progress)']
        self.imports.setdefault("work", set()).add("done")
        self.imports.setdefault(work.module, set()).add(work.made)
        rows = ["params = given("]
        rows += [f"    {wire}=self.handle," for wire in call.subject]
        own = []
        for argument in call.arguments:
            if argument.nullable:
                own.append(f"{argument.wire}={_name(argument)}")
                continue
            value = self._given(argument)[1].format(_name(argument))
            if argument.wire == "delivery":
                value = "delivery_to_wire(delivery, path)"
            rows.append(f"    {argument.wire}={value},")
        rows.append(f") | unless_own({', '.join(own)})" if own else ")")
        rows.append(f'end = await done(self, "{call.method}", params, progress, "{work.title}")')
        return [*rows, f"return {work.made}(end, self)"]

    def _request(self, call: Call, start: str) -> List[str]:
        """The lines of a statement that sends the request."""
        subject = SUBJECTS.get(call.receiver) or {name: "self.handle" for name in call.subject}
        members = [(wire, subject[wire]) for wire in call.subject]
        given = [a for a in call.arguments if not a.nullable or a.required]
        members += [(a.wire, self._given(a)[1].format(_name(a))) for a in given]
        if call.rule.makes:
            members = [
                (wire, "delivery_to_wire(delivery, path)" if wire == "delivery" else value)
                for wire, value in members
            ]
        members += [(wire, repr(value)) for wire, value in call.rule.fixed.items() if value is not None]
        if call.completes:
            members.append(("completion", '"response"'))
        if not members:
            return [f'{start}("{call.method}")']
        items = [
            f'**{{"{wire}": {value}}}' if keyword.iskeyword(wire) else f"{wire}={value}"
            for wire, value in members
        ]
        own = [f"{a.wire}={_name(a)}" for a in call.arguments if a not in given]
        if own:
            rows = [f"        {item}," for item in items]
            end = [f"    ) | unless_own({', '.join(own)}),", ")"]
            return [f"{start}(", f'    "{call.method}",', "    given(", *rows, *end]
        inner = f'"{call.method}", given({", ".join(items)})'
        if len(f"        {start}({inner})") <= 100:
            return [f"{start}({inner})"]
        if len(f"            {inner}") <= 100:
            return [f"{start}(", f"    {inner}", ")"]
        rows = [f"        {item}," for item in items]
        return [f"{start}(", f'    "{call.method}",', "    given(", *rows, "    ),", ")"]

    def _made(self, call: Call) -> Tuple[str, str]:
        """The type that the object makes of a result, and the function that does it."""
        made = call.rule.made_in_python or f"Async{call.rule.makes}"
        module = MADE_MODULES.get(call.rule.makes, _snake(call.rule.makes))
        self.hints.setdefault(module, set()).add(made.partition("[")[0])
        return f"list[{made}]" if call.rule.makes_list else made, f"_made_{_snake(call.name)}"

    # Types

    def _given(self, argument: Argument) -> Tuple[str, str]:
        """The type of an argument, and the template that makes a param of it."""
        schema = argument.schema
        if argument.wire in self.written:
            written = self.written[argument.wire]
            if written.python_module:
                name = written.python.partition("[")[0]
                self.hints.setdefault(written.python_module, set()).add(name)
            function = f"self._written_{_snake(argument.name)}"
            if schema.get("type") == "array":
                return f"Iterable[{written.python}]", f"[{function}(each) for each in {{0}}]"
            guard = "" if argument.required else "None if {0} is None else "
            return written.python, f"{guard}{function}({{0}})"
        if argument.wire == "trackID":
            return self._use(TRACK), TRACK.template
        if referred(schema) in INPUTS:
            return self._converted(INPUTS[referred(schema)], argument.required)
        if schema.get("x-path") in PATHS:
            self.uses_paths = True
            conversion = PATHS[schema["x-path"]]
            written = conversion.template.replace("WHAT", _some(argument.name.rstrip("s")))
            kind, template = self._use(conversion), written.format("{0}")
            if schema.get("type") == "array":
                each = written.format("each")
                kind, template = f"Iterable[{kind}]", f"[{each} for each in {{0}}]"
            guard = "" if argument.required else "None if {0} is None else "
            return kind, guard + template
        noun = handle_noun(schema)
        if noun and referred(schema) != "AnyHandle":
            cls = class_name(noun)
            module = HANDLE_MODULES.get(noun, _snake(noun))
            self.hints.setdefault(module, set()).update({cls, f"Async{cls}"})
            handle = "{0}.handle" if argument.required else "None if {0} is None else {0}.handle"
            return f"Async{cls} | {cls}", handle
        if schema.get("type") == "array":
            items = schema["items"]
            if referred(items) in INPUTS:
                kind, template = self._converted(INPUTS[referred(items)], True)
                each = f"[{template.format('each')} for each in {{0}}]"
                guard = "" if argument.required else "None if {0} is None else "
                return f"Iterable[{kind}]", guard + each
            inner = self._type(items)
            if inner == "str" or referred(items):
                self._use(LISTED)
                return f"Iterable[{inner}]", LISTED.template
        return self._type(schema), "{}"

    def _type(self, schema: Schema) -> str:
        if "$ref" in schema:
            return f"protocol.{referred(schema)}"
        kind = str(schema.get("type", "any"))
        if kind == "array":
            return f"list[{self._type(schema['items'])}]"
        if kind == "object":
            inner = schema.get("additionalProperties")
            return f"dict[str, {self._type(inner) if inner else 'Any'}]"
        return SCALARS.get(kind, "Any")

    def _value(self, schema: Schema) -> Tuple[str, str]:
        """The type of a value of a result, and the template that makes it of the wire's."""
        if referred(schema) in VALUES:
            conversion = VALUES[referred(schema)]
            return self._use(conversion), conversion.template
        if schema.get("type") == "array":
            kind, template = self._value(schema["items"])
            if template != "{}":
                return f"list[{kind}]", f"[{template.format('each')} for each in {{}}]"
        if schema.get("type") == "integer":
            # Integers beyond 2^53 come as text.
            return "int", "int({})"
        return self._type(schema), "{}"

    def _returned(self, call: Call) -> Tuple[str, str]:
        """The type of the returned value, and the statements that make it of ``result``."""
        whole, template = self._value(call.result)
        if referred(call.result) in VALUES or call.members is None:
            return whole, f"return {template.format('result')}"
        if not call.members:
            return "None", ""
        if len(call.members) == 1:
            member = call.members[0]
            kind, template = self._value(member.schema)
            if call.rule.mapping:
                key, value = call.rule.mapping
                items = f'{{each["{key}"]: each["{value}"] for each in found}}'
                return "dict[str, str]", f'found = result.get("{member.name}") or []\nreturn {items}'
            if member.required:
                return kind, f"return {template.format(_quoted('result', member))}"
            name = _snake(member.name)
            rows = [f'{name} = result.get("{member.name}")']
            if template == "{}":
                return f"{kind} | None", f'return result.get("{member.name}")'
            rows.append(f"return None if {name} is None else {template.format(name)}")
            return f"{kind} | None", "\n".join(rows)
        if not self._is_tuple(call):
            return whole, "return result"
        rows = [f"return {_tuple_name(call)}("]
        rows += [f"    {self._part(member)}," for member in call.members]
        return _tuple_name(call), "\n".join([*rows, ")"])

    def _part(self, member: Member) -> str:
        template = self._value(member.schema)[1]
        if member.required:
            return template.format(_quoted("result", member))
        if template == "{}":
            return f'result.get("{member.name}")'
        value = template.format(_quoted("result", member))
        return f'{value} if result.get("{member.name}") is not None else None'

    def _is_tuple(self, call: Call) -> bool:
        """True if the members of a result are returned as a tuple, because some are converted."""
        if referred(call.result) in VALUES or not call.members or len(call.members) == 1:
            return False
        if call.rule.makes:
            return False
        converted = any(
            self._value(m.schema)[1] not in ("{}", "int({})") for m in call.members
        )
        return converted or bool(call.rule.returns)

    def _tuple(self, call: Call) -> str:
        lines = [
            f"class {_tuple_name(call)}(NamedTuple):",
            f'    """The result of ``{_snake(call.name)}`` of {_some(call.receiver)}."""',
            "",
        ]
        for member in call.members or []:
            kind = self._value(member.schema)[0]
            lines += [f"    #: {line}" for line in textwrap.wrap(member.text, 92)]
            lines.append(f"    {_snake(member.name)}: {kind}{'' if member.required else ' | None'}")
        return "\n".join(lines) + "\n"

    def _doc(self, call: Call) -> str:
        names = {"null": "None", **{each.wire: _name(each) for each in call.arguments}}
        if self._is_tuple(call):
            names.update({member.name: _snake(member.name) for member in call.members or []})

        def shown(text: str) -> str:
            text = text.replace("\\", "\\\\").replace('"""', "'''")
            return re.sub(r"`([^`]+)`", lambda m: f"``{names.get(m.group(1), m.group(1))}``", text)

        blocks = [textwrap.wrap(shown(call.summary), 89), *_wrapped(shown(call.discussion))]
        listed: List[str] = []
        for argument in call.arguments:
            text = f"``{_name(argument)}``: {shown(argument.text)}"
            if "default" in argument.schema:
                text += f" Default: ``{_literal(argument.schema['default'])}``."
            listed += textwrap.wrap(text, 92, initial_indent="- ", subsequent_indent="  ")
        if "delivery" in names and (call.rule.work is not None or call.rule.makes):
            text = "``path``: The path of a file to be made, with any name."
            listed += textwrap.wrap(text, 92, initial_indent="- ", subsequent_indent="  ")
        if call.rule.work is not None:
            listed += PROGRESS if not call.rule.work.is_own else OWN_PROGRESS
            if call.rule.work.is_job:
                text = "``progress_interval``: The minimum time between two calls, in seconds. Default: 0.1."
                listed += textwrap.wrap(text, 92, initial_indent="- ", subsequent_indent="  ")
        if listed:
            blocks.append(listed)
        is_value = not call.rule.mapping and (not call.rule.makes or call.rule.makes_list)
        if is_value and call.members is not None and len(call.members) == 1 and call.members[0].text:
            blocks += _wrapped(f"Returns: {shown(call.members[0].text)}")
        text = "\n\n".join("\n".join(block) for block in blocks)
        if "\n" not in text and len(text) <= 86:
            return f'        """{text}"""\n'
        return textwrap.indent(f'"""{text}\n"""\n', "        ", lambda line: bool(line.strip()))


def line_of(call: Call, signature: List[str], annotation: str) -> str:
    """The line, or the lines, that a function begins with."""
    line = f"    async def {_snake(call.name)}({', '.join(signature)}) -> {annotation}:"
    if len(line) <= 100:
        return line
    items = "".join(f"        {item},\n" for item in signature)
    return f"    async def {_snake(call.name)}(\n{items}    ) -> {annotation}:"


def _makes_objects(call: Call) -> bool:
    work = call.rule.work
    return bool(call.rule.makes) or (work is not None and "Async" in work.python)


def _wrapped(text: str) -> List[List[str]]:
    return [textwrap.wrap(text, 92)] if text else []


def _quoted(value: str, member: Member) -> str:
    return f'{value}["{member.name}"]'


def _literal(value: Any) -> str:
    return json.dumps(value) if isinstance(value, str) else repr(value)


def _tuple_name(call: Call) -> str:
    return "".join(part[:1].upper() + part[1:] for part in re.split(r"[/.]", call.method))


def _some(noun: str) -> str:
    words = _snake(noun).replace("_", " ")
    return "the engine" if noun == "engine" else f"{'an' if words[0] in 'aeiou' else 'a'} {words}"


def _name(argument: Argument) -> str:
    name = _snake(argument.name)
    return f"{name}_" if keyword.iskeyword(name) else name


def _snake(name: str) -> str:
    """``findUnusedTrackID`` is ``find_unused_track_id``."""
    name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z](?!s(?![a-z]))[a-z])", "_", name)
    return name.lower()


def _import(module: str, names: Set[str]) -> str:
    return f"from .{module} import {', '.join(sorted(names))}"
