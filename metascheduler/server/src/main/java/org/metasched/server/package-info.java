/**
 * The server process: configuration, the object graph wired by hand in {@link org.metasched.server.ServerAssembly}, periodic tasks, and
 * what operators look at.
 */
@NullMarked
package org.metasched.server;

import org.jspecify.annotations.NullMarked;
