"""Protects the thread that paints: those that compute let it go first, and nobody else is slowed."""

from __future__ import annotations

import os
import sys
import threading

import pytest

from core.engine.onnx_session import lower_thread_priority, physical_cores


def test_there_is_a_core() -> None:
    assert 1 <= physical_cores() <= (os.cpu_count() or 1)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has a priority for each thread")
def test_only_the_calling_thread_gives_way() -> None:
    seen: list[int] = []

    def compute() -> None:
        lower_thread_priority()
        seen.append(os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))

    before = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
    thread = threading.Thread(target=compute)
    thread.start()
    thread.join()
    assert seen[0] > before or before == 19
    assert os.getpriority(os.PRIO_PROCESS, threading.get_native_id()) == before
