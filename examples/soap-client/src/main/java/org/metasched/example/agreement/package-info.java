/** An example: an agreement and a negotiation over SOAP. */
@NullMarked
package org.metasched.example.agreement;

import org.jspecify.annotations.NullMarked;
