package org.metasched.adapter.pbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException.Misconfigured;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.LocalSchedulerException.UnknownReservation;
import org.metasched.adapter.LocalSchedulerException.Unreachable;
import org.metasched.adapter.Need;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Requester;
import org.metasched.adapter.ReservationChange;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ReservationState;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;
import org.metasched.adapter.command.StandIn;
import org.metasched.adapter.settings.YamlSettings;

/** What the rules of the kit do not provoke: races, lost answers, broken nodes, users, zones. */
@Tag("full")
class PbsSchedulerIT {

    private static final String MORNING = "2026-11-21T08:00:00Z";
    private static final Instant NINE = Instant.parse("2026-11-21T09:00:00Z");
    private static final ResourceRequest TWO_NODES = ResourceRequest.nodes(2, Duration.ofHours(1));
    private static final ResourceRequest ONE_NODE = ResourceRequest.nodes(1, Duration.ofHours(1));
    private static final String CHANGES = "change-in-place: true\n";
    private static final RequestKey KEY = new RequestKey("meta-17_2");

    @TempDir
    private static Path folder;

    private static StandIn standIn;

    @BeforeAll
    static void install() throws Exception {
        standIn = StandIn.install("pbs", folder, 4, 4, MORNING);
    }

    @BeforeEach
    void startAfresh() throws Exception {
        standIn.startAfresh(MORNING);
    }

    @Test
    void aRaceForTheSlotIsLostWithoutATrace() throws Exception {
        var site = site("");
        standIn.operate("mishap", "busy");

        assertThatThrownBy(() -> site.reserve(KEY, TWO_NODES, NINE))
                .isInstanceOf(Refused.class)
                .hasMessageContaining("refused reservation meta-17_2 for 2 nodes at 2026-11-21T09:00:00Z")
                .hasMessageContaining("DENIED")
                .hasMessageContaining("\nMaybe from 2026-11-21T10:00:00Z");

        assertThat(site.find(KEY)).isEmpty();
    }

    @Test
    void aLostAnswerIsFoundAgainAndNotAskedTwice() throws Exception {
        var site = site("");
        standIn.operate("mishap", "lose");

        var held = site.reserve(KEY, TWO_NODES, NINE);

        assertThat(held.slot().start()).isEqualTo(NINE);
        assertThat(site("").find(KEY).orElseThrow().reservation()).isEqualTo(held);
        assertThat(site("").reserve(KEY, TWO_NODES, NINE).id()).isEqualTo(held.id());
    }

    @Test
    void aStoppedServerIsUnreachableForEveryOperation() throws Exception {
        var site = site("");
        standIn.operate("mishap", "down");

        assertThatThrownBy(() -> site.earliestStart(TWO_NODES, NINE))
                .isInstanceOf(Unreachable.class)
                .hasMessageContaining("cannot connect to server pbsvm (errno=15010)");
        assertThatThrownBy(() -> site.reserve(KEY, TWO_NODES, NINE)).isInstanceOf(Unreachable.class);
        assertThatThrownBy(() -> site.cancel(new ReservationId("R11.pbsvm"))).isInstanceOf(Unreachable.class);
        assertThatThrownBy(() -> site.state(new ReservationId("R11.pbsvm"))).isInstanceOf(Unreachable.class);
        assertThatThrownBy(() -> site.find(KEY)).isInstanceOf(Unreachable.class);
    }

    @Test
    void anAnswerCutShortIsNotBelieved() throws Exception {
        var site = site("");
        site.reserve(KEY, TWO_NODES, NINE);
        standIn.operate("mishap", "garbled");

        assertThatThrownBy(() -> site.earliestStart(TWO_NODES, NINE)).isInstanceOf(Unreachable.class);
        assertThatThrownBy(() -> site.find(KEY)).isInstanceOf(Unreachable.class);
    }

    @Test
    void lessThanAskedIsGivenBack() throws Exception {
        var site = site("");
        standIn.operate("mishap", "short");

        assertThatThrownBy(() -> site.reserve(KEY, TWO_NODES, NINE))
                .isInstanceOf(Refused.class)
                .hasMessageContaining("has been given back");

        assertThat(site.find(KEY).orElseThrow().state()).isEqualTo(ReservationState.CANCELLED);
        assertThat(site("").find(KEY)).isEmpty();
    }

    @Test
    void aBrokenNodeIsNamedUntilItReturns() throws Exception {
        var site = site("");
        var id = site.reserve(KEY, TWO_NODES, NINE).id();

        standIn.operate("node", "n1", "offline");
        var degraded = site.state(id);
        standIn.operate("node", "n1", "free");
        var mended = site.state(id);

        assertThat(degraded.state()).isEqualTo(ReservationState.RESERVED);
        assertThat(degraded.lostNodes()).containsExactly("n1");
        assertThat(mended.isDegraded()).isFalse();
    }

