package org.metasched.agreement;

/**
 * A template from which an initiator makes an offer.
 *
 * @param description one sentence for people
 * @param document the template in full, with its creation constraints, as it is published
 */
public record AgreementTemplate(TemplateKey key, String description, OfferDocument document) {}
