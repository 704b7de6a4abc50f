// A WS-Agreement client in C++: gSOAP generates all it knows of the service from its WSDL.
//
// Usage: [ACCEPTANCE=URL] gsoap_client BASE_URL soap11|soap12 [CA_FILE [CERTIFICATE_AND_KEY_FILE]]
//
// Fetches the template, offers two nodes at every site that it shows, reads and queries the agreement, makes a pending one,
// negotiates one and replaces it by a larger one, ends all, and prints one line for each step. Exits with 0 when all of it
// went as it should. With a certificate it proves who it is over TLS. ACCEPTANCE is called about the pending offer.
// gsoap_build.sh builds it.
#include "soapH.h"
#include "wsag.nsmap"
#include <cstring>
#include <ctime>
#include <iostream>
#include <string>
#include <unistd.h>
#include <vector>

static const char *const WSAG = "http://schemas.ggf.org/graap/2007/03/ws-agreement";
static const char *const NEGOTIATION = "http://schemas.ogf.org/graap/2009/11/ws-agreement-negotiation";
static const char *const WSA = "http://www.w3.org/2005/08/addressing";
static const char *const XPATH = "http://www.w3.org/TR/1999/REC-xpath-19991116";
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

static wsag__TermTreeType *terms(struct soap *soap, const std::vector<std::string> &sites, int nodes) {
    auto *tree = soap_new_wsag__TermTreeType(soap);
    tree->All = soap_new_wsag__TermCompositorType(soap);
    auto &all = tree->All->__union_TermCompositorType;
    for (const auto &site : sites) {
        auto *job = soap_elt_new(soap, JSDL, "JobDefinition");
        auto &wanted = job->elt(JSDL, "JobDescription").elt(JSDL, "Resources");
        wanted.elt(JSDL, "CandidateHosts").elt(JSDL, "HostName") = site;
        wanted.elt(JSDL, "TotalResourceCount").elt(JSDL, "Exact") = std::to_string(nodes);
        all.push_back(term(soap, "RESOURCE_" + site, job));
    }
    auto *when = soap_elt_new(soap, SCHEDULING, "TimeConstraint");
    when->elt(SCHEDULING, "Duration") = "30";
    all.push_back(term(soap, "TIME_CONSTRAINT", when));
    return tree;
}

static std::string *kept(struct soap *soap, const std::string &text) {
    auto *made = soap_new_std__string(soap);
    *made = text;
    return made;
}

/** What offers of all kinds have in common. */
static void fill(struct soap *soap, wsag__AgreementType *offer, xsd__anyType *tmpl, wsag__TermTreeType *terms) {
    offer->Context = soap_new_wsag__AgreementContextType(soap);
    offer->Context->ServiceProvider = wsag__AgreementRoleType__AgreementResponder;
    offer->Context->TemplateId = kept(soap, text(tmpl, "TemplateId"));
    offer->Context->TemplateName = kept(soap, text(tmpl, "TemplateName"));
    offer->Terms = terms;
}

static wsag__AgreementType *fresh(struct soap *soap, xsd__anyType *tmpl, wsag__TermTreeType *terms) {
    static int offers = 0;
    auto *offer = soap_new_wsag__AgreementType(soap);
    fill(soap, offer, tmpl, terms);
    offer->AgreementId = kept(
            soap, "gsoap-" + std::to_string(getpid()) + "-" + std::to_string(time(nullptr)) + "-" + std::to_string(offers++));
    return offer;
}

static int create(
        struct soap *soap, const std::string &factory, wsag__AgreementType *offer, std::string &address, xsd__anyType *extension) {
    auto *input = soap_new_wsag__CreateAgreementInputType(soap);
    input->AgreementOffer = offer;
    if (extension) {
        input->__any.push_back(*extension);
    }
    auto *output = soap_new_wsag__CreateAgreementOutputType(soap);
    int status = soap_call___wsag__CreateAgreement(soap, factory.c_str(), nullptr, input, *output);
    if (status == SOAP_OK) {
        address = output->CreatedAgreementEPR.Address;
    }
    return status;
}

static std::string create_pending(struct soap *soap, const std::string &factory, wsag__AgreementType *offer) {
    auto *input = soap_new_wsag__CreatePendingAgreementInputType(soap);
    input->AgreementOffer = offer;
    if (const char *acceptance = getenv("ACCEPTANCE")) {
        input->AgreementAcceptanceEPR = soap_new_wsa5__EndpointReferenceType(soap);
        input->AgreementAcceptanceEPR->Address = soap_strdup(soap, acceptance);
    }
    auto *output = soap_new_wsag__CreatePendingAgreementOutputType(soap);
    check(soap, soap_call___wsag__CreatePendingAgreement(soap, factory.c_str(), nullptr, input, *output));
    return output->CreatedAgreementEPR.Address;
}

