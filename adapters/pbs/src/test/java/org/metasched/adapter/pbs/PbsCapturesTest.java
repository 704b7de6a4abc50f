package org.metasched.adapter.pbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.Need;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;
import org.metasched.adapter.booking.BookingRequest;
import org.metasched.adapter.booking.CommandLineSite;
import org.metasched.adapter.command.OutputFormatException;
import org.metasched.adapter.command.SiteClock;

/** Every output captured from a real OpenPBS, played back through the process-running path. */
class PbsCapturesTest {

    private static final Path CAPTURES =
            Path.of(System.getProperty("metasched.shared", ".."), "schedulers", "fixtures", "pbs");

    private static final Map<String, String> EXPECTED = expected();

    @TempDir
    private Path folder;

    private ReplayedPbs pbs;

    @BeforeEach
    void findTheCaptures() {
        assumeTrue(
                Files.isRegularFile(CAPTURES.resolve("INDEX.tsv")),
                "The captured outputs are not beside the checkout.");
        pbs = new ReplayedPbs(folder);
    }

    private static Map<String, String> expected() {
        var expected = new TreeMap<String, String>();
        for (String line : """
                rsub-ok                       R12.pbsvm UNCONFIRMED
                rsub-wait                     R13.pbsvm CONFIRMED
                rsub-busy-wait                R14.pbsvm DENIED
                rsub-toomany-wait             R15.pbsvm DENIED
                rsub-toomany-nowait           R16.pbsvm UNCONFIRMED
                rsub-nowait                   R17.pbsvm UNCONFIRMED
                rsub-past                     Refused
                rsub-hhmm-past-means-tomorrow R19.pbsvm CONFIRMED
                rsub-badtime                  Misconfigured
                rsub-badend                   Refused
                rsub-nodur                    Refused
                rsub-badres                   Refused
                rsub-duration0                Refused
                rsub-root                     Misconfigured
                rsub-baduser                  R25.pbsvm UNCONFIRMED
                rsub-over-running-nowalltime  R34.pbsvm CONFIRMED
                rsub-after-running            R35.pbsvm DENIED
                rsub-over-running             R43.pbsvm DENIED
                rsub-over-nowalltime          R44.pbsvm DENIED
                rsub-just-before-jobend       R45.pbsvm DENIED
                rsub-at-jobend                R46.pbsvm CONFIRMED
                rsub-instant-negative-wait    R47.pbsvm DENIED
                rsub-soon                     R48.pbsvm CONFIRMED
                rsub-conflict-two-users       R52.pbsvm DENIED
                rsub-deg                      R58.pbsvm CONFIRMED
                rsub-toomany-offline          R59.pbsvm DENIED
                ralter                        R58.pbsvm CONFIRMED
                server-down-rsub              Unreachable
                rstat-f                       R12 R13 R17 R19 R25
                rstat-unknown                 unknown
                rstat-running                 RESV_RUNNING 2 nodes
                rstat-finished                RESV_RUNNING 2 nodes
                rstat-deleted                 unknown
                rstat-after-end               unknown
                rstat-degraded                RESV_DEGRADED 8 nodes
                server-down                   Unreachable
                rdel-unknown                  gone
                rdel-otheruser                Misconfigured
                rdel-authorized-user-not-owner Misconfigured
                rdel-ok                       gone
                rdel-root                     gone
                rdel-with-jobs                gone
                pbsnodes-a                    9 nodes, 32 cores, jobs []
                pbsnodes-json                 9 nodes, 32 cores, jobs []
                pbsnodes-a-busy               9 nodes, 32 cores, jobs [41.pbsvm, 42.pbsvm]
                pbsnodes-json-busy            9 nodes, 32 cores, jobs [41.pbsvm, 42.pbsvm]
                pbsnodes-json-resvrun         9 nodes, 32 cores, jobs [41.pbsvm, 42.pbsvm, 49.pbsvm]
                bind-qstat-job                49.pbsvm R in its reservation until never on 2
                qstat-after-resv-end          49.pbsvm F in its reservation until never on 2
                qstat-json                    60.pbsvm R until 2026-11-21T08:20:31Z on 2; 61.pbsvm Q until never on 0
                qstat-f                       60.pbsvm R until 2026-11-21T08:20:31Z on 2; 61.pbsvm Q until never on 0
                server-down-qstat             Unreachable
                """.split("\n")) {
            expected.put(line.split("\\s+", 2)[0], line.split("\\s+", 2)[1]);
        }
        return expected;
    }

