package org.metasched.simulation;

import java.util.List;
import java.util.function.Supplier;
import org.metasched.agreement.making.SiteSelector;
import org.metasched.simulation.scenario.SiteScenario;
import org.metasched.sites.SiteDirectory;

/** Makes the selector of sites for policies that choose sites: the product's own, over the ads of the simulated sites. */
@FunctionalInterface
public interface SiteChooser {

    /** The chooser of policies that use the sites drawn for each request. */
    SiteChooser NONE = (directory, sites) -> SiteSelector.NONE;

    /**
     * Makes the selector.
     *
     * @param sites supplies the state of all sites at the time of its call
     */
    SiteSelector over(SiteDirectory directory, Supplier<List<Advertised>> sites);

    /**
     * Advertised state of a site.
     *
     * @param held number of reservations of meta-jobs that the site holds
     */
    record Advertised(SiteScenario site, int held) {}
}
