/**
 * The benches that are commands of a checkout: {@code bench classad}, {@code bench slots} and {@code gang bench}. They are in a jar of
 * their own, which an installed product does not have; the measurements are classes without picocli.
 */
@NullMarked
package org.metasched.bench.command;

import org.jspecify.annotations.NullMarked;
