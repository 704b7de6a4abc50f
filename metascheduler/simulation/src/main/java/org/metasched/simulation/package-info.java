/** The evaluation of co-allocation: simulated sites, the product's own negotiation and journal, one clock that jumps from event to event. */
@NullMarked
package org.metasched.simulation;

import org.jspecify.annotations.NullMarked;