    @Test
    void anOfflineNodeIsNotOffered() throws Exception {
        standIn.operate("node", "n1", "offline");

        assertThat(site("").earliestStart(ResourceRequest.nodes(4, Duration.ofHours(1)), NINE))
                .isEmpty();
        assertThat(site("").earliestStart(ResourceRequest.nodes(3, Duration.ofHours(1)), NINE))
                .contains(NINE);
    }

    @Test
    void aReservationThatVanishedEarlyWasCancelledBySomebody() throws Exception {
        var site = site("");
        var id = site.reserve(KEY, TWO_NODES, NINE).id();

        site("").cancel(id);

        assertThat(site.state(id).state()).isEqualTo(ReservationState.CANCELLED);
        assertThatThrownBy(() -> site("").state(id)).isInstanceOf(UnknownReservation.class);
    }

    @Test
    void reservationsAreMadeForTheMappedUsersAndNoOther() throws Exception {
        Path map = folder.resolve("grid-mapfile");
        Files.writeString(map, "\"/O=Grid/CN=Alice Example\" alice\n\"/O=Grid/CN=Bob\" bob\n");
        var site = site("identity: {grid-mapfile: '" + map + "'}\n");
        var alice = forUsers("CN=Alice Example,O=Grid");
        var both = forUsers("CN=Alice Example,O=Grid", "/O=Grid/CN=Bob");

        site.reserve(KEY, alice, NINE);
        site.reserve(new RequestKey("both"), both, NINE);

        assertThat(Files.readString(folder.resolve("state"))).contains("gridadm\talice\t", "gridadm\talice,bob\t");
        for (var others : List.of(forUsers("/O=Grid/CN=Mallory"), forUsers("/O=Grid/CN=Bob", "/O=Grid/CN=Mallory"))) {
            assertThatThrownBy(() -> site.reserve(new RequestKey("other"), others, NINE))
                    .isInstanceOf(Refused.class)
                    .hasMessageContaining("(/O=Grid/CN=Mallory)");
        }
        assertThatThrownBy(() -> site("").reserve(new RequestKey("other"), both, NINE))
                .isInstanceOf(Refused.class)
                .hasMessageContaining("admits no further user such as (/O=Grid/CN=Bob)");
        assertThat(site.find(new RequestKey("other"))).isEmpty();
    }

    private static ResourceRequest forUsers(String subject, String... others) {
        var who = new Requester(subject, List.of(others), Optional.empty());
        return new ResourceRequest(new Need.Nodes(1), Duration.ofHours(1), Optional.of(who));
    }

    @Test
    void changesTimesAndGivesNodesBackWhereTheReservationIs() throws Exception {
        var site = site(CHANGES);
        var made = site.reserve(KEY, TWO_NODES, NINE);

        var later = changing(site).change(made.id(), TWO_NODES.lasting(Duration.ofHours(2)), NINE.minusSeconds(600));
        var smaller = changing(site).change(made.id(), ONE_NODE, NINE);

        assertThat(later.slot()).isEqualTo(TimeSlot.of(NINE.minusSeconds(600), Duration.ofHours(2)));
        assertThat(List.of(later.id(), smaller.id())).containsOnly(made.id());
        assertThat(smaller.slot()).isEqualTo(made.slot());
        assertThat(site(CHANGES).find(KEY).orElseThrow().reservation()).isEqualTo(smaller);
        assertThat(smaller.granted().amount()).isEqualTo(1);
        assertThatThrownBy(() -> changing(site).change(made.id(), TWO_NODES, NINE))
                .isInstanceOf(Refused.class)
                .hasMessageContaining("pbs_ralter adds none");
        assertThat(site("").reservationChange()).isEmpty();
    }

    @Test
    void aDeniedChangeLeavesTheReservation() throws Exception {
        var site = site(CHANGES);
        var made = site.reserve(KEY, TWO_NODES, NINE);
        standIn.operate("mishap", "busy");

        assertThatThrownBy(() -> changing(site).change(made.id(), TWO_NODES.lasting(Duration.ofHours(2)), NINE))
                .isInstanceOf(Refused.class)
                .hasMessageContaining("DENIED");

        assertThat(site(CHANGES).find(KEY).orElseThrow().reservation()).isEqualTo(made);
    }

    @Test
    void aChangeWhoseAnswerWasLostIsFoundAndMayBeRepeatedOrTakenBack() throws Exception {
        var site = site(CHANGES);
        var made = site.reserve(KEY, TWO_NODES, NINE);
        var longer = TWO_NODES.lasting(Duration.ofHours(2));
        standIn.operate("mishap", "lose");

        assertThatThrownBy(() -> changing(site).change(made.id(), longer, NINE)).isInstanceOf(Unreachable.class);

        var after = site(CHANGES);
        assertThat(after.state(made.id()).reservation().slot()).isEqualTo(TimeSlot.of(NINE, Duration.ofHours(2)));
        assertThat(changing(after).change(made.id(), longer, NINE).slot().length())
                .isEqualTo(Duration.ofHours(2));
        assertThat(changing(after).change(made.id(), TWO_NODES, NINE)).isEqualTo(made);
    }

