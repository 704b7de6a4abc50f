/**
 * The grammar of expressions, which all written forms contain: tokens, parser, and the cache of recently parsed texts. The readers of
 * the written forms extend {@link org.metasched.classad.grammar.FormReader}; the package of the language does not depend on this one.
 */
@org.jspecify.annotations.NullMarked
package org.metasched.classad.grammar;
