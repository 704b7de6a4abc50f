package org.metasched.adapter.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException.Misconfigured;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.LocalSchedulerException.Unreachable;
import org.metasched.adapter.Need;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Requester;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationChange;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ReservationState;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;
import org.metasched.adapter.settings.YamlSettings;
import org.metasched.adapter.testkit.ScriptedCommands;

/** The scheduler against recorded answers, through real processes. */
class SlurmSchedulerTest {

    private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");
    private static final Instant START = Instant.parse("2026-11-21T12:00:00Z");
    private static final RequestKey KEY = new RequestKey("k1");
    private static final String NAME = "metasched-k1";
    private static final ReservationId ID = new ReservationId(NAME);

    private static final String NODES = "NODELIST|STATE|CPUS|AVAIL_FEATURES\n"
            + "s1|idle|4|fast\ns2|idle|4|fast\ns3|mixed|4|slow\ns4|drained|4|slow\n";
    private static final String NO_JOBS = "JOBID|STATE|END_TIME|NODELIST\n";

    @TempDir
    Path folder;

    private ScriptedCommands slurm;
    private LocalScheduler site;

    @BeforeEach
    void open() {
        slurm = new ScriptedCommands(folder.resolve("bin"), "sinfo", "squeue", "scontrol", "scancel");
        site = open(slurm);
        slurm.answer("sinfo *", 0, NODES, "");
    }

    private static LocalScheduler open(ScriptedCommands commands) {
        return open(commands, "");
    }

    private static LocalScheduler open(ScriptedCommands commands, String more) {
        String yaml = more + "partition: grid\nusers: [alice]\nrun:\n  path: [" + commands.folder() + "]\n";
        return open(yaml, NOW);
    }

    private static LocalScheduler open(String yaml, Instant now) {
        return new SlurmSchedulerFactory()
                .open(new SiteId("here"), YamlSettings.parse("site.yaml", yaml), Clock.fixed(now, ZoneOffset.UTC));
    }

    private static String shown(int count, long start, long end) {
        String nodes = count == 1 ? "s1" : "s[1-" + count + "]";
        return "ReservationName=" + NAME + " StartTime=" + start + " EndTime=" + end
                + " Duration=00:10:00 Nodes=" + nodes + " NodeCnt=" + count + " CoreCnt=" + 4 * count
                + " Features=(null) PartitionName=grid Flags= TRES=cpu=" + 4 * count
                + " Users=alice Groups=(null) Accounts=(null) Licenses=(null) State=INACTIVE BurstBuffer=(null)"
                + " Watts=n/a MaxStartDelay=(null)\n";
    }

    private static String asAsked(int count) {
        return shown(count, START.getEpochSecond(), START.getEpochSecond() + 600);
    }

    @Test
    void aPartitionWithoutNodesIsNamedRatherThanTakenForAFullOne() {
        var empty = new ScriptedCommands(folder.resolve("empty"), "sinfo", "squeue", "scontrol", "scancel");
        empty.answer("sinfo *", 0, NODES.substring(0, NODES.indexOf('\n') + 1), "");
        empty.answer("squeue *", 0, NO_JOBS, "");
        empty.answer("scontrol -a -o show reservation", 0, "No reservations in the system\n", "");
        var other = open(empty);

        assertThatThrownBy(() -> other.earliestStart(ResourceRequest.nodes(1, Duration.ofMinutes(10)), NOW))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("the partition (grid) has no nodes")
                .hasMessageContaining("Maybe its name is misspelled");
    }

    @Test
    void aSlurmWithoutItsConfigurationSaysWhereThatIsSet() {
        var lost = new ScriptedCommands(folder.resolve("lost"), "sinfo", "squeue", "scontrol", "scancel");
        lost.answer("*", 1, "", "scontrol: fatal: Could not establish a configuration source\n");

        assertThatThrownBy(() -> open(lost).earliestStart(ResourceRequest.nodes(1, Duration.ofMinutes(10)), NOW))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("\nMaybe slurm.conf is elsewhere: set SLURM_CONF in 'run: environment:'.");
    }

