#!/usr/bin/env python3
"""Waits until an agreement begins, told by its events: wait_for_start.py AGREEMENT [SECONDS]."""

import sys
from datetime import datetime, timezone

import metasched


def main(agreement: str, seconds: str = "3600") -> None:
    with metasched.Client() as grid:
        try:
            active = grid.agreement(agreement).wait("active", timeout=float(seconds))
        except metasched.Ended as ended:
            sys.exit(str(ended))
        late = datetime.now(timezone.utc) - (active.start or active.created)
        print(f"active {late.total_seconds():.1f} s after its begin")
        for part in active.parts:
            print(f"{part.site}: {part.state}, {','.join(part.node_names)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
