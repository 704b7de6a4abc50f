/** Repeated display of an agreement, a site or a DAG. */
@org.jspecify.annotations.NullMarked
package org.metasched.cli.watch;
