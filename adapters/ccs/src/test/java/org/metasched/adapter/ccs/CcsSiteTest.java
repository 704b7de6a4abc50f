package org.metasched.adapter.ccs;

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
import org.metasched.adapter.ReservationState;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.command.StandIn;
import org.metasched.adapter.settings.YamlSettings;

/** What the rules do not provoke, against the stand-in. */
@Tag("slow")
class CcsSiteTest {

    private static final String MORNING = "2026-11-21T08:00:00Z";
    private static final Instant NINE = Instant.parse("2026-11-21T09:00:00Z");
    private static final ResourceRequest TWO_NODES = ResourceRequest.nodes(2, Duration.ofHours(1));
    private static final RequestKey KEY = new RequestKey("meta-17_2");

    @TempDir
    private static Path folder;

    private static StandIn standIn;

    @BeforeAll
    static void install() throws Exception {
        standIn = StandIn.install("ccs", folder, 4, 4, MORNING);
    }

    @BeforeEach
    void startAfresh() throws Exception {
        standIn.startAfresh(MORNING);
    }

    @Test
    void aRaceForTheSlotIsLostWithoutATrace() throws Exception {
        standIn.operate("mishap", "busy");

        assertThatThrownBy(() -> site("").reserve(KEY, TWO_NODES, NINE))
                .isInstanceOf(Refused.class)
                .hasMessageContaining("cannot be planned")
                .hasMessageContaining("\nMaybe from 2026-11-21T10:00:00Z");

        assertThat(site("").find(KEY)).isEmpty();
    }

    @Test
    void aLostAnswerIsFoundAgain() throws Exception {
        standIn.operate("mishap", "lose");

        var held = site("").reserve(KEY, TWO_NODES, NINE);

        assertThat(held.slot().start()).isEqualTo(NINE);
        assertThat(site("").find(KEY).orElseThrow().reservation().id()).isEqualTo(held.id());
    }

    @Test
    void lessThanAskedIsGivenBack() throws Exception {
        standIn.operate("mishap", "short");

        assertThatThrownBy(() -> site("").reserve(KEY, TWO_NODES, NINE))
                .isInstanceOf(Refused.class)
                .hasMessageContaining("has been given back");

        assertThat(site("").find(KEY)).isEmpty();
    }

    @Test
    void aStoppedManagerOrHalfAnAnswerIsUnreachable() throws Exception {
        site("").reserve(KEY, TWO_NODES, NINE);
        for (String mishap : new String[] {"down", "garbled"}) {
            standIn.operate("mishap", mishap);

            assertThatThrownBy(() -> site("").earliestStart(TWO_NODES, NINE)).isInstanceOf(Unreachable.class);
            assertThatThrownBy(() -> site("").find(KEY)).isInstanceOf(Unreachable.class);
        }
    }

    @Test
    void brokenNodesAreSeenWhereTheListingNamesThem() throws Exception {
        var site = site("""
                dialect:
                  list: [ccsinfo, -s, --raw, --hosts]
                  columns: [id, name, user, state, start, start+, length, hosts, '*']
                  node-list: [ccsinfo, -n]
                """);
        var id = site.reserve(KEY, TWO_NODES, NINE).id();

        standIn.operate("node", "n1", "offline");

        assertThat(site.state(id).state()).isEqualTo(ReservationState.RESERVED);
        assertThat(site.state(id).lostNodes()).containsExactly("n1");
        assertThat(site.state(id).reservation().nodeNames()).containsExactly("n0", "n1");
        assertThat(site.earliestStart(ResourceRequest.nodes(4, Duration.ofHours(1)), NINE.plusSeconds(7200)))
                .isEmpty();
    }

    @Test
    void aRequestIsBookedAsTheWholeMinutesThatCoverIt() throws Exception {
        var held = site("").reserve(KEY, TWO_NODES, NINE.plusSeconds(7));

        assertThat(held.slot().start()).isEqualTo(NINE);
        assertThat(held.slot().end()).isEqualTo(NINE.plusSeconds(3660));
    }

    @Test
    void localTimeOfTheSiteIsSpokenToIt() throws Exception {
        var held = site("zone: Europe/Berlin\n").reserve(KEY, TWO_NODES, NINE);

        assertThat(held.slot().start()).isEqualTo(NINE);
    }

    private static LocalScheduler site(String more) {
        String yaml = "type: ccs\nnodes: 4\ncores-per-node: 4\n" + standIn.runSetting() + "\nsnapshot: 0s\n" + more;
        return new CcsFactory().open(new SiteId("ccs"), YamlSettings.parse("site.yaml", yaml), standIn.clock());
    }
}
