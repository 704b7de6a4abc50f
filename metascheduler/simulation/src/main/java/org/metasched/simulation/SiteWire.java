package org.metasched.simulation;

import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.simulated.SimulatedScheduler;

/** The way from the negotiation to a site: direct, unless a real wire is to be shown to make no difference. */
@FunctionalInterface
public interface SiteWire {

    SiteWire NONE = site -> site;

    LocalScheduler to(SimulatedScheduler site);
}
