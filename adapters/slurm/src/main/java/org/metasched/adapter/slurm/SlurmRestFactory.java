package org.metasched.adapter.slurm;

import java.time.Clock;
import java.util.List;
import java.util.TreeSet;
import org.metasched.adapter.DisplayText;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerFactory;
import org.metasched.adapter.Settings;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.booking.CommandLineSite;
import org.metasched.adapter.rest.RestAccess;

/**
 * Type {@code slurm-rest}: the settings of {@code slurm}, where slurmrestd is ({@code url}, {@code token-file}, {@code timeout}) and
 * which version of its interface is spoken ({@code api-version}).
 */
public final class SlurmRestFactory implements LocalSchedulerFactory {

    /** Versions that make reservations and that the adapter was tested with, at Slurm 26.05. */
    static final List<String> VERSIONS = List.of("v0.0.43", "v0.0.44", "v0.0.45");

    @Override
    public String type() {
        return "slurm-rest";
    }

    @Override
    public LocalScheduler open(SiteId id, Settings settings, Clock clock) {
        var keys = new TreeSet<>(SlurmSchedulerFactory.KEYS);
        keys.addAll(List.of("url", "token-file", "timeout", "api-version"));
        settings.allowOnly(keys);
        String version = settings.text("api-version").orElse(VERSIONS.get(0));
        if (!VERSIONS.contains(version)) {
            throw settings.invalid(
                    "api-version",
                    "expected one of " + VERSIONS + ", not (" + DisplayText.of(version)
                            + "): up to v0.0.42 (Slurm 24.11) slurmrestd reads reservations and makes none");
        }
        CommandLineSite site = SlurmSchedulerFactory.site(id, settings, clock);
        var slurm = new SlurmRest(
                site,
                SlurmSchedulerFactory.partition(settings),
                new RestAccess(settings, SlurmRest.LONGEST_ANSWER),
                version);
        return SlurmSchedulerFactory.scheduler(site, settings, slurm);
    }
}
