/** Benchmarks as mains that print JSON. */
@NullMarked
package org.metasched.bench;

import org.jspecify.annotations.NullMarked;
