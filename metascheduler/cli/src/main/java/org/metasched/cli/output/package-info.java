/** Input and output that all commands share: options, results on stdout, failures as a sentence and an exit code. */
@NullMarked
package org.metasched.cli.output;

import org.jspecify.annotations.NullMarked;
