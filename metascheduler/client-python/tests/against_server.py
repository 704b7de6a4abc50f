#!/usr/bin/env python3
"""A life cycle at a server with two free sites: tests/against_server.py URL. Exit code 0: each step was as stated."""

import asyncio
import pathlib
import sys
from datetime import datetime, timedelta, timezone

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "src"))

import metasched  # noqa: E402
from metasched import Part  # noqa: E402


def check(what, held):
    print(("ok   " if held else "FAIL ") + what)
    if not held:
        raise SystemExit(1)


def life_cycle(url):
    with metasched.Client(url) as grid:
        first, second = [site.site for site in grid.sites()][:2]
        nodes = min(site.total_nodes or 1 for site in grid.sites())
        check("the server knows the caller", grid.me().roles)
        check("a site has free windows", grid.windows(first, duration="10m"))

        soon = datetime.now(timezone.utc).replace(microsecond=0) + timedelta(seconds=20)
        plan = grid.plan([Part(first, nodes=2), Part(second, nodes=2)], duration="10m", earliest=soon)
        check("a plan has both sites", plan.granted and {p.site for p in plan.plans[0].parts} == {first, second})
        made = grid.reserve(plan)
        check("it is reserved as planned", made.state == "Observed" and made.start == plan.plans[0].start)
        check("the same key is the same agreement", key_is_kept(grid, first))
        check("the list has it", made.id in [one.id for one in grid.agreements(limit=1)])
        check("its picture has its sites", all(part.site in made._repr_html_() for part in made.parts))
        check("a job finds its reservation", made.job_spec(first)["attributes"]["reservation_id"])

        active = made.wait("active", timeout=120)
        check("events tell when it begins", all(part.state == "ACTIVE" for part in active.parts))
        active.terminate()
        check("it is ended", made.wait("Terminated", timeout=60).state == "Terminated")
        check("its history tells so", any("Terminated" in event.what for event in made.history()))
        check("its document is WS-Agreement", "AgreementOffer" in made.document() or "Agreement" in made.document())

        later = datetime.now(timezone.utc) + timedelta(hours=2)
        early = grid.reserve(Part(first, nodes=1), duration="10m", earliest=later)
        longer = early.renegotiate(duration="20m")
        check("renegotiated, another takes its place", longer.id != early.id and early.refresh().state == "Terminated")
        check("it is longer", longer.end - longer.start == timedelta(minutes=20))
        try:
            early.renegotiate(duration="30m")
            check("one that has changed is not renegotiated", False)
        except metasched.Conflict as e:
            check("one that has changed is not renegotiated", e.status == 412)

        block = grid.reserve(Part(second, nodes=nodes), duration="1h", earliest=later)
        try:
            grid.reserve(Part(second, nodes=nodes), duration="1h", earliest=later, deadline=later + timedelta(hours=1))
            check("what is taken is refused", False)
        except metasched.Refused as e:
            check("what is taken is refused, with reasons and suggestions", e.reasons and e.suggestions)
            granted = grid.reserve(e.suggestions[0])
            check("the suggestion is granted", granted.state == "Observed")
        for agreement in (longer, block, granted):
            agreement.terminate()


def key_is_kept(grid, site):
    key = f"again-{datetime.now(timezone.utc).timestamp()}"
    later = datetime.now(timezone.utc) + timedelta(hours=3)
    twice = [grid.reserve(Part(site, nodes=1), duration="10m", earliest=later, key=key) for _ in range(2)]
    twice[0].terminate()
    return twice[0].id == twice[1].id


async def with_asyncio(url):
    async with metasched.AsyncClient(url) as grid:
        site = (await grid.sites())[0].site
        made = await grid.reserve(Part(site, nodes=1), duration="10m", wait=False)
        reserved = await made.wait("reserved", timeout=60)
        check("asyncio: a pending one is reserved", reserved.state == "Observed")
        check("asyncio: the list has it", made.id in [one.id async for one in grid.agreements(limit=2)])
        await reserved.terminate()
        kinds = []
        async for event in made.events():
            kinds.append(event.kind)
            if event.state == "Terminated":
                break
        check("asyncio: its events tell its end", "STATE" in kinds)


if __name__ == "__main__":
    life_cycle(sys.argv[1])
    asyncio.run(with_asyncio(sys.argv[1]))
