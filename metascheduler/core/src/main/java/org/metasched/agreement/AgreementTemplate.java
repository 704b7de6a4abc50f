package org.metasched.agreement;

/**
 * A template from which an initiator makes an offer.
 *
 * @param document the template in full, with its creation constraints, as it is published; like an offer, it is text
 */
public record AgreementTemplate(TemplateKey key, OfferDocument document) {}
