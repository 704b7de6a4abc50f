"""The client against a server in the test."""

import asyncio
import os
import pathlib
import sys
import tempfile
import unittest
from datetime import datetime, timedelta, timezone
from unittest import mock

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "src")]

from stub import REQUEST, Reply, Stub, agreement, event, problem, stream  # noqa: E402

import metasched  # noqa: E402
from metasched import Part, Request  # noqa: E402

PLAN = {"start": REQUEST["earliest"], "end": "2026-11-25T10:10:00Z", "rank": 0.0, "cost": 1.5, "request": REQUEST,
        "parts": [{"site": "fzj", "nodes": 4, "start": REQUEST["earliest"], "end": "2026-11-25T10:10:00Z"}]}
ADVICE = {"granted": True, "proven": True, "reasons": [], "plans": [PLAN], "suggestions": []}
QUICK = "retry: 10\n\n"


class ClientCase(unittest.TestCase):
    def setUp(self):
        self.server = Stub()
        self.addCleanup(self.server.close)
        self.folder = tempfile.mkdtemp()
        self.addCleanup(lambda: [p.unlink() for p in pathlib.Path(self.folder).iterdir()] and None)
        clean = {"XDG_RUNTIME_DIR": self.folder}
        self.enterPatch(mock.patch.dict(os.environ, clean))
        for name in [n for n in os.environ if n.startswith(("BEARER_TOKEN", "METASCHED_"))]:
            del os.environ[name]
        self.grid = metasched.Client(self.server.url)
        self.addCleanup(self.grid.close)

    def enterPatch(self, patch):
        patch.start()
        self.addCleanup(patch.stop)

    def headers(self, name):
        return [one.headers.get(name) for one in self.server.asked]


