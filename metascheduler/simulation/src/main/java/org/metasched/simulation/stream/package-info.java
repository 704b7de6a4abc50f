/** Meta-jobs over time, drawn from the distributions of a scenario or taken from a trace. */
@NullMarked
package org.metasched.simulation.stream;

import org.jspecify.annotations.NullMarked;
