/**
 * WS-Agreement over SOAP: the services of the responder. With its client, the one package on this side of the system that knows XML. An offer comes in as a document, is checked against the schema and against its template, and
 * goes on as an {@link org.metasched.agreement.AgreementOffer}; the document itself goes with it, verbatim.
 */
@NullMarked
package org.metasched.soap;

import org.jspecify.annotations.NullMarked;
