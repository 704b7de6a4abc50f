/**
 * WS-Agreement over SOAP: the services of the responder. An offer arrives as a document, is checked against the schema and its template,
 * and becomes an {@link org.metasched.agreement.AgreementOffer}, which keeps the document verbatim. No lower layer reads XML.
 */
@org.jspecify.annotations.NullMarked
package org.metasched.soap;
