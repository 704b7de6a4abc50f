/** An adapter over a command line, on {@code BookingScheduler}. */
@NullMarked
package org.metasched.example.lots;

import org.jspecify.annotations.NullMarked;
