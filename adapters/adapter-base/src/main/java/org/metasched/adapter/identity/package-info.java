/** Certificate subjects, the grid-mapfile, and the local user that a site maps a requester to. */
@org.jspecify.annotations.NullMarked
package org.metasched.adapter.identity;
