/**
 * The base of adapters that reserve nodes, or cores of them, over a command line: read the scheduler's plan, book, read back, release.
 * Knows {@code command}, {@code identity}, {@code jobs}, {@code text} and the slot table; none of them knows this package.
 */
@org.jspecify.annotations.NullMarked
package org.metasched.adapter.booking;
