package org.metasched.adapter.oar;

import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerFactory;
import org.metasched.adapter.Settings;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.booking.BookingRules;
import org.metasched.adapter.booking.BookingScheduler;
import org.metasched.adapter.booking.CommandLineSite;
import org.metasched.adapter.command.CommandRunner;
import org.metasched.adapter.jobs.JobSettings;

/**
 * Type {@code oar}. Own settings: {@code become}, the words that run a command as the user of a reservation,
 * {@code job-security-time}, if the cluster's is not the usual minute, and {@code wake}, a command that makes OAR's scheduler
 * run at once.
 */
public final class OarSchedulerFactory implements LocalSchedulerFactory {

    @Override
    public String type() {
        return "oar";
    }

    @Override
    public LocalScheduler open(SiteId id, Settings settings, Clock clock) {
        settings.allowOnly(BookingScheduler.keysAnd("become", "job-security-time", "programs", "wake"));
        var usual = new CommandLineSite.Defaults(ZoneOffset.UTC, Duration.ofSeconds(1));
        CommandLineSite site = CommandLineSite.from(id, settings, clock, usual);
        List<String> become = JobSettings.words(settings, "become", CommandRunner.USER);
        Duration securityTime = settings.notNegativeDuration("job-security-time", Duration.ofSeconds(60));
        var rules = BookingRules.from(settings, Duration.ofSeconds(30));
        return new OarScheduler(site, rules, settings, become, securityTime);
    }
}
