#!/usr/bin/env python3
"""Known weaknesses of what we depend on: asks OSV for every component of a bill of materials (CycloneDX JSON).

usage: audit.py BOM [EXCEPTIONS]

EXCEPTIONS (usually audit-exceptions.txt beside this program) has a line for each weakness that is borne for a while: its id, the last day
(YYYY-MM-DD), why. Exit code 0: none but those. 1: others, or a day is over, or an exception is of no use any more. 2: an input cannot be read.
77: the database cannot be asked, so that nothing is known. OSV_URL is the database's address.
"""
import datetime
import json
import os
import re
import sys
import urllib.error
import urllib.request

AT_ONCE = 500
URL = os.environ.get("OSV_URL", "https://api.osv.dev")


def components(bom):
    with open(bom, encoding="utf-8") as file:
        purls = {c.get("purl", "").split("?")[0] for c in json.load(file).get("components", [])}
    return sorted(p for p in purls if p.startswith("pkg:maven/") and not p.startswith("pkg:maven/org.metasched/"))


def exceptions(path):
    borne = {}
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if line.strip() and not line.startswith("#"):
                parts = re.fullmatch(r"(\S+)\s+(\d{4}-\d\d-\d\d)\s+(\S.*)", line.strip())
                if not parts:
                    raise ValueError("%s:%d: expected an id, a day as YYYY-MM-DD and a reason" % (path, number))
                borne[parts[1]] = datetime.date.fromisoformat(parts[2])
    return borne


def weaknesses(purls):
    found = {}
    queries = [{"package": {"purl": purl}} for purl in purls]
    while queries:
        now, queries = queries[:AT_ONCE], queries[AT_ONCE:]
        request = urllib.request.Request(
            URL + "/v1/querybatch", json.dumps({"queries": now}).encode(), {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=30) as answer:
            results = json.load(answer)["results"]
        if len(results) != len(now):
            raise ValueError("%d answers to %d questions" % (len(results), len(now)))
        for query, result in zip(now, results):
            for one in result.get("vulns", []):
                found.setdefault(one["id"], set()).add(query["package"]["purl"])
            if result.get("next_page_token"):
                queries.append(dict(query, page_token=result["next_page_token"]))
    return found


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    try:
        purls = components(sys.argv[1])
        borne = exceptions(sys.argv[2] if len(sys.argv) > 2 else os.path.join(here, "audit-exceptions.txt"))
    except (OSError, ValueError, IndexError) as problem:
        print("audit: %s" % problem, file=sys.stderr)
        return 2
    if not purls:
        print("audit: %s names no component" % sys.argv[1], file=sys.stderr)
        return 2
    try:
        found = weaknesses(purls)
    except (OSError, ValueError, KeyError) as problem:
        print("audit: skipped: no reach of the database %s: %s" % (URL, problem), file=sys.stderr)
        return 77
    today = datetime.date.today()
    bad = 0
    for name in sorted(found):
        if borne.get(name, datetime.date.min) < today:
            bad += 1
            print("audit: %s in %s%s" % (
                name, ", ".join(sorted(found[name])), ", borne until %s only" % borne[name] if name in borne else ""))
    for name in sorted(borne.keys() - found.keys()):
        bad += 1
        print("audit: the exception %s is of no use any more" % name)
    print("audit: %d components, %d weaknesses, %d to look at" % (len(purls), len(found), bad))
    return 1 if bad else 0


sys.exit(main())
