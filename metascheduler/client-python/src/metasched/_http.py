"""Calls over HTTP: tokens, repeats, pages and streams."""

from __future__ import annotations

import contextlib
import http.client
import ipaddress
import json
import os
import re
import ssl
import threading
import time
from collections.abc import Iterator, Mapping
from email.message import Message
from typing import Any, Callable, NamedTuple, Optional, Union
from urllib.parse import urljoin, urlsplit

from ._errors import Busy, ConnectionFailed, Invalid, Problem, ServerFailed, problem_of

MOST_BYTES = 64 << 20
LONGEST_LINE = 1 << 20
LONGEST_PAUSE = 30.0
_TOKEN = re.compile(r"[\x21-\x7e]+")
_NEXT = re.compile(r'<([^>]*)>\s*;[^,]*\brel="?next"?')
_FAILURES = (OSError, http.client.HTTPException)

Token = Union[str, Callable[[], Optional[str]], None]


def discover_token() -> Optional[str]:
    """By WLCG bearer token discovery. A file is read before each call, as tokens are renewed."""
    token = os.environ.get("BEARER_TOKEN")
    if token:
        return _checked(token, "BEARER_TOKEN")
    named = os.environ.get("BEARER_TOKEN_FILE")
    if named:
        with open(named, encoding="ascii") as file:
            return _checked(file.read(MOST_BYTES), named)
    user = os.geteuid() if hasattr(os, "geteuid") else None
    folders = [os.environ.get("XDG_RUNTIME_DIR"), "/tmp"]  # noqa: S108 - the discovery names it
    for folder in folders if user is not None else []:
        path = os.path.join(folder, f"bt_u{user}") if folder else ""
        if path and os.path.isfile(path):
            with open(path, encoding="ascii") as file:
                if os.fstat(file.fileno()).st_uid == user:
                    return _checked(file.read(MOST_BYTES), path)
    return None


def _checked(token: str, place: str) -> str:
    if not _TOKEN.fullmatch(token.strip()):
        raise ValueError(f"The token in {place} must be one word of visible ASCII characters.")
    return token.strip()


def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def tls_context(cert: Optional[str], key: Optional[str], ca: Optional[str]) -> ssl.SSLContext:
    """Authorities are a file, or a folder with hashed names such as /etc/grid-security/certificates."""
    cert, key = cert or os.environ.get("METASCHED_CERT"), key or os.environ.get("METASCHED_KEY")
    ca = ca or os.environ.get("METASCHED_CA")
    folder = ca is not None and os.path.isdir(ca)
    context = ssl.create_default_context(cafile=None if folder else ca, capath=ca if folder else None)
    if cert:
        context.load_cert_chain(cert, key)
    return context


class Answer(NamedTuple):
    status: int
    headers: Message
    body: bytes
    repeated: bool

    def json(self) -> Any:
        try:
            return json.loads(self.body)
        except ValueError as e:
            raise ServerFailed(self.status, "NOT_JSON", "The answer of the server is no JSON.") from e


