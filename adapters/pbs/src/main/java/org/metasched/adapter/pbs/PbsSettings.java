package org.metasched.adapter.pbs;

import java.time.Duration;
import org.metasched.adapter.Settings;

/**
 * Settings of a PBS site.
 *
 * @param exclusive whether reservations get their nodes for themselves
 * @param place the word of {@code -l place=} that spreads the chunks over nodes, without {@code :excl}
 * @param confirmWithin time for which {@code pbs_rsub} waits for the scheduler before it withdraws the request
 * @param changes whether {@code pbs_ralter} may change reservations
 * @param json whether output is asked for by {@code -F json} where a command knows it; PBS before 14 does not
 */
record PbsSettings(boolean exclusive, String place, Duration confirmWithin, boolean changes, boolean json) {

    /** The node of a request: a host, as chunks spread over hosts; with {@code vscatter} a virtual node. */
    String nodeOf(PbsOutput.Vnode vnode) {
        return place.equals("vscatter") ? vnode.name() : vnode.host();
    }

    static PbsSettings from(Settings settings) {
        String place = settings.oneOf("place", "scatter", "vscatter");
        String output = settings.oneOf("output", "json", "text");
        Duration confirm = settings.duration("confirm-within").orElse(Duration.ofSeconds(10));
        boolean isOutside =
                confirm.compareTo(Duration.ofSeconds(1)) < 0 || confirm.compareTo(Duration.ofMinutes(10)) > 0;
        settings.refuseIf(isOutside, "confirm-within", "expected from 1s to 10m, not (%s)", confirm);
        return new PbsSettings(
                settings.flag("exclusive").orElse(true),
                place,
                confirm,
                settings.flag("change-in-place").orElse(false),
                output.equals("json"));
    }
}
