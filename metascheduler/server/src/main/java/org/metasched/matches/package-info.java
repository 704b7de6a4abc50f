/** Matches of sites as callers hold them, for several doors: owners and quotas. */
@NullMarked
package org.metasched.matches;

import org.jspecify.annotations.NullMarked;
