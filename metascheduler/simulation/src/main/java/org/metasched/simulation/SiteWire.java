package org.metasched.simulation;

import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.simulated.SimulatedScheduler;

/** Connection from the negotiation to a site: direct, but for tests that put a network between them. */
@FunctionalInterface
public interface SiteWire {

    SiteWire NONE = site -> site;

    /** The scheduler that the negotiation calls for a site. */
    LocalScheduler to(SimulatedScheduler site);
}
