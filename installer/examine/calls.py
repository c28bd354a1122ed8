"""Which calls to a network a program made, read from the log of ``strace -f -e trace=%network``."""

from __future__ import annotations

import re
from dataclasses import dataclass

SENDING = ("connect", "sendto", "sendmsg", "sendmmsg", "bind")
_CALL = re.compile(r"^(?:\[pid +\d+\] |\d+ +)?(\w+)\((.*)$")
_ADDRESS = re.compile(r"sa_family=(AF_\w+)")


@dataclass(frozen=True, slots=True)
class Calls:
    """``sent``: lines of the log that name an address outside this machine's own sockets. ``local``: how many calls
    went to Unix sockets: where there are none, the log has not seen a program with a window.
    """

    sent: tuple[str, ...]
    local: int


def read_calls(log: str) -> Calls:
    """Read a log; a call that another thread interrupted counts where it began, for there its address stands."""
    sent, local = [], 0
    for line in log.splitlines():
        called = _CALL.match(line)
        if called is None or called[1] not in SENDING:
            continue
        families = _ADDRESS.findall(called[2])
        if any(family in {"AF_INET", "AF_INET6"} for family in families):
            sent.append(line.strip())
        local += "AF_UNIX" in families
    return Calls(tuple(sent), local)
