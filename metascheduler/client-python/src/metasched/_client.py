"""The client that blocks."""

from __future__ import annotations

import ssl
import time
import uuid
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Callable, Optional, TypedDict, TypeVar, Union
from urllib.parse import quote, urlencode

from ._agreement import Agreement, AgreementData, Change, fields_of
from ._answers import Advice, Calendar, Dag, Event, HistoryEvent, Me, Notice, Plan, Site, Window
from ._errors import Conflict, Ended, NotFound, Refused, ServerFailed
from ._http import Answer, Http, Token, tls_context
from ._values import (
    Duration,
    Json,
    Request,
    RequestOptions,
    Time,
    Wanted,
    read_time,
    request_of,
    write_duration,
    write_time,
)
from ._watch import Watch, reached, until

if TYPE_CHECKING:
    # Known to type checkers; not needed to run.
    from typing_extensions import Unpack

API = "/api/v1"
T = TypeVar("T")


def _read(read: Callable[[Any], T], answer: Answer) -> T:
    try:
        return read(answer.json())
    except (KeyError, TypeError, ValueError, AttributeError) as e:
        raise ServerFailed(answer.status, "ANSWER_INVALID", f"The answer of the server cannot be read ({e!r}).") from e


def _wanted(wanted: Union[Advice, Plan, Wanted], options: RequestOptions) -> Request:
    if isinstance(wanted, Advice):
        if not wanted.plans:
            detail = " ".join(wanted.reasons)
            raise Refused(409, wanted.code or "NO_PLAN", detail, wanted.reasons, wanted.suggestions)
        wanted = wanted.plans[0]
    return request_of(wanted.request if isinstance(wanted, Plan) else wanted, options)


def _filters(state: Optional[str], site: Optional[str], times: dict[str, Optional[Time]], more: dict[str, Any]) -> str:
    entries = {"state": state, "site": site, **more}
    entries.update({name: write_time(at) for name, at in times.items() if at is not None})
    return urlencode({name: value for name, value in entries.items() if value is not None})


