/**
 * Selection of sites for co-allocation by gang matching, and site ads with the reservations of agreements. Only this package,
 * {@code server}, {@code store} and the command line know both co-allocation and matchmaking.
 */
@org.jspecify.annotations.NullMarked
package org.metasched.selection;
