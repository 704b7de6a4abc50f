/** Advance reservations with Grid Engine's {@code qrsub}. */
@org.jspecify.annotations.NullMarked
package org.metasched.adapter.gridengine;
