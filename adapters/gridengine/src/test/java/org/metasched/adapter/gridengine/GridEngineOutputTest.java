package org.metasched.adapter.gridengine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
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
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metasched.adapter.command.OutputFormatException;
import org.metasched.adapter.command.SiteClock;

/** The readers against what Grid Engine 8.1.9 printed, shortened, whole and damaged. */
class GridEngineOutputTest {

    private static final SiteClock UTC = new SiteClock(ZoneOffset.UTC);

    static final String QUEUES = """
            <?xml version='1.0'?>
            <job_info  xmlns:xsd="http://example.org/qstat.xsd">
              <queue_info>
                <Queue-List>
                  <name>grid.q@ge1</name>
                  <qtype>BIP</qtype>
                  <slots_used>4</slots_used>
                  <slots_resv>0</slots_resv>
                  <slots_total>4</slots_total>
                  <job_list state="running">
                    <JB_job_number>1</JB_job_number>
                    <JAT_prio>0.75000</JAT_prio>
                    <JB_name>a%lt;b&gt;&amp;&quot;c</JB_name>
                    <JB_owner>root</JB_owner>
                    <state>r</state>
                    <JAT_start_time>2026-11-21T08:40:20</JAT_start_time>
                    <slots>4</slots>
                    <full_job_name>sleep</full_job_name>
                    <requested_pe name="metanodes">8</requested_pe>
                    <hard_request name="h_rt" resource_contribution="0.000000">600</hard_request>
                    <binding>NONE</binding>
                  </job_list>
                </Queue-List>
                <Queue-List>
                  <name>grid.q@ge2</name>
                  <qtype>BIP</qtype>
                  <slots_used>0</slots_used>
                  <slots_resv>0</slots_resv>
                  <slots_total>4</slots_total>
                  <state>d</state>
                </Queue-List>
              </queue_info>
              <job_info>
              </job_info>
            </job_info>
            """;

    static final String NAMES = """
            <?xml version='1.0'?>
            <qrstat xmlns:xsd="http://example.org/qrstat.xsd">
               <ar_summary>
                  <id>6</id>
                  <name>a<b>&"c</name>
                  <owner>gridalice</owner>
                  <state>w</state>
                  <start_time>2026-11-25T12:00:00</start_time>
                  <end_time>2026-11-25T12:30:00</end_time>
                  <duration>00:30:00</duration>
               </ar_summary>
            </qrstat>
            """;

    static final String RESERVATION = """
            <?xml version='1.0'?>
            <qrstat xmlns:xsd="http://example.org/qrstat.xsd">
               <ar_summary>
                  <id>2</id>
                  <name>metasched-k1</name>
                  <owner>root</owner>
                  <state>W</state>
                  <start_time>2026-11-21T10:37:33</start_time>
                  <end_time>2026-11-21T11:07:33</end_time>
                  <duration>00:30:00</duration>
                  <submission_time>2026-11-21T08:37:33</submission_time>
                  <group>root</group>
                  <account>sge</account>
                  <resource_list>
                     <resource name="speed" type="fast"/>
                  </resource_list>
                  <granted_slots_list>
                     <granted_slots  queue_instance="grid.q@ge5" slots="4"/>
                     <granted_slots  queue_instance="grid.q@ge8" slots="4"/>
                  </granted_slots_list>
                  <granted_parallel_environment>
                     <parallel_environment>metanodes</parallel_environment>
                     <slots>8</slots>
                  </granted_parallel_environment>
                  <acl_list>
                     <acl  user="gridalice"/>
                  </acl_list>
               </ar_summary>
               <ar_unknown>
                  <id>999</id>
               </ar_unknown>
            </qrstat>
            """;

    @Test
    void readsQueueInstancesWithTheirJobs() {
        var instances = GridEngineOutput.queueInstances(QUEUES, UTC);

        assertThat(instances).extracting(one -> one.host()).containsExactly("ge1", "ge2");
        assertThat(instances).extracting(one -> one.usable()).containsExactly(true, false);
        var job = instances.get(0).jobs().get(0);
        assertThat(job.start()).isEqualTo(Instant.parse("2026-11-21T08:40:20Z"));
        assertThat(job.limit()).contains(Duration.ofMinutes(10));
        assertThat(job.slots()).isEqualTo(4);
    }

    @Test
    void readsANameThatIsMarkupToAnXmlParser() {
        assertThat(GridEngineOutput.reservationNames(NAMES)).isEqualTo(Map.of(6L, "a<b>&\"c"));
    }

    @Test
    void readsAReservationAndLeavesOutWhatIsGone() {
        var found = GridEngineOutput.reservations(RESERVATION, new SiteClock(ZoneId.of("Europe/Berlin")));

        assertThat(found).hasSize(1);
        assertThat(found.get(0).start()).isEqualTo(Instant.parse("2026-11-21T09:37:33Z"));
        assertThat(found.get(0).slotsOnHosts()).isEqualTo(Map.of("ge5", 4, "ge8", 4));
        assertThat(found.get(0).resources()).containsExactly("speed=fast");
        assertThat(found.get(0).begun()).isFalse();
    }

