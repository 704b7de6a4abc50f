package org.metasched.dag.binding;

import org.metasched.classad.ClassAd;
import org.metasched.classad.Value;

/**
 * A DAG's job ad and the site ad it was matched with.
 *
 * @param rank how much the DAG likes the site
 */
public record SiteMatch(ClassAd job, ClassAd site, double rank) {

    /** The site's {@code Name}. */
    public String siteName() {
        return nameOf(site);
    }

    /** The {@code Name} of an ad, or an empty text. */
    public static String nameOf(ClassAd ad) {
        return ad.evaluate("Name") instanceof Value.Text text ? text.text() : "";
    }
}
