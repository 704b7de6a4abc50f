#!/usr/bin/python3
"""A WS-Agreement client that is not written in Java: zeep knows nothing of the service but its WSDL.

Usage: [ACCEPTANCE=URL] zeep_client.py BASE_URL [soap11|soap12] [--ca FILE] [--cert FILE --key FILE [--sign]]

Fetches the template, offers what it shows with two nodes at every site, reads and queries the agreement, makes a pending one, negotiates one
and replaces it by a larger one, ends all, and prints one line for each step. Exits with 0 when all of it went as it should. With a
certificate it proves who it is over TLS, with --sign by a signature of each message. ACCEPTANCE is called about the pending offer.
"""
import argparse
import os
import time
import uuid

from lxml import etree
from zeep import Client, Plugin, Settings, xsd
from zeep.exceptions import Fault
from zeep.transports import Transport

WSAG = "http://schemas.ggf.org/graap/2007/03/ws-agreement"
JSDL = "http://schemas.ggf.org/jsdl/2005/11/jsdl"
NEGOTIATION = "http://schemas.ogf.org/graap/2009/11/ws-agreement-negotiation"
XPATH = "http://www.w3.org/TR/1999/REC-xpath-19991116"
SCHEDULING = "http://schemas.wsag4j.org/2009/07/wsag4j-scheduling-extensions"
NODES = 2
MINUTES = 30


def wsag(name):
    return "{%s}%s" % (WSAG, name)


def proof(options):
    """What each client of ours is given to prove who it is; nothing for a server that asks for nothing."""
    if not options.ca:
        return {}
    import zeep_trust
    signed = zeep_trust.Signed(options.cert, options.key) if options.sign else None
    session = zeep_trust.session(options.ca, None if options.sign else options.cert, options.key)
    return {"transport": Transport(session=session), "wsse": signed}


class Messages(Plugin):
    """zeep has neither text beside elements, which a query is, nor elements without content, which the states of offers are."""

    QUERY = "count(//*[local-name()='ServiceDescriptionTerm'])"
    received = None

    def egress(self, envelope, headers, operation, options):
        for expression in envelope.iter("{http://docs.oasis-open.org/wsrf/rp-2}QueryExpression"):
            expression.text = self.QUERY
        return envelope, headers

    def ingress(self, envelope, headers, operation):
        Messages.received = envelope
        return envelope, headers


def connect(address, service, version, trust):
    """The WSDL says where its ports are: at an agreement's own address, the agreement's."""
    settings = Settings(strict=True, xml_huge_tree=False)
    client = Client(address + "?wsdl", settings=settings, plugins=[Messages()], **trust)
    return client, client.bind(service + "Service", "%s%sPort" % (service, version))


def prop(port, name):
    """The one value of a resource property; zeep makes a list of it where there may be several."""
    values = port.GetResourceProperty(etree.QName(WSAG, name))
    return values[0] if isinstance(values, list) else values


def sites_of(template):
    """The sites that the template's creation constraints allow."""
    for item in template.CreationConstraints.Item:
        if item.Name == "Site":
            return [facet.get("value") for facet in item.ItemConstraint._value_1]
    raise SystemExit("the template does not say which sites there are")


def term(name, content):
    return {"ServiceDescriptionTerm": {"Name": name, "ServiceName": "META-JOB", "_value_1": content}}


def resources(client, site, nodes):
    job = client.get_element("{%s}JobDefinition" % JSDL)
    # Where the schema takes children in any order, zeep wants a list of them.
    return xsd.AnyObject(job, job(JobDescription={"_value_1": [{"Resources": {"_value_1": [
        {"CandidateHosts": {"HostName": [site]}},
        {"TotalResourceCount": {"Exact": [{"_value_1": nodes}]}},
    ]}}]}))


def duration(client):
    constraint = client.get_element("{%s}TimeConstraint" % SCHEDULING)
    return xsd.AnyObject(constraint, constraint(Duration=MINUTES))


def terms_for(client, sites, nodes=NODES):
    terms = [term("RESOURCE_" + site, resources(client, site, nodes)) for site in sites]
    return terms + [term("TIME_CONSTRAINT", duration(client))]


def content(template, terms):
    """What offers of all kinds have in common."""
    return {
        "Name": template.Name,
        "Context": {
            "AgreementInitiator": None,
            "ServiceProvider": template.Context.ServiceProvider,
            "TemplateId": template.Context.TemplateId,
            "TemplateName": template.Context.TemplateName,
        },
        "Terms": {"All": {"_value_1": terms}},
    }


def fresh(offered):
    return dict(offered, AgreementId="zeep-%s" % uuid.uuid4())


def address_of(created, name):
    """zeep unwraps an answer with a single element."""
    reference = getattr(created, name) if hasattr(created, name) else created
    return reference.Address._value_1


def address(port):
    return port._binding_options["address"]


