/** Results of a run: a line for every job, and figures over all of them. */
@org.jspecify.annotations.NullMarked
package org.metasched.simulation.result;
