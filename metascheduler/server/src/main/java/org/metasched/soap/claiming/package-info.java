/** Claiming over SOAP: the resources that a server's collector knows are claimed in two phases, with leases. */
@org.jspecify.annotations.NullMarked
package org.metasched.soap.claiming;
