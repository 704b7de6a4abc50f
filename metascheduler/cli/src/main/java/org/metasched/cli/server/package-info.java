/** The server: the command that runs one, and how the other commands call one. */
@NullMarked
package org.metasched.cli.server;

import org.jspecify.annotations.NullMarked;
