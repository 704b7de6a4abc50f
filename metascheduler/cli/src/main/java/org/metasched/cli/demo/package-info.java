/** The demo: a small grid in one process, and its narrated steps. */
@org.jspecify.annotations.NullMarked
package org.metasched.cli.demo;
