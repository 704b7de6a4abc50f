/** Advance reservations with OAR's {@code oarsub -r}. */
@NullMarked
package org.metasched.adapter.oar;

import org.jspecify.annotations.NullMarked;
