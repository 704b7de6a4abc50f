package org.metasched.adapter.pbs;

import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerFactory;
import org.metasched.adapter.Settings;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.booking.BookingRules;
import org.metasched.adapter.booking.BookingScheduler;
import org.metasched.adapter.booking.CommandLineSite;

/** Opens sites of PBS, {@code scheduler: {type: pbs}}. */
public final class PbsFactory implements LocalSchedulerFactory {

    @Override
    public String type() {
        return "pbs";
    }

    @Override
    public LocalScheduler open(SiteId site, Settings settings, Clock clock) {
        settings.allowOnly(BookingScheduler.keysAnd(
                "exclusive", "place", "confirm-within", "change-in-place", "output", "programs"));
        // PBS reads and prints times in the zone of its client, which is set for every command: UTC has no gaps.
        var defaults = new CommandLineSite.Defaults(ZoneOffset.UTC, Duration.ofSeconds(1));
        var common = CommandLineSite.from(site, settings, clock, defaults);
        return new PbsScheduler(common, BookingRules.from(settings, Duration.ofSeconds(5)), settings);
    }
}