    @Test
    void eachCommandOfTheAdapterIsUnderstood() throws Exception {
        var got = new TreeMap<String, String>();

        for (String name : EXPECTED.keySet()) {
            got.put(name, play(name));
        }

        assertThat(got).isEqualTo(EXPECTED);
    }

    @Test
    void noOtherOutputIsTakenForOneOfOurs() throws Exception {
        var output = new PbsOutput(new SiteClock(ZoneOffset.UTC));
        var mistaken = new ArrayList<String>();

        for (String name : captures()) {
            String command = commandOf(name);
            String out = read(name + ".txt");
            if (!command.startsWith("pbs_rsub") && understood(() -> output.submitted(out))) {
                mistaken.add(name + " as pbs_rsub");
            }
            if (!command.matches("pbs_r(sub|alter).*") && understood(() -> output.altered(out))) {
                mistaken.add(name + " as pbs_ralter");
            }
            if (!out.isBlank() && !command.startsWith("pbs_rstat -f") && understood(() -> output.reservations(out))) {
                mistaken.add(name + " as pbs_rstat");
            }
            if (!command.startsWith("pbsnodes") && !out.isBlank() && understood(() -> output.nodesFromText(out))) {
                mistaken.add(name + " as pbsnodes");
            }
            if (!command.startsWith("qstat") && !out.isBlank() && understood(() -> output.jobsFromText(out))) {
                mistaken.add(name + " as qstat");
            }
        }

        assertThat(mistaken).isEmpty();
        assertThat(captures()).hasSizeGreaterThanOrEqualTo(82);
    }

    @Test
    void theSlotAfterARunningJobIsTheOneThatPbsConfirmed() throws Exception {
        pbs.answer("pbsnodes", read("pbsnodes-json-busy.txt"), "", 0);
        pbs.answer("qstat", jobs41And42(), "", 0);
        var site = new PbsFactory().open(new SiteId("pbs"), pbs.settings("lead-time: 0s"), at("2026-11-21T07:34:12Z"));

        // Job 41 began 07:33:45 with ten minutes: 07:43:44 was DENIED, 07:43:45 CONFIRMED for seven nodes.
        assertThat(site.earliestStart(
                        ResourceRequest.nodes(7, Duration.ofMinutes(10)), Instant.parse("2026-11-21T07:39:12Z")))
                .contains(Instant.parse("2026-11-21T07:43:45Z"));
        assertThat(site.earliestStart(
                        ResourceRequest.nodes(8, Duration.ofMinutes(10)), Instant.parse("2026-11-21T07:54:12Z")))
                .as("job 42 has no limit")
                .isEmpty();
    }

    private static String jobs41And42() {
        return """
                {"timestamp": 1, "Jobs": {
                 "41.pbsvm": {"job_state": "R", "stime": "Sat Nov 21 07:33:45 2026",
                    "exec_vnode": "(n2:ncpus=4)+(n3:ncpus=4)", "Resource_List": {"walltime": "00:10:00"}},
                 "42.pbsvm": {"job_state": "R", "stime": "Sat Nov 21 07:34:11 2026", "exec_vnode": "(n4:ncpus=2)"}}}
                """;
    }

    @Test
    void aReservationOnAnOfflineNodeIsDegraded() throws Exception {
        String degraded = read("rstat-degraded.txt").replace("Reserve_Name = NULL", "Reserve_Name = metasched-mss_58");
        String nodes = read("pbsnodes-json.txt");
        int n2 = nodes.indexOf("\"n2\":");
        pbs.answer("pbs_rstat", degraded, "", 0);
        pbs.answer(
                "pbsnodes",
                nodes.substring(0, n2)
                        + nodes.substring(n2).replaceFirst("\"state\":\\s*\"[a-z-]+\"", "\"state\": \"offline\""),
                "",
                0);

        var status = pbs.scheduler("").find(new RequestKey("mss_58")).orElseThrow();

        assertThat(status.isDegraded()).isTrue();
        assertThat(status.lostNodes()).containsExactly("n2");
        assertThat(status.detail()).isEqualTo("RESV_DEGRADED");
        assertThat(status.reservation().nodeNames()).containsExactly("n0", "n1", "n2", "n3", "n4", "n5", "n6", "n7");
        assertThat(status.reservation().granted())
                .isEqualTo(new Need.Nodes(8, 4, java.util.Collections.emptySortedSet()));
        assertThat(status.reservation().slot())
                .isEqualTo(new TimeSlot(Instant.parse("2026-11-21T10:41:06Z"), Instant.parse("2026-11-21T10:51:06Z")));
    }

