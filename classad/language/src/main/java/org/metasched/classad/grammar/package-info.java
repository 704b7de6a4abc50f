/**
 * The grammar of expressions, which stand in all written forms: tokens, parser, and the cache of recently read texts. The
 * written forms read with {@link org.metasched.classad.grammar.FormReader}; the language does not refer to this package.
 */
@NullMarked
package org.metasched.classad.grammar;

import org.jspecify.annotations.NullMarked;