class RequestsTest(ClientCase):
    def test_notices_and_calendars_are_made_listed_and_withdrawn(self):
        notice = {"id": "n1", "to": "https://example.org/hook", "events": ["soon"], "lead": "PT2H"}
        calendar = {"id": "c1", "site": "fzj"}
        self.server.on("POST /notices", Reply(201, {**notice, "secret": "whsec_x"}))
        self.server.on("GET /notices", Reply(200, {"notices": [notice]}))
        self.server.on("DELETE /notices/n1", Reply(204, None))
        self.server.on("POST /me/calendars", Reply(201, {**calendar, "address": "https://example.org/c.ics"}))
        self.server.on("GET /me/calendars", Reply(200, {"calendars": [calendar]}))
        self.server.on("DELETE /me/calendars/c1", Reply(204, None))

        made = self.grid.subscribe("https://example.org/hook", events=["soon"], lead="2h")
        feed = self.grid.make_calendar("fzj")

        self.assertEqual({"to": "https://example.org/hook", "events": ["soon"], "lead": "2h"},
                         self.server.asked[0].body)
        self.assertEqual({"site": "fzj"}, self.server.asked[1].body)
        self.assertEqual(("whsec_x", "https://example.org/c.ics"), (made.secret, feed.address))
        self.assertEqual([("n1", ("soon",), None)], [(n.id, n.events, n.secret) for n in self.grid.notices()])
        self.assertEqual([("c1", "fzj", None)], [(c.id, c.site, c.address) for c in self.grid.calendars()])
        self.grid.unsubscribe(made.id)
        self.grid.withdraw_calendar(feed.id)
        self.assertEqual(["DELETE", "DELETE"], [one.method for one in self.server.asked[-2:]])

    def test_a_plan_is_what_is_reserved(self):
        self.server.on("POST /plans", Reply(200, ADVICE))
        self.server.on("POST /agreements", Reply(201, agreement(), ETag='"t1"'))

        plan = self.grid.plan([Part("fzj", nodes=4), Part(nodes=8, requirements="Memory >= 64")], duration="1h")
        made = self.grid.reserve(plan)

        self.assertEqual({"parts": [{"site": "fzj", "nodes": 4}, {"nodes": 8, "requirements": "Memory >= 64"}],
                          "duration": "1h"}, self.server.asked[0].body)
        self.assertEqual(datetime(2026, 11, 25, 10, tzinfo=timezone.utc), plan.plans[0].start)
        self.assertEqual(REQUEST, {**self.server.asked[1].body, "earliest": REQUEST["earliest"]})
        self.assertEqual(("ag-1", "Observed", '"t1"'), (made.id, made.state, made.etag))
        self.assertEqual(123456, made.created.microsecond)

    def test_times_and_durations_of_python_are_written(self):
        start = datetime(2026, 11, 25, 12, tzinfo=timezone(timedelta(hours=1)))
        request = Request((Part(bandwidth=100),), timedelta(minutes=90), start)
        self.assertEqual({"parts": [{"bandwidth": 100}], "duration": "PT5400S", "earliest": "2026-11-25T11:00:00Z"},
                         request.to_json())
        with self.assertRaises(ValueError):
            Request((Part("a", nodes=1),), "1h", datetime(2026, 1, 1)).to_json()  # noqa: DTZ001
        with self.assertRaises(ValueError):
            Part("a", nodes=1, licences=2)

    def test_each_field_of_a_request_survives(self):
        part = {"requirements": "true", "nodes": 8, "cores": 2, "properties": ["ib"], "stage": "s",
                "split": {"leastPiece": 2, "mostPieces": 3, "multipleOf": 2, "overhead": 5}}
        licence = {"feature": "f", "licences": 2, "stage": "s"}
        json = {"parts": [part, licence], "stages": [{"name": "s", "duration": "PT1H"}], "prefer": "cost",
                "earliest": "2026-01-05T18:00:00Z", "deadline": "2026-01-06T18:00:00Z", "ifDegraded": "tell",
                "program": {"command": ["a", "b"], "perNode": 2, "together": "PT1M"}, "initiator": "x", "remark": "y",
                "label": "z", "users": ["CN=Bob"], "project": "P42"}
        written = Request.of(json).to_json()
        times = {key: written[key].replace(".000000", "") for key in ("earliest", "deadline")}
        self.assertEqual(json, {**written, **times})

    def test_a_lost_answer_is_asked_for_again_with_the_same_key(self):
        self.server.on("POST /agreements", Reply(drop=True), Reply(201, agreement(), cut=True), Reply(201, agreement()))
        self.assertEqual("ag-1", self.grid.reserve(Part("fzj", nodes=4), duration="10m").id)
        self.assertEqual(3, len(self.server.asked))
        self.assertEqual(1, len(set(self.headers("Idempotency-Key"))))
        self.assertTrue(self.headers("Idempotency-Key")[0])

    def test_a_call_that_would_make_a_second_one_is_not_repeated(self):
        self.server.on("POST /notices", Reply(drop=True))
        self.server.on("POST /me/calendars", Reply(drop=True))
        self.server.on("GET /me", problem(401, "NOT_ALLOWED"))

        with self.assertRaises(metasched.Unauthorised):
            self.grid.me()
        with self.assertRaises(metasched.ConnectionFailed):
            self.grid.subscribe("mailto:me@example.org")
        with self.assertRaises(metasched.ConnectionFailed):
            self.grid.make_calendar()

        self.assertEqual(2, len(self.server.of("POST")))

    def test_a_withdrawal_whose_answer_was_lost_is_one(self):
        self.server.on("DELETE /notices/n1", Reply(drop=True), problem(404, "NOT_FOUND"))

        self.grid.unsubscribe("n1")
        with self.assertRaises(metasched.NotFound):
            self.grid.unsubscribe("n1")

    def test_a_busy_server_is_asked_again_and_two_calls_have_two_keys(self):
        self.server.on("POST /agreements", problem(503, "BUSY"), Reply(201, agreement()))
        self.grid.reserve(Part("fzj", nodes=4), duration="10m")
        self.grid.reserve(Part("fzj", nodes=4), duration="10m")
        keys = self.headers("Idempotency-Key")
        self.assertEqual([True, False], [keys[0] == keys[1], keys[1] == keys[2]])

    def test_without_an_answer_it_says_so(self):
        self.server.on("GET /me", Reply(drop=True))
        with self.assertRaises(metasched.ConnectionFailed), metasched.Client(self.server.url, retries=1) as grid:
            grid.me()
        self.assertEqual(2, len(self.server.asked))

    def test_respond_async_is_pending(self):
        self.server.on("POST /agreements", Reply(202, agreement("Pending", sites=[], start=None, end=None)))
        made = self.grid.reserve(Part("fzj", nodes=4), wait=False, duration="10m")
        self.assertEqual(("Pending", None), (made.state, made.start))
        self.assertEqual(["respond-async"], self.headers("Prefer"))

    def test_all_pages_are_read(self):
        first, second = {"agreements": [agreement(id="ag-2")], "next": "ag-2"}, {"agreements": [agreement()]}
        link = '</api/v1/agreements?limit=1&after=ag-2>; rel="next"'
        self.server.on("GET /agreements", Reply(200, first, Link=link), Reply(200, second))
        found = [one.id for one in self.grid.agreements(state="Observed", limit=1)]
        self.assertEqual(["ag-2", "ag-1"], found)
        self.assertEqual(["/api/v1/agreements?state=Observed&limit=1", "/api/v1/agreements?limit=1&after=ag-2"],
                         [one.path for one in self.server.asked])

    def test_dags_are_listed_and_one_tells_how_far_it_is(self):
        dag = {"id": "m1", "site": "fzj", "directory": "/dags/one", "owner": "CN=Alice", "confirmed": True,
               "taken": "2026-01-05T08:00:00Z", "matches": 4}
        more = {"state": "running", "nodes": 4, "states": {"submitted": 3, "done": 1},
                "expectedEnd": "2026-01-05T12:00:00Z"}
        link = '</api/v1/dags?limit=1&after=m1>; rel="next"'
        self.server.on("GET /dags", Reply(200, {"dags": [dag], "next": "m1"}, Link=link),
                       Reply(200, {"dags": [{**dag, "id": "m2"}]}))
        self.server.on("GET /dags/m1", Reply(200, {**dag, **more}))

        found = list(self.grid.dags(limit=1))
        one = self.grid.dag("m1")

        self.assertEqual([("m1", None, {}), ("m2", None, {})], [(d.id, d.state, d.states) for d in found])
        self.assertEqual(("fzj", "/dags/one", "CN=Alice", True, 4), (one.site, one.directory, one.owner,
                                                                     one.confirmed, one.matches))
        self.assertEqual(("running", 4, {"submitted": 3, "done": 1}), (one.state, one.nodes, one.states))
        self.assertEqual(datetime(2026, 1, 5, 12, tzinfo=timezone.utc), one.expected_end)
        self.assertEqual(["/api/v1/dags?limit=1", "/api/v1/dags?limit=1&after=m1", "/api/v1/dags/m1"],
                         [asked.path for asked in self.server.asked])

    def test_pages_under_a_prefix_of_a_proxy(self):
        path = "/grid/api/v1/agreements"
        for link in (f"<{path}?after=a>", "</api/v1/agreements?after=a>"):
            page = {"agreements": []}
            self.server.replies[f"GET {path}"] = [Reply(200, page, Link=f'{link}; rel="next"'), Reply(200, page)]
            with metasched.Client(self.server.url + "/grid") as grid:
                self.assertEqual([], list(grid.agreements()))
            self.assertEqual(f"{path}?after=a", self.server.asked[-1].path)

    def test_a_page_elsewhere_is_not_asked_for(self):
        link = '<http://127.0.0.2:1/api/v1/agreements>; rel="next"'
        self.server.on("GET /agreements", Reply(200, {"agreements": []}, Link=link))
        with self.assertRaises(metasched.ServerFailed) as failed:
            list(self.grid.agreements())
        self.assertEqual("LINK_ELSEWHERE", failed.exception.code)

    def test_sites_windows_and_the_caller(self):
        left = {"used": 1.0, "limit": None, "left": None}
        quota = {"of": "subject", "agreements": left, "nodeHours": left, "offersUnderWay": 4, "requestsPerSecond": None}
        site = {"site": "fzj", "lookAhead": "PT168H", "grid": "PT1S", "state": "up", "totalNodes": 16}
        window = {"earliest": "2026-11-25T10:00:00Z", "latest": "2026-11-25T11:00:00Z"}
        self.server.on("GET /sites", Reply(200, {"sites": [site]}))
        self.server.on("GET /sites/a%2Fb/windows", Reply(200, {"site": "a/b", "windows": [window]}))
        self.server.on("GET /me", Reply(200, {"subject": "s", "kind": "token", "roles": ["user"], "groups": [],
                                              "quotas": [quota]}))
        self.assertEqual(16, self.grid.sites()[0].total_nodes)
        self.assertEqual(11, self.grid.windows("a/b", nodes=2, duration=timedelta(hours=2))[0].latest.hour)
        self.assertEqual("/api/v1/sites/a%2Fb/windows?nodes=2&duration=PT7200S", self.server.asked[1].path)
        self.assertEqual((("user",), 4), (self.grid.me().roles, self.grid.me().quotas[0].offers_under_way))


