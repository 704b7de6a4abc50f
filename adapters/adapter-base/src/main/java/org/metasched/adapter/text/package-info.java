/** Texts of settings and messages: durations, and the known word nearest to a misspelt one. */
@org.jspecify.annotations.NullMarked
package org.metasched.adapter.text;
