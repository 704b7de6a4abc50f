/** The demo: a small grid in one process, and its narrated steps. */
@NullMarked
package org.metasched.cli.demo;

import org.jspecify.annotations.NullMarked;
