"""What goes wrong, by the problem that the server names (RFC 9457)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

from ._values import Request

if TYPE_CHECKING:
    from ._agreement import AgreementData


class MetaschedError(Exception):
    """All that this package raises about a server."""


class ConnectionFailed(MetaschedError):
    """No answer came, after all repeats."""


class WaitTimeout(MetaschedError, TimeoutError):
    """The state did not come in the given time."""


class Ended(MetaschedError):
    """The agreement ended before it reached the state that was waited for."""

    def __init__(self, agreement: AgreementData, wanted: str) -> None:
        why = f": {agreement.reason}" if agreement.reason else "."
        super().__init__(f"The agreement {agreement.id} is {agreement.state}, and will not be {wanted}{why}")
        self.agreement = agreement


class Problem(MetaschedError):
    """The server said no. Reasons are sentences; suggestions are requests that it would grant."""

    def __init__(
        self,
        status: int,
        code: str,
        detail: str,
        reasons: tuple[str, ...] = (),
        suggestions: tuple[Request, ...] = (),
        retry_after: Optional[float] = None,
    ) -> None:
        super().__init__(f"{code}: {detail}")
        self.status = status
        self.code = code
        self.detail = detail
        self.reasons = reasons
        self.suggestions = suggestions
        self.retry_after = retry_after
        self.repeated = False


class Refused(Problem):
    """The request cannot be had."""


class Invalid(Problem):
    """The request is not well formed, so that it cannot be decided."""


class NotFound(Problem):
    """There is nothing, or nothing for this caller."""


class Conflict(Problem):
    """The agreement has changed since it was read, or has ended; or the key was used for another request."""


class Unauthorised(Problem):
    """The caller proved nothing."""


class Forbidden(Problem):
    """The caller may not do this."""


class ServerFailed(Problem):
    """The server failed, or its answer cannot be read."""


class Busy(ServerFailed):
    """The server or a site has too much to do, or does not answer; try again after retry_after seconds."""


_BY_CODE: dict[str, type[Problem]] = {"AGREEMENT_FINAL": Conflict, "AGREEMENT_ID_TAKEN": Conflict}
_BY_STATUS: dict[int, type[Problem]] = {
    401: Unauthorised,
    403: Forbidden,
    404: NotFound,
    409: Refused,
    412: Conflict,
    428: Conflict,
    429: Busy,
    503: Busy,
}


def problem_of(status: int, json: Any, retry_after: Optional[float]) -> Problem:
    """The exception for an answer. The body of a proxy, which is no problem of ours, counts by its status."""
    json = json if isinstance(json, dict) else {}
    code = str(json.get("code", f"HTTP_{status}"))
    usual = Invalid if 400 <= status < 500 else ServerFailed
    kind = _BY_CODE.get(code, _BY_STATUS.get(status, usual))
    try:
        suggestions = tuple(Request.of(one) for one in json.get("suggestions", ()))
        reasons = tuple(str(reason) for reason in json.get("reasons", ()))
    except (KeyError, TypeError, ValueError, AttributeError):
        suggestions, reasons = (), ()
    detail = str(json.get("detail", f"the server answered with status {status}"))
    return kind(status, code, detail, reasons or (detail,), suggestions, retry_after)
