package org.metasched.agreement;

/**
 * What an initiator may make an offer from.
 *
 * @param description one sentence for people
 * @param document the template in full, with its creation constraints, as it is published
 */
public record AgreementTemplate(TemplateKey key, String description, OfferDocument document) {}
