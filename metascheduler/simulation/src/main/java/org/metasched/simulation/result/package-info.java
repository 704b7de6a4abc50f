/** Results of a run: a line for every job, and figures over all of them. */
@NullMarked
package org.metasched.simulation.result;

import org.jspecify.annotations.NullMarked;
