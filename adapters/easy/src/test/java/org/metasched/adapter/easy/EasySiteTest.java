package org.metasched.adapter.easy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.LocalSchedulerException.Unreachable;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.command.StandIn;
import org.metasched.adapter.settings.YamlSettings;

/** What the rules do not provoke, against the stand-in. */
@Tag("slow")
class EasySiteTest {

    private static final String MORNING = "2026-11-21T08:00:00Z";
    private static final Instant NINE = Instant.parse("2026-11-21T09:00:00Z");
    private static final RequestKey KEY = new RequestKey("meta-17_2");

    @TempDir
    private static Path folder;

    private static StandIn standIn;

    @BeforeAll
    static void install() throws Exception {
        standIn = StandIn.install("easy", folder, 4, 1, MORNING);
    }

    @BeforeEach
    void startAfresh() throws Exception {
        standIn.startAfresh(MORNING);
    }

    @Test
    void theFirstJobOfTheQueueIsNotDelayed() throws Exception {
        standIn.operate("job", "runs", "3", "1", "3600");
        standIn.operate("job", "waits", "4", "1", "7200");
        standIn.operate("job", "waitstoo", "4", "1", "7200");
        var oneHour = ResourceRequest.nodes(1, Duration.ofHours(1));
        var twoHours = ResourceRequest.nodes(1, Duration.ofHours(2));

        // The waiting job gets all four nodes from nine to eleven; the second one has no promise.
        assertThat(site("").earliestStart(oneHour, Instant.parse("2026-11-21T08:01:00Z")))
                .contains(Instant.parse("2026-11-21T11:00:00Z"));
        assertThat(site("").earliestStart(ResourceRequest.nodes(1, Duration.ofMinutes(30)), NINE.minusSeconds(1800)))
                .contains(NINE.minusSeconds(1800));
        assertThatThrownBy(() -> site("").reserve(KEY, twoHours, NINE.minusSeconds(1800)))
                .isInstanceOf(Refused.class)
                .hasMessageContaining("not available");
        assertThat(site("").reserve(KEY, twoHours, Instant.parse("2026-11-21T11:00:00Z"))
                        .slot()
                        .start())
                .isEqualTo(Instant.parse("2026-11-21T11:00:00Z"));
    }

    @Test
    void loadCountsWhatRunsAndWhatWaits() throws Exception {
        standIn.operate("job", "runs", "3", "1", "3600");
        standIn.operate("job", "waits", "4", "1", "7200");

        var load = site("").loadReporting().orElseThrow().load();

        assertThat(load.totalNodes()).isEqualTo(4);
        assertThat(load.freeNodes()).isEqualTo(1);
        assertThat(load.runningJobs()).isEqualTo(1);
        assertThat(load.queuedJobs()).isEqualTo(1);
    }

    @Test
    void aJobWithoutALimitBlocksItsNodesForGood() throws Exception {
        standIn.operate("job", "endless", "3", "1", "none");

        assertThat(site("").earliestStart(ResourceRequest.nodes(2, Duration.ofHours(1)), NINE))
                .isEmpty();
        assertThat(site("").earliestStart(ResourceRequest.nodes(1, Duration.ofHours(1)), NINE))
                .contains(NINE);
    }

    @Test
    void downNodesAreCountedOutWhereTheSchedulerTells() throws Exception {
        standIn.operate("node", "n3", "offline");
        var four = ResourceRequest.nodes(4, Duration.ofHours(1));

        assertThat(site("dialect: {node-list: [spnodes]}\n").earliestStart(four, NINE))
                .isEmpty();
    }

    @Test
    void aLostAnswerIsFoundAgainAndAStoppedSchedulerIsUnreachable() throws Exception {
        var two = ResourceRequest.nodes(2, Duration.ofHours(1));
        standIn.operate("mishap", "lose");

        var held = site("").reserve(KEY, two, NINE);

        assertThat(site("").reserve(KEY, two, NINE).id()).isEqualTo(held.id());
        standIn.operate("mishap", "down");
        assertThatThrownBy(() -> site("").state(held.id())).isInstanceOf(Unreachable.class);
    }

    /** The id is not sought in the answer of a command that failed, so an odd line in it does not hide the refusal. */
    @Test
    void aRefusalWithAnOddLineIsARefusal() {
        for (String odd : new String[] {"host ".repeat(150), "\\\\033[1m"}) {
            String submit =
                    "dialect: {submit: [/bin/sh, -c, \"printf '%s'; exit 1\", '{nodes}', '{start}', '{minutes}'],"
                            + " refused: 'too late'}\n";

            assertThatThrownBy(() -> site(submit.formatted(odd + "\\\\ntoo late\\\\n"))
                            .reserve(KEY, ResourceRequest.nodes(1, Duration.ofHours(1)), NINE))
                    .isInstanceOf(Refused.class);
        }
    }

    private static LocalScheduler site(String more) {
        String yaml = "type: easy\nnodes: 4\ncores-per-node: 1\n" + standIn.runSetting() + "\nsnapshot: 0s\n" + more;
        return new EasyFactory().open(new SiteId("easy"), YamlSettings.parse("site.yaml", yaml), standIn.clock());
    }
}
