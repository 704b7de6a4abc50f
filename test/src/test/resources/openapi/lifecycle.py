"""A whole life of an agreement, by the client that openapi-generator makes of the contract (python-pydantic-v1)."""

import json
import sys
import uuid
from datetime import datetime, timedelta, timezone

try:
    import aenum  # noqa: F401
except ImportError:  # Not in Debian. Of it the generated code needs an Enum whose class names itself in its body.
    import builtins
    import enum
    import types

    sys.modules["aenum"] = types.SimpleNamespace(Enum=enum.Enum, no_arg=None)
    builtins.NoticeEvent = None

sys.path.insert(0, sys.argv[2])
from openapi_client import (  # noqa: E402
    AgreementsApi,
    ApiClient,
    ApiException,
    Change,
    Configuration,
    Part,
    PeopleApi,
    Request,
    SitesApi,
)

client = ApiClient(Configuration(host=sys.argv[1]))
agreements = AgreementsApi(client)
print("sites", *sorted(site.site for site in SitesApi(client).list_sites().sites))

key = str(uuid.uuid4())
request = Request(parts=[Part(site="fzj", nodes=2), Part(site="scai", nodes=1)], duration="PT1H")
advice = agreements.make_plans(request)
made = agreements.create_agreement(advice.plans[0].request, idempotency_key=key)
again = agreements.create_agreement(advice.plans[0].request, idempotency_key=key)
print("made", made.state, made.agreement_id == again.agreement_id)

longer = agreements.renegotiate_agreement(made.agreement_id, "*", Change(duration="PT2H"))
print("longer", longer.state, int((longer.end - longer.start).total_seconds() * 1000))
print("history", len(agreements.get_history(longer.agreement_id).events) > 0)
print("ended", agreements.terminate_agreement(longer.agreement_id).state)

full = Request(
    parts=[Part(site="scai", nodes=8)],
    duration="PT1H",
    deadline=datetime.now(timezone.utc) + timedelta(minutes=90),
)
first = agreements.create_agreement(full)
try:
    agreements.create_agreement(full)
except ApiException as failure:
    problem = json.loads(failure.body)
    granted = agreements.create_agreement(Request.from_dict(problem["suggestions"][0]))
    print("refused", problem["status"], len(problem["reasons"]) > 0, granted.state)
    agreements.terminate_agreement(granted.agreement_id)
agreements.terminate_agreement(first.agreement_id)
print("me", len(PeopleApi(client).get_me().kind) > 0)