    @ParameterizedTest
    @CsvSource({"none, 2", "denied, 1"})
    void aChangeThatIsNotDecidedIsNeitherUntilItIs(String decision, int hours) throws Exception {
        var site = site(CHANGES + "confirm-within: 1s\n");
        var made = site.reserve(KEY, TWO_NODES, NINE);
        var other = site.reserve(new RequestKey("other"), ONE_NODE, NINE);
        standIn.operate("mishap", "undecided");

        assertThatThrownBy(() -> changing(site).change(made.id(), TWO_NODES.lasting(Duration.ofHours(2)), NINE))
                .isInstanceOf(Unreachable.class)
                .hasMessageContaining("has not decided yet");
        assertThatThrownBy(() -> site.state(made.id())).isInstanceOf(Unreachable.class);
        assertThatThrownBy(() -> site.find(KEY)).isInstanceOf(Unreachable.class);
        assertThat(site.states(List.of(made.id(), other.id()))).containsOnlyKeys(other.id());

        standIn.operate("mishap", decision);
        assertThat(site.find(KEY).orElseThrow().reservation().slot())
                .isEqualTo(TimeSlot.of(NINE, Duration.ofHours(hours)));
        assertThat(changing(site).change(made.id(), TWO_NODES, NINE)).isEqualTo(made);
    }

    @Test
    void oneThatIsBeingChangedCanBeGivenUp() throws Exception {
        var site = site(CHANGES + "confirm-within: 1s\n");
        var made = site.reserve(KEY, TWO_NODES, NINE);
        standIn.operate("mishap", "undecided");
        assertThatThrownBy(() -> changing(site).change(made.id(), TWO_NODES.lasting(Duration.ofHours(2)), NINE))
                .isInstanceOf(Unreachable.class);

        site.cancel(made.id());

        assertThat(site("").find(KEY)).isEmpty();
    }

    private static ReservationChange changing(LocalScheduler site) {
        return site.reservationChange().orElseThrow();
    }

    @Test
    void anotherZoneChangesNothingButTheHourThatComesTwice() throws Exception {
        standIn.startAfresh("2026-10-24T22:00:00Z");
        var site = site("zone: Europe/Berlin\n");
        Instant before = Instant.parse("2026-10-24T23:30:00Z");
        Instant twice = Instant.parse("2026-10-25T01:30:00Z");

        var held = site.reserve(KEY, ResourceRequest.nodes(1, Duration.ofHours(1)), before);

        assertThat(held.slot().start()).isEqualTo(before);
        assertThat(held.slot().length()).isEqualTo(Duration.ofHours(1));
        assertThat(site.earliestStart(TWO_NODES, twice)).contains(Instant.parse("2026-10-25T02:00:00Z"));
        assertThatThrownBy(() -> site.reserve(new RequestKey("other"), TWO_NODES, twice))
                .isInstanceOf(Refused.class)
                .hasMessageContaining("comes twice in the zone Europe/Berlin");
    }

    @Test
    void theTextOutputOfAnOldPbsSaysTheSame() throws Exception {
        standIn.operate("job", "-N", "2", "4", "5400");
        site("").reserve(KEY, TWO_NODES, NINE);
        var request = ResourceRequest.nodes(3, Duration.ofHours(1));

        assertThat(site("output: text\n").earliestStart(request, NINE))
                .isEqualTo(site("").earliestStart(request, NINE))
                .contains(Instant.parse("2026-11-21T10:00:00Z"));
    }

    @Test
    void aStartBetweenSecondsIsBookedAsTheSecondsThatCoverIt() throws Exception {
        var held = site("").reserve(KEY, TWO_NODES, NINE.plusMillis(137));

        assertThat(held.slot().start()).isEqualTo(NINE);
        assertThat(held.slot().end()).isEqualTo(NINE.plusSeconds(3601));
    }

    @Test
    void commandsThatAreNotThereAreAMatterOfConfiguration() {
        var site =
                new PbsFactory().open(new SiteId("pbs"), YamlSettings.parse("site.yaml", "type: pbs"), standIn.clock());

        assertThatThrownBy(() -> site.cancel(new ReservationId("R11.pbsvm")))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("(pbs_rstat) was not found");
    }

    @Test
    void aWrongSettingIsNamedWithItsPlace() {
        assertThatThrownBy(() -> site("exclusiv: true\n")).hasMessageContaining("'exclusive' was meant");
        assertThatThrownBy(() -> site("place: pack\n")).hasMessageStartingWith("site.yaml:");
    }

    private static LocalScheduler site(String more) {
        String yaml = "type: pbs\n" + standIn.runSetting() + "\nsnapshot: 0s\n" + more;
        return new PbsFactory().open(new SiteId("pbs"), YamlSettings.parse("site.yaml", yaml), standIn.clock());
    }
}
