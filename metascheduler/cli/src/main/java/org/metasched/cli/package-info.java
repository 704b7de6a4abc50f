/**
 * The {@code metasched} command line: the program itself, and one package for each family of commands, with one picocli
 * command per file. Only these packages print. Names, flags, JSON keys and exit codes are a contract with scripts.
 *
 * <p>The root knows the families, and no family knows the root. Decisions are made in libraries: a Java program can do all that a command
 * does without the command.
 */
@org.jspecify.annotations.NullMarked
package org.metasched.cli;
