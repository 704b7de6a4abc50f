/** Words of error messages: text of unknown origin made harmless, and the known word nearest to a misspelt one. */
@NullMarked
package org.metasched.adapter.text;

import org.jspecify.annotations.NullMarked;
