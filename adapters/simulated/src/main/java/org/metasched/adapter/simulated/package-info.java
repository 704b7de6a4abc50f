/**
 * A simulated site: {@link org.metasched.adapter.simulated.SimulatedScheduler} plans its local workload with backfilling and makes advance
 * reservations in the rest. It serves the demo, benchmarks and what-if questions as well as tests, in place of a real site, and can inject
 * faults.
 */
@org.jspecify.annotations.NullMarked
package org.metasched.adapter.simulated;
