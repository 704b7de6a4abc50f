/** Claiming over SOAP: the resources that a server's collector knows are claimed in two phases, with leases. */
@NullMarked
package org.metasched.soap.claiming;

import org.jspecify.annotations.NullMarked;
