package org.metasched.adapter.gridengine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
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
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ReservationState;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.settings.YamlSettings;
import org.metasched.adapter.testkit.ScriptedCommands;

/** The scheduler against recorded answers, through real processes. */
class GridEngineSchedulerTest {

    private static final Instant NOW = Instant.parse("2026-11-21T08:42:00Z");
    private static final Instant START = Instant.parse("2026-11-21T10:37:33Z");
    private static final RequestKey KEY = new RequestKey("k1");
    private static final ResourceRequest ONE = ResourceRequest.nodes(1, Duration.ofMinutes(30));

    private static final String QUEUES = GridEngineOutputTest.QUEUES;
    private static final String NONE = "<?xml version='1.0'?>\n<qrstat>\n</qrstat>\n";
    private static final String ON_ONE_HOST =
            GridEngineOutputTest.RESERVATION.replace("<granted_slots  queue_instance=\"grid.q@ge8\" slots=\"4\"/>", "");
    private static final String NAMED =
            GridEngineOutputTest.NAMES.replace("<id>6</id>", "<id>2</id>").replace("a<b>&\"c", "metasched-k1");

    @TempDir
    Path folder;

    private ScriptedCommands commands;
    private LocalScheduler site;

    @BeforeEach
    void open() {
        commands = new ScriptedCommands(folder.resolve("bin"), "qconf", "qstat", "qrstat", "qrsub", "qrdel", "qselect");
        site = open("grid.q");
        commands.answer("qconf -sp metanodes", 0, "pe_name metanodes\nallocation_rule 4\n", "");
        commands.answer("qconf -ssconf", 0, "params none\ndefault_duration 1:0:0\n", "");
        commands.answer("qstat -f *", 0, QUEUES, "");
    }

    private LocalScheduler open(String queue) {
        String yaml =
                "queue: " + queue + "\nparallel-environment: metanodes\nrun:\n  path: [" + commands.folder() + "]\n";
        return new GridEngineSchedulerFactory()
                .open(new SiteId("here"), YamlSettings.parse("site.yaml", yaml), Clock.fixed(NOW, ZoneOffset.UTC));
    }

    @Test
    void adds60SecondsToTheLimitOfAJobAndAsksTheSchedulerToConfirm() throws Exception {
        commands.answer("qrstat -u * -xml", 0, NONE, "");
        commands.answer("qrsub -w v *", 0, "verification: found possible assignment with 4 slots\n", "");

        assertThat(site.earliestStart(ONE, NOW)).contains(Instant.parse("2026-11-21T08:51:20Z"));
        assertThat(commands.calls()).contains("qrsub -w v -a 202611210851.20 -d 1800 -q grid.q -pe metanodes 4");
    }

    /** A reservation takes four slots of a host, however few cores were asked. */
    @ParameterizedTest
    @CsvSource({"4, 202611210851.20, 2026-11-21T08:51:20Z", "5, 202611210843.00, 2026-11-21T08:43:00Z"})
    void aHostWithASlotTakenIsOfferedIfEnoughAreLeft(int slots, String granted, Instant start) throws Exception {
        String one = QUEUES.replace("<slots>4</slots>", "<slots>1</slots>")
                .replace("<slots_total>4</slots_total>", "<slots_total>" + slots + "</slots_total>");
        commands = new ScriptedCommands(folder.resolve("one"), "qconf", "qstat", "qrstat", "qrsub");
        commands.answer("qconf -sp metanodes", 0, "pe_name metanodes\nallocation_rule 4\n", "");
        commands.answer("qconf -ssconf", 0, "params none\ndefault_duration 1:0:0\n", "");
        commands.answer("qstat -f *", 0, one, "");
        commands.answer("qrstat -u * -xml", 0, NONE, "");
        commands.answer(
                "qrsub -w v -a " + granted + " *", 0, "verification: found possible assignment with 4 slots\n", "");
        commands.answer("qrsub -w v *", 1, "verification: no suitable queues\n", "");
        var fiveCores = new Need.Nodes(1, 5, new TreeSet<>());

        assertThat(open("grid.q").earliestStart(ONE, NOW)).contains(start);
        assertThat(open("grid.q").earliestStart(ONE.of(fiveCores), NOW)).isEmpty();
    }

    /** Its job has no limit, and Grid Engine takes none to be endless unless told otherwise. */
    @Test
    void aJobInAReservationHoldsItsHostNoLongerThanThat() throws Exception {
        String endless = QUEUES.replaceFirst("<hard_request .*</hard_request>", "");
        String begun = ON_ONE_HOST
                .replace("ge5", "ge1")
                .replace("<state>W</state>", "<state>r</state>")
                .replace("2026-11-21T10:37:33", "2026-11-21T08:40:00")
                .replace("2026-11-21T11:07:33", "2026-11-21T09:10:00");
        commands = new ScriptedCommands(folder.resolve("endless"), "qconf", "qstat", "qrstat", "qrsub");
        commands.answer("qconf -sp metanodes", 0, "pe_name metanodes\nallocation_rule 4\n", "");
        commands.answer("qconf -ssconf", 0, "params none\ndefault_duration INFINITY\n", "");
        commands.answer("qstat -f *", 0, endless, "");
        commands.answer("qrstat -u * -xml", 0, NAMED, "");
        commands.answer("qrstat -ar 2 -xml", 1, begun, "");
        commands.answer("qrsub -w v *", 0, "verification: found possible assignment with 4 slots\n", "");

        assertThat(open("grid.q").earliestStart(ONE, NOW)).contains(Instant.parse("2026-11-21T09:10:00Z"));
    }