def code(fault):
    return fault.detail.find(".//{http://docs.oasis-open.org/wsrf/bf-2}ErrorCode").text


def offer_context(parent, state):
    return {"CounterOfferTo": parent, "Creator": "NegotiationInitiator", "State": {state: {}}}


def walk(base, version, trust):
    def bind(address, service):
        return connect(address, service, version, trust)

    def agreement(created):
        return bind(address_of(created, "CreatedAgreementEPR"), "Agreement")[1]

    def state(port):
        return prop(port, "AgreementState").State

    def terminate(port):
        return port.Terminate(etree.Element("Reason"))

    client, factory = bind(base + "/services/AgreementFactory", "AgreementFactory")
    template = prop(factory, "Template")
    print("template", template.Context.TemplateName, template.Context.TemplateId)
    sites = sites_of(template)

    try:
        factory.CreateAgreement(AgreementOffer=fresh(content(template, terms_for(client, ["mars"]))))
    except Fault as fault:
        print("refused", code(fault))
    first = agreement(factory.CreateAgreement(AgreementOffer=fresh(content(template, terms_for(client, sites)))))
    print("agreement", address(first))
    print("state", state(first))
    print("reserved", " ".join(r.site for r in prop(first, "AgreementState")._value_1.Reservation))
    print("terms", first.QueryResourceProperties({"Dialect": XPATH})[0])

    acceptance = os.environ.get("ACCEPTANCE")
    pending = agreement(factory.CreatePendingAgreement(
        AgreementAcceptanceEPR={"Address": acceptance} if acceptance else None,
        AgreementOffer=fresh(content(template, terms_for(client, sites)))))
    for _ in range(300):
        if state(pending) != "Pending":
            break
        time.sleep(0.1)
    print("pending", state(pending))
    terminate(pending)

    _, initiator = bind(base + "/services/NegotiationFactory", "NegotiationFactory")

    def initiate(kind):
        made = initiator.InitiateNegotiation(
            NegotiationContext={"NegotiationType": kind, "AgreementResponder": "NegotiationResponder"})
        return bind(address_of(made, "CreatedNegotiationEPR"), "Negotiation")

    def negotiate(negotiation, parent, wanted, nodes):
        """The one counter offer: its id, its terms and the state in which it is."""
        described, port = negotiation
        answer = port.Negotiate(NegotiationOffer=dict(
            content(template, terms_for(described, sites, nodes)),
            NegotiationOfferContext=offer_context(parent, wanted), NegotiationConstraints={}))
        counter = (answer.NegotiationCounterOffer if hasattr(answer, "NegotiationCounterOffer") else answer)[0]
        # zeep does not write what it has read where any element may stand; it writes the element itself.
        terms = [term(element.get(wsag("Name")), element[0]) for element in
                 Messages.received.iter(wsag("ServiceDescriptionTerm"))]
        state = Messages.received.find(".//{%s}State" % NEGOTIATION)[0]
        return counter.OfferId, terms, etree.QName(state).localname

    def create_from(offer_id, terms, extension, **references):
        """An agreement that is the counter offer."""
        element = client.get_element("{%s}%s" % (NEGOTIATION, extension))
        named = element(NegotiationOfferContext=offer_context(offer_id, "Acceptable"), **references)
        return agreement(factory.CreateAgreement(
            AgreementOffer=fresh(content(template, terms)), _value_1=[xsd.AnyObject(element, named)]))

    root = "%s-%s" % (template.Context.TemplateId, template.Context.TemplateName)
    negotiation = initiate({"Negotiation": {}})
    advice, _, advised = negotiate(negotiation, root, "Advisory", NODES)
    print("counter offer", advised)
    counter, terms, held = negotiate(negotiation, advice, "Solicited", NODES)
    print("counter offer", held)
    negotiated = create_from(counter, terms, "NegotiationExtension")
    print("negotiated", state(negotiated))
    negotiation[1].Terminate()

    replaced = {"ResponderAgreementEPR": {"Address": address(negotiated)}}
    again = initiate({"Renegotiation": replaced})
    counter, terms, held = negotiate(again, root, "Solicited", 2 * NODES)
    print("counter offer", held)
    larger = create_from(
        counter, terms, "RenegotiationExtension", ResponderNegotiationEPR={"Address": address(again[1])}, **replaced)
    print("renegotiated", state(larger))
    print("replaced", state(negotiated))
    terminate(larger)

    terminate(first)
    print("state", state(first))
    try:
        terminate(first)
    except Fault as fault:
        print("fault", code(fault))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("base")
    parser.add_argument("version", nargs="?", choices=["soap11", "soap12"], default="soap12")
    for name in ("--ca", "--cert", "--key"):
        parser.add_argument(name)
    parser.add_argument("--sign", action="store_true")
    given = parser.parse_args()
    walk(given.base.rstrip("/"), given.version.capitalize(), proof(given))
