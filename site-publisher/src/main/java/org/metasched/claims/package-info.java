/**
 * Claims on sites that a ledger of this machine counts: what a program needs beside {@link org.metasched.dag.binding}
 * to bind DAGs and to claim. A server's count is reached through the same interface, which the binder owns.
 */
@NullMarked
package org.metasched.claims;

import org.jspecify.annotations.NullMarked;