class ProblemsTest(ClientCase):
    def test_a_refusal_has_reasons_and_requests_that_are_ready(self):
        suggestion = {**REQUEST, "remark": "later: at 10:00"}
        self.server.on("POST /agreements",
                       problem(409, "NO_COMMON_SLOT", reasons=["a", "b"], suggestions=[suggestion]),
                       Reply(201, agreement()))
        with self.assertRaises(metasched.Refused) as refused:
            self.grid.reserve(Part("fzj", nodes=4), duration="10m")
        self.assertEqual(("NO_COMMON_SLOT", ("a", "b")), (refused.exception.code, refused.exception.reasons))
        self.grid.reserve(refused.exception.suggestions[0])
        self.assertEqual(suggestion["parts"], self.server.asked[1].body["parts"])
        self.assertEqual(1, len(self.server.asked[0].body["parts"]))

    def test_advice_without_a_plan_is_refused_without_a_call(self):
        advice = metasched.Advice(False, True, "NO_COMMON_SLOT", ("why",), (), (Request.of(REQUEST),))
        with self.assertRaises(metasched.Refused) as refused:
            self.grid.reserve(advice)
        self.assertEqual((("why",), 1, 0), (refused.exception.reasons, len(refused.exception.suggestions),
                                            len(self.server.asked)))

    def test_each_status_is_an_exception(self):
        kinds = {400: metasched.Invalid, 401: metasched.Unauthorised, 403: metasched.Forbidden,
                 404: metasched.NotFound, 409: metasched.Refused, 412: metasched.Conflict, 415: metasched.Invalid,
                 422: metasched.Invalid, 428: metasched.Conflict, 429: metasched.Busy, 500: metasched.ServerFailed,
                 503: metasched.Busy, 302: metasched.ServerFailed}
        for status, kind in kinds.items():
            self.server.on("GET /me", problem(status, "SOME"))
            with self.subTest(status), self.assertRaises(metasched.Problem) as found:
                self.grid.me()
            self.assertIs(kind, type(found.exception), status)
        for status, code in ((409, "AGREEMENT_FINAL"), (422, "AGREEMENT_ID_TAKEN")):
            self.server.on("GET /me", problem(status, code))
            with self.assertRaises(metasched.Conflict):
                self.grid.me()

    def test_an_answer_that_is_no_contract_is_a_failure_of_the_server(self):
        for body in ("<html>", "[]", '{"subject": 1}'):
            self.server.on("GET /me", Reply(200, body))
            with self.subTest(body), self.assertRaises(metasched.ServerFailed):
                self.grid.me()
        self.server.on("GET /me", Reply(502, "<html>", kind="text/html"))
        with self.assertRaises(metasched.ServerFailed) as failed:
            self.grid.me()
        self.assertEqual("HTTP_502", failed.exception.code)