static std::string state(struct soap *soap, const std::string &agreement) {
    return text(property(soap, agreement, "AgreementState"), "State");
}

/** The first value that a query finds. */
static std::string query(struct soap *soap, const std::string &address, const char *expression) {
    auto *input = soap_new_rp__QueryResourcePropertiesType(soap);
    input->QueryExpression = soap_new_rp__QueryExpressionType(soap);
    input->QueryExpression->Dialect = kept(soap, XPATH);
    input->QueryExpression->__mixed = expression;
    auto *output = soap_new_rp__PropertyValuesType(soap);
    check(soap, soap_call___wsag__QueryResourceProperties(soap, address.c_str(), nullptr, input, *output));
    return output->__any.at(0).get_text();
}

static int terminate(struct soap *soap, const std::string &agreement) {
    auto *input = soap_new_wsag__TerminateInputType(soap);
    input->__any = *soap_elt_new(soap, "urn:example:client", "Reason");
    auto *output = soap_new_wsag__TerminateOutputType(soap);
    return soap_call___wsag__Terminate(soap, agreement.c_str(), nullptr, input, *output);
}

/** The code in a fault of the last call. */
static std::string code(struct soap *soap) {
    auto *detail = soap->version == 2 ? soap->fault->SOAP_ENV__Detail : soap->fault->detail;
    return detail->wsag__ContinuingFault->ErrorCode->__any.at(0).get_text();
}

/** A negotiation; one about an agreement is a renegotiation. */
static std::string initiate(struct soap *soap, const std::string &factory, const std::string &about) {
    auto *type = soap_new_neg__NegotiationType(soap);
    if (about.empty()) {
        type->__union_NegotiationType = SOAP_UNION__neg__union_NegotiationType_Negotiation;
        type->union_NegotiationType.Negotiation = soap_new__neg__NegotiationType_Negotiation(soap);
    } else {
        type->__union_NegotiationType = SOAP_UNION__neg__union_NegotiationType_Renegotiation;
        type->union_NegotiationType.Renegotiation = soap_new__neg__NegotiationType_Renegotiation(soap);
        type->union_NegotiationType.Renegotiation->ResponderAgreementEPR.Address = soap_strdup(soap, about.c_str());
    }
    auto *input = soap_new_neg__InitiateNegotiationInputType(soap);
    input->NegotiationContext = soap_new_neg__NegotiationContextType(soap);
    input->NegotiationContext->NegotiationType = type;
    input->NegotiationContext->AgreementResponder = neg__NegotiationRoleType__NegotiationResponder;
    auto *output = soap_new_neg__InitiateNegotiationOutputType(soap);
    check(soap, soap_call___wsag__InitiateNegotiation(soap, factory.c_str(), nullptr, input, *output));
    return output->CreatedNegotiationEPR.Address;
}

/** The one counter offer to an offer that is advisory or solicited. */
static neg__NegotiationOfferType *negotiate(
        struct soap *soap, const std::string &negotiation, neg__NegotiationOfferType *offer, const std::string &parent,
        bool advisory) {
    offer->NegotiationOfferContext = soap_new_neg__NegotiationOfferContextType(soap);
    offer->NegotiationOfferContext->CounterOfferTo = parent;
    offer->NegotiationOfferContext->Creator = neg__NegotiationRoleType__NegotiationInitiator;
    auto *state = offer->NegotiationOfferContext->State = soap_new_neg__NegotiationOfferStateType(soap);
    if (advisory) {
        state->__union_NegotiationOfferStateType = SOAP_UNION__neg__union_NegotiationOfferStateType_Advisory;
        state->union_NegotiationOfferStateType.Advisory = soap_new_neg__InnerNegotiationStateType(soap);
    } else {
        state->__union_NegotiationOfferStateType = SOAP_UNION__neg__union_NegotiationOfferStateType_Solicited;
        state->union_NegotiationOfferStateType.Solicited = soap_new_neg__InnerNegotiationStateType(soap);
    }
    offer->NegotiationConstraints = soap_new_neg__NegotiationConstraintSectionType(soap);
    auto *input = soap_new_neg__NegotiateInputType(soap);
    input->NegotiationOffer.push_back(offer);
    auto *output = soap_new_neg__NegotiateOutputType(soap);
    check(soap, soap_call___wsag__Negotiate(soap, negotiation.c_str(), nullptr, input, *output));
    auto *counter = output->NegotiationCounterOffer.at(0);
    int answered = counter->NegotiationOfferContext->State->__union_NegotiationOfferStateType;
    std::cout << "counter offer "
              << (answered == SOAP_UNION__neg__union_NegotiationOfferStateType_Advisory     ? "Advisory"
                  : answered == SOAP_UNION__neg__union_NegotiationOfferStateType_Acceptable ? "Acceptable"
                                                                                            : "Rejected")
              << std::endl;
    return counter;
}

