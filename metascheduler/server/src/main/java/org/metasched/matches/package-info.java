/** Matches that callers hold, for SOAP, REST and console: owners and quotas. */
@NullMarked
package org.metasched.matches;

import org.jspecify.annotations.NullMarked;
