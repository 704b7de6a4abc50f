/** Commands that run and stop a server, and calls of a server by the other commands. */
@NullMarked
package org.metasched.cli.server;

import org.jspecify.annotations.NullMarked;
