package org.metasched.console;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.metasched.adapter.DisplayText;
import org.metasched.adapter.TimeSlot;
import org.metasched.overview.SiteSnapshot;
import org.metasched.overview.SiteSnapshot.Busy;

/**
 * A page of sites, each with its load of the next day.
 *
 * @param day the time whose load is shown
 */
record SitesModel(TimeSlot day, List<SiteSnapshot> sites, SitePage page) {

    private static final Map<Integer, String> SHARES = new TreeMap<>(Map.of(1, "a quarter", 2, "half", 4, "all"));

    /** The place of an instant in the day, in hundredths of the day. */
    long left(Instant at) {
        long seconds = Duration.between(day.start(), at).toSeconds();
        return Math.max(0, 100 * seconds / day.length().toSeconds());
    }

    /** The times from which shares of the nodes are free, as one line; empty if the site does not tell. */
    Optional<String> free(SiteSnapshot site, TimeLabels times) {
        return site.free()
                .map(windows -> SHARES.entrySet().stream()
                        .map(share -> share.getValue() + " "
                                + free(site, share.getKey())
                                        .map(at -> at.isAfter(day.start()) ? "at " + times.hour(at) : "now")
                                        .orElse("not in 24 h"))
                        .collect(Collectors.joining(" · ")));
    }

    /** The first time at which this many quarters of the nodes are free; empty if there is none within the day. */
    private Optional<Instant> free(SiteSnapshot site, int quarters) {
        Instant at = day.start();
        for (Busy busy : site.busy()) {
            boolean isTaken = busy.quarter() == quarters && !busy.slot().start().isAfter(at);
            at = isTaken ? busy.slot().end() : at;
        }
        return Optional.of(at).filter(day.end()::isAfter);
    }

    /** Policy of the site, in words. */
    static String policy(SiteSnapshot site) {
        var preview = site.preview();
        return "Takes reservations for the next " + TimeLabels.length(preview.lookAhead()) + ", in steps of "
                + TimeLabels.length(preview.grid()) + "."
                + site.nodes()
                        .map(load -> " At most " + DisplayText.count(load.totalNodes(), "node") + ".")
                        .orElse("");
    }
}
