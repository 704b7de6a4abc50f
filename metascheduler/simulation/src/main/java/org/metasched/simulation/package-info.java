/** The evaluation of co-allocation: simulated sites, the product's own negotiation and journal, one clock that jumps from event to event. */
@org.jspecify.annotations.NullMarked
package org.metasched.simulation;
