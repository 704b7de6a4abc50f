/**
 * A simulated site: {@link org.metasched.adapter.simulated.SimulatedScheduler} plans its local workload with backfilling
 * and sells what is left as advance reservations. It is a product (the demo, benchmarks, what-if questions) and the test
 * double of a real site at once, and can be told to misbehave.
 */
@NullMarked
package org.metasched.adapter.simulated;

import org.jspecify.annotations.NullMarked;