    /** As in a container that runs under a number of its own. */
    @Test
    void anAccountWithoutANameIsToldThatItsReservationsNeedUsers() {
        String name = System.getProperty("user.name");
        System.setProperty("user.name", "?");
        try {
            idle();
            notFoundOnce();
            String yaml = "partition: grid\nrun:\n  path: [" + slurm.folder() + "]\n";
            var nameless = new SlurmSchedulerFactory()
                    .open(new SiteId("here"), YamlSettings.parse("site.yaml", yaml), Clock.fixed(NOW, ZoneOffset.UTC));

            assertThatThrownBy(() -> nameless.reserve(KEY, nodes(1), START))
                    .isInstanceOf(Misconfigured.class)
                    .hasMessageContaining("the account of this program has no name, so 'users'");
        } finally {
            System.setProperty("user.name", name);
        }
    }

    private void idle() {
        slurm.answer("squeue *", 0, NO_JOBS, "");
        slurm.answer("scontrol -a -o show reservation", 0, "No reservations in the system\n", "");
    }

    private void notFoundOnce() {
        slurm.answerOnce("scontrol -a -o show reservation " + NAME, 1, "Reservation " + NAME + " not found\n", "");
    }

    private static ResourceRequest nodes(int count) {
        return ResourceRequest.nodes(count, Duration.ofMinutes(10));
    }

    @Test
    void offersAStartOneSecondAfterTheLimitOfTheLastJobInTheWay() throws Exception {
        slurm.answer("squeue *", 0, NO_JOBS + "7|RUNNING|" + (NOW.getEpochSecond() + 1000) + "|s[1-2]\n", "");
        slurm.answer("scontrol -a -o show reservation", 0, "No reservations in the system\n", "");

        assertThat(site.earliestStart(nodes(1), NOW)).contains(NOW.plusSeconds(60));
        assertThat(site.earliestStart(nodes(2), NOW)).contains(NOW.plusSeconds(1001));
        assertThat(site.earliestStart(nodes(4), NOW)).isEmpty();
    }

    @Test
    void countsADailyReservationOnEveryDayOfTheLookAhead() throws Exception {
        long noon = START.getEpochSecond();
        slurm.answer("squeue *", 0, NO_JOBS, "");
        slurm.answer(
                "scontrol -a -o show reservation", 0, shown(3, noon, noon + 600).replace("Flags=", "Flags=DAILY"), "");

        assertThat(site.earliestStart(nodes(1), START)).contains(START.plusSeconds(600));
        assertThat(site.earliestStart(nodes(1), START.plus(Duration.ofDays(3)).plusSeconds(5)))
                .contains(START.plus(Duration.ofDays(3)).plusSeconds(600));
    }

    /** Noon in Berlin is at ten o'clock UTC on Saturday, and at eleven from Sunday on. */
    @ParameterizedTest
    @CsvSource({
        "DAILY, Europe/Berlin, 2026-10-24T10:00:00Z, 2026-10-26T10:00:00Z, 2026-10-26T10:00:00Z",
        "DAILY, Europe/Berlin, 2026-10-24T10:00:00Z, 2026-10-26T11:00:00Z, 2026-10-26T11:10:00Z",
        "WEEKLY, Europe/Berlin, 2026-10-24T10:00:00Z, 2026-10-31T11:00:00Z, 2026-10-31T11:10:00Z",
        "WEEKDAY, Europe/Berlin, 2026-10-24T10:00:00Z, 2026-10-26T11:00:00Z, 2026-10-26T11:10:00Z",
        "DAILY, UTC, 2026-10-24T10:00:00Z, 2026-10-26T10:00:00Z, 2026-10-26T10:10:00Z",
        "HOURLY, Europe/Berlin, 2026-10-24T10:30:00Z, 2026-10-26T11:30:00Z, 2026-10-26T11:40:00Z",
        // ten minutes of an hour that comes twice may be in either
        "DAILY, Europe/Berlin, 2026-10-24T00:30:00Z, 2026-10-25T00:30:00Z, 2026-10-25T02:00:00Z",
        // an hour that is left out moves behind itself, and stays there
        "DAILY, Europe/Berlin, 2026-03-28T01:55:00Z, 2026-03-29T01:55:00Z, 2026-03-29T02:05:00Z",
        "DAILY, Europe/Berlin, 2026-03-28T01:30:00Z, 2026-03-30T01:30:00Z, 2026-03-30T01:40:00Z",
    })
    void aDailyReservationComesAtTheSameHourOfTheSitesZone(
            String flag, String zone, Instant first, Instant from, Instant expected) throws Exception {
        slurm.answer("squeue *", 0, NO_JOBS, "");
        String yaml = "zone: " + zone + "\nlook-ahead: 9d\npartition: grid\nusers: [alice]\nrun:\n  path: ["
                + slurm.folder() + "]\n";
        long start = first.getEpochSecond();
        String record = shown(3, start, start + 600).replace("Flags=", "Flags=" + flag);
        slurm.answer("scontrol -a -o show reservation", 0, record, "");

        assertThat(open(yaml, first.minusSeconds(3600)).earliestStart(nodes(1), from))
                .contains(expected);
    }