    @Test
    void believesTheVerdictAndNotTheExitCode() {
        String reasons = "Your job (-l speed=fast) cannot run in queue \"ge5\" because it offers only hf:speed=slow\n";

        assertThat(GridEngineOutput.verdict(reasons + "verification: found possible assignment with 16 slots\n"))
                .contains(true);
        assertThat(GridEngineOutput.verdict(reasons + "verification: no suitable queues\n"))
                .contains(false);
        assertThat(GridEngineOutput.verdict(reasons)).isEmpty();
        assertThat(GridEngineOutput.verdict(
                        "verification: no suitable queues\nverification: found possible assignment with 1 slots\n"))
                .isEmpty();
    }

    @Test
    void readsWhatTheSchedulerAssumesOfJobs() {
        var usual = GridEngineOutput.schedulerSettings("algorithm  default\nparams   none\ndefault_duration 1:0:0\n");
        var odd =
                GridEngineOutput.schedulerSettings("params PROFILE=1,DURATION_OFFSET=20\ndefault_duration INFINITY\n");

        assertThat(usual.defaultDuration()).contains(Duration.ofHours(1));
        assertThat(usual.offset()).isEqualTo(Duration.ofSeconds(60));
        assertThat(odd.defaultDuration()).isEmpty();
        assertThat(odd.offset()).isEqualTo(Duration.ofSeconds(20));
        assertThat(GridEngineOutput.slotsPerHost("pe_name x\nallocation_rule    4\n"))
                .contains(4);
        assertThat(GridEngineOutput.slotsPerHost("allocation_rule $fill_up\n")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\n",
                "error: commlib error\n",
                "<qrstat>\n",
                "<qrstat>\n</qrstat>\n<qrstat>\n</qrstat>\n",
                "<qrstat>\n<ar_summary>\n</qrstat>\n</ar_summary>\n",
                "<job_info>\n</job_info>\n",
                "</qrstat>\n",
                "<qrstat>\ntext\n</qrstat>\n",
                "<qrstat>\n<id>5</id>\u0007\n</qrstat>\n"
            })
    void takesNothingElseForAListing(String output) {
        assertThatThrownBy(() -> GridEngineOutput.reservationNames(output)).isInstanceOf(OutputFormatException.class);
    }

    @Test
    void refusesAnIdThatStandsTwiceInOneReservation() {
        String twice = NAMES.replace("<id>6</id>", "<id>6</id>\n<id>7</id>");

        assertThatThrownBy(() -> GridEngineOutput.reservationNames(twice))
                .isInstanceOf(OutputFormatException.class)
                .hasMessageContaining("<id> comes 2 times");
    }

    @Test
    void neverHalfUnderstandsACutOutput() {
        cutEverywhere(QUEUES, output -> GridEngineOutput.queueInstances(output, UTC));
        cutEverywhere(NAMES, GridEngineOutput::reservationNames);
        cutEverywhere(RESERVATION, output -> GridEngineOutput.reservations(output, UTC));
    }

    @Test
    void throwsNothingElseOnRandomDamage() {
        long seed = 20261121;
        damage(QUEUES, output -> GridEngineOutput.queueInstances(output, UTC), seed, read -> {});
        damage(NAMES, GridEngineOutput::reservationNames, seed, read -> {});
        damage(RESERVATION, output -> GridEngineOutput.reservations(output, UTC), seed, read -> {});
    }

    @Test
    void readsTheReferenceCaptures() throws IOException {
        Path folder = Path.of(System.getProperty("metasched.shared", ""), "schedulers", "fixtures", "gridengine");
        assumeTrue(Files.isDirectory(folder), "no reference captures beside this checkout");

        assertThat(GridEngineOutput.reservationNames(Files.readString(folder.resolve("ar-list-empty-xml.txt"))))
                .isEmpty();
        assertThat(GridEngineOutput.reservationNames(Files.readString(folder.resolve("ar-stat-xml.txt"))))
                .isNotEmpty();
        var one = GridEngineOutput.reservations(Files.readString(folder.resolve("ar-stat-1-xml.txt")), UTC);
        assertThat(one.get(0).slotsOnHosts()).isNotEmpty();
        assertThat(GridEngineOutput.reservations(Files.readString(folder.resolve("ar-stat-running-xml.txt")), UTC)
                        .get(0)
                        .begun())
                .isTrue();
        assertThat(GridEngineOutput.granted(Files.readString(folder.resolve("ar-create.txt"))))
                .isPresent();
        assertThat(GridEngineOutput.granted(Files.readString(folder.resolve("ar-create-busy.txt"))))
                .isEmpty();
        assertThat(GridEngineOutput.verdict(Files.readString(folder.resolve("ar-create-validate-ok.txt"))))
                .contains(true);
    }
}
