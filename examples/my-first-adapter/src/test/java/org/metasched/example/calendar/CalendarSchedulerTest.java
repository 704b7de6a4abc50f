package org.metasched.example.calendar;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SettableClock;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.catalog.AdapterCatalog;
import org.metasched.adapter.catalog.SiteConfiguration;
import org.metasched.adapter.settings.YamlSettings;
import org.metasched.adapter.testkit.KitSettings;
import org.metasched.adapter.testkit.LocalSchedulerContract;

/** All it takes to run the numbered rules, and one test of our own. */
class CalendarSchedulerTest extends LocalSchedulerContract {

    private static final Instant MORNING = Instant.parse("2026-11-21T08:00:00Z");

    @TempDir
    private Path folder;

    private final SettableClock clock = new SettableClock(MORNING);

    @Override
    protected LocalScheduler scheduler() {
        return new CalendarScheduler(new SiteId("lab"), 4, folder.resolve("calendar.txt"), clock);
    }

    @Override
    protected KitSettings settings() {
        var request = ResourceRequest.nodes(3, Duration.ofMinutes(10));
        return new KitSettings(request, Duration.ofMinutes(5), clock, Optional.of(clock::advance));
    }

    /** Why {@code docs/sites/my-adapter.yaml} has no {@code programs:}: a calendar is a text file, and starts nothing. */
    @Test
    void runsNoPrograms() {
        assertThat(scheduler().jobStarter()).isEmpty();
    }

    @Test
    void noIdIsGivenTwiceAfterAnotherProgramRemovedALine() throws Exception {
        var request = ResourceRequest.nodes(1, Duration.ofHours(1));
        scheduler().reserve(new RequestKey("first"), request, MORNING);
        var second = scheduler().reserve(new RequestKey("second"), request, MORNING);
        Path calendar = folder.resolve("calendar.txt");
        Files.write(calendar, Files.readAllLines(calendar).subList(1, 2));

        var third = scheduler().reserve(new RequestKey("third"), request, MORNING);

        assertThat(third.id()).isNotEqualTo(second.id());
    }

    @Test
    void isFoundByItsTypeAndKeepsItsCalendarInTheFile() throws Exception {
        Path calendar = folder.resolve("calendar.txt");
        var yaml = YamlSettings.parse(
                "site.yaml", "site: lab\nscheduler: {type: calendar, nodes: 2, file: '" + calendar + "'}\n");

        try (var catalog = AdapterCatalog.ofClassPath();
                var lab = SiteConfiguration.from(yaml).open(catalog, clock)) {
            lab.reserve(new RequestKey("first"), ResourceRequest.nodes(2, Duration.ofHours(1)), MORNING);
        }

        assertThat(Files.readString(calendar)).isEqualTo("C1 first 2 2026-11-21T08:00:00Z 2026-11-21T09:00:00Z held\n");
    }
}
