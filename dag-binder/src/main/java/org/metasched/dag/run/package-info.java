/** Runs a DAG node by node as condor_dagman does: states, scripts, retries, throttles, abortion, and the rescue file. */
@org.jspecify.annotations.NullMarked
package org.metasched.dag.run;
