"""Events of agreements, over streams that are cut off. Generators yield a number where the caller has to pause."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Callable, Optional, Union

from ._answers import Event
from ._errors import Busy, ConnectionFailed, Invalid, NotFound, ServerFailed, WaitTimeout
from ._http import LONGEST_PAUSE, Http

if TYPE_CHECKING:
    from ._agreement import AgreementData

SILENCE = 30.0
FINAL = ("Rejected", "Complete", "Terminated")


class Watch:
    """Keeps its place: after a stream is cut off, the next asks for what came after the last whole event."""

    def __init__(self, http: Http, path: str, after: Optional[str], patience: float) -> None:
        self._http = http
        self._path = path
        self._last = after
        self._patience = patience
        self._retry = 1.0

    def items(self) -> Iterator[Union[Event, float]]:
        failing_since: Optional[float] = None
        while True:
            try:
                for event in self._stream():
                    failing_since = None
                    if event is not None:
                        yield event
                yield self._retry
            except (ConnectionFailed, ServerFailed) as e:
                failing_since = failing_since or time.monotonic()
                if time.monotonic() - failing_since > self._patience:
                    raise
                yield max(self._retry, (e.retry_after or 0.0) if isinstance(e, Busy) else 0.0)

    def _stream(self) -> Iterator[Optional[Event]]:
        """None says that the server answers."""
        number, kind, data = self._last, "message", ""
        for line in self._http.lines(self._path, self._last, SILENCE):
            field, _, value = line.partition(":")
            value = value[1:] if value.startswith(" ") else value
            if line == "":
                self._last = number
                yield self._event(number, kind, data)
                kind, data = "message", ""
            elif field == "id" and "\0" not in value:
                number = value
            elif field == "event":
                kind = value
            elif field == "data":
                data = f"{data}\n{value}" if data else value
            elif field == "retry" and value.isascii() and value.isdigit():
                self._retry = min(int(value[:6]) / 1000, LONGEST_PAUSE)

    @staticmethod
    def _event(number: Optional[str], kind: str, data: str) -> Optional[Event]:
        if not data or kind == "place":
            return None
        try:
            return Event.of(number or "", json.loads(data))
        except (ValueError, KeyError, TypeError) as e:
            raise ServerFailed(200, "EVENT_INVALID", f"The event {number} cannot be read.") from e


def reached(agreement: AgreementData, wanted: str) -> bool:
    """Words of people (reserved, active, ended), or a state of WS-Agreement."""
    if wanted == "reserved":
        return agreement.state in ("Observed", "Complete")
    if wanted == "active":
        states = [part.state for part in agreement.parts]
        return agreement.state == "Observed" and "ACTIVE" in states and "RESERVED" not in states
    if wanted == "ended":
        return agreement.state in FINAL
    return agreement.state.lower() == wanted.lower()


WORDS = ("reserved", "active", "ended")
STATES = ("Pending", "PendingAndTerminating", "Observed", "ObservedAndTerminating", *FINAL)


def until(
    read: Callable[[], AgreementData], watch: Watch, wanted: str, timeout: Optional[float]
) -> Iterator[Union[AgreementData, float]]:
    """Reads after each event, and each 30 s without one. The last item is the agreement: as wanted, or ended."""
    if wanted not in WORDS and wanted.lower() not in [state.lower() for state in STATES]:
        raise ValueError(f"The state ({wanted}) must be one of {', '.join(WORDS + STATES)}.")
    end = None if timeout is None else time.monotonic() + timeout
    items: Optional[Iterator[Union[Event, float]]] = watch.items()
    read_at: Optional[float] = None
    while True:
        if read_at is None or time.monotonic() - read_at >= SILENCE:
            agreement, read_at = read(), time.monotonic()
            if reached(agreement, wanted) or agreement.state in FINAL:
                yield agreement
                return
        left = None if end is None else end - time.monotonic()
        if left is not None and left <= 0:
            raise WaitTimeout(f"The agreement {agreement.id} is {agreement.state}, not {wanted}, after {timeout} s.")
        try:
            item = next(items) if items is not None else 1.0
        except (NotFound, Invalid):
            # A server or a proxy between that has no streams: read each second.
            items = None
            continue
        if isinstance(item, Event) or items is None:
            read_at = None
        if not isinstance(item, Event):
            yield item if left is None else max(0.0, min(item, left))
