/** Runs a DAG node by node as condor_dagman does: states, scripts, retries, throttles, abortion, and the rescue file. */
@NullMarked
package org.metasched.dag.run;

import org.jspecify.annotations.NullMarked;