class Http:
    """Thread-safe. Idle connections are kept for the next call."""

    def __init__(
        self, url: Optional[str], token: Token, context: Callable[[], ssl.SSLContext], timeout: float, retries: int
    ) -> None:
        url = url or os.environ.get("METASCHED_SERVER") or "http://127.0.0.1:8080"
        self.base = (url if "://" in url else f"http://{url}").rstrip("/")
        parts = urlsplit(self.base)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.username is not None:
            raise ValueError(f"The server ({url}) must be an address such as https://grid.example.org.")
        self._origin = (parts.scheme, parts.hostname, parts.port)
        self._context = context() if parts.scheme == "https" else None
        self._private = parts.scheme == "https" or is_loopback(parts.hostname)
        if token is not None and not self._private:
            raise ValueError(f"A token goes over https or to this machine only, not to {self.base}.")
        self._token = token if token is not None else discover_token
        self._timeout = timeout
        self._retries = retries
        self._idle: list[http.client.HTTPConnection] = []
        self._lock = threading.Lock()

    def close(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        headers: Optional[Mapping[str, str]] = None,
        repeatable: bool = True,
    ) -> Answer:
        """Calls again, with the same headers, when the connection fails or the server is busy.

        A call whose repetition would have another effect is not repeatable: it is made once.
        """
        retries = self._retries if repeatable else 0
        data = None if body is None else json.dumps(body).encode()
        repeats = 0
        while True:
            sent = self._headers(data, dict(headers or {}))
            try:
                status, found, content = self._once(method, path, data, sent, repeatable)
                if status < 300:
                    return Answer(status, found, content, repeats > 0)
                problem = _problem(status, found, content)
                again = isinstance(problem, Busy) and problem.code in ("BUSY", "SERVICE_FAILED")
                if not again or repeats >= retries or (problem.retry_after or 0) > LONGEST_PAUSE:
                    problem.repeated = repeats > 0
                    raise problem
                pause = problem.retry_after or 0.0
            except _FAILURES as e:
                if isinstance(e, ssl.SSLCertVerificationError) or repeats >= retries:
                    raise ConnectionFailed(f"No answer from {self.base} ({e or type(e).__name__}).") from e
                self.close()
                pause = 0.0 if repeats == 0 else min(0.25 * 2**repeats, 5.0)
            repeats += 1
            time.sleep(pause)

    def _once(
        self, method: str, path: str, data: Optional[bytes], headers: dict[str, str], repeatable: bool
    ) -> tuple[int, Message, bytes]:
        # The server may close an idle connection as the call is sent, so a call that is made once gets a new one.
        connection = self._connection(None if repeatable else self._timeout)
        kept = False
        try:
            connection.request(method, self._target(path), data, headers)
            answer = connection.getresponse()
            content = answer.read(MOST_BYTES + 1)
            if len(content) > MOST_BYTES:
                raise ServerFailed(answer.status, "TOO_LONG", f"The answer is longer than {MOST_BYTES} bytes.")
            # Without this, a body that is cut off before its stated length passes as a whole one.
            if answer.length:
                raise http.client.IncompleteRead(content, answer.length)
            kept = answer.isclosed() and not answer.will_close
            return answer.status, answer.headers, content
        finally:
            if kept:
                with self._lock:
                    self._idle.append(connection)
            else:
                connection.close()

    def _headers(self, data: Optional[bytes], headers: dict[str, str]) -> dict[str, str]:
        headers.setdefault("Accept", "application/json, application/problem+json")
        if data is not None:
            headers.setdefault("Content-Type", "application/json")
        if self._private:
            token = self._token() if callable(self._token) else self._token
            if token:
                headers["Authorization"] = f"Bearer {_checked(token, 'the argument')}"
        return headers

    def _connection(self, timeout: Optional[float] = None) -> http.client.HTTPConnection:
        with self._lock:
            if self._idle and timeout is None:
                return self._idle.pop()
        _, host, port = self._origin
        if self._context is not None:
            return http.client.HTTPSConnection(host, port, timeout=timeout or self._timeout, context=self._context)
        return http.client.HTTPConnection(host, port, timeout=timeout or self._timeout)

    def _target(self, path: str) -> str:
        return urlsplit(self.base).path + path

    def next_page(self, answer: Answer, path: str) -> Optional[str]:
        """Where Link leads; to no other server than this."""
        found = _NEXT.search(str(answer.headers.get("Link", "")))
        if not found:
            return None
        url: str = urljoin(self.base + path, found.group(1))
        parts, prefix = urlsplit(url), urlsplit(self.base).path
        # A server behind a proxy may not know the prefix under which it is seen.
        target = parts.path[len(prefix) :] if parts.path.startswith(prefix + "/") else parts.path
        if (parts.scheme, parts.hostname, parts.port) != self._origin or not target.startswith("/api/"):
            raise ServerFailed(answer.status, "LINK_ELSEWHERE", f"The next page ({url[:200]}) is not at this server.")
        return target + (f"?{parts.query}" if parts.query else "")

    def lines(self, path: str, last: Optional[str], timeout: float) -> Iterator[str]:
        """Lines of a stream as they come; it ends when the server ends it, or cuts it off."""
        headers = {"Accept": "text/event-stream", "Cache-Control": "no-store"}
        if last is not None:
            headers["Last-Event-ID"] = last
        # Outside the try below: a token that cannot be read is no failure of the server.
        headers = self._headers(None, headers)
        connection = self._connection(timeout)
        try:
            try:
                connection.request("GET", self._target(path), None, headers)
                answer = connection.getresponse()
                if answer.status != 200:
                    raise _problem(answer.status, answer.headers, answer.read(MOST_BYTES))
            except _FAILURES as e:
                raise ConnectionFailed(f"No answer from {self.base} ({e or type(e).__name__}).") from e
            if answer.headers.get_content_type() != "text/event-stream":
                raise Invalid(406, "NO_STREAM", "The answer is no stream of events.")
            with contextlib.suppress(*_FAILURES):
                while True:
                    line = answer.readline(LONGEST_LINE)
                    if not line.endswith(b"\n"):
                        return
                    yield line.decode("utf-8", "replace").rstrip("\r\n")
        finally:
            connection.close()


def _problem(status: int, headers: Message, body: bytes) -> Problem:
    after = str(headers.get("Retry-After", ""))
    try:
        content = json.loads(body)
    except ValueError:
        content = None
    return problem_of(status, content, float(after) if re.fullmatch(r"\d{1,6}", after) else None)