    @Test
    void usersAreMappedOntoTheAccessListAndTheProjectIsTheAccount() throws Exception {
        Files.writeString(folder.resolve("map"), "\"/O=Grid/CN=Alice\" alice\n\"/O=Grid/CN=Bob\" bob\n");
        var mapping = open(slurm, "identity: {grid-mapfile: " + folder.resolve("map") + "}\n");
        idle();
        notFoundOnce();
        slurm.answer("scontrol -a -o show reservation " + NAME, 0, asAsked(1), "");
        slurm.answer("scontrol create reservation *", 0, "Reservation created: " + NAME + "\n", "");

        mapping.reserve(KEY, shared("CN=Bob,O=Grid"), START);

        assertThat(slurm.calls()).anyMatch(call -> call.contains(" Users=alice,bob Accounts=P42 "));
        assertThatThrownBy(() -> mapping.earliestStart(shared("/O=Grid/CN=Eve"), START))
                .isInstanceOf(Refused.class)
                .hasMessageContaining("no local user for the subject (/O=Grid/CN=Eve)");
        assertThatThrownBy(() -> site.earliestStart(shared("CN=Bob,O=Grid"), START))
                .isInstanceOf(Refused.class)
                .hasMessageContaining("admits no further user such as (CN=Bob,O=Grid)");
    }

    private static ResourceRequest shared(String other) {
        var who = new Requester("/O=Grid/CN=Alice", List.of(other), Optional.of("P42"));
        return new ResourceRequest(new Need.Nodes(1), Duration.ofMinutes(10), Optional.of(who));
    }

    @Test
    void givesSecondsSinceTheEpochAndReadsBackWhatWasMade() throws Exception {
        idle();
        notFoundOnce();
        slurm.answer("scontrol -a -o show reservation " + NAME, 0, asAsked(2), "");
        slurm.answer("scontrol create reservation *", 0, "Reservation created: " + NAME + "\n", "");

        Reservation made = site.reserve(KEY, nodes(2), START);

        assertThat(made.nodeNames()).containsExactly("s1", "s2");
        assertThat(slurm.calls())
                .contains("scontrol create reservation ReservationName=" + NAME + " StartTime=uts"
                        + START.getEpochSecond() + " EndTime=uts" + (START.getEpochSecond() + 600)
                        + " PartitionName=grid Users=alice NodeCnt=2");
        assertThat(site.state(made.id()).state()).isEqualTo(ReservationState.RESERVED);
    }

    /** One of two nodes with the feature has the cores. */
    @Test
    void namedNodesHaveTheFeaturesThatSlurmDoesNotShowOfTheirReservation() throws Exception {
        String answer = "NODELIST|STATE|CPUS|AVAIL_FEATURES\ns1|idle|4|fast,new\ns2|idle|2|fast\n";
        slurm = new ScriptedCommands(folder.resolve("few"), "sinfo", "squeue", "scontrol", "scancel");
        slurm.answer("sinfo *", 0, answer, "");
        idle();
        notFoundOnce();
        String shown = asAsked(1).replace(" Flags= ", " Flags=SPEC_NODES ");
        slurm.answer("scontrol -a -o show reservation " + NAME, 0, shown, "");
        slurm.answer("scontrol create reservation *", 0, "Reservation created: " + NAME + "\n", "");
        var need = new Need.Nodes(1, 4, new TreeSet<>(Set.of("fast")));
        var request = new ResourceRequest(need, Duration.ofMinutes(10), Optional.empty());

        Reservation made = open(slurm).reserve(KEY, request, START);

        assertThat(made.nodeNames()).containsExactly("s1");
        assertThat(slurm.calls()).anyMatch(call -> call.startsWith("scontrol create ") && call.contains("Nodes=s1"));
    }

