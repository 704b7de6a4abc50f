package org.metasched.agreement;

/**
 * A template from which an initiator makes an offer.
 *
 * @param document text of the whole template, with its creation constraints, as it is published
 */
public record AgreementTemplate(TemplateKey key, OfferDocument document) {}
