/**
 * The ClassAd language: ads, expressions, values, and the places expressions are evaluated in. One flat package on purpose:
 * parser, tree, compiler and evaluator know each other, and a user needs about ten public types. Needs the JDK only.
 */
@NullMarked
package org.metasched.classad;

import org.jspecify.annotations.NullMarked;
