"""The network calls of a program, from the log of ``strace -f -e trace=%network``."""

from __future__ import annotations

import re
from dataclasses import dataclass

SENDING = ("connect", "sendto", "sendmsg", "sendmmsg", "bind")
_CALL = re.compile(r"^(?:\[pid +\d+\] |\d+ +)?(\w+)\((.*)$")
_ADDRESS = re.compile(r"sa_family=(AF_\w+)")


@dataclass(frozen=True, slots=True)
class NetworkCalls:
    """``sent``: lines of the log with an internet address. ``local``: the number of calls to Unix sockets; a program
    with a window always makes some.
    """

    sent: tuple[str, ...]
    local: int


def read_calls(log: str) -> NetworkCalls:
    """Parse a log; an interrupted call is counted at its start, which has the address."""
    sent, local = [], 0
    for line in log.splitlines():
        called = _CALL.match(line)
        if called is None or called[1] not in SENDING:
            continue
        families = _ADDRESS.findall(called[2])
        if any(family in {"AF_INET", "AF_INET6"} for family in families):
            sent.append(line.strip())
        local += "AF_UNIX" in families
    return NetworkCalls(tuple(sent), local)
