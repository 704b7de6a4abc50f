/** Input and output that all commands share: options, results on stdout, failures as a sentence and an exit code. */
@org.jspecify.annotations.NullMarked
package org.metasched.cli.output;