class ChangesTest(ClientCase):
    def setUp(self):
        super().setUp()
        self.server.on("GET /agreements/ag-1", Reply(200, agreement(), ETag='"t1"'))
        self.made = self.grid.agreement("ag-1")

    def test_a_change_has_the_tag_of_what_was_read(self):
        self.server.on("PATCH /agreements/ag-1", Reply(200, agreement(id="ag-2"), ETag='"t2"'))
        changed = self.made.renegotiate(duration="2h", nodes=6)
        asked = self.server.asked[-1]
        self.assertEqual(("ag-2", '"t2"'), (changed.id, changed.etag))
        self.assertEqual(('"t1"', "application/merge-patch+json", {"duration": "2h", "nodes": 6}),
                         (asked.headers["If-Match"], asked.headers["Content-Type"], asked.body))

    def test_one_of_a_list_is_read_before_it_is_changed(self):
        self.server.on("GET /agreements", Reply(200, {"agreements": [agreement()]}))
        self.server.on("PATCH /agreements/ag-1", Reply(200, agreement(id="ag-2")))
        next(self.grid.agreements()).renegotiate(duration="2h")
        self.assertEqual('"t1"', self.server.asked[-1].headers["If-Match"])

    def test_what_has_changed_is_a_conflict(self):
        for status in (412, 428):
            self.server.on("PATCH /agreements/ag-1", problem(status, "PRECONDITION"))
            with self.assertRaises(metasched.Conflict) as conflict:
                self.made.renegotiate(duration="2h")
            self.assertEqual(status, conflict.exception.status)
        self.assertEqual(2, len(self.server.of("PATCH")))

    def test_a_change_whose_answer_was_lost_is_found(self):
        server = self.server

        class Newest(Reply):
            """Lists the agreement that the lost change made."""

            @property
            def body(self):
                key = server.of("PATCH")[0].headers["Idempotency-Key"]
                return Reply(200, {"agreements": [agreement(id="ag-9"), agreement(id="ag-2", offerId=key)]}).body

            @body.setter
            def body(self, _):
                pass

        server.on("PATCH /agreements/ag-1", Reply(drop=True), problem(412, "PRECONDITION_FAILED"))
        server.on("GET /agreements", Newest())
        server.on("GET /agreements/ag-2", Reply(200, agreement(id="ag-2"), ETag='"t2"'))
        self.assertEqual("ag-2", self.made.renegotiate(duration="2h").id)

    def test_it_is_ended_once(self):
        self.server.on("DELETE /agreements/ag-1", Reply(200, agreement("Terminated")))
        self.assertEqual("Terminated", self.made.terminate().state)
        self.server.on("DELETE /agreements/ag-1", problem(409, "AGREEMENT_FINAL"))
        with self.assertRaises(metasched.Conflict):
            self.made.terminate()

    def test_an_end_whose_answer_was_lost_is_an_end(self):
        self.server.on("DELETE /agreements/ag-1", Reply(drop=True), problem(409, "AGREEMENT_FINAL"))
        self.server.on("GET /agreements/ag-1", Reply(200, agreement("Terminated")))
        self.assertEqual("Terminated", self.made.terminate().state)

    def test_history_and_document(self):
        one = {"at": "2026-11-25T10:00:00Z", "kind": "STATE", "what": "Pending to Observed"}
        self.server.on("GET /agreements/ag-1/history", Reply(200, {"agreementId": "ag-1", "events": [one]}))
        self.server.on("GET /agreements/ag-1/document", Reply(200, "<Agreement>ü</Agreement>", "application/xml"))
        self.assertEqual("Pending to Observed", self.made.history()[0].what)
        self.assertEqual("<Agreement>ü</Agreement>", self.made.document())

    def test_a_job_runs_in_its_reservation(self):
        spec = self.made.job_spec("fzj", "/bin/a", arguments=["x"], attributes={"queue_name": "q"})
        self.assertEqual({"executable": "/bin/a", "arguments": ["x"], "resources": {"node_count": 4},
                          "attributes": {"queue_name": "q", "duration": 600, "reservation_id": "r-1"}}, spec)
        self.assertEqual(self.made.job_spec(0), self.made.job_spec(self.made.parts[0]))
        with self.assertRaises(ValueError):
            self.made.job_spec("elsewhere")

    def test_a_picture_escapes_what_comes_from_the_wire(self):
        hostile = agreement(reason="<script>alert(1)</script>")
        hostile["sites"][0]["site"] = '"><img src=x>'
        self.server.on("GET /agreements/ag-1", Reply(200, hostile))
        picture = self.grid.agreement("ag-1")._repr_html_()
        self.assertIn("<svg", picture)
        self.assertIn("&lt;script&gt;", picture)
        self.assertNotIn("<script", picture)
        self.assertNotIn("<img", picture)