    @Test
    void aReservationThatRunsProgramsIsLongerThanItsSlotSoThatTheyMayBeginLate() throws Exception {
        var running = open(slurm, "programs: {}\n");
        long foreign = START.getEpochSecond() + 690;
        slurm.answer("squeue *", 0, NO_JOBS, "");
        slurm.answer(
                "scontrol -a -o show reservation",
                0,
                shown(3, foreign, foreign + 600).replace(NAME, "maintenance"),
                "");
        notFoundOnce();
        slurm.answer("scontrol -a -o show reservation " + NAME, 0, shown(2, START.getEpochSecond(), foreign), "");
        slurm.answer("scontrol create reservation *", 0, "Reservation created: " + NAME + "\n", "");

        assertThat(running.earliestStart(nodes(1), START)).contains(START);
        assertThat(running.earliestStart(nodes(1), START.plusSeconds(1))).contains(START.plusSeconds(1290));
        Reservation made = running.reserve(KEY, nodes(2), START);

        assertThat(made.slot()).isEqualTo(TimeSlot.of(START, Duration.ofMinutes(10)));
        assertThat(slurm.calls()).anyMatch(call -> call.contains(" EndTime=uts" + foreign + " "));
    }

    @Test
    void givesBackAReservationThatWasSilentlyCut() throws Exception {
        idle();
        notFoundOnce();
        for (int i = 0; i < 2; i++) {
            slurm.answerOnce("scontrol -a -o show reservation " + NAME, 0, asAsked(1), "");
        }
        slurm.answer("scontrol -a -o show reservation " + NAME, 1, "Reservation " + NAME + " not found\n", "");
        slurm.answer("scontrol create reservation *", 0, "Reservation created: " + NAME + "\n", "");
        slurm.answer("scontrol delete *", 0, "", "");

        assertThatThrownBy(() -> site.reserve(KEY, nodes(2), START))
                .isInstanceOf(Refused.class)
                .hasMessageContaining("granted 1 node ")
                .hasMessageContaining("has been given back");
        assertThat(slurm.calls()).contains("scontrol delete ReservationName=" + NAME);
    }

    /** What slurmctld 22.05 says: "Reservation updated.", and nothing of what it made of the request. */
    @Test
    void changesAReservationWhereItIsAndReadsItBack() throws Exception {
        idle();
        String show = "scontrol -a -o show reservation " + NAME;
        long end = START.getEpochSecond() + 1200;
        slurm.answerOnce(show, 0, asAsked(1), "");
        slurm.answerOnce(show, 0, shown(3, START.getEpochSecond(), end), "");
        slurm.answer("scontrol update *", 0, "Reservation updated.\n", "");

        Reservation changed = ability().change(ID, nodes(3).lasting(Duration.ofMinutes(20)), START);

        assertThat(slurm.calls()).contains("scontrol update ReservationName=" + NAME + " NodeCnt=3 EndTime=uts" + end);
        assertThat(changed.granted().amount()).isEqualTo(3);
        assertThat(changed.slot()).isEqualTo(TimeSlot.of(START, Duration.ofMinutes(20)));
        assertThat(changed.key()).isEqualTo(KEY);
    }

    @Test
    void doesNotAskForMoreNodesThanAreFree() {
        idle();
        String show = "scontrol -a -o show reservation " + NAME;
        slurm.answer(show, 0, asAsked(1), "");
        assertThatThrownBy(() -> ability().change(ID, nodes(9), START))
                .isInstanceOf(Refused.class)
                .hasMessageContaining("of 8 more such nodes free");
        assertThat(slurm.calls()).noneMatch(call -> call.startsWith("scontrol update"));
    }

    @Test
    void changesBackWhatWasCut() {
        idle();
        String show = "scontrol -a -o show reservation " + NAME;
        slurm.answerOnce(show, 0, asAsked(1), "");
        slurm.answerOnce(show, 0, asAsked(2), "");
        slurm.answer(show, 0, asAsked(1), "");
        slurm.answer("scontrol update *", 0, "Reservation updated.\n", "");
        assertThatThrownBy(() -> ability().change(ID, nodes(3), START))
                .isInstanceOf(Refused.class)
                .hasMessageContaining("it has been changed back");
        assertThat(slurm.calls()).contains("scontrol update ReservationName=" + NAME + " NodeCnt=1");
    }

    @Test
    void whatCannotBeChangedBackIsNoRefusal() {
        idle();
        String show = "scontrol -a -o show reservation " + NAME;
        slurm.answerOnce(show, 0, asAsked(1), "");
        slurm.answer(show, 0, asAsked(2), "");
        slurm.answerOnce("scontrol update *", 0, "Reservation updated.\n", "");
        slurm.answer("scontrol update *", 1, "", "Error updating the reservation: Requested nodes are busy\n");

        assertThatThrownBy(() -> ability().change(ID, nodes(3), START))
                .isInstanceOf(Unreachable.class)
                .hasMessageContaining("2 nodes")
                .hasMessageContaining("could not be changed back");
    }

