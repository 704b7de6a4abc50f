/** Texts of settings and messages: durations, and the known word nearest to a misspelt one. */
@NullMarked
package org.metasched.adapter.text;

import org.jspecify.annotations.NullMarked;
