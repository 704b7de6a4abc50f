/**
 * DAGMan files: reading and checking them. {@link org.metasched.dag.DagParser} reads the whole language into a compact
 * {@link org.metasched.dag.Dag}. The reasons of errors are in condor's words, with its spelling.
 */
@org.jspecify.annotations.NullMarked
package org.metasched.dag;
