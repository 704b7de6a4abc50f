/** Repeated display of an agreement, a site or a DAG. */
@NullMarked
package org.metasched.cli.watch;

import org.jspecify.annotations.NullMarked;
