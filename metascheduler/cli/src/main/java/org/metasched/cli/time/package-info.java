/** Times and spans of time as people type them. */
@org.jspecify.annotations.NullMarked
package org.metasched.cli.time;
