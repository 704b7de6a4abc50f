/** The demo: a small grid in one process, and the story it tells. */
@NullMarked
package org.metasched.cli.demo;

import org.jspecify.annotations.NullMarked;
