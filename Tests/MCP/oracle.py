"""The types of the protocol, of the package `mcp`: each message of the server is checked against those of its revision."""

from __future__ import annotations

from typing import Any, Dict, Optional

try:
    from mcp_types import methods as _methods
    from pydantic import TypeAdapter

    IS_AVAILABLE = True
except ImportError:
    IS_AVAILABLE = False

_ERRORS = {-32700, -32600, -32601, -32602, -32603, -32022, -32021, -32002}


def check_message(message: Dict[str, Any], method: Optional[str], version: str) -> None:
    """Checks the envelope, and with the package the result or the params, too."""
    assert message.get("jsonrpc") == "2.0", message
    if "method" in message:
        assert "id" not in message, message
        if IS_AVAILABLE:
            type_ = _methods.SERVER_NOTIFICATIONS[message["method"], version]
            type_.model_validate(message)
        return
    assert ("result" in message) != ("error" in message), message
    assert set(message) <= {"jsonrpc", "id", "result", "error"}, message
    if "error" in message:
        error = message["error"]
        assert error["code"] in _ERRORS and isinstance(error["message"], str), message
        assert set(error) <= {"code", "message", "data"}, message
        return
    result = message["result"]
    if version == "2026-07-28" and method is not None:
        assert isinstance(result["resultType"], str), message
        assert result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "reelwire", message
    if not IS_AVAILABLE or method is None:
        return
    known = _methods.SERVER_RESULTS.get((method, version))
    # The tasks extension isn't a part of the package.
    if known is not None and result.get("resultType") != "task":
        TypeAdapter(known).validate_python(result)
