"""An agreement as it was read, and what can be done with it."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Optional, TypedDict, Union

from ._answers import Event, HistoryEvent, ReservedPart
from ._html import Bar, timeline
from ._values import Duration, Json, Part, Request, Time, maybe_time, read_time, write_duration, write_time

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from ._async import AsyncClient
    from ._client import Client


class JobResources(TypedDict):
    node_count: int


class JobAttributes(TypedDict):
    duration: int
    reservation_id: str


class JobSpec(TypedDict, total=False):
    """Keys of PSI/J. The duration has seconds."""

    executable: str
    arguments: Sequence[str]
    directory: str
    environment: Mapping[str, str]
    stdin_path: str
    stdout_path: str
    stderr_path: str
    resources: JobResources
    attributes: JobAttributes


@dataclass(frozen=True)
class AgreementData:
    """An agreement of a list has no tag and no request."""

    id: str
    state: str
    start: Optional[datetime]
    end: Optional[datetime]
    parts: tuple[ReservedPart, ...]
    initiator: str
    offer_id: str
    created: datetime
    changed: datetime
    reason: Optional[str] = None
    label: Optional[str] = None
    users: tuple[str, ...] = ()
    project: Optional[str] = None
    request: Optional[Request] = None
    etag: Optional[str] = field(default=None, compare=False)

    def job_spec(self, part: Union[ReservedPart, int, str], executable: str = "", **job: Any) -> JobSpec:
        """What runs in a part, for PSI/J and its kin. A part is given as such, by its index, or by its site."""
        if isinstance(part, str):
            found = [one for one in self.parts if one.site == part]
            if len(found) != 1:
                raise ValueError(f"The agreement has {len(found)} parts at {part}, not one; give its index.")
            part = found[0]
        elif isinstance(part, int):
            part = self.parts[part]
        spec: dict[str, Any] = {"executable": executable} if executable else {}
        spec.update(job)
        spec["resources"] = {**job.get("resources", {}), "node_count": part.nodes}
        seconds = int((part.end - part.start).total_seconds())
        own = {"duration": seconds, "reservation_id": part.reservation_id}
        spec["attributes"] = {**job.get("attributes", {}), **own}
        return spec  # type: ignore[return-value]

    def _repr_html_(self) -> str:
        bars = [Bar(part.site, f"{part.nodes}", part.start, part.end) for part in self.parts]
        return timeline(f"{self.id}: {self.state}" + (f", {self.reason}" if self.reason else ""), bars)


def fields_of(json: Json, etag: Optional[str]) -> dict[str, Any]:
    request = json.get("request")
    return {
        "id": json["agreementId"],
        "state": json["state"],
        "start": maybe_time(json["start"]),
        "end": maybe_time(json["end"]),
        "parts": tuple(ReservedPart.of(part) for part in json["sites"]),
        "initiator": json["initiator"],
        "offer_id": json["offerId"],
        "created": read_time(json["created"]),
        "changed": read_time(json["changed"]),
        "reason": json.get("reason"),
        "label": json.get("label"),
        "users": tuple(json.get("users", ())),
        "project": json.get("project"),
        "request": Request.of(request) if request else None,
        "etag": etag,
    }


@dataclass(frozen=True)
class Change:
    """Changes of the request of an agreement; nodes is for an agreement of one part."""

    duration: Optional[Duration] = None
    nodes: Optional[int] = None
    parts: Optional[Sequence[Part]] = None
    earliest: Optional[Time] = None
    deadline: Optional[Time] = None
    key: str = field(default_factory=lambda: str(uuid.uuid4()))

    def to_json(self) -> dict[str, Any]:
        entries = {
            "duration": None if self.duration is None else write_duration(self.duration),
            "nodes": self.nodes,
            "parts": None if self.parts is None else [part.to_json() for part in self.parts],
            "earliest": None if self.earliest is None else write_time(self.earliest),
            "deadline": None if self.deadline is None else write_time(self.deadline),
        }
        return {key: value for key, value in entries.items() if value is not None}


@dataclass(frozen=True)
class Agreement(AgreementData):
    client: Client = field(default=None, repr=False, compare=False)  # type: ignore[assignment]

    def refresh(self) -> Agreement:
        return self.client.agreement(self.id)

    def wait(self, state: str = "active", timeout: Optional[float] = None) -> Agreement:
        """Until it is reserved, active or ended, or in a state of WS-Agreement; at most so many seconds."""
        return self.client._wait(self.id, state, timeout)

    def renegotiate(
        self,
        duration: Optional[Duration] = None,
        nodes: Optional[int] = None,
        parts: Optional[Sequence[Part]] = None,
        earliest: Optional[Time] = None,
        deadline: Optional[Time] = None,
    ) -> Agreement:
        """The agreement that takes the place of this one. Refused: this one stays. Conflict: it has changed."""
        return self.client._renegotiate(self, Change(duration, nodes, parts, earliest, deadline))

    def terminate(self) -> Agreement:
        return self.client._terminate(self.id)

    def history(self) -> tuple[HistoryEvent, ...]:
        return self.client._history(self.id)

    def document(self) -> str:
        """The WS-Agreement document. It comes from elsewhere: parse it without external entities."""
        return self.client._document(self.id)

    def events(self, after: Optional[str] = None) -> Iterator[Event]:
        return self.client.events(after, agreement=self.id)


@dataclass(frozen=True)
class AsyncAgreement(AgreementData):
    client: AsyncClient = field(default=None, repr=False, compare=False)  # type: ignore[assignment]

    async def refresh(self) -> AsyncAgreement:
        return await self.client.agreement(self.id)

    async def wait(self, state: str = "active", timeout: Optional[float] = None) -> AsyncAgreement:
        return await self.client._wait(self.id, state, timeout)

    async def renegotiate(
        self,
        duration: Optional[Duration] = None,
        nodes: Optional[int] = None,
        parts: Optional[Sequence[Part]] = None,
        earliest: Optional[Time] = None,
        deadline: Optional[Time] = None,
    ) -> AsyncAgreement:
        return await self.client._renegotiate(self, Change(duration, nodes, parts, earliest, deadline))

    async def terminate(self) -> AsyncAgreement:
        return await self.client._terminate(self.id)

    async def history(self) -> tuple[HistoryEvent, ...]:
        return await self.client._history(self.id)

    async def document(self) -> str:
        return await self.client._document(self.id)

    def events(self, after: Optional[str] = None) -> AsyncIterator[Event]:
        return self.client.events(after, agreement=self.id)
