/**
 * The grammar of expressions, which stand in all written forms: tokens, parser, and the memory of texts that were read lately. The
 * written forms read with {@link org.metasched.classad.grammar.FormReader}; the language does not refer to this package.
 */
@NullMarked
package org.metasched.classad.grammar;

import org.jspecify.annotations.NullMarked;
