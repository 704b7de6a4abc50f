// A WS-Agreement client in C++: gSOAP generates all it knows of the service from its WSDL.
//
// Usage: gsoap_client BASE_URL soap11|soap12 [CA_FILE CERTIFICATE_AND_KEY_FILE]
//
// Fetches the template, offers two nodes at every site that it shows, reads the state of the agreement, ends it, ends it
// once more to see the fault, and prints one line for each step. Exits with 0 when all of it went as it should. With a
// certificate it proves who it is over TLS. gsoap_build.sh builds it.
#include "soapH.h"
#include "wsag.nsmap"
#include <cstring>
#include <ctime>
#include <iostream>
#include <string>
#include <unistd.h>
#include <vector>

static const char *const WSAG = "http://schemas.ggf.org/graap/2007/03/ws-agreement";
static const char *const JSDL = "http://schemas.ggf.org/jsdl/2005/11/jsdl";
static const char *const SCHEDULING = "http://schemas.wsag4j.org/2009/07/wsag4j-scheduling-extensions";

static void check(struct soap *soap, int status) {
    if (status != SOAP_OK) {
        soap_print_fault(soap, stderr);
        exit(1);
    }
}

/** The first value of a resource property, as a tree. */
static xsd__anyType *property(struct soap *soap, const std::string &address, const char *name) {
    auto *values = soap_new_rp__PropertyValuesType(soap);
    check(soap, soap_call___wsag__GetResourceProperty(
            soap, address.c_str(), nullptr, std::string("\"") + WSAG + "\":" + name, *values));
    return values->__any.empty() ? nullptr : &values->__any[0];
}

static std::string text(xsd__anyType *tree, const char *name) {
    for (auto found = tree->find(WSAG, name); found != tree->end(); ++found) {
        return found->get_text();
    }
    std::cerr << "there is no " << name << std::endl;
    exit(1);
}

/** The sites that the template's creation constraints allow. */
static std::vector<std::string> sites(xsd__anyType *tmpl) {
    std::vector<std::string> names;
    for (auto item = tmpl->find(WSAG, "Item"); item != tmpl->end(); ++item) {
        auto *name = item->att_get(WSAG, "Name");
        if (name && name->get_text() && !strcmp(name->get_text(), "Site")) {
            for (auto facet = item->find("*:enumeration"); facet != item->end(); ++facet) {
                names.push_back(facet->att_get("value")->get_text());
            }
        }
    }
    return names;
}

static __wsag__union_TermCompositorType term(struct soap *soap, const std::string &name, xsd__anyType *content) {
    auto *described = soap_new_wsag__ServiceDescriptionTermType(soap);
    described->Name = name;
    described->ServiceName = "META-JOB";
    described->__any = *content;
    __wsag__union_TermCompositorType choice;
    choice.__union_TermCompositorType = SOAP_UNION__wsag__union_TermCompositorType_ServiceDescriptionTerm;
    choice.union_TermCompositorType.ServiceDescriptionTerm = described;
    return choice;
}

static std::string create(struct soap *soap, const std::string &factory, xsd__anyType *tmpl) {
    auto *offer = soap_new_wsag__AgreementType(soap);
    auto *id = soap_new_std__string(soap);
    *id = "gsoap-" + std::to_string(getpid()) + "-" + std::to_string(time(nullptr));
    offer->AgreementId = id;
    offer->Context = soap_new_wsag__AgreementContextType(soap);
    offer->Context->ServiceProvider = wsag__AgreementRoleType__AgreementResponder;
    offer->Context->TemplateId = soap_new_std__string(soap);
    *offer->Context->TemplateId = text(tmpl, "TemplateId");
    offer->Context->TemplateName = soap_new_std__string(soap);
    *offer->Context->TemplateName = text(tmpl, "TemplateName");
    offer->Terms = soap_new_wsag__TermTreeType(soap);
    offer->Terms->All = soap_new_wsag__TermCompositorType(soap);
    auto &terms = offer->Terms->All->__union_TermCompositorType;
    for (const auto &site : sites(tmpl)) {
        auto *job = soap_elt_new(soap, JSDL, "JobDefinition");
        auto &wanted = job->elt(JSDL, "JobDescription").elt(JSDL, "Resources");
        wanted.elt(JSDL, "CandidateHosts").elt(JSDL, "HostName") = site;
        wanted.elt(JSDL, "TotalResourceCount").elt(JSDL, "Exact") = "2";
        terms.push_back(term(soap, "RESOURCE_" + site, job));
    }
    auto *when = soap_elt_new(soap, SCHEDULING, "TimeConstraint");
    when->elt(SCHEDULING, "Duration") = "30";
    terms.push_back(term(soap, "TIME_CONSTRAINT", when));
    auto *input = soap_new_wsag__CreateAgreementInputType(soap);
    input->AgreementOffer = offer;
    auto *output = soap_new_wsag__CreateAgreementOutputType(soap);
    check(soap, soap_call___wsag__CreateAgreement(soap, factory.c_str(), nullptr, input, *output));
    return output->CreatedAgreementEPR.Address;
}

static int terminate(struct soap *soap, const std::string &agreement) {
    auto *input = soap_new_wsag__TerminateInputType(soap);
    input->__any = *soap_elt_new(soap, "urn:example:client", "Reason");
    auto *output = soap_new_wsag__TerminateOutputType(soap);
    return soap_call___wsag__Terminate(soap, agreement.c_str(), nullptr, input, *output);
}

int main(int count, char **words) {
    if (count < 3 || count > 5) {
        std::cerr << "usage: gsoap_client BASE_URL soap11|soap12 [CA_FILE [CERTIFICATE_AND_KEY_FILE]]" << std::endl;
        return 2;
    }
    struct soap *soap = soap_new1(SOAP_C_UTFSTRING);
    soap_set_namespaces(soap, namespaces);
    soap_set_version(soap, strcmp(words[2], "soap11") ? 2 : 1);
    if (count > 3) {
        const char *identity = count == 5 ? words[4] : nullptr;
        check(soap, soap_ssl_client_context(soap, SOAP_SSL_DEFAULT, identity, nullptr, words[3], nullptr, nullptr));
    }
    std::string factory = std::string(words[1]) + "/services/AgreementFactory";
    auto *tmpl = property(soap, factory, "Template");
    std::cout << "template " << text(tmpl, "TemplateName") << " " << text(tmpl, "TemplateId") << std::endl;

    std::string agreement = create(soap, factory, tmpl);
    std::cout << "agreement " << agreement << std::endl;
    std::cout << "state " << text(property(soap, agreement, "AgreementState"), "State") << std::endl;

    check(soap, terminate(soap, agreement));
    std::cout << "state " << text(property(soap, agreement, "AgreementState"), "State") << std::endl;

    if (terminate(soap, agreement) == SOAP_OK) {
        std::cerr << "an agreement was ended twice" << std::endl;
        return 1;
    }
    auto *detail = soap->version == 2 ? soap->fault->SOAP_ENV__Detail : soap->fault->detail;
    std::cout << "fault " << detail->wsag__ContinuingFault->ErrorCode->__any.at(0).get_text() << std::endl;
    soap_destroy(soap);
    soap_end(soap);
    soap_free(soap);
    return 0;
}
