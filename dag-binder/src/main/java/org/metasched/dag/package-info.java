/**
 * DAGMan files: reading, checking and binding them to a site. {@link org.metasched.dag.DagParser} reads the whole language into a
 * compact {@link org.metasched.dag.Dag}; {@link org.metasched.dag.DagBinder} writes a copy in which everything that depends on the
 * site is settled.
 *
 * <p>A DAG is <em>bound</em> here; the word has nothing to do with the ports of a gang.
 */
@NullMarked
package org.metasched.dag;

import org.jspecify.annotations.NullMarked;
