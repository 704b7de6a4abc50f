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

    /** For policies that take the sites that streams draw. */
    SiteChooser NONE = (directory, sites) -> SiteSelector.NONE;

    /** @param sites as they are at the moment */
    SiteSelector over(SiteDirectory directory, Supplier<List<Advertised>> sites);

    /**
     * Advertised state of a site.
     *
     * @param held reservations of meta-jobs that it holds
     */
    record Advertised(SiteScenario site, int held) {}
}
