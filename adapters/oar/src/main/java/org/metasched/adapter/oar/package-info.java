/** Advance reservations with OAR's {@code oarsub -r}. */
@org.jspecify.annotations.NullMarked
package org.metasched.adapter.oar;
