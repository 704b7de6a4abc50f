/**
 * A client of the WS-Agreement services, for the JDK alone: offers, agreements, negotiations, call-backs. It begins with
 * {@link org.metasched.client.AgreementClient}.
 */
@NullMarked
package org.metasched.client;

import org.jspecify.annotations.NullMarked;