/** Names the counter offer that an agreement is made of, and for a renegotiation what it replaces. */
static xsd__anyType *extension(
        struct soap *soap, const std::string &counter, const std::string &negotiation, const std::string &replaced) {
    auto *made = soap_elt_new(soap, NEGOTIATION, replaced.empty() ? "NegotiationExtension" : "RenegotiationExtension");
    if (!replaced.empty()) {
        made->elt(NEGOTIATION, "ResponderNegotiationEPR").elt(WSA, "Address") = negotiation;
        made->elt(NEGOTIATION, "ResponderAgreementEPR").elt(WSA, "Address") = replaced;
    }
    auto &context = made->elt(NEGOTIATION, "NegotiationOfferContext");
    context.elt(NEGOTIATION, "CounterOfferTo") = counter;
    context.elt(NEGOTIATION, "Creator") = "NegotiationInitiator";
    context.elt(NEGOTIATION, "State").elt(NEGOTIATION, "Acceptable");
    return made;
}

static void negotiate_and_replace(
        struct soap *soap, const std::string &services, xsd__anyType *tmpl, const std::vector<std::string> &sites) {
    std::string root = text(tmpl, "TemplateId") + "-" + text(tmpl, "TemplateName");
    std::string factory = services + "AgreementFactory";
    auto offer = [&](int nodes) {
        auto *made = soap_new_neg__NegotiationOfferType(soap);
        fill(soap, made, tmpl, terms(soap, sites, nodes));
        return made;
    };
    std::string negotiation = initiate(soap, services + "NegotiationFactory", "");
    auto *advice = negotiate(soap, negotiation, offer(2), root, true);
    auto *held = negotiate(soap, negotiation, offer(2), *advice->OfferId, false);
    std::string negotiated;
    check(soap, create(soap, factory, fresh(soap, tmpl, held->Terms), negotiated, extension(soap, *held->OfferId, "", "")));
    std::cout << "negotiated " << state(soap, negotiated) << std::endl;
    auto *end = soap_new_neg__NegotiationTerminateInputType(soap);
    auto *ended = soap_new_neg__NegotiationTerminateOutputType(soap);
    check(soap, soap_call___wsag__Terminate_(soap, negotiation.c_str(), nullptr, end, *ended));

    std::string again = initiate(soap, services + "NegotiationFactory", negotiated);
    auto *counter = negotiate(soap, again, offer(4), root, false);
    std::string larger;
    check(soap, create(soap, factory, fresh(soap, tmpl, counter->Terms), larger,
                        extension(soap, *counter->OfferId, again, negotiated)));
    std::cout << "renegotiated " << state(soap, larger) << std::endl;
    std::cout << "replaced " << state(soap, negotiated) << std::endl;
    check(soap, terminate(soap, larger));
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
    std::string services = std::string(words[1]) + "/services/";
    std::string factory = services + "AgreementFactory";
    auto *tmpl = property(soap, factory, "Template");
    std::cout << "template " << text(tmpl, "TemplateName") << " " << text(tmpl, "TemplateId") << std::endl;
    auto allowed = sites(tmpl);

    std::string agreement;
    if (create(soap, factory, fresh(soap, tmpl, terms(soap, {"mars"}, 2)), agreement, nullptr) == SOAP_OK) {
        std::cerr << "an offer for a site that is not there was accepted" << std::endl;
        return 1;
    }
    std::cout << "refused " << code(soap) << std::endl;
    check(soap, create(soap, factory, fresh(soap, tmpl, terms(soap, allowed, 2)), agreement, nullptr));
    std::cout << "agreement " << agreement << std::endl;
    std::cout << "state " << state(soap, agreement) << std::endl;
    std::cout << "terms " << query(soap, agreement, "count(//*[local-name()='ServiceDescriptionTerm'])") << std::endl;

    std::string pending = create_pending(soap, factory, fresh(soap, tmpl, terms(soap, allowed, 2)));
    for (int i = 0; i < 300 && state(soap, pending) == "Pending"; i++) {
        usleep(100000);
    }
    std::cout << "pending " << state(soap, pending) << std::endl;
    check(soap, terminate(soap, pending));

    negotiate_and_replace(soap, services, tmpl, allowed);

    check(soap, terminate(soap, agreement));
    std::cout << "state " << state(soap, agreement) << std::endl;
    if (terminate(soap, agreement) == SOAP_OK) {
        std::cerr << "an agreement was ended twice" << std::endl;
        return 1;
    }
    std::cout << "fault " << code(soap) << std::endl;
    soap_destroy(soap);
    soap_end(soap);
    soap_free(soap);
    return 0;
}
