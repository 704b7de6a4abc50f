/** Many runs of one scenario with other parameters, each a command line of its own. */
@NullMarked
package org.metasched.simulation.sweep;

import org.jspecify.annotations.NullMarked;
