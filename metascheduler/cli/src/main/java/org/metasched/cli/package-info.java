/**
 * The {@code metasched} command line: one picocli command per file, and the only place that prints. Names, flags, JSON keys
 * and exit codes are a contract with scripts.
 */
@NullMarked
package org.metasched.cli;

import org.jspecify.annotations.NullMarked;
