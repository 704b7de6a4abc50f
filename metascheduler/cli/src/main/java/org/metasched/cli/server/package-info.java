/** Commands that run and stop a server, and calls of a server by the other commands. */
@org.jspecify.annotations.NullMarked
package org.metasched.cli.server;
