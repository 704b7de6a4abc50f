#!/usr/bin/python3
"""A WS-Agreement client that is not written in Java: zeep knows nothing of the service but its WSDL.

Usage: zeep_client.py BASE_URL [soap11|soap12] [--ca FILE] [--cert FILE --key FILE [--sign]]

Fetches the template, offers what it shows with two nodes at every site, reads the state of the agreement, ends it, and
prints one line for each step. Exits with 0 when all of it went as it should. With a certificate it proves who it is over TLS, with --sign
by a signature of each message.
"""
import argparse
import uuid

from lxml import etree
from zeep import Client, Settings, xsd
from zeep.exceptions import Fault
from zeep.transports import Transport

WSAG = "http://schemas.ggf.org/graap/2007/03/ws-agreement"
JSDL = "http://schemas.ggf.org/jsdl/2005/11/jsdl"
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


def connect(address, service, version, trust):
    """The WSDL says where its ports are: at an agreement's own address, the agreement's."""
    client = Client(address + "?wsdl", settings=Settings(strict=True, xml_huge_tree=False), **trust)
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


def resources(client, site):
    job = client.get_element("{%s}JobDefinition" % JSDL)
    # Where the schema takes children in any order, zeep wants a list of them.
    return xsd.AnyObject(job, job(JobDescription={"_value_1": [{"Resources": {"_value_1": [
        {"CandidateHosts": {"HostName": [site]}},
        {"TotalResourceCount": {"Exact": [{"_value_1": NODES}]}},
    ]}}]}))


def time(client):
    constraint = client.get_element("{%s}TimeConstraint" % SCHEDULING)
    return xsd.AnyObject(constraint, constraint(Duration=MINUTES))


def offer(client, template, name):
    terms = [term("RESOURCE_" + site, resources(client, site)) for site in sites_of(template)]
    terms.append(term("TIME_CONSTRAINT", time(client)))
    return {
        "AgreementId": name,
        "Name": template.Name,
        "Context": {
            "AgreementInitiator": None,
            "ServiceProvider": template.Context.ServiceProvider,
            "TemplateId": template.Context.TemplateId,
            "TemplateName": template.Context.TemplateName,
        },
        "Terms": {"All": {"_value_1": terms}},
    }


def main(base, version, trust):
    client, factory = connect(base + "/services/AgreementFactory", "AgreementFactory", version, trust)
    template = prop(factory, "Template")
    print("template", template.Context.TemplateName, template.Context.TemplateId)

    created = factory.CreateAgreement(AgreementOffer=offer(client, template, "zeep-%s" % uuid.uuid4()))
    reference = created.CreatedAgreementEPR if hasattr(created, "CreatedAgreementEPR") else created
    address = reference.Address._value_1
    print("agreement", address)

    _, agreement = connect(address, "Agreement", version, trust)
    state = prop(agreement, "AgreementState")
    print("state", state.State)
    print("reserved", " ".join(r.site for r in state._value_1.Reservation))

    agreement.Terminate(etree.Element("Reason"))
    print("state", prop(agreement, "AgreementState").State)

    try:
        agreement.Terminate(etree.Element("Reason"))
    except Fault as fault:
        code = fault.detail.find(".//{http://docs.oasis-open.org/wsrf/bf-2}ErrorCode")
        print("fault", code.text)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("base")
    parser.add_argument("version", nargs="?", choices=["soap11", "soap12"], default="soap12")
    for name in ("--ca", "--cert", "--key"):
        parser.add_argument(name)
    parser.add_argument("--sign", action="store_true")
    given = parser.parse_args()
    main(given.base.rstrip("/"), given.version.capitalize(), proof(given))
