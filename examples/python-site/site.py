"""A site in Python: six operations over HTTP and JSON (docs/site-http.yaml). Usage: site.py PORT NODES FILE"""
import json, os, sys, threading
from datetime import datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PORT, NODES, FILE = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
NAMES, AHEAD, LOCK = [f"n{i}" for i in range(NODES)], timedelta(days=7), threading.Lock()
held = json.load(open(FILE)) if os.path.exists(FILE) else {}  # reservations by id; a real site asks its scheduler


class No(Exception):
    """A refusal: its code and its words."""

def now(): return datetime.now(timezone.utc)
def read(text): return datetime.fromisoformat(text.replace("Z", "+00:00")[:19] + "+00:00")
def written(instant): return instant.strftime("%Y-%m-%dT%H:%M:%SZ")

def keep():  # on the disk before the answer: a restart forgets nothing
    with open(FILE + ".new", "w") as out:
        json.dump(held, out); out.flush(); os.fsync(out.fileno())
    os.replace(FILE + ".new", FILE)

def free(start, end):
    taken = {n for r in held.values() if r["state"] == "RESERVED" and read(r["start"]) < end and start < read(r["end"]) for n in r["nodeNames"]}
    return [name for name in NAMES if name not in taken]

def earliest_start(q):
    first, length = read(q["notBefore"]), timedelta(seconds=q["durationSeconds"])
    if q["notBefore"][19] != "Z": first += timedelta(seconds=1)  # up to a whole second
    ends = sorted(read(r["end"]) for r in held.values() if read(r["end"]) > first)
    fits = (s for s in [first] + ends if s + length <= now() + AHEAD and len(free(s, s + length)) >= q["nodes"])
    return {"start": next(map(written, fits), None) if q["coresPerNode"] == 1 and not q["properties"] else None}

def reserve(q):
    for r in held.values():
        if r["key"] == q["key"]: return shown(r)  # one key, one reservation
    start = read(q["start"]); end = start + timedelta(seconds=q["durationSeconds"]); names = free(start, end)
    if start < now() or end > now() + AHEAD or len(names) < q["nodes"] or q["coresPerNode"] > 1 or q["properties"]:
        raise No(409, "refused", f"{len(names)} nodes are free from {written(start)} to {written(end)}")
    r = {"id": f"P{len(held) + 1}", "key": q["key"], "start": written(start), "end": written(end), "nodes": q["nodes"],
         "coresPerNode": 1, "nodeNames": names[: q["nodes"]], "state": "RESERVED"}
    held[r["id"]] = r; keep(); return shown(r)

def shown(r):
    begun, over = read(r["start"]) <= now(), read(r["end"]) <= now()
    return {**r, "state": r["state"] if r["state"] == "CANCELLED" else "FINISHED" if over else "ACTIVE" if begun else "RESERVED"}

def find(q): return {"reservation": next((shown(r) for r in held.values() if r["key"] == q["key"]), None)}

def state(q):
    if q["id"] not in held: raise No(404, "unknown-reservation", f"there is no reservation {q['id']}")
    return shown(held[q["id"]])

def cancel(q): state(q); held[q["id"]]["state"] = "CANCELLED"; keep(); return {}
def load(q): return {"totalNodes": NODES, "freeNodes": len(free(now(), now() + timedelta(seconds=1))), "runningJobs": 0, "waitingJobs": 0}

class Site(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def do_POST(self):
        operation = {"/earliest-start": earliest_start, "/reserve": reserve, "/find": find, "/cancel": cancel, "/state": state, "/load": load}.get(self.path)
        try:
            with LOCK: status, answer = 200, operation(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        except No as no: status, answer = no.args[0], {"error": no.args[1], "message": no.args[2]}
        except Exception as e: status, answer = 500, {"message": repr(e)}  # it may have happened
        body = json.dumps(answer).encode()
        self.send_response(status); self.send_header("Content-Length", str(len(body))); self.end_headers(); self.wfile.write(body)
    def log_message(self, *_): pass

if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", PORT), Site)
    print(server.server_address[1], flush=True); server.serve_forever()