    private String play(String name) throws Exception {
        String command = commandOf(name).split(" ")[0];
        pbs.answer(command, read(name + ".txt"), read(name + ".err.txt"), exitOf(name));
        boolean text = commandOf(name).startsWith("pbsnodes -a") && !name.contains("json") || name.equals("qstat-f");
        var settings = pbs.settings(text ? "output: text" : "");
        var common = CommandLineSite.from(
                new SiteId("pbs"),
                settings,
                ReplayedPbs.CLOCK,
                new CommandLineSite.Defaults(ZoneOffset.UTC, Duration.ofSeconds(1)));
        var commands = new PbsCommands(common, PbsSettings.from(settings));
        try {
            return switch (command) {
                case "pbs_rsub" -> submitted(commands);
                case "pbs_ralter" -> altered(commands);
                case "pbs_rstat" -> shown(commands, commandOf(name));
                case "pbs_rdel" -> deleted(commands);
                case "pbsnodes" -> nodes(commands.nodes());
                default -> jobs(commands.jobs());
            };
        } catch (LocalSchedulerException e) {
            return e.getClass().getSimpleName();
        }
    }

    private static String submitted(PbsCommands commands) throws Exception {
        var slot = TimeSlot.of(ReplayedPbs.CLOCK.instant(), Duration.ofMinutes(10));
        var key = new RequestKey("mss_1");
        var answer = commands.reserve(
                new BookingRequest(key, "mss_1", List.of(), Optional.empty(), new Need.Nodes(1), slot));
        return answer.id() + " " + answer.verdict();
    }

    private static String altered(PbsCommands commands) throws Exception {
        var slot = TimeSlot.of(ReplayedPbs.CLOCK.instant(), Duration.ofMinutes(10));
        var held = new Reservation(
                new ReservationId("R58.pbsvm"), new RequestKey("mss_58"), slot, new Need.Nodes(8), List.of());
        var answer = commands.alter(held, new Need.Nodes(8), TimeSlot.of(slot.start(), Duration.ofMinutes(20)));
        return answer.id() + " " + answer.verdict();
    }

    private static String shown(PbsCommands commands, String command) throws Exception {
        String[] words = command.split(" ");
        if (words.length < 3) {
            return String.join(
                    " ",
                    commands.reservations().stream()
                            .map(r -> r.id().replace(".pbsvm", ""))
                            .toList());
        }
        return commands.reservation(words[2])
                .map(r -> r.state() + " " + r.shares().size() + " nodes")
                .orElse("unknown");
    }

    private static String deleted(PbsCommands commands) throws Exception {
        commands.delete("R1.pbsvm");
        return "gone";
    }

    private static String nodes(List<PbsOutput.Vnode> nodes) {
        var jobs = new java.util.TreeSet<String>();
        nodes.forEach(node -> jobs.addAll(node.jobs()));
        return nodes.size() + " nodes, "
                + nodes.stream().mapToInt(PbsOutput.Vnode::cores).sum() + " cores, jobs " + jobs;
    }

    private static String jobs(List<PbsJob> jobs) {
        return String.join(
                "; ",
                jobs.stream()
                        .map(job -> job.id() + " " + job.state() + (job.inReservation() ? " in its reservation" : "")
                                + " until "
                                + job.latestEnd().map(Instant::toString).orElse("never") + " on "
                                + job.shares().size())
                        .toList());
    }

    private static boolean understood(Runnable reading) {
        try {
            reading.run();
            return true;
        } catch (OutputFormatException e) {
            return false;
        }
    }

    private static List<String> captures() throws Exception {
        return Files.readAllLines(CAPTURES.resolve("INDEX.tsv")).stream()
                .skip(1)
                .map(line -> line.split("\t")[0])
                .toList();
    }

    private static String[] row(String name) throws Exception {
        for (String line : Files.readAllLines(CAPTURES.resolve("INDEX.tsv"))) {
            if (line.startsWith(name + "\t")) {
                return line.split("\t");
            }
        }
        throw new IllegalArgumentException(name);
    }

    private static String commandOf(String name) throws Exception {
        return row(name)[4];
    }

    private static int exitOf(String name) throws Exception {
        return Integer.parseInt(row(name)[2]);
    }

    private static String read(String file) throws Exception {
        Path path = CAPTURES.resolve(file);
        return Files.exists(path) ? Files.readString(path) : "";
    }

    private static Clock at(String instant) {
        return Clock.fixed(Instant.parse(instant), ZoneOffset.UTC);
    }
}
