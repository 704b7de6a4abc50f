/** Certificate subjects, the grid-mapfile, and the local user that a site maps a requester to. */
@NullMarked
package org.metasched.adapter.identity;

import org.jspecify.annotations.NullMarked;
