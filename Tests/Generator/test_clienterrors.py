"""The classes of errors in both clients come from the list of codes."""

import errno

import clienterrors
import pytest
from clienterrors import ClientErrors, class_name
from model import GeneratorError


def test_a_new_code_has_a_class_in_both_clients(document):
    document["components"]["errors"]["deviceOnFire"] = {
        "code": -11999,
        "message": "The device is on fire.",
        "data": {"name": "deviceOnFire", "hint": "Leave the room."},
    }
    errors = ClientErrors(document)
    assert "class DeviceOnFireError(ReelwireError):" in errors.python()
    assert "    -11999: DeviceOnFireError,\n" in errors.python()
    assert "``deviceOnFire``, -11999. Leave the room." in errors.python()
    node = "class DeviceOnFireError extends ReelwireError {\n  static wireCode = -11999;\n}"
    assert node in errors.node()
    assert "export class DeviceOnFireError extends ReelwireError {}" in errors.node_types()


def test_every_code_but_the_nameless_one_has_a_class(document):
    text = ClientErrors(document).python()
    for name, error in document["components"]["errors"].items():
        assert (f"    {error['code']}: {class_name(name)},\n" in text) == (name != "unknown")


@pytest.mark.parametrize("table", ["PYTHON_BASES", "NODE_SYSTEM_CODES"])
def test_a_table_with_a_code_that_does_not_exist_is_refused(document, monkeypatch, table):
    monkeypatch.setitem(getattr(clienterrors, table), "diskFul", ("OSError", "ENOSPC"))
    with pytest.raises(GeneratorError, match="the error diskFul, which doesn't exist"):
        ClientErrors(document)


def test_the_tables_name_what_the_system_has():
    numbers = {number for _, number in clienterrors.PYTHON_BASES.values() if number}
    numbers |= set(clienterrors.NODE_SYSTEM_CODES.values())
    assert all(hasattr(errno, each) for each in numbers)
