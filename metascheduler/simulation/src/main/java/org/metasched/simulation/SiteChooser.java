package org.metasched.simulation;

import java.util.List;
import java.util.function.Supplier;
import org.metasched.agreement.making.SiteSelector;
import org.metasched.simulation.scenario.SiteScenario;
import org.metasched.sites.SiteDirectory;

/**
 * Says which sites may serve a part, for policies that choose sites: the product's selection over the ads of the simulated sites.
 */
@FunctionalInterface
public interface SiteChooser {

    /** The chooser of policies that use the sites drawn for each request. */
    SiteChooser NONE = (directory, sites) -> SiteSelector.NONE;

    /** @param sites their state at the moment of each call */
    SiteSelector over(SiteDirectory directory, Supplier<List<Advertised>> sites);

    /**
     * Advertised state of a site.
     *
     * @param held number of meta-jobs' reservations there
     */
    record Advertised(SiteScenario site, int held) {}
}
