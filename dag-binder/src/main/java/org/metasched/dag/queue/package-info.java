/** DAGs that wait for a match: in a durable queue, with priorities and a fair share for each owner. */
@org.jspecify.annotations.NullMarked
package org.metasched.dag.queue;