class EventsTest(ClientCase):
    def test_a_stream_that_is_cut_off_goes_on_after_the_last_whole_event(self):
        half = event(3, "Terminated")[:40]
        self.server.on("GET /events", stream(QUICK + event(1, "Pending") + event(2, "Observed") + half, cut=True),
                       Reply(drop=True), problem(503, "BUSY"),
                       stream(QUICK + event(3, "Complete") + "id: 7\nevent: place\ndata: {}\n\n"),
                       stream(": heartbeat\n\n" + event(8, "Terminated")))
        found = self.grid.events("0")
        told = [next(found) for _ in range(4)]
        self.assertEqual(["Pending", "Observed", "Complete", "Terminated"], [one.state for one in told])
        self.assertEqual(["0", "2", "2", "2", "7"], self.headers("Last-Event-ID"))

    def test_a_wait_is_told_by_an_event(self):
        self.server.on("GET /agreements/ag-1", Reply(200, agreement("Pending")), Reply(200, agreement()),
                       Reply(200, agreement(part="ACTIVE")))
        self.server.on("GET /agreements/ag-1/events", stream(QUICK + event(1, "Observed")), stream(""), stream(""),
                       stream(event(2, "Observed")), stream(""))
        active = self.grid.agreement("ag-1").wait("active", timeout=20)
        self.assertEqual("ACTIVE", active.parts[0].state)
        reads = [one.path for one in self.server.asked if one.path.endswith("ag-1")]
        self.assertEqual(3, len(reads))

    def test_a_wait_without_streams_reads(self):
        self.server.on("GET /agreements/ag-1", Reply(200, agreement("Pending")), Reply(200, agreement("Pending")),
                       Reply(200, agreement()))
        self.enterPatch(mock.patch("time.sleep"))
        made = self.grid.agreement("ag-1")
        self.assertEqual("Observed", made.wait("reserved", timeout=20).state)

    def test_a_wait_ends_with_the_agreement_or_the_time(self):
        self.server.on("GET /agreements/ag-1/events", stream(QUICK))
        self.server.on("GET /agreements/ag-1", Reply(200, agreement()))
        made = self.grid.agreement("ag-1")
        with self.assertRaises(TimeoutError):
            made.wait("active", timeout=0.05)
        with self.assertRaises(ValueError):
            made.wait("actve")
        self.server.on("GET /agreements/ag-1", Reply(200, agreement("Terminated", reason="lost")))
        self.assertEqual("Terminated", made.wait("ended").state)
        with self.assertRaises(metasched.Ended) as ended:
            made.wait("active")
        self.assertEqual("lost", ended.exception.agreement.reason)

    def test_patience_ends(self):
        self.server.on("GET /events", stream(QUICK), Reply(drop=True))
        with metasched.Client(self.server.url, patience=0.1) as grid, self.assertRaises(metasched.ConnectionFailed):
            next(grid.events())


