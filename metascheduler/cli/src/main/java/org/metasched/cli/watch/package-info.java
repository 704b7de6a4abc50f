/** Looking at a thing again and again: an agreement, a site, a DAG. */
@NullMarked
package org.metasched.cli.watch;

import org.jspecify.annotations.NullMarked;
