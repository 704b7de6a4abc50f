package org.metasched.adapter.ccs;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.support.StandIn;
import org.metasched.adapter.support.YamlSettings;
import org.metasched.adapter.testkit.KitSettings;
import org.metasched.adapter.testkit.LocalSchedulerContract;

/** The numbered rules against the stand-in with the adapter's own defaults, and a job in the way. */
class CcsContractTest extends LocalSchedulerContract {

    @TempDir
    private static Path folder;

    private static StandIn standIn;

    @BeforeAll
    static void install() throws Exception {
        standIn = StandIn.install("ccs", folder, 4, 4, "2026-11-21T08:00:00Z");
        standIn.operate("job", "run1", "2", "4", "5400");
    }

    @Override
    protected LocalScheduler scheduler() {
        String yaml = "type: ccs\nnodes: 4\ncores-per-node: 4\npublish-folder: " + folder.resolve("spool") + "\n"
                + standIn.runSetting();
        return new CcsFactory().open(new SiteId("ccs"), YamlSettings.parse("site.yaml", yaml), standIn);
    }

    @Override
    protected KitSettings settings() {
        return new KitSettings(
                ResourceRequest.nodes(3, Duration.ofMinutes(10)),
                Duration.ofMinutes(10),
                standIn,
                Optional.of(standIn::advance));
    }
}