class AsyncTest(ClientCase):
    def test_the_same_calls_under_asyncio(self):
        self.server.on("POST /agreements", Reply(202, agreement("Pending")))
        self.server.on("GET /agreements/ag-1", Reply(200, agreement("Pending")), Reply(200, agreement(), ETag='"t1"'))
        self.server.on("GET /agreements/ag-1/events", stream(QUICK + event(1, "Observed"), cut=True), stream(QUICK))
        self.server.on("PATCH /agreements/ag-1", Reply(200, agreement(id="ag-2")))
        self.server.on("GET /agreements", Reply(200, {"agreements": [agreement(id="ag-2")]}))

        async def life():
            async with metasched.AsyncClient(self.server.url) as grid:
                made = await grid.reserve(Part("fzj", nodes=4), wait=False, duration="10m")
                reserved = await made.wait("reserved", timeout=20)
                longer = await reserved.renegotiate(duration="1h")
                listed = [one async for one in grid.agreements()]
                told = await reserved.events("0").__anext__()
                return made.state, reserved.state, longer, listed, told

        self.server.replies["GET /api/v1/agreements/ag-1/events"].append(stream(QUICK + event(2, "Complete")))
        made, reserved, longer, listed, told = asyncio.run(life())
        self.assertEqual(("Pending", "Observed", "ag-2", "Complete"), (made, reserved, longer.id, told.state))
        self.assertEqual([longer.id], [one.id for one in listed])
        self.assertIsInstance(listed[0], metasched.AsyncAgreement)
        self.assertEqual('"t1"', self.server.of("PATCH")[0].headers["If-Match"])


