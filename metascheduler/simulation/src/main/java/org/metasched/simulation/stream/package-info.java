/** Meta-jobs over time, drawn from the distributions of a scenario or taken from a trace. */
@org.jspecify.annotations.NullMarked
package org.metasched.simulation.stream;
