/** Runs of one scenario with varied parameters, each with a command line of its own. */
@NullMarked
package org.metasched.simulation.sweep;

import org.jspecify.annotations.NullMarked;
