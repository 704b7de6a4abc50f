package org.metasched.adapter.pbs;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
import org.metasched.adapter.Settings;

/**
 * What an admin decides about a PBS site.
 *
 * @param exclusive whether reservations get their nodes for themselves
 * @param place the word of {@code -l place=} that spreads the chunks over nodes, without {@code :excl}
 * @param confirmWithin how long {@code pbs_rsub} waits for the scheduler before the request is taken back
 * @param leadTime how far from now the first start must be, so that there is time to ask for it
 * @param json whether {@code -F json} is used where there is such a format; PBS before 14 has none
 * @param publishFolder where {@code publish} writes, as a path at the site
 */
record PbsSettings(
        boolean exclusive,
        String place,
        Duration confirmWithin,
        Duration leadTime,
        boolean json,
        Optional<String> publishFolder) {

    private static final Pattern PLACE = Pattern.compile("v?scatter");

    static PbsSettings from(Settings settings) {
        String place = settings.text("place").orElse("scatter");
        if (!PLACE.matcher(place).matches()) {
            throw settings.invalid("place", "expected scatter or vscatter, not (" + place + ")");
        }
        String output = settings.text("output").orElse("json");
        if (!output.equals("json") && !output.equals("text")) {
            throw settings.invalid("output", "expected json or text, not (" + output + ")");
        }
        Duration confirm = settings.duration("confirm-within").orElse(Duration.ofSeconds(10));
        if (confirm.compareTo(Duration.ofSeconds(1)) < 0 || confirm.compareTo(Duration.ofMinutes(10)) > 0) {
            throw settings.invalid("confirm-within", "expected from 1s to 10m, not (" + confirm + ")");
        }
        Duration lead = settings.duration("lead-time").orElse(Duration.ofSeconds(5));
        if (lead.isNegative()) {
            throw settings.invalid("lead-time", "expected no negative duration, not (" + lead + ")");
        }
        var folder = settings.text("publish-folder");
        folder.filter(path -> !path.startsWith("/")).ifPresent(path -> {
            throw settings.invalid("publish-folder", "expected an absolute path, not (" + path + ")");
        });
        return new PbsSettings(
                settings.flag("exclusive").orElse(true), place, confirm, lead, output.equals("json"), folder);
    }
}
