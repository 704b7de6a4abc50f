/**
 * Submit descriptions: macros, conditions, queue statements, and the job ads they make, as {@code condor_submit -dry-run} would
 * print them. Runs no command and opens no file but those that a description names. Refusals are in condor's words, with its spelling.
 */
@org.jspecify.annotations.NullMarked
package org.metasched.submit;
