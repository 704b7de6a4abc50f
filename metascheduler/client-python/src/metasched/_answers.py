"""What is answered, as frozen dataclasses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Optional

from ._html import Bar, timeline
from ._values import Json, Request, read_time


@dataclass(frozen=True)
class PlannedPart:
    site: str
    start: datetime
    end: datetime
    nodes: Optional[int] = None
    bandwidth: Optional[int] = None
    licences: Optional[int] = None

    @property
    def amount(self) -> int:
        return self.nodes or self.bandwidth or self.licences or 0

    @staticmethod
    def of(json: Json) -> PlannedPart:
        return PlannedPart(
            json["site"],
            read_time(json["start"]),
            read_time(json["end"]),
            json.get("nodes"),
            json.get("bandwidth"),
            json.get("licences"),
        )


@dataclass(frozen=True)
class Plan:
    """One way to grant a request; nothing is held. Its request asks for just this."""

    start: datetime
    end: datetime
    rank: float
    cost: float
    parts: tuple[PlannedPart, ...]
    request: Request

    @staticmethod
    def of(json: Json) -> Plan:
        return Plan(
            read_time(json["start"]),
            read_time(json["end"]),
            json["rank"],
            json["cost"],
            tuple(PlannedPart.of(part) for part in json["parts"]),
            Request.of(json["request"]),
        )

    def _repr_html_(self) -> str:
        return timeline("plan", [Bar(part.site, str(part.amount), part.start, part.end) for part in self.parts])


@dataclass(frozen=True)
class Advice:
    """What would come of a request: plans, the best first, or reasons and suggestions."""

    granted: bool
    proven: bool
    code: Optional[str]
    reasons: tuple[str, ...]
    plans: tuple[Plan, ...]
    suggestions: tuple[Request, ...]

    @staticmethod
    def of(json: Json) -> Advice:
        return Advice(
            json["granted"],
            json["proven"],
            json.get("code"),
            tuple(json["reasons"]),
            tuple(Plan.of(plan) for plan in json["plans"]),
            tuple(Request.of(suggestion) for suggestion in json["suggestions"]),
        )

    def _repr_html_(self) -> str:
        if self.plans:
            return self.plans[0]._repr_html_()
        return timeline(" ".join(self.reasons), [])


@dataclass(frozen=True)
class Job:
    """The program that runs in a part."""

    state: str
    id: Optional[str] = None
    exit_code: Optional[int] = None
    output: Optional[str] = None
    detail: Optional[str] = None


@dataclass(frozen=True)
class ReservedPart:
    """A part of an agreement: a reservation at a site. Its nodes may be Mbit/s or licences, as it was asked."""

    site: str
    reservation_id: str
    nodes: int
    start: datetime
    end: datetime
    state: str
    node_names: tuple[str, ...]
    job: Optional[Job] = None

    @staticmethod
    def of(json: Json) -> ReservedPart:
        job = json.get("job")
        return ReservedPart(
            json["site"],
            json["reservationId"],
            json["nodes"],
            read_time(json["start"]),
            read_time(json["end"]),
            json["state"],
            tuple(json["nodeNames"]),
            Job(job["state"], job.get("id"), job.get("exitCode"), job.get("output"), job.get("detail"))
            if job
            else None,
        )


@dataclass(frozen=True)
class Site:
    site: str
    state: str
    look_ahead: str
    grid: str
    detail: Optional[str] = None
    total_nodes: Optional[int] = None
    free_nodes: Optional[int] = None
    running_jobs: Optional[int] = None
    queued_jobs: Optional[int] = None
    remarks: tuple[str, ...] = ()

    @staticmethod
    def of(json: Json) -> Site:
        return Site(
            json["site"],
            json["state"],
            json["lookAhead"],
            json["grid"],
            json.get("detail"),
            json.get("totalNodes"),
            json.get("freeNodes"),
            json.get("runningJobs"),
            json.get("queuedJobs"),
            tuple(json.get("remarks", ())),
        )


@dataclass(frozen=True)
class Window:
    """A request may start from earliest to latest."""

    earliest: datetime
    latest: datetime


@dataclass(frozen=True)
class Dag:
    """A bound DAG, by its match. Its states are known when it is asked for alone, and the server may look at it."""

    id: str
    site: str
    directory: str
    owner: str
    confirmed: bool
    taken: datetime
    matches: int
    state: Optional[str] = None
    nodes: Optional[int] = None
    states: Mapping[str, int] = field(default_factory=dict)
    expected_end: Optional[datetime] = None

    @staticmethod
    def of(json: Json) -> Dag:
        end = json.get("expectedEnd")
        return Dag(
            json["id"],
            json["site"],
            json["directory"],
            json["owner"],
            json["confirmed"],
            read_time(json["taken"]),
            json["matches"],
            json.get("state"),
            json.get("nodes"),
            json.get("states", {}),
            read_time(end) if end else None,
        )


@dataclass(frozen=True)
class Event:
    """What happened to an agreement; state is that of WS-Agreement after an event of kind STATE."""

    id: str
    agreement_id: str
    at: datetime
    kind: str
    what: str
    state: Optional[str] = None

    @staticmethod
    def of(number: str, json: Json) -> Event:
        at = read_time(json["at"])
        return Event(number, json["agreementId"], at, json["kind"], json["what"], json.get("state"))


@dataclass(frozen=True)
class HistoryEvent:
    at: datetime
    kind: str
    what: str


@dataclass(frozen=True)
class Left:
    """What is used of a quota, and what is left; None where there is no bound."""

    used: float
    limit: Optional[float]
    left: Optional[float]

    @staticmethod
    def of(json: Json) -> Left:
        return Left(json["used"], json["limit"], json["left"])


@dataclass(frozen=True)
class Quota:
    of: str
    agreements: Left
    node_hours: Left
    offers_under_way: Optional[float]
    requests_per_second: Optional[float]


@dataclass(frozen=True)
class Me:
    """The caller, as the server sees it."""

    subject: str
    kind: str
    roles: tuple[str, ...]
    groups: tuple[str, ...]
    quotas: tuple[Quota, ...]

    @staticmethod
    def of(json: Json) -> Me:
        quotas = (
            Quota(
                quota["of"],
                Left.of(quota["agreements"]),
                Left.of(quota["nodeHours"]),
                quota["offersUnderWay"],
                quota["requestsPerSecond"],
            )
            for quota in json["quotas"]
        )
        return Me(json["subject"], json["kind"], tuple(json["roles"]), tuple(json["groups"]), tuple(quotas))


@dataclass(frozen=True)
class Notice:
    """Events that are sent to an address. The secret, which signs calls of a web hook, is in the first answer only."""

    id: str
    to: str
    events: tuple[str, ...]
    lead: str
    agreement: Optional[str] = None
    secret: Optional[str] = None

    @staticmethod
    def of(json: Json) -> Notice:
        return Notice(
            json["id"], json["to"], tuple(json["events"]), json["lead"], json.get("agreement"), json.get("secret")
        )


@dataclass(frozen=True)
class Calendar:
    """An iCalendar feed, of a site or of the caller. Its address, which is all that a reader needs, is shown once."""

    id: str
    site: Optional[str] = None
    address: Optional[str] = None

    @staticmethod
    def of(json: Json) -> Calendar:
        return Calendar(json["id"], json.get("site"), json.get("address"))
