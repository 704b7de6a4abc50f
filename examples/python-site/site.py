"""A site in Python: six operations over HTTP and JSON (docs/site-http.yaml). Usage: site.py PORT NODES FILE"""
import json
import os
import sys
from datetime import datetime, timedelta, timezone
from wsgiref.simple_server import make_server

PORT, NODES, FILE = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
STATUS = {"refused": "409 Conflict", "unknown-reservation": "404 Not Found"}
held = json.load(open(FILE)) if os.path.exists(FILE) else {}  # reservations by id; a real site asks its scheduler


def after(instant, seconds):  # whole seconds, as texts whose order is that of time
    return (datetime.fromisoformat(instant[:19]) + timedelta(seconds=seconds)).isoformat() + "Z"


def now(days=0):
    return (datetime.now(timezone.utc) + timedelta(days=days)).isoformat()[:19] + "Z"


def free(start, end):
    holding = [r for r in held.values() if r["state"] == "RESERVED" and r["start"] < end and start < r["end"]]
    return sorted({f"n{i}" for i in range(NODES)}.difference(*(r["nodeNames"] for r in holding)))


def covering(q, start):  # the whole seconds that cover the request
    return after(start, 0), after(start, q["durationSeconds"] + (start[19] != "Z"))


def fits(q, start, end):
    return now() <= start and end <= now(7) and len(free(start, end)) >= q["nodes"] and q["coresPerNode"] == 1 and not q["properties"]


def earliest_start(q):
    first = max(after(q["notBefore"], q["notBefore"][19] != "Z"), now())  # a part of a second is rounded up
    ends = sorted(r["end"] for r in held.values() if r["end"] > first)
    return {"start": next((start for start in [first, *ends] if fits(q, *covering(q, start))), None)}


def reserve(q):
    made = find(q)["reservation"]  # one key, one reservation
    start, end = covering(q, q["start"])
    if made or not fits(q, start, end):
        return made or {"error": "refused", "message": f"free from {start} to {end}: {len(free(start, end))} nodes of one core"}
    r = {"id": f"P{len(held) + 1}", "key": q["key"], "start": start, "end": end, "state": "RESERVED"}
    return kept({**r, "nodes": q["nodes"], "coresPerNode": 1, "nodeNames": free(start, end)[: q["nodes"]]})


def kept(r):  # on the disk before the answer: a restart forgets nothing
    held[r["id"]] = r
    with open(FILE + ".new", "w") as out:
        json.dump(held, out)
        out.flush()
        os.fsync(out.fileno())
    os.replace(FILE + ".new", FILE)
    return shown(r)


def shown(r):
    word = "FINISHED" if r["end"] <= now() else "ACTIVE" if r["start"] <= now() else "RESERVED"
    return r if r["state"] == "CANCELLED" else {**r, "state": word}


def find(q):
    return {"reservation": next((shown(r) for r in held.values() if r["key"] == q["key"]), None)}


def state(q):
    unknown = {"error": "unknown-reservation", "message": f"there is no reservation {q['id']}"}
    return shown(held[q["id"]]) if q["id"] in held else unknown


def cancel(q):
    return kept({**held[q["id"]], "state": "CANCELLED"}) if q["id"] in held else state(q)


def load(q):
    return {"totalNodes": NODES, "freeNodes": len(free(now(), after(now(), 1))), "runningJobs": 0, "waitingJobs": 0}


OPERATIONS = {"/earliest-start": earliest_start, "/reserve": reserve, "/find": find, "/cancel": cancel, "/state": state, "/load": load}


def site(request, respond):  # one request at a time; an exception is answered by 500: it may have happened
    question = json.loads(request["wsgi.input"].read(int(request["CONTENT_LENGTH"])))
    answer = OPERATIONS[request["PATH_INFO"]](question)
    respond(STATUS.get(answer.get("error"), "200 OK"), [("Content-Type", "application/json")])
    return [json.dumps(answer).encode()]


server = make_server("127.0.0.1", PORT, site)
print(server.server_port, flush=True)
server.serve_forever()
