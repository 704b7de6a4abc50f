/**
 * The model of agreements over co-allocated resources, after WS-Agreement (GFD.107 and its errata GFD.192): states, documents, and the
 * interfaces of the store. {@link org.metasched.agreement.making.OfferService} makes and ends agreements. Knows no XML: the initiator's
 * document is kept as it arrived, beside the request that was read from it.
 */
@org.jspecify.annotations.NullMarked
package org.metasched.agreement;
