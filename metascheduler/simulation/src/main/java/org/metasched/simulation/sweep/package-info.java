/** Runs of one scenario with varied parameters, each with a command line of its own. */
@org.jspecify.annotations.NullMarked
package org.metasched.simulation.sweep;
