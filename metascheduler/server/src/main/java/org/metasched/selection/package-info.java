/**
 * Selection of sites for co-allocation by gang matching, and site ads with the reservations of agreements. Only this package,
 * {@code server}, {@code store} and the command line know both co-allocation and matchmaking.
 */
@NullMarked
package org.metasched.selection;

import org.jspecify.annotations.NullMarked;
