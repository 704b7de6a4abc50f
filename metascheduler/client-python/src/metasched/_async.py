"""The client for asyncio, over threads."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import fields
from typing import TYPE_CHECKING, Optional, Union

from ._agreement import Agreement, AgreementData, AsyncAgreement, Change
from ._answers import Advice, Calendar, Dag, Event, HistoryEvent, Me, Notice, Plan, Site, Window
from ._client import Client, ClientOptions, ListFilters, NoticeOptions, WindowOptions
from ._errors import Ended
from ._values import RequestOptions, Wanted
from ._watch import reached

if TYPE_CHECKING:
    # Known to type checkers; not needed to run.
    from typing_extensions import Unpack


class AsyncClient:
    """Client for asyncio: the same calls, each in a thread."""

    def __init__(self, url: Optional[str] = None, **options: Unpack[ClientOptions]) -> None:
        self._client = Client(url, **options)

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        self._client.close()

    async def close(self) -> None:
        self._client.close()

    async def plan(self, wanted: Wanted, *, most: int = 3, **options: Unpack[RequestOptions]) -> Advice:
        return await asyncio.to_thread(self._client.plan, wanted, most=most, **options)

    async def reserve(
        self,
        wanted: Union[Advice, Plan, Wanted],
        *,
        wait: bool = True,
        key: Optional[str] = None,
        **options: Unpack[RequestOptions],
    ) -> AsyncAgreement:
        return self._own(await asyncio.to_thread(self._client.reserve, wanted, wait=wait, key=key, **options))

    async def agreement(self, id: str) -> AsyncAgreement:
        return self._own(await asyncio.to_thread(self._client.agreement, id))

    async def agreements(self, **filters: Unpack[ListFilters]) -> AsyncIterator[AsyncAgreement]:
        found = self._client.agreements(**filters)
        while (one := await asyncio.to_thread(next, found, None)) is not None:
            yield self._own(one)

    async def sites(self) -> tuple[Site, ...]:
        return await asyncio.to_thread(self._client.sites)

    async def windows(self, site: str, **options: Unpack[WindowOptions]) -> tuple[Window, ...]:
        return await asyncio.to_thread(self._client.windows, site, **options)

    async def dags(self, *, limit: int = 100) -> AsyncIterator[Dag]:
        found = self._client.dags(limit=limit)
        while (one := await asyncio.to_thread(next, found, None)) is not None:
            yield one

    async def dag(self, id: str) -> Dag:
        return await asyncio.to_thread(self._client.dag, id)

    async def me(self) -> Me:
        return await asyncio.to_thread(self._client.me)

    async def notices(self) -> tuple[Notice, ...]:
        return await asyncio.to_thread(self._client.notices)

    async def subscribe(self, to: str, **options: Unpack[NoticeOptions]) -> Notice:
        return await asyncio.to_thread(self._client.subscribe, to, **options)

    async def unsubscribe(self, id: str) -> None:
        await asyncio.to_thread(self._client.unsubscribe, id)

    async def calendars(self) -> tuple[Calendar, ...]:
        return await asyncio.to_thread(self._client.calendars)

    async def make_calendar(self, site: Optional[str] = None) -> Calendar:
        return await asyncio.to_thread(self._client.make_calendar, site)

    async def withdraw_calendar(self, id: str) -> None:
        await asyncio.to_thread(self._client.withdraw_calendar, id)

    async def events(self, after: Optional[str] = None, *, agreement: Optional[str] = None) -> AsyncIterator[Event]:
        items = self._client._watch(agreement, after).items()
        while (item := await asyncio.to_thread(next, items, None)) is not None:
            if isinstance(item, Event):
                yield item
            else:
                await asyncio.sleep(item)

    def _own(self, agreement: Agreement) -> AsyncAgreement:
        values = {entry.name: getattr(agreement, entry.name) for entry in fields(AgreementData)}
        return AsyncAgreement(**values, client=self)

    async def _wait(self, id: str, state: str, timeout: Optional[float]) -> AsyncAgreement:
        items = self._client._until(id, state, timeout)
        while (item := await asyncio.to_thread(next, items, None)) is not None:
            if isinstance(item, Agreement):
                if not reached(item, state):
                    raise Ended(self._own(item), state)
                return self._own(item)
            await asyncio.sleep(item)  # type: ignore[arg-type]
        raise AssertionError("A wait ends with an agreement.")

    async def _renegotiate(self, agreement: AgreementData, change: Change) -> AsyncAgreement:
        return self._own(await asyncio.to_thread(self._client._renegotiate, agreement, change))

    async def _terminate(self, id: str) -> AsyncAgreement:
        return self._own(await asyncio.to_thread(self._client._terminate, id))

    async def _history(self, id: str) -> tuple[HistoryEvent, ...]:
        return await asyncio.to_thread(self._client._history, id)

    async def _document(self, id: str) -> str:
        return await asyncio.to_thread(self._client._document, id)
