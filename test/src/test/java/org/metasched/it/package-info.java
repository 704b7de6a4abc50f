/** Tests of the whole: house rules, and what holds only for all modules together. */
@NullMarked
package org.metasched.it;

import org.jspecify.annotations.NullMarked;