class Client:
    """Reservations at the server of url, METASCHED_SERVER or this machine. Thread-safe.

    The token is found as WLCG bearer token discovery says unless given. It goes over https or to this machine only.
    """

    def __init__(
        self,
        url: Optional[str] = None,
        *,
        token: Token = None,
        cert: Optional[str] = None,
        key: Optional[str] = None,
        ca: Optional[str] = None,
        context: Optional[ssl.SSLContext] = None,
        timeout: float = 150.0,
        retries: int = 4,
        patience: float = 300.0,
    ) -> None:
        """Seconds: timeout is for one call, patience for a watch of a server that does not answer."""
        self._http = Http(url, token, lambda: context or tls_context(cert, key, ca), timeout, retries)
        self._patience = patience

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def plan(self, wanted: Wanted, *, most: int = 3, **options: Unpack[RequestOptions]) -> Advice:
        """Asks how a request could be granted; nothing is held. Options are the fields of Request, such as duration."""
        body = request_of(wanted, options).to_json()
        return _read(Advice.of, self._http.call("POST", f"{API}/plans?most={most:d}", body))

    def reserve(
        self,
        wanted: Union[Advice, Plan, Wanted],
        *,
        wait: bool = True,
        key: Optional[str] = None,
        **options: Unpack[RequestOptions],
    ) -> Agreement:
        """All parts or none. Without wait, the server decides in the background. The key makes repeats harmless."""
        headers = {"Idempotency-Key": key or str(uuid.uuid4())}
        if not wait:
            headers["Prefer"] = "respond-async"
        body = _wanted(wanted, options).to_json()
        return self._agreement(self._http.call("POST", f"{API}/agreements", body, headers))

    def agreement(self, id: str) -> Agreement:
        return self._agreement(self._http.call("GET", self._path(id)))

    def agreements(
        self,
        *,
        state: Optional[str] = None,
        site: Optional[str] = None,
        initiator: Optional[str] = None,
        label: Optional[str] = None,
        start: Optional[Time] = None,
        end: Optional[Time] = None,
        modified_since: Optional[Time] = None,
        limit: int = 100,
    ) -> Iterator[Agreement]:
        """The newest first, page by page; those that end after start and begin before end."""
        times = {"from": start, "to": end, "modified_since": modified_since}
        query = _filters(state, site, times, {"initiator": initiator, "label": label, "limit": limit})
        return self._pages(f"{API}/agreements?{query}", "agreements", self._listed)

    def sites(self) -> tuple[Site, ...]:
        """All sites, in the order of their names."""
        return tuple(self._pages(f"{API}/sites?limit=1000", "sites", Site.of))

    def windows(
        self,
        site: str,
        *,
        nodes: int = 1,
        duration: Duration = "PT1H",
        start: Optional[Time] = None,
        end: Optional[Time] = None,
    ) -> tuple[Window, ...]:
        """When a request may start at a site."""
        more = {"nodes": nodes, "duration": write_duration(duration)}
        query = _filters(None, None, {"from": start, "to": end}, more)
        answer = self._http.call("GET", f"{API}/sites/{quote(site, safe='')}/windows?{query}")

        def read(json: Json) -> tuple[Window, ...]:
            return tuple(Window(read_time(w["earliest"]), read_time(w["latest"])) for w in json["windows"])

        return _read(read, answer)

    def dags(self, *, limit: int = 100) -> Iterator[Dag]:
        """Bound DAGs, page by page, without their states: one's own; all for operators and auditors."""
        return self._pages(f"{API}/dags?limit={limit:d}", "dags", Dag.of)

    def dag(self, id: str) -> Dag:
        """The DAG that holds a match; with its states if the server may look into its directory."""
        return _read(Dag.of, self._http.call("GET", f"{API}/dags/{quote(id, safe='')}"))

    def me(self) -> Me:
        return _read(Me.of, self._http.call("GET", f"{API}/me"))

    def notices(self) -> tuple[Notice, ...]:
        answer = self._http.call("GET", f"{API}/notices")
        return _read(lambda json: tuple(Notice.of(one) for one in json["notices"]), answer)

    def subscribe(
        self,
        to: str,
        *,
        events: Sequence[str] = (),
        lead: Optional[Duration] = None,
        agreement: Optional[str] = None,
    ) -> Notice:
        """Tells an address, https or mailto, of all events unless some are named; of all agreements unless one is."""
        body: dict[str, Any] = {"to": to, "agreement": agreement, "events": list(events)}
        if lead is not None:
            body["lead"] = write_duration(lead)
        wanted = {name: value for name, value in body.items() if value}
        return _read(Notice.of, self._http.call("POST", f"{API}/notices", wanted, repeatable=False))

    def unsubscribe(self, id: str) -> None:
        self._delete(f"{API}/notices/{quote(id, safe='')}")

    def calendars(self) -> tuple[Calendar, ...]:
        answer = self._http.call("GET", f"{API}/me/calendars")
        return _read(lambda json: tuple(Calendar.of(one) for one in json["calendars"]), answer)

    def make_calendar(self, site: Optional[str] = None) -> Calendar:
        """A feed at a private address: of one's own reservations, or of a site's without the names of their owners."""
        body: Json = {} if site is None else {"site": site}
        return _read(Calendar.of, self._http.call("POST", f"{API}/me/calendars", body, repeatable=False))

    def withdraw_calendar(self, id: str) -> None:
        self._delete(f"{API}/me/calendars/{quote(id, safe='')}")

    def events(self, after: Optional[str] = None, *, agreement: Optional[str] = None) -> Iterator[Event]:
        """Endless. Begins after an id; without one, at the first event of one agreement, or now for all agreements."""
        for item in self._watch(agreement, after).items():
            if isinstance(item, Event):
                yield item
            else:
                time.sleep(item)

    def _delete(self, path: str) -> None:
        try:
            self._http.call("DELETE", path)
        except NotFound as e:
            # The first of two calls may have taken effect, though its answer was lost.
            if not e.repeated:
                raise

    def _page(self, path: str, key: str, of: Callable[[Json], T]) -> tuple[list[T], Optional[str]]:
        answer = self._http.call("GET", path)
        return _read(lambda json: [of(one) for one in json[key]], answer), self._http.next_page(answer, path)

    def _pages(self, path: str, key: str, of: Callable[[Json], T]) -> Iterator[T]:
        page: Optional[str] = path
        while page is not None:
            found, page = self._page(page, key, of)
            yield from found

    def _listed(self, json: Json) -> Agreement:
        return Agreement(**fields_of(json, None), client=self)

    def _agreement(self, answer: Answer) -> Agreement:
        return _read(lambda json: Agreement(**fields_of(json, answer.headers.get("ETag")), client=self), answer)

    @staticmethod
    def _path(id: str) -> str:
        return f"{API}/agreements/{quote(id, safe='')}"

    def _watch(self, agreement: Optional[str], after: Optional[str]) -> Watch:
        path = f"{API}/events" if agreement is None else f"{self._path(agreement)}/events"
        return Watch(self._http, path, after, self._patience)

    def _until(self, id: str, state: str, timeout: Optional[float]) -> Iterator[Union[AgreementData, float]]:
        return until(lambda: self.agreement(id), self._watch(id, None), state, timeout)

    def _wait(self, id: str, state: str, timeout: Optional[float]) -> Agreement:
        for item in self._until(id, state, timeout):
            if isinstance(item, Agreement):
                if not reached(item, state):
                    raise Ended(item, state)
                return item
            time.sleep(item)  # type: ignore[arg-type]
        raise AssertionError("A wait ends with an agreement.")

    def _renegotiate(self, agreement: AgreementData, change: Change) -> Agreement:
        tag = agreement.etag or self.agreement(agreement.id).etag or ""
        headers = {"If-Match": tag, "Idempotency-Key": change.key, "Content-Type": "application/merge-patch+json"}
        try:
            return self._agreement(self._http.call("PATCH", self._path(agreement.id), change.to_json(), headers))
        except Conflict as e:
            # The first of two calls may have taken effect, though its answer was lost.
            made = self._made_by(change.key) if e.repeated else None
            if made is None:
                raise
            return made

    def _made_by(self, key: str) -> Optional[Agreement]:
        newest, _ = self._page(f"{API}/agreements?limit=100", "agreements", self._listed)
        return next((self.agreement(one.id) for one in newest if one.offer_id == key), None)

    def _terminate(self, id: str) -> Agreement:
        try:
            return self._agreement(self._http.call("DELETE", self._path(id)))
        except Conflict as e:
            if not e.repeated:
                raise
            return self.agreement(id)

    def _history(self, id: str) -> tuple[HistoryEvent, ...]:
        def read(json: Json) -> tuple[HistoryEvent, ...]:
            return tuple(HistoryEvent(read_time(e["at"]), e["kind"], e["what"]) for e in json["events"])

        return _read(read, self._http.call("GET", f"{self._path(id)}/history"))

    def _document(self, id: str) -> str:
        answer = self._http.call("GET", f"{self._path(id)}/document", None, {"Accept": "application/xml"})
        return answer.body.decode("utf-8", "replace")


class ClientOptions(TypedDict, total=False):
    """Options of Client."""

    token: Token
    cert: str
    key: str
    ca: str
    context: ssl.SSLContext
    timeout: float
    retries: int
    patience: float


class ListFilters(TypedDict, total=False):
    """Options of Client.agreements."""

    state: str
    site: str
    initiator: str
    label: str
    start: Time
    end: Time
    modified_since: Time
    limit: int


class NoticeOptions(TypedDict, total=False):
    """Options of Client.subscribe."""

    events: Sequence[str]
    lead: Duration
    agreement: str


class WindowOptions(TypedDict, total=False):
    """Options of Client.windows."""

    nodes: int
    duration: Duration
    start: Time
    end: Time
