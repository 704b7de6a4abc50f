/** The ads of the example, matched. */
@NullMarked
package org.metasched.example.gang;

import org.jspecify.annotations.NullMarked;
