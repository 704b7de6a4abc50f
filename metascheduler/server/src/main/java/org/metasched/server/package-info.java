/**
 * The server process: configuration, the object graph wired by hand in {@link org.metasched.server.ServerAssembly}, periodic tasks, and
 * what operators look at.
 */
@org.jspecify.annotations.NullMarked
package org.metasched.server;
