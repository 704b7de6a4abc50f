package org.metasched.adapter.oar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.LocalSchedulerException.UnknownReservation;
import org.metasched.adapter.LocalSchedulerException.Unreachable;
import org.metasched.adapter.Need;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Requester;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ReservationState;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;
import org.metasched.adapter.settings.YamlSettings;
import org.metasched.adapter.testkit.ScriptedCommands;

/** The scheduler against recorded answers, through real processes. */
class OarSchedulerTest {

    private static final Instant START = Instant.ofEpochSecond(1795255169);
    private static final Instant NOW = START.minusSeconds(3600);
    private static final RequestKey KEY = new RequestKey("k1");
    private static final ResourceRequest ONE = ResourceRequest.nodes(1, Duration.ofSeconds(1801));
    private static final String ON_O1 =
            OarOutputTest.RESERVED.replace("\"3\" : {\"network_address\" : \"o2\", \"current_state\" : \"Dead\"},", "");

    @TempDir
    Path folder;

    private ScriptedCommands oar;
    private LocalScheduler site;

    @BeforeEach
    void open() {
        oar = new ScriptedCommands(folder.resolve("bin"), "oarnodes", "oarstat", "oarsub", "oardel", "become");
        site = open("identity:\n  default: gridalice\n");
        oar.answer("oarnodes -J", 0, OarOutputTest.NODES, "");
    }

    private LocalScheduler open(String identity) {
        String yaml = "run:\n  path: [" + oar.folder() + "]\n" + identity;
        return new OarSchedulerFactory()
                .open(new SiteId("here"), YamlSettings.parse("site.yaml", yaml), Clock.fixed(NOW, ZoneOffset.UTC));
    }

    /** Alice alone may use what she reserves; two subjects of one local user are one. */
    @Test
    void oneUserIsLetInAndAFurtherOneIsRefusedByName() throws Exception {
        Files.writeString(
                folder.resolve("map"),
                "\"/O=Grid/CN=Alice\" gridalice\n\"/CN=Alice2\" gridalice\n\"/CN=Bob\" gridbob\n");
        var mapping = open("identity: {grid-mapfile: " + folder.resolve("map") + "}\n");
        emptyPlan();
        oar.answerOnce("oarstat -f -J --sql job_name*", 0, "", "");
        oar.answer("oarstat -f -J --sql job_name*", 0, ON_O1, "");
        oar.answer("oarsub *", 0, "Reservation valid --> OK\n", "");

        assertThatThrownBy(() -> mapping.earliestStart(shared("/CN=Bob"), START))
                .isInstanceOf(Refused.class)
                .hasMessageContaining("OAR lets one user into a reservation, and these are [gridalice, gridbob]");
        assertThatThrownBy(() -> mapping.reserve(KEY, shared("/CN=Bob"), START)).isInstanceOf(Refused.class);
        assertThat(oar.calls()).noneMatch(call -> call.startsWith("oarsub"));
        assertThatThrownBy(() -> mapping.earliestStart(shared("/CN=Eve"), START))
                .isInstanceOf(Refused.class)
                .hasMessageContaining("no local user for the subject (/CN=Eve)");

        assertThat(mapping.reserve(KEY, shared("/CN=Alice2"), START).id()).isEqualTo(new ReservationId("9"));
        assertThat(oar.calls()).anyMatch(call -> call.contains(" --project=P42 "));
    }

    private static ResourceRequest shared(String other) {
        var who = new Requester("/O=Grid/CN=Alice", List.of(other), Optional.of("P42"));
        return new ResourceRequest(ONE.need(), ONE.duration(), Optional.of(who));
    }

    private void plan(String gantt, String promised) {
        oar.answer("oarstat -J -g *", 0, gantt, "");
        oar.answer("oarstat -J --sql reservation*", 0, promised, "");
    }

    private void emptyPlan() {
        plan("{\"jobs\" : {}, \"resources\" : []}", "");
    }

    @Test
    void keepsTheSecurityTimeBeforeAndASecondMoreAfterAReservation() throws Exception {
        plan(OarOutputTest.GANTT, "{\"9\" : {\"Job_Id\" : 9}}");
        var within = new TimeSlot(NOW, START.plusSeconds(7200));

        var windows = site.windowListing().orElseThrow().freeWindows(ONE, within);

        assertThat(windows.starts().get(0).latest()).isEqualTo(START.minusSeconds(1801 + 60));
        assertThat(windows.starts().get(1).earliest()).isEqualTo(START.plusSeconds(1801 + 61));
    }

    @Test
    void doesNotCountWaitingJobsThatAreNoReservations() throws Exception {
        plan(OarOutputTest.GANTT, "");

        assertThat(site.earliestStart(ONE, START)).contains(START);
    }

    /** OAR's chart goes on showing them, and is asked for an hour back. */
    @ParameterizedTest
    @ValueSource(strings = {"Terminated", "Error"})
    void aJobThatIsOverTakesNoNode(String state) throws Exception {
        String ended = OarOutputTest.GANTT
                .replace("Waiting", state)
                .replace("1795255169", NOW.minusSeconds(1800).getEpochSecond() + "")
                .replace("1795256970", NOW.minusSeconds(1500).getEpochSecond() + "");
        plan(ended, "");
        oar.answer("oarstat -J --sql state*", 0, "", "");

        assertThat(site.loadReporting().orElseThrow().load().freeNodes()).isOne();
        assertThat(site.earliestStart(ONE, NOW)).contains(NOW.plusSeconds(60).truncatedTo(ChronoUnit.MINUTES));
    }

