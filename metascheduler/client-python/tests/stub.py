"""A server in the test: answers in turn, as the contract says, and remembers what was asked."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

REQUEST = {"parts": [{"site": "fzj", "nodes": 4}], "duration": "PT10M", "earliest": "2026-11-25T10:00:00Z"}


def agreement(state="Observed", part="RESERVED", id="ag-1", **more):
    slot = {"start": "2026-11-25T10:00:00Z", "end": "2026-11-25T10:10:00Z"}
    site = {"site": "fzj", "reservationId": "r-1", "nodes": 4, "state": part, "nodeNames": ["n1"], **slot}
    times = {"created": "2026-11-25T09:00:00.123456789Z", "changed": "2026-11-25T09:00:00Z"}
    return {"agreementId": id, "state": state, "sites": [site], "rounds": 1, "calls": 2, "initiator": "me",
            "offerId": "o-1", "request": REQUEST, **slot, **times, **more}


def problem(status, code, **more):
    kind = f"urn:metasched:error:1:{code}"
    body = {"type": kind, "title": code, "status": status, "detail": "So it is.", "code": code}
    return Reply(status, {**body, **more}, kind="application/problem+json")


class Reply:
    """An answer; cut means that the connection ends before the whole body was sent, drop that nothing is sent."""

    def __init__(self, status=200, body=None, kind="application/json", cut=False, drop=False, **headers):
        self.status, self.kind, self.cut, self.drop, self.headers = status, kind, cut, drop, headers
        self.body = body.encode() if isinstance(body, str) else b"" if body is None else json.dumps(body).encode()


def stream(text, cut=False):
    return Reply(200, text, "text/event-stream", cut)


def event(number, state):
    what = {"kind": "STATE", "what": f"x to {state}", "state": state}
    data = {"agreementId": "ag-1", "at": "2026-11-25T10:00:00Z", **what}
    return f"id: {number}\nevent: state\ndata: {json.dumps(data)}\n\n"


class Asked:
    def __init__(self, handler):
        length = int(handler.headers.get("Content-Length") or 0)
        self.method, self.path, self.headers = handler.command, handler.path, handler.headers
        content = handler.rfile.read(length)
        self.body = json.loads(content) if content else None


class Stub:
    """Replies are taken in turn by method and path without the query; the last one stays."""

    def __init__(self):
        self.asked, self.replies, stub = [], {}, self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self):
                stub.asked.append(Asked(self))
                left = stub.replies.get(f"{self.command} {self.path.partition('?')[0]}")
                reply = problem(404, "NOT_FOUND") if not left else left.pop(0) if len(left) > 1 else left[0]
                self.close_connection = reply.cut or reply.drop
                if reply.drop:
                    return
                self.send_response(reply.status)
                self.send_header("Content-Type", reply.kind)
                self.send_header("Content-Length", str(len(reply.body) + (100 if reply.cut else 0)))
                for name, value in reply.headers.items():
                    self.send_header(name.replace("_", "-"), value)
                self.end_headers()
                self.wfile.write(reply.body)

            do_GET = do_POST = do_PATCH = do_DELETE = answer

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})
        self._thread.start()

    def on(self, call, *replies):
        method, path = call.split(" ")
        self.replies[f"{method} /api/v1{path}"] = list(replies)

    def of(self, method):
        return [one for one in self.asked if one.method == method]

    def close(self):
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
