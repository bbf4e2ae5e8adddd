"""The declared methods and the served methods are compared."""

import pytest
from model import GeneratorError, load, unlisted


def _graph(**declared):
    """A module with structs that conform to a protocol each."""
    symbols, relationships = [], []
    for name, protocol in declared.items():
        symbol = {
            "identifier": {"precise": f"s:{name}"},
            "kind": {"identifier": "swift.struct"},
            "pathComponents": [name],
        }
        symbols.append(symbol)
        relationships.append(
            {
                "kind": "conformsTo",
                "source": f"s:{name}",
                "target": f"s:{protocol}P",
                "targetFallback": f"JSONRPC.{protocol}",
            }
        )
    module = {"name": "EngineProtocol"}
    return {"module": module, "symbols": symbols, "relationships": relationships}


def _entry(method, name):
    return {"method": method, "type": f"EngineProtocol.{name}"}


@pytest.fixture
def graph():
    return _graph(AssetOpen="RequestType", Exit="NotificationType", EngineLog="NotificationType")


@pytest.fixture
def listing():
    return {
        "requests": [_entry("asset/open", "AssetOpen")],
        "clientNotifications": [_entry("exit", "Exit")],
        "serverNotifications": [_entry("engine/log", "EngineLog")],
        "errors": [],
        "handlers": ["asset/open", "exit"],
    }


def test_all_is_well(graph, listing):
    assert unlisted([graph], listing) == []


@pytest.mark.parametrize(
    ("list_", "problem"),
    [
        ("requests", "EngineProtocol.AssetOpen is declared and has no handler"),
        ("serverNotifications", "EngineProtocol.EngineLog is declared and is in no list of Messages"),
        ("handlers", "asset/open is listed and has no handler"),
    ],
)
def test_what_is_missing_is_named(graph, listing, list_, problem):
    listing[list_].pop(0)
    assert any(line.startswith(problem) for line in unlisted([graph], listing))
    with pytest.raises(GeneratorError, match=problem):
        load([graph], listing)


def test_a_handler_of_nothing_is_named(graph, listing):
    listing["handlers"].append("asset/shut")
    assert unlisted([graph], listing) == ["asset/shut has a handler and is not listed"]
