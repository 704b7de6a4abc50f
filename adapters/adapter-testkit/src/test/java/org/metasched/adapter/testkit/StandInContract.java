package org.metasched.adapter.testkit;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerFactory;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.command.StandIn;
import org.metasched.adapter.settings.YamlSettings;

/** The numbered rules against a stand-in of four nodes with the adapter's own defaults, and a job in the way. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class StandInContract extends LocalSchedulerContract {

    private final LocalSchedulerFactory factory;
    private final String settings;

    private Path folder;
    private StandIn standIn;

    /** @param settings what the adapter must be told beside its type, in lines of YAML */
    protected StandInContract(LocalSchedulerFactory factory, String... settings) {
        this.factory = factory;
        this.settings = String.join("\n", settings) + "\n";
    }

    @BeforeAll
    final void install(@TempDir Path made) throws Exception {
        folder = made;
        standIn = StandIn.install(factory.type(), folder, 4, 4, "2026-11-21T08:00:00Z");
        standIn.operate("job", "run1", "2", "4", "5400");
    }

    @Override
    protected final LocalScheduler scheduler() {
        String yaml = "type: " + factory.type() + "\n" + settings + "publish-folder: " + folder.resolve("spool") + "\n"
                + standIn.runSetting();
        return factory.open(new SiteId(factory.type()), YamlSettings.parse("site.yaml", yaml), standIn.clock());
    }

    @Override
    protected final KitSettings settings() {
        return new KitSettings(
                        ResourceRequest.nodes(3, Duration.ofMinutes(10)),
                        Duration.ofMinutes(10),
                        standIn.clock(),
                        Optional.of(standIn::advance))
                .with(new Neighbours());
    }

    /** Other users, and the operator. */
    private final class Neighbours implements KitSettings.Others {

        @Override
        public Map<String, Callable<Instant>> holdings() {
            return Map.of("a job on a part of a node", () -> {
                standIn.operate("job", "theirs", "1", "1", "7200");
                // the listings of CCS and EASY show minutes
                return standIn.clock().instant().plus(Duration.ofHours(2)).truncatedTo(ChronoUnit.MINUTES);
            });
        }

        @Override
        public void takeOut(String node) throws Exception {
            standIn.operate("node", node, "offline");
        }

        @Override
        public void leave() throws Exception {
            standIn.startAfresh(standIn.clock().instant().toString());
        }
    }
}
