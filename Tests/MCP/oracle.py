"""Each message of the server is checked by the protocol's own JSON Schema, and by the types of the package `mcp`."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any, Dict, Optional

try:
    from mcp_types import methods as _methods
    from pydantic import TypeAdapter

    IS_AVAILABLE = True
except ImportError:
    IS_AVAILABLE = False

try:
    from jsonschema import Draft202012Validator

    HAS_SCHEMA = True
except ImportError:
    HAS_SCHEMA = False

SCHEMAS = Path(__file__).with_name("schema")
NEWEST = "2026-07-28"

_ERRORS = {-32700, -32600, -32601, -32602, -32603, -32022, -32021, -32002}

# By the methods of requests, the definitions of their results.
_RESULTS = {
    "initialize": "InitializeResult",
    "ping": "EmptyResult",
    "server/discover": "DiscoverResult",
    "subscriptions/listen": "SubscriptionsListenResult",
    "tools/list": "ListToolsResult",
    "tools/call": "CallToolResult",
    "resources/list": "ListResourcesResult",
    "resources/templates/list": "ListResourceTemplatesResult",
    "resources/read": "ReadResourceResult",
}
# By their codes, the definitions of errors that have one of their own in the newest revision.
_FAILURES = {
    -32700: "ParseError",
    -32600: "InvalidRequestError",
    -32601: "MethodNotFoundError",
    -32602: "InvalidParamsError",
    -32603: "InternalError",
}
_RESPONSES = {-32021: "MissingRequiredClientCapabilityError", -32022: "UnsupportedProtocolVersionError"}


def _schema_of(version: str) -> str:
    """Older revisions are checked by the newest that has a handshake: its types accept their messages."""
    return NEWEST if version == NEWEST else "2025-11-25"


@functools.lru_cache(maxsize=None)
def _validator(schema: str, name: str) -> Any:
    definitions = json.loads((SCHEMAS / f"{schema}.json").read_text("utf-8"))["$defs"]
    assert name in definitions, (schema, name)
    return Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": definitions})


def _validate(value: Any, name: str, version: str) -> None:
    if HAS_SCHEMA:
        _validator(_schema_of(version), name).validate(value)


def check_message(message: Dict[str, Any], method: Optional[str], version: str) -> None:
    """Checks the envelope, and with the packages the result, the error or the params, too."""
    assert message.get("jsonrpc") == "2.0", message
    if "method" in message:
        assert "id" not in message, message
        _validate(message, "JSONRPCNotification", version)
        _validate(message, "ServerNotification", version)
        if IS_AVAILABLE:
            type_ = _methods.SERVER_NOTIFICATIONS[message["method"], version]
            type_.model_validate(message)
        return
    assert ("result" in message) != ("error" in message), message
    assert set(message) <= {"jsonrpc", "id", "result", "error"}, message
    if "error" in message:
        _check_error(message, version)
    else:
        _check_result(message, method, version)


def _check_error(message: Dict[str, Any], version: str) -> None:
    error = message["error"]
    assert error["code"] in _ERRORS and isinstance(error["message"], str), message
    assert set(error) <= {"code", "message", "data"}, message
    _validate(message, "JSONRPCErrorResponse", version)
    if version == NEWEST:
        if error["code"] in _FAILURES:
            _validate(error, _FAILURES[error["code"]], version)
        if error["code"] in _RESPONSES:
            _validate(message, _RESPONSES[error["code"]], version)


def _check_result(message: Dict[str, Any], method: Optional[str], version: str) -> None:
    result = message["result"]
    _validate(message, "JSONRPCResultResponse", version)
    if version == NEWEST and method is not None:
        assert isinstance(result["resultType"], str), message
        assert result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "reelwire", message
    # The tasks extension is a part of neither.
    if method is None or method.startswith("tasks/") or result.get("resultType") == "task":
        return
    _validate(result, _RESULTS[method], version)
    if IS_AVAILABLE:
        known = _methods.SERVER_RESULTS.get((method, version))
        if known is not None:
            TypeAdapter(known).validate_python(result)
