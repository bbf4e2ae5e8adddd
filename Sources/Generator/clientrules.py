"""The declarations about a method for the clients: a rule, the work it starts, and the params its object writes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, Optional, Tuple


@dataclass(frozen=True)
class Work:
    """Work as seen by a client, which reports its progress and makes an object of its end."""

    #: Its name where its progress is shown, and in errors.
    title: str
    #: The class of the object, and its module in Python; Node's has hyphens.
    made: str
    module: str
    #: Node: the function that makes the delivery.
    node_delivery: str = "deliveryToWire"
    #: Node: true if the object has a picture, whose bytes it is made with.
    has_image: bool = True
    #: True if it is a job of the object's own: the object performs it by ``_finished`` in Python, and by ``[job]``
    #: in Node, which adds the progress and makes the result.
    is_job: bool = False
    #: Node: the type that a job returns, where it isn't a promise of the object.
    node_job: str = ""
    #: True if the object does all of it itself: by ``_worked_`` and the call's name in Python, ``[worked]`` in Node.
    is_own: bool = False
    #: Python: the type of the object and that of the receiver of progress, and the modules of both.
    python: str = ""
    python_progress: str = "ProgressLike"
    python_modules: Dict[str, Tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Written:
    """The type of an argument for a param, or for an element of one, which the object itself writes.

    It does so by ``_written_`` and the param's name in Python, ``[written]`` in Node.
    """

    python: str
    python_module: str
    node: str
    #: The types in it, by their modules.
    node_modules: Dict[str, Tuple[str, ...]] = field(default_factory=dict)
    #: True if Node's object writes it, too; else it is sent unchanged.
    in_node: bool = True


@dataclass(frozen=True)
class Rule:
    """The differences between a client's call and the method on the wire."""

    #: The call's name, where it isn't that of the method.
    name: Optional[str] = None
    #: The names of arguments by those of params.
    arguments: Dict[str, str] = field(default_factory=dict)
    #: The values of params that the wire requires, when they are left out.
    defaults: Dict[str, Any] = field(default_factory=dict)
    #: Of a method that starts work.
    work: Optional[Work] = None
    #: The params that are values of an earlier result, and have its type.
    returned: Tuple[str, ...] = ()
    #: Python: the optional params that may be positional arguments, in their order.
    positional: Tuple[str, ...] = ()
    #: The members of the result that are returned; all where it is empty.
    returns: Tuple[str, ...] = ()
    #: Node: the types of members of the result that are narrower than the schema's.
    node_types: Dict[str, str] = field(default_factory=dict)
    #: Node: the name of the options' type, where it isn't that of the method.
    node_options: str = ""
    #: Node: the module of the options' type, where that is declared by hand.
    node_options_module: str = ""
    #: Node: the optional params that are positional arguments, in their order.
    node_placed: Tuple[str, ...] = ()
    #: Node: the function that makes the delivery.
    node_delivery: str = "deliveryToWire"
    #: Node: true if it takes no options, not even a signal.
    node_plain: bool = False
    #: True if messages name the object of the call in any case.
    names_object: bool = False
    #: The params that no caller gives: always of a value, or left out where that is ``None``.
    fixed: Dict[str, Any] = field(default_factory=dict)
    #: The member of each element of the list that is returned that is a key, and the one that is its value.
    mapping: Tuple[str, str] = ()  # type: ignore[assignment]
    #: The class that the object makes of the result, by a function of its own: ``_made_`` and the call's name in
    #: Python, ``[made]`` in Node. Where there are several, it is a list of them.
    makes: str = ""
    makes_list: bool = False
    #: Python: the class that is made, where its name doesn't begin with ``Async``.
    made_in_python: str = ""
    #: The params that the object writes.
    writes: Dict[str, Written] = field(default_factory=dict)
    #: True if the object does something before: by ``_before_`` and the call's name in Python, ``[before]`` in Node.
    prepares: bool = False
    #: The summary of the call, where it does less than the method.
    summary: str = ""
