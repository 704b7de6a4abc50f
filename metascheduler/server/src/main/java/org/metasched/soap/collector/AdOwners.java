package org.metasched.soap.collector;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.metasched.classad.ClassAd;
import org.metasched.classad.collector.AdKey;
import org.metasched.classad.collector.Advertisement;
import org.metasched.classad.collector.Collector;
import org.metasched.leases.Lease;

/**
 * Owners of ads: the site's subject, if the configuration names it; else the subject that sent the ad first. Thread-safe.
 *
 * @param sites the subjects that alone may advertise sites, by the name of the site in lower case
 */
public record AdOwners(Map<String, String> sites, Collector collector) {

    /** Attribute with the authenticated sender of an ad. The service sets it, whatever the ad said. */
    static final String SENDER = "AuthenticatedIdentity";

    public AdOwners {
        sites = Map.copyOf(sites);
    }

    /**
     * The owners of an ad. A caller who changes it must be all of them.
     *
     * @param ad ad that is to replace the known one
     * @param otherwise owner of an ad that is not known
     */
    public List<String> of(AdKey key, ClassAd ad, String otherwise) {
        var known = collector.find(key).map(Advertisement::ad);
        var configured = Stream.of(
                        Optional.of(key.name()), ad.findString("Site"), known.flatMap(k -> k.findString("Site")))
                .flatMap(Optional::stream)
                .map(site -> sites.get(site.toLowerCase(Locale.ROOT)))
                .filter(Objects::nonNull)
                .toList();
        return configured.isEmpty() ? List.of(known.flatMap(AdOwners::sender).orElse(otherwise)) : configured;
    }

    /**
     * The owner of a match: of one that drains a site, the owner of the site; else the sender of its customer's ad, if that is advertised; else
     * the subject that took it.
     */
    public String of(Lease match) {
        if (match.holder().equals(Lease.DRAINED)) {
            return of(new AdKey("Machine", match.site()), ClassAd.EMPTY, "?").get(0);
        }
        return match.customer()
                .map(customer -> ofCustomer(customer, match.owner()))
                .orElse(match.owner());
    }

    /** The sender of the customer's ad, if it is advertised, else another. */
    public String ofCustomer(String customer, String otherwise) {
        return of(new AdKey("Job", customer), ClassAd.EMPTY, otherwise).get(0);
    }

    static Optional<String> sender(ClassAd ad) {
        return ad.findString(SENDER);
    }
}
