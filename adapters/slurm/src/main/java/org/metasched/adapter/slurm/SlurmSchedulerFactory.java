package org.metasched.adapter.slurm;

import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerFactory;
import org.metasched.adapter.Settings;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.booking.BookingRules;
import org.metasched.adapter.booking.BookingScheduler;
import org.metasched.adapter.booking.CommandLineSite;

/**
 * Type {@code slurm}. Own settings: {@code partition}, and {@code users}, who may use the reservations of a site that does
 * not map certificates to users.
 */
public final class SlurmSchedulerFactory implements LocalSchedulerFactory {

    static final Set<String> KEYS = BookingScheduler.keysAnd("partition", "users", "programs");

    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}");

    @Override
    public String type() {
        return "slurm";
    }

    @Override
    public LocalScheduler open(SiteId id, Settings settings, Clock clock) {
        settings.allowOnly(KEYS);
        CommandLineSite site = site(id, settings, clock);
        return scheduler(site, settings, new SlurmCommands(site.runner(), site.shared(), partition(settings)));
    }

    static CommandLineSite site(SiteId id, Settings settings, Clock clock) {
        var usual =
                new CommandLineSite.Defaults(ZoneOffset.UTC, Duration.ofSeconds(1), Map.of("SLURM_TIME_FORMAT", "%s"));
        return CommandLineSite.from(id, settings, clock, usual);
    }

    static String partition(Settings settings) {
        String partition = settings.requiredText("partition");
        boolean isName = WORD.matcher(partition).matches();
        settings.refuseIf(!isName, "partition", "expected the name of a partition, not (%s)", partition);
        return partition;
    }

    static LocalScheduler scheduler(CommandLineSite site, Settings settings, SlurmOperations slurm) {
        List<String> users = settings.texts("users");
        for (String user : users) {
            settings.refuseIf(!WORD.matcher(user).matches(), "users", "expected user names, not (%s)", user);
        }
        String account = System.getProperty("user.name");
        if (users.isEmpty() && WORD.matcher(account).matches()) { // an account may have no name
            users = List.of(account);
        }
        var rules = BookingRules.from(settings, Duration.ofSeconds(10));
        return new SlurmScheduler(site, rules, settings, slurm, users);
    }
}
