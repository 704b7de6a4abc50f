package org.metasched.cli.simulate;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.metasched.agreement.making.SiteSelector;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.Expr;
import org.metasched.classad.gang.DynamicGangmatcher;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.selection.ClassAdSiteSelector;
import org.metasched.simulation.SiteChooser;
import org.metasched.simulation.scenario.Scenario;
import org.metasched.sites.SiteDirectory;

/** The product's selection by gang matching, over an ad for each simulated site, its link and each of its licences. */
final class AdvertisedSites implements SiteChooser {

    @Override
    public SiteSelector over(SiteDirectory directory, Supplier<List<Advertised>> sites) {
        return new ClassAdSiteSelector(
                () -> sites.get().stream().flatMap(site -> ads(site).stream()).toList(),
                directory,
                new DynamicGangmatcher());
    }

    private static List<ClassAd> ads(Advertised advertised) {
        var site = advertised.site();
        String name = site.id().value();
        var ads = new ArrayList<ClassAd>();
        ads.add(ad("Machine", name, name)
                .with("TotalNodes", (long) site.nodes())
                .with("ReservableNodes", (long) site.reservable())
                .with(
                        "Backfilling",
                        site.backfilling().name().toLowerCase(Locale.ROOT).replace('_', '-'))
                .with("CurMatches", (long) advertised.held())
                .with("MaxMatches", (long) site.nodes())
                .with("Cost", site.cost()));
        if (site.bandwidth() > 0) {
            ads.add(ad("Link", name, name + "-link").with("Megabits", (long) site.bandwidth()));
        }
        site.licences()
                .forEach((feature, count) -> ads.add(ad("License", name, name + "-" + feature)
                        .with("App", feature)
                        .with("Licences", (long) count)));
        return ads;
    }

    private static ClassAd ad(String type, String site, String name) {
        return ClassAd.EMPTY
                .with("MyType", type)
                .with("Name", name)
                .with("Site", site)
                .with("Requirements", true);
    }

    /** @throws ExitCodeException if the requirements of a stream are no expression */
    static Scenario checked(Scenario scenario) {
        for (var stream : scenario.streams()) {
            try {
                if (stream.requirements().isPresent()) {
                    Expr.parse(stream.requirements().get());
                }
            } catch (ClassAdSyntaxException e) {
                throw ExitCodeException.badInput("scenario " + scenario.name() + ": streams." + stream.name()
                        + ".requirements is no ClassAd expression: " + e.getMessage());
            }
        }
        return scenario;
    }
}
