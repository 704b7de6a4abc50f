package org.metasched.example.lots;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException.Unreachable;
import org.metasched.adapter.Need;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SettableClock;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.settings.YamlSettings;
import org.metasched.adapter.testkit.KitSettings;
import org.metasched.adapter.testkit.LocalSchedulerContract;

/** The rules against the program {@code lot}, and what it means when its listing is odd. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LotSchedulerTest extends LocalSchedulerContract {

    private static final Instant NINE = Instant.parse("2026-11-21T09:00:00Z");

    private static final String NODES = "n1|4\nn2|4\nn3|8\n";

    @TempDir
    private Path lots;

    private final SettableClock clock = new SettableClock(Instant.parse("2026-11-21T08:00:00Z"));

    @BeforeEach
    void threeNodesAndALotOfAnother() throws Exception {
        Files.writeString(lots.resolve("nodes"), NODES);
        Files.writeString(lots.resolve("lots"), "L0|another|1795248000|1795251600|n1\n");
        Files.deleteIfExists(lots.resolve("last"));
    }

    @Override
    protected LocalScheduler scheduler() {
        Path program = Path.of("").toAbsolutePath();
        String yaml = "type: lots\nrun: {path: ['" + program + "'], environment: {LOTS: '" + lots + "'}}\n";
        return new LotScheduler.Factory().open(new SiteId("lots"), YamlSettings.parse("site.yaml", yaml), clock);
    }

    @Override
    protected KitSettings settings() {
        var request = ResourceRequest.nodes(2, Duration.ofMinutes(10));
        return new KitSettings(request, Duration.ofMinutes(5), clock, Optional.of(clock::advance))
                .with(new Neighbours());
    }

    /** What others do there, as files say it. */
    private final class Neighbours implements KitSettings.Others {

        @Override
        public Map<String, Callable<Instant>> holdings() {
            return Map.of("a reservation", () -> {
                Instant until = clock.instant().plus(Duration.ofHours(3));
                String slot = clock.instant().getEpochSecond() + "|" + until.getEpochSecond();
                Files.writeString(lots.resolve("lots"), "L9|theirs|" + slot + "|n3\n", StandardOpenOption.APPEND);
                return until;
            });
        }

        @Override
        public void takeOut(String node) throws Exception {
            Files.writeString(lots.resolve("nodes"), NODES.replaceFirst(node + "[|].*\n", ""));
        }

        @Override
        public void leave() throws Exception {
            Files.writeString(lots.resolve("nodes"), NODES);
            Files.writeString(lots.resolve("lots"), "");
        }
    }

    @Test
    void coresAreCountedByNode() throws Exception {
        var site = scheduler();
        var large = ResourceRequest.nodes(1, Duration.ofHours(1)).of(new Need.Nodes(1, 8, new TreeSet<>()));

        assertThat(site.reserve(new RequestKey("large"), large, NINE).nodeNames())
                .containsExactly("n3");
        assertThat(site.earliestStart(large, NINE)).contains(NINE.plus(Duration.ofHours(1)));
    }

    @Test
    void aNodeThatGoesDownIsLost() throws Exception {
        var held = scheduler().reserve(new RequestKey("two"), ResourceRequest.nodes(3, Duration.ofHours(1)), NINE);
        Files.writeString(lots.resolve("nodes"), "n1|4\nn3|8\n");

        assertThat(scheduler().state(held.id()).lostNodes()).containsExactly("n2");
    }

    @Test
    void aListingCutShortIsNoAnswer() throws Exception {
        Files.writeString(lots.resolve("lots"), "L0|another|17952");

        assertThatThrownBy(() -> scheduler().earliestStart(ResourceRequest.nodes(1, Duration.ofHours(1)), NINE))
                .isInstanceOf(Unreachable.class)
                .hasMessageContaining("expected 5 columns");
    }
}
