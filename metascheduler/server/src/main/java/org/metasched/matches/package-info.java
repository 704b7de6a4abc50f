/** Matches that callers hold, for SOAP, REST and console: owners and quotas. */
@org.jspecify.annotations.NullMarked
package org.metasched.matches;
