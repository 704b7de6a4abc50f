#!/usr/bin/env python3
"""What if it were fewer nodes? what_if.py NODES MINUTES SITE...

Asks for ten minutes that end within MINUTES from now, and halves the nodes until all sites have them at one time.
Holds nothing.
"""

import sys
from datetime import datetime, timedelta, timezone

import metasched
from metasched import Part


def main(most: str, minutes: str, *sites: str) -> None:
    nodes = int(most)
    deadline = datetime.now(timezone.utc) + timedelta(minutes=float(minutes))
    with metasched.Client() as grid:
        while nodes:
            try:
                advice = grid.plan([Part(site, nodes=nodes) for site in sites], duration="PT10M", deadline=deadline)
            except metasched.Invalid as invalid:
                print(f"{nodes} nodes each is no request: {invalid}")
            else:
                if advice.granted:
                    best = advice.plans[0]
                    print(f"{nodes} nodes each: from {best.start}, cost {best.cost:g}")
                    return
                print(f"{nodes} nodes each: {advice.code}, {' '.join(advice.reasons)}")
            nodes //= 2
    sys.exit("The sites have no common time, not even for one node each.")


if __name__ == "__main__":
    main(*sys.argv[1:])
