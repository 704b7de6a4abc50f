/** An example: an agreement and a negotiation over SOAP. */
@org.jspecify.annotations.NullMarked
package org.metasched.example.agreement;