class TokensTest(ClientCase):
    def sent(self):
        self.server.on("GET /sites", Reply(200, {"sites": []}))
        with metasched.Client() as grid:
            grid.sites()
        return self.headers("Authorization")[-1]

    def test_a_token_is_found_in_the_order_of_the_discovery(self):
        os.environ["METASCHED_SERVER"] = self.server.url
        own = pathlib.Path(self.folder, f"bt_u{os.geteuid()}")
        own.write_text("of-folder\n")
        self.assertEqual("Bearer of-folder", self.sent())
        named = pathlib.Path(self.folder, "named")
        named.write_text(" of-file\n")
        os.environ["BEARER_TOKEN_FILE"] = str(named)
        self.assertEqual("Bearer of-file", self.sent())
        os.environ["BEARER_TOKEN"] = "of-environment"
        self.assertEqual("Bearer of-environment", self.sent())

    def test_a_renewed_token_is_read(self):
        named = pathlib.Path(self.folder, "named")
        os.environ["BEARER_TOKEN_FILE"] = str(named)
        self.server.on("GET /sites", Reply(200, {"sites": []}))
        for word in ("one", "two"):
            named.write_text(word)
            self.grid.sites()
        self.assertEqual(["Bearer one", "Bearer two"], self.headers("Authorization"))

    def test_a_missing_file_of_a_token_is_no_failure_of_the_server(self):
        os.environ["BEARER_TOKEN_FILE"] = os.path.join(self.folder, "missing")

        with self.assertRaises(FileNotFoundError):
            self.grid.me()
        self.assertEqual([], self.server.asked)

    def test_a_missing_file_of_a_token_ends_a_watch_at_once(self):
        os.environ["BEARER_TOKEN_FILE"] = os.path.join(self.folder, "missing")

        with self.assertRaises(FileNotFoundError):
            next(self.grid.events())
        self.assertEqual([], self.server.asked)

    def test_a_token_stays_away_from_plain_http(self):
        with self.assertRaises(ValueError):
            metasched.Client("http://grid.example.org", token="secret")
        os.environ["BEARER_TOKEN"] = "secret"
        far = metasched.Client("http://grid.example.org")
        self.assertNotIn("Authorization", far._http._headers(None, {}))
        near = metasched.Client("https://grid.example.org")
        self.assertEqual("Bearer secret", near._http._headers(None, {})["Authorization"])

    def test_a_token_with_a_line_end_is_not_sent_nor_shown(self):
        os.environ["BEARER_TOKEN"] = "secret\r\nX: y"
        with self.assertRaises(ValueError) as found:
            self.grid.sites()
        self.assertNotIn("secret", str(found.exception))
        self.assertEqual([], self.server.asked)


if __name__ == "__main__":
    unittest.main()
