/** Looking at a thing again and again: an agreement, a site, a DAG; and the words that a shell may complete. */
@NullMarked
package org.metasched.cli.watch;

import org.jspecify.annotations.NullMarked;
