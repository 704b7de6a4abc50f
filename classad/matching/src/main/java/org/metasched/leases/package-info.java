/**
 * Leases on the matches of advertised sites: acquire, renew, commit, release, with a lease time and a fencing token. After Gray and
 * Cheriton, "Leases: an efficient fault-tolerant mechanism for distributed file cache consistency" (1989).
 */
@org.jspecify.annotations.NullMarked
package org.metasched.leases;
