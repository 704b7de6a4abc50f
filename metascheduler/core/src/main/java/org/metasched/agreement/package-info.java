/**
 * Agreements over co-allocated resources, after WS-Agreement (GFD.107 and its errata GFD.192): their states, creation
 * and end. {@link org.metasched.agreement.making.OfferService} is the entry point. Knows no XML: the initiator's document is kept
 * as it arrived, beside what was understood of it.
 */
@NullMarked
package org.metasched.agreement;

import org.jspecify.annotations.NullMarked;
