package org.metasched.dag.binding;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Value;
import org.metasched.classad.match.Match;

/**
 * A DAG bound to a site.
 *
 * @param match the job ad and the site ad
 * @param record the record in its directory
 * @param directory folder of the bound DAG; empty if nothing was to be written
 * @param warnings sentences for its author
 */
public record BoundDag(Match match, BindingRecord record, Optional<Path> directory, List<String> warnings) {

    public BoundDag {
        warnings = List.copyOf(warnings);
    }

    /** The {@code Name} of a site's ad, or an empty text. */
    public static String siteName(ClassAd ad) {
        return ad.evaluate("Name") instanceof Value.Text text ? text.text() : "";
    }
}