    @Test
    void anUpdateThatChangesNothingBackIsNoRefusal() {
        idle();
        String show = "scontrol -a -o show reservation " + NAME;
        slurm.answerOnce(show, 0, asAsked(1), "");
        slurm.answer(show, 0, asAsked(2), "");
        slurm.answer("scontrol update *", 0, "Reservation updated.\n", "");

        assertThatThrownBy(() -> ability().change(ID, nodes(3), START)).isInstanceOf(Unreachable.class);
    }

    private ReservationChange ability() {
        return site.reservationChange().orElseThrow();
    }

    @Test
    void findsWhatALostAnswerMade() throws Exception {
        idle();
        notFoundOnce();
        slurm.answer("scontrol -a -o show reservation " + NAME, 0, asAsked(2), "");
        slurm.answer(
                "scontrol create reservation *",
                1,
                "",
                "Error creating the reservation: Unexpected message received\n");

        assertThat(site.reserve(KEY, nodes(2), START).id()).isEqualTo(new ReservationId(NAME));
    }

    @Test
    void saysThatItMayHaveHappenedWhenTheControllerIsGone() {
        idle();
        notFoundOnce();
        slurm.answer("scontrol *", 1, "", "slurm_load_reservations error: Unable to contact slurm controller\n");

        assertThatThrownBy(() -> site.reserve(KEY, nodes(2), START))
                .isInstanceOf(Unreachable.class)
                .hasMessageContaining("Unable to contact slurm controller")
                .hasMessageContaining("Maybe slurmctld is down");
    }

    @Test
    void refusesInSlurmsWordsAndWithTheNextStart() {
        slurm.answer("squeue *", 0, NO_JOBS, "");
        long start = START.getEpochSecond();
        slurm.answer(
                "scontrol -a -o show reservation",
                0,
                shown(2, start, start + 600).replace(NAME, "other"),
                "");
        slurm.answer("scontrol -a -o show reservation " + NAME, 1, "Reservation " + NAME + " not found\n", "");
        slurm.answer(
                "scontrol create reservation *", 1, "", "Error creating the reservation: Requested nodes are busy\n");

        assertThatThrownBy(() -> site.reserve(KEY, nodes(2), START))
                .isInstanceOfSatisfying(
                        Refused.class,
                        refusal -> assertThat(refusal.possibleStart()).contains(START.plusSeconds(600)))
                .hasMessageContaining(
                        "scontrol exited with 1, \"Error creating the reservation: Requested nodes are busy\"");
    }

    @Test
    void tellsAnAdministratorWhatIsMissing() {
        idle();
        slurm.answer("scontrol -a -o show reservation " + NAME, 1, "Reservation " + NAME + " not found\n", "");
        slurm.answer("scontrol create reservation *", 1, "", "Error creating the reservation: Invalid user id\n");

        assertThatThrownBy(() -> site.reserve(KEY, nodes(2), START))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("Maybe the adapter's account");
    }

    @Test
    void doesNotTouchReservationsOfOthers() throws Exception {
        site.cancel(new ReservationId("maintenance"));
        site.cancel(new ReservationId("metasched-x y"));

        assertThat(slurm.calls()).isEmpty();
    }

    @Test
    void letsNoPropertyBecomeAnOption() {
        idle();
        slurm.answer("scontrol -a -o show reservation " + NAME, 1, "Reservation " + NAME + " not found\n", "");
        var odd = new ResourceRequest(
                new Need.Nodes(1, 1, new TreeSet<>(Set.of("fast Flags=MAINT"))),
                Duration.ofMinutes(10),
                Optional.empty());

        assertThatThrownBy(() -> site.reserve(KEY, odd, START)).isInstanceOf(Refused.class);

        assertThat(slurm.calls()).noneMatch(call -> call.contains("create"));
    }

    @Test
    void takesANodeThatDoesNotAnswerForLost() throws Exception {
        slurm.answer("scontrol -a -o show reservation", 0, asAsked(4), "");

        var status = site.state(new ReservationId(NAME));

        assertThat(status.isDegraded()).isTrue();
        assertThat(status.lostNodes()).containsExactly("s4");
    }
}
