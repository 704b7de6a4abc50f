/**
 * The bridge of matchmaking and co-allocation: gang matching chooses the sites that co-allocation reserves, and site ads show the
 * reservations of agreements. Only this package, {@code server}, {@code store} and the command line know both.
 */
@NullMarked
package org.metasched.selection;

import org.jspecify.annotations.NullMarked;
