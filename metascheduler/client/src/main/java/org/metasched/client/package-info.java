/**
 * A client of the WS-Agreement services, without a SOAP library: offers, agreements, negotiations, call-backs. Its entry is
 * {@link org.metasched.client.AgreementClient}.
 */
@org.jspecify.annotations.NullMarked
package org.metasched.client;