    @Test
    void offersNothingThatTheSchedulerDoesNotConfirm() throws Exception {
        commands.answer("qrstat -u * -xml", 0, NONE, "");
        commands.answer("qrsub -w v *", 1, "verification: no suitable queues\n", "");

        assertThat(site.earliestStart(ONE, NOW)).isEmpty();
    }

    @Test
    void aQueueOnNoHostIsNamedRatherThanTakenForAFullOne() {
        var other = open("gird.q");

        assertThatThrownBy(() -> other.earliestStart(ONE, NOW))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("the queue (gird.q) is on no host")
                .hasMessageContaining("Maybe its name is misspelled");
    }

    @Test
    void refusesMoreThanTheWorkingHosts() {
        commands.answer("qrstat -u * -xml", 0, NONE, "");

        assertThatThrownBy(() -> site.reserve(KEY, ResourceRequest.nodes(2, Duration.ofMinutes(30)), START))
                .isInstanceOf(Refused.class)
                .hasMessageContaining("has 1 usable node where");
        assertThat(commands.calls()).noneMatch(call -> call.startsWith("qrsub"));
    }

    @Test
    void hasNoStartForAResourceThatNoHostHas() throws Exception {
        commands.answer("qrstat -u * -xml", 0, NONE, "");
        commands.answer("qselect *", 1, "", "");
        var need = new Need.Nodes(1, 1, new TreeSet<>(Set.of("speed=warp")));
        var request = new ResourceRequest(need, Duration.ofMinutes(30), Optional.empty());

        assertThat(site.earliestStart(request, NOW)).isEmpty();
        assertThatThrownBy(() -> site.reserve(KEY, request, START))
                .isInstanceOf(Refused.class)
                .hasMessageContaining("[speed=warp]");
    }

    @Test
    void reservesAndReadsBack() throws Exception {
        for (int i = 0; i < 2; i++) {
            commands.answerOnce("qrstat -u * -xml", 0, NONE, "");
        }
        commands.answer("qrstat -u * -xml", 0, NAMED, "");
        commands.answer("qrstat -ar 2 -xml", 1, ON_ONE_HOST, "");
        commands.answer("qrsub -N *", 0, "Your advance reservation 2 has been granted\n", "");

        var made = site.reserve(KEY, ONE, START);

        assertThat(made.id()).isEqualTo(new ReservationId("2"));
        assertThat(made.nodeNames()).containsExactly("ge5");
        assertThat(commands.calls())
                .contains("qrsub -N metasched-k1 -a 202611211037.33 -d 1800 -q grid.q -pe metanodes 4");
        assertThat(site.state(made.id()).state()).isEqualTo(ReservationState.RESERVED);
        assertThat(site.state(made.id()).lostNodes()).containsExactly("ge5");
    }

    @Test
    void reportsAQmasterThatIsDownAsUnreachable() {
        commands.answer("qrstat *", 1, "", "error: commlib error: got select error (Connection refused)\n");

        assertThatThrownBy(() -> site.find(KEY))
                .isInstanceOf(Unreachable.class)
                .hasMessageContaining("commlib error")
                .hasMessageContaining("Maybe the qmaster is down");
    }

    @Test
    void doesNotTakeAnEmptyAnswerForAnEmptyList() {
        commands.answer("qrstat *", 0, "", "");

        assertThatThrownBy(() -> site.find(KEY)).isInstanceOf(Unreachable.class);
    }

    @Test
    void tellsAnAdministratorWhichRightIsMissing() {
        commands.answer("qrstat -u * -xml", 0, NONE, "");
        commands.answer("qrsub -N *", 1, "denied: \"alice\" must be manager or in userset \"arusers\"\n", "");

        assertThatThrownBy(() -> site.reserve(KEY, ONE, START))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("qconf -au");
    }

    @Test
    void wantsAnEnvironmentThatFillsWholeHosts() {
        var other = new ScriptedCommands(folder.resolve("other"), "qconf");
        other.answer("qconf -sp fill", 0, "pe_name fill\nallocation_rule $fill_up\n", "");
        String yaml = "queue: grid.q\nparallel-environment: fill\nrun:\n  path: [" + other.folder() + "]\n";
        var filling = new GridEngineSchedulerFactory()
                .open(new SiteId("here"), YamlSettings.parse("site.yaml", yaml), Clock.fixed(NOW, ZoneOffset.UTC));

        assertThatThrownBy(() -> filling.earliestStart(ONE, NOW))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("allocation_rule");
    }

    @Test
    void doesNotTouchReservationsOfOthers() throws Exception {
        commands.answer("qrstat -ar 2 -xml", 0, ON_ONE_HOST.replace("metasched-k1", "maintenance"), "");

        site.cancel(new ReservationId("2"));
        site.cancel(new ReservationId("-u root"));

        assertThat(commands.calls()).noneMatch(call -> call.startsWith("qrdel"));
    }
}