    @Test
    void reservesAContainerAndReadsItBack() throws Exception {
        emptyPlan();
        oar.answerOnce("oarstat -f -J --sql job_name*", 0, "", "");
        oar.answer("oarstat -f -J --sql job_name*", 0, ON_O1, "");
        oar.answer(
                "oarsub *", 0, "OAR_JOB_ID=9\nReservation mode: waiting validation...\nReservation valid --> OK\n", "");

        var made = site.reserve(KEY, ONE, START);

        assertThat(made.id()).isEqualTo(new ReservationId("9"));
        assertThat(made.nodeNames()).containsExactly("o1");
        assertThat(oar.calls())
                .contains("oarsub -n metasched-k1 -t container -d / -O /dev/null -E /dev/null -r 2026-11-21 09:59:29"
                        + " -l nodes=1,walltime=0:30:1 sleep 1801");
    }

    @Test
    void passesOnTheStartThatOarNames() {
        emptyPlan();
        oar.answer("oarstat -f -J --sql job_name*", 0, "", "");
        oar.answer(
                "oarsub *",
                10,
                "Reservation not valid --> KO (This reservation could run at 2026-11-21 11:08:22)\n",
                "");

        assertThatThrownBy(() -> site.reserve(KEY, ONE, START))
                .isInstanceOfSatisfying(
                        Refused.class,
                        refusal -> assertThat(refusal.possibleStart()).contains(Instant.parse("2026-11-21T11:08:22Z")))
                .hasMessageContaining("Reservation not valid --> KO");
    }

    @Test
    void saysThatItMayHaveHappenedWhenAlmightyIsDown() {
        emptyPlan();
        oar.answer("oarstat -f -J --sql job_name*", 0, "", "");
        oar.answer("oarsub *", 9, "", "Cannot connect to executor node1:6666. Job is killed.\n");

        assertThatThrownBy(() -> site.reserve(KEY, ONE, START))
                .isInstanceOf(Unreachable.class)
                .hasMessageContaining("Maybe Almighty");
    }

    @Test
    void claimsNothingThatOarHasNotAcknowledged() {
        oar.answer("oarstat -f -J --sql job_name*", 0, ON_O1.replace("\"Waiting\"", "\"toAckReservation\""), "");

        assertThatThrownBy(() -> site.reserve(KEY, ONE, START))
                .isInstanceOf(Unreachable.class)
                .hasMessageContaining("has not confirmed it yet");
    }

    @Test
    void takesNoOrdinaryJobForAReservation() throws Exception {
        oar.answer("oarstat -f -J -j *", 0, ON_O1.replace("\"Scheduled\"", "\"None\""), "");

        assertThatThrownBy(() -> site.state(new ReservationId("9"))).isInstanceOf(UnknownReservation.class);
        site.cancel(new ReservationId("9"));
        assertThat(oar.calls()).noneMatch(call -> call.startsWith("oardel"));
    }

    @Test
    void readsAnEmptyAnswerWithWordsOnTheSideAsAFailure() {
        oar.answer("oarstat *", 0, "", "DB connection error, exiting.\n");

        assertThatThrownBy(() -> site.find(KEY)).isInstanceOf(Unreachable.class);
    }

    @Test
    void tellsCancelledFromFinished() throws Exception {
        oar.answerOnce("oarstat -f -J -j 9", 0, OarOutputTest.CANCELLED, "");
        oar.answer(
                "oarstat -f -J -j 9",
                0,
                OarOutputTest.CANCELLED.replace("\"stopTime\" : 1795255169", "\"stopTime\" : 1795256970"),
                "");

        assertThat(site.state(new ReservationId("9")).state()).isEqualTo(ReservationState.CANCELLED);
        assertThat(site.state(new ReservationId("9")).state()).isEqualTo(ReservationState.FINISHED);
    }

    /** A refusal would mean that no reservation was made. */
    @Test
    void anErrorOfAQuestionIsNoRefusal() {
        emptyPlan();
        oar.answerOnce("oarstat -f -J --sql job_name*", 0, "", "");
        oar.answer("oarstat -f -J --sql job_name*", 1, "", "Error: the table is locked\n");
        oar.answer("oarsub *", 0, "Reservation valid --> OK\n", "");

        assertThatThrownBy(() -> site.reserve(KEY, ONE, START))
                .isInstanceOf(Unreachable.class)
                .hasMessageContaining("the table is locked");
    }

    @Test
    void letsNoPropertyBecomeSql() {
        emptyPlan();
        oar.answer("oarstat -f -J --sql job_name*", 0, "", "");
        for (String odd : Set.of("speed='fast' OR 1=1", "x=a' OR 'b'='b", "--help", "speed", "a=b;c")) {
            var request = new ResourceRequest(
                    new Need.Nodes(1, 1, new TreeSet<>(Set.of(odd))), Duration.ofMinutes(10), Optional.empty());
            assertThatThrownBy(() -> site.reserve(KEY, request, START)).isInstanceOf(Refused.class);
        }

        assertThat(oar.calls()).noneMatch(call -> call.startsWith("oarsub"));
    }
}
