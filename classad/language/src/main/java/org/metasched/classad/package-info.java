/**
 * The ClassAd language: ads, expressions, values, and the places expressions are evaluated in. A user needs about ten public
 * types. What is public beyond those (the comments say so) is for the built-in functions, the grammar and the written forms, which
 * stand in {@code function}, {@code grammar} and {@code form}, are found as services, and are not known here. The tree knows its
 * forms and compiler only through {@link LanguageServices}. Needs the JDK only.
 */
@NullMarked
package org.metasched.classad;

import org.jspecify.annotations.NullMarked;
