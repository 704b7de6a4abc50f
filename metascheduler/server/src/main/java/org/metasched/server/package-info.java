/**
 * The server process: configuration, the whole object graph wired by hand in {@link org.metasched.server.ServerAssembly}, the chores
 * that run by the clock, and what operators look at.
 */
@NullMarked
package org.metasched.server;

import org.jspecify.annotations.NullMarked;
