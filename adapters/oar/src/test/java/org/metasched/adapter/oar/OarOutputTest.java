package org.metasched.adapter.oar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.metasched.adapter.command.DamagedOutput.cutEverywhere;
import static org.metasched.adapter.command.DamagedOutput.damage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.metasched.adapter.command.SiteClock;
import org.metasched.adapter.oar.OarOutput.Job;
import org.metasched.adapter.oar.OarOutput.NodeLine;
import org.metasched.adapter.oar.OarOutput.Planned;

/** The readers against what OAR 2.5.9 printed, shortened, whole and damaged. */
class OarOutputTest {

    static final String NODES = """
            {
               "1" : {"resource_id" : 1, "type" : "default", "network_address" : "o1", "state" : "Alive", "drain" : "NO",
                      "core" : 1, "host" : "o1", "speed" : "fast", "cpuset" : "0", "last_job_date" : 0},
               "2" : {"resource_id" : 2, "type" : "default", "network_address" : "o1", "state" : "Alive", "drain" : "NO",
                      "core" : 2, "host" : "o1", "speed" : "fast", "cpuset" : "1", "last_job_date" : 0},
               "3" : {"resource_id" : 3, "type" : "default", "network_address" : "o2", "state" : "Dead", "drain" : "NO",
                      "core" : 3, "host" : "o2", "speed" : "slow", "cpuset" : "0", "last_job_date" : 0},
               "4" : {"resource_id" : 4, "type" : "default", "network_address" : "o2", "state" : "Absent", "drain" : "NO",
                      "core" : 4, "host" : "o2", "speed" : "slow", "cpuset" : "1", "last_job_date" : 0},
               "5" : {"resource_id" : 5, "type" : "licence", "network_address" : "", "state" : "Alive"}
            }
            """;

    static final String GANTT = """
            {
               "jobs" : {
                  "9" : {"job_type" : "PASSIVE", "start_time" : 1795255169, "stop_time" : 1795256970, "walltime" : 1801,
                         "network_address" : ["o1", "o1"], "resource_id" : [1, 2], "job_id" : 9, "state" : "Waiting",
                         "job_name" : "\\", \\"state\\" : \\"Terminated", "user" : "gridalice"},
                  "10" : {"start_time" : 1795250000, "stop_time" : "1795250600", "network_address" : ["o2"],
                          "job_id" : "10", "state" : "Running", "job_name" : "--sql ; rm"}
               },
               "resources" : [],
               "dead_resources" : {}
            }
            """;

    static final String RESERVED = """
            {
               "9" : {
                  "Job_Id" : 9, "name" : "metasched-k1", "owner" : "gridalice", "state" : "Waiting",
                  "reservation" : "Scheduled", "startTime" : 1795255169, "walltime" : 1801, "stopTime" : 0,
                  "wanted_resources" : "-l \\"{type = 'default'}/network_address=2,walltime=0:30:1\\" ",
                  "properties" : "((speed='fast') AND desktop_computing = 'NO') AND drain='NO'",
                  "message" : "R=3,W=0:30:1,J=R,N=metasched-k1,T=container", "assigned_resources" : [],
                  "assigned_network_address" : [],
                  "reserved_resources" : {
                     "3" : {"network_address" : "o2", "current_state" : "Dead"},
                     "1" : {"network_address" : "o1", "current_state" : "Alive"},
                     "2" : {"network_address" : "o1", "current_state" : "Alive"}
                  }
               }
            }
            """;

    static final String CANCELLED = """
            {
               "9" : {
                  "Job_Id" : 9, "name" : "metasched-k1", "owner" : "gridalice", "state" : "Error",
                  "reservation" : "Scheduled", "startTime" : 1795255169, "walltime" : null, "stopTime" : 1795255169,
                  "wanted_resources" : "-l \\"{type = 'default'}/network_address=2,walltime=0:30:1\\" ",
                  "properties" : "(desktop_computing = 'NO') AND drain='NO'",
                  "message" : "Job killed by Leon directly", "assigned_resources" : [], "assigned_network_address" : []
               }
            }
            """;

    @Test
    void makesNodesOfResourcesAndLeavesDeadOnesUnusable() {
        List<NodeLine> nodes = OarOutput.nodes(NODES);

        assertThat(nodes).extracting(line -> line.node().name()).containsExactly("o1", "o2");
        assertThat(nodes).extracting(NodeLine::usable).containsExactly(true, false);
        assertThat(nodes.get(0).node().cores()).isEqualTo(2);
        assertThat(nodes.get(0).node().properties())
                .contains("speed=fast", "host=o1")
                .noneMatch(property -> property.startsWith("core="));
    }

