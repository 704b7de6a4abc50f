/**
 * DAGs bound to sites: {@link org.metasched.dag.binding.DagBinder} writes a copy of a DAG in which all that depends on the
 * site has its value, and leaves every other byte as it stood.
 *
 * <p>A DAG is <em>bound</em> here; the word has nothing to do with the ports of a gang.
 */
@org.jspecify.annotations.NullMarked
package org.metasched.dag.binding;
