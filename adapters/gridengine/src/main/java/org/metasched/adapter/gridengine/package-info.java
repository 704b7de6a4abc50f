/** Advance reservations with Grid Engine's {@code qrsub}. */
@NullMarked
package org.metasched.adapter.gridengine;

import org.jspecify.annotations.NullMarked;