    @Test
    void readsTheChartWhateverAJobIsCalled() {
        List<Planned> planned = OarOutput.gantt(GANTT);

        assertThat(planned).hasSize(2);
        assertThat(planned.get(0).state()).isEqualTo("Waiting");
        assertThat(planned.get(1).stop()).isEqualTo(Instant.ofEpochSecond(1795250600));
        assertThat(planned.get(1).nodes()).containsExactly("o2");
    }

    @Test
    void readsAReservationWithItsNodesAndTheLostOnes() {
        Job job = OarOutput.jobs(RESERVED).get(0);

        assertThat(job.nodes().cores()).containsOnly(Map.entry("o1", 2), Map.entry("o2", 1));
        assertThat(job.nodes().lost()).containsExactly("o2");
        assertThat(job.properties()).containsExactly("speed=fast");
        assertThat(job.walltime()).isEqualTo(Duration.ofSeconds(1801));
        assertThat(job.isConfirmed()).isTrue();
    }

    @Test
    void knowsWhatACancelledReservationWas() {
        Job job = OarOutput.jobs(CANCELLED).get(0);

        assertThat(job.isOver()).isTrue();
        assertThat(job.wasRefused()).isFalse();
        assertThat(job.nodes().wanted()).isEqualTo(2);
        assertThat(job.walltime()).isEqualTo(Duration.ofSeconds(1801));
    }

    @Test
    void doesNotTakeARefusedReservationForACancelledOne() {
        String refused =
                CANCELLED.replace("Job killed by Leon directly", "This reservation could run at 2026-11-21 11:08:22");

        assertThat(OarOutput.jobs(refused).get(0).wasRefused()).isTrue();
    }

    @Test
    void readsTheStartThatARefusalNamesInTheSitesZone() {
        String said = "OAR_JOB_ID=2\nReservation mode: waiting validation...\n"
                + "Reservation not valid --> KO (This reservation could run at 2026-11-21 11:08:22)\n";

        assertThat(OarOutput.possibleStart(said, new SiteClock(ZoneOffset.UTC)))
                .contains(Instant.parse("2026-11-21T11:08:22Z"));
        assertThat(OarOutput.possibleStart(said, new SiteClock(ZoneId.of("Europe/Berlin"))))
                .contains(Instant.parse("2026-11-21T10:08:22Z"));
        assertThat(OarOutput.saysValid(said)).isFalse();
        assertThat(OarOutput.possibleStart("KO (Reservation too old)", new SiteClock(ZoneOffset.UTC)))
                .isEmpty();
    }

    @Test
    void neverHalfUnderstandsACutOutput() {
        cutEverywhere(NODES, OarOutput::nodes);
        cutEverywhere(GANTT, OarOutput::gantt);
        cutEverywhere(RESERVED, OarOutput::jobs);
    }

    /** At most one entry more may be read out of the damage. */
    private static <T> void damageList(String whole, Function<String, List<T>> reader, long seed) {
        int entries = reader.apply(whole).size();
        damage(whole, reader, seed, read -> assertThat(read).hasSizeLessThanOrEqualTo(entries + 1));
    }

    @Test
    void throwsNothingElseOnRandomDamage() {
        long seed = 20261121;
        damageList(NODES, OarOutput::nodes, seed);
        damageList(GANTT, OarOutput::gantt, seed);
        damageList(RESERVED, OarOutput::jobs, seed);
        damageList(CANCELLED, OarOutput::jobs, seed);
    }

    @Test
    void readsTheReferenceCaptures() throws IOException {
        Path folder = Path.of(System.getProperty("metasched.shared", ""), "schedulers", "fixtures", "oar");
        assumeTrue(Files.isDirectory(folder), "no reference captures beside this checkout");

        assertThat(OarOutput.nodes(Files.readString(folder.resolve("nodes-json.txt"))))
                .hasSize(8);
        assertThat(OarOutput.gantt(Files.readString(folder.resolve("gantt-json.txt"))))
                .isNotEmpty();
        assertThat(OarOutput.jobs(Files.readString(folder.resolve("stat-container-running.txt")))
                        .get(0)
                        .state())
                .isEqualTo("Running");
        var utc = new SiteClock(ZoneOffset.UTC);
        assertThat(OarOutput.possibleStart(Files.readString(folder.resolve("res-adjacent-59.txt")), utc))
                .contains(Instant.parse("2026-11-21T09:19:35Z"));
        assertThat(OarOutput.saysValid(Files.readString(folder.resolve("res-adjacent-61.txt"))))
                .isTrue();
    }
}
