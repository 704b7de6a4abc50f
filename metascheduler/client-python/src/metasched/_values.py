"""What is asked for, as frozen dataclasses; times and durations as they are written."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Any, Optional, TypedDict, Union

Json = Mapping[str, Any]
Duration = Union[str, timedelta]
Time = Union[str, datetime]

_TIME = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d:\d\d)")


def read_time(text: str) -> datetime:
    """A time of RFC 3339. Nanoseconds are cut to microseconds."""
    found = _TIME.fullmatch(text)
    if not found:
        raise ValueError(f"The time ({text!r:.60}) must be one such as 2026-01-05T18:00:00Z.")
    minutes, seconds, fraction, zone = found.groups()
    micros = ((fraction or "") + "000000")[:6]
    return datetime.fromisoformat(f"{minutes}:{seconds or '00'}.{micros}{'+00:00' if zone == 'Z' else zone}")


def maybe_time(text: Optional[str]) -> Optional[datetime]:
    return None if text is None else read_time(text)


def write_time(time: Time) -> str:
    if isinstance(time, str):
        return time
    if time.tzinfo is None:
        raise ValueError(f"The time ({time}) must have a time zone, as datetime.now(timezone.utc) has.")
    return time.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")


def write_duration(duration: Duration) -> str:
    if isinstance(duration, str):
        return duration
    seconds = duration.days * 86400 + duration.seconds
    if duration.microseconds or seconds <= 0:
        raise ValueError(f"The duration ({duration}) must be a positive number of whole seconds.")
    return f"PT{seconds}S"


def _filled(**entries: Any) -> dict[str, Any]:
    return {key: value for key, value in entries.items() if value is not None and value != ()}


@dataclass(frozen=True)
class Split:
    """How a part may be split over several sites. The overhead is in per cent."""

    least_piece: int = 1
    most_pieces: int = 8
    multiple_of: int = 1
    overhead: int = 0

    def to_json(self) -> dict[str, Any]:
        return {
            "leastPiece": self.least_piece,
            "mostPieces": self.most_pieces,
            "multipleOf": self.multiple_of,
            "overhead": self.overhead,
        }

    @staticmethod
    def of(json: Json) -> Split:
        return Split(
            json.get("leastPiece", 1), json.get("mostPieces", 8), json.get("multipleOf", 1), json.get("overhead", 0)
        )


@dataclass(frozen=True)
class Part:
    """Nodes, bandwidth (Mbit/s) or licences, at a site or where the requirements hold."""

    site: Optional[str] = None
    nodes: Optional[int] = None
    requirements: Optional[str] = None
    cores: Optional[int] = None
    properties: tuple[str, ...] = ()
    bandwidth: Optional[int] = None
    feature: Optional[str] = None
    licences: Optional[int] = None
    split: Optional[Split] = None
    stage: Optional[str] = None
    rank: Optional[str] = None

    def __post_init__(self) -> None:
        kinds = [kind for kind in (self.nodes, self.bandwidth, self.licences) if kind is not None]
        if len(kinds) != 1:
            raise ValueError(f"A part must have one of nodes, bandwidth and licences, not {len(kinds)}.")
        if self.site and (self.requirements or self.rank):
            raise ValueError("A part names its site, or its requirements and rank, not both.")
        object.__setattr__(self, "properties", tuple(self.properties))

    def to_json(self) -> dict[str, Any]:
        return _filled(
            site=self.site,
            requirements=self.requirements,
            nodes=self.nodes,
            cores=self.cores,
            properties=list(self.properties) or None,
            bandwidth=self.bandwidth,
            feature=self.feature,
            licences=self.licences,
            split=self.split.to_json() if self.split else None,
            stage=self.stage,
            rank=self.rank,
        )

    @staticmethod
    def of(json: Json) -> Part:
        split = json.get("split")
        return Part(
            json.get("site"),
            json.get("nodes"),
            json.get("requirements"),
            json.get("cores"),
            tuple(json.get("properties", ())),
            json.get("bandwidth"),
            json.get("feature"),
            json.get("licences"),
            Split.of(split) if split else None,
            json.get("stage"),
            json.get("rank"),
        )


@dataclass(frozen=True)
class Program:
    """Runs once in the reservations."""

    command: tuple[str, ...]
    per_node: Optional[int] = None
    together: Optional[Duration] = None

    def to_json(self) -> dict[str, Any]:
        together = None if self.together is None else write_duration(self.together)
        return _filled(command=list(self.command), perNode=self.per_node, together=together)

    @staticmethod
    def of(json: Json) -> Program:
        return Program(tuple(json["command"]), json.get("perNode"), json.get("together"))


@dataclass(frozen=True)
class Request:
    """What is asked for. A suggestion of the server is a request that it would grant, and says why in remark."""

    parts: tuple[Part, ...]
    duration: Optional[Duration] = None
    earliest: Optional[Time] = None
    deadline: Optional[Time] = None
    prefer: Optional[str] = None
    if_degraded: Optional[str] = None
    program: Optional[Program] = None
    initiator: Optional[str] = None
    stages: tuple[Json, ...] = ()
    remark: Optional[str] = None
    label: Optional[str] = None
    users: tuple[str, ...] = ()
    project: Optional[str] = None

    def to_json(self) -> dict[str, Any]:
        return _filled(
            parts=[part.to_json() for part in self.parts],
            duration=None if self.duration is None else write_duration(self.duration),
            earliest=None if self.earliest is None else write_time(self.earliest),
            deadline=None if self.deadline is None else write_time(self.deadline),
            prefer=self.prefer,
            ifDegraded=self.if_degraded,
            program=self.program.to_json() if self.program else None,
            initiator=self.initiator,
            stages=[dict(stage) for stage in self.stages] or None,
            remark=self.remark,
            label=self.label,
            users=list(self.users) or None,
            project=self.project,
        )

    @staticmethod
    def of(json: Json) -> Request:
        program = json.get("program")
        return Request(
            tuple(Part.of(part) for part in json["parts"]),
            json.get("duration"),
            maybe_time(json.get("earliest")),
            maybe_time(json.get("deadline")),
            json.get("prefer"),
            json.get("ifDegraded"),
            Program.of(program) if program else None,
            json.get("initiator"),
            tuple(json.get("stages", ())),
            json.get("remark"),
            json.get("label"),
            tuple(json.get("users", ())),
            json.get("project"),
        )


class RequestOptions(TypedDict, total=False):
    """The fields of Request beside its parts."""

    duration: Duration
    earliest: Time
    deadline: Time
    prefer: str
    if_degraded: str
    program: Program
    initiator: str
    stages: tuple[Json, ...]
    remark: str
    label: str
    users: tuple[str, ...]
    project: str


Wanted = Union[Request, Part, Sequence[Part]]


def request_of(wanted: Wanted, options: RequestOptions) -> Request:
    if isinstance(wanted, Request):
        if options:
            raise TypeError(f"A Request is complete; it takes no {', '.join(options)} beside it.")
        return wanted
    return Request((wanted,) if isinstance(wanted, Part) else tuple(wanted), **options)
