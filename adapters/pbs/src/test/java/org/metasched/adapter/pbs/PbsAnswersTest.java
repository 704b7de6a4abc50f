package org.metasched.adapter.pbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.LocalSchedulerException.Unreachable;
import org.metasched.adapter.Need;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;
import org.metasched.adapter.booking.BookingRequest;
import org.metasched.adapter.booking.CommandLineSite;
import org.metasched.adapter.command.OutputFormatException;
import org.metasched.adapter.command.SiteClock;
import org.metasched.adapter.testkit.ScriptedCommands;

/** What the words and exit codes of PBS mean: its yes, its no, its silence. An exit code is an error number's low byte. */
class PbsAnswersTest {

    private static final String NODES = """
            {"timestamp": 1, "nodes": {"n0": {"state": "free", "resources_available": {"host": "n0", "ncpus": 4, "bigmem": "True"}}}}
            """;
    private static final String RESERVATION = """
            Resv ID: R5.head1
            Reserve_Name = metasched-k5
            reserve_state = %s
            reserve_start = Sat Nov 21 09:00:00 2026
            reserve_end = Sat Nov 21 10:00:00 2026
            reserve_duration = 3600
            Resource_List.select = 1:ncpus=1:bigmem=True
            Resource_List.place = scatter:excl
            %spartition = pbs-default

            """;
    private static final Instant NINE = Instant.parse("2026-11-21T09:00:00Z");

    @TempDir
    private Path folder;

    private static String shown(String state) {
        return RESERVATION.formatted(state, state.equals("RESV_UNCONFIRMED") ? "" : "resv_nodes = (n0:ncpus=1)\n");
    }

    private PbsCommands commands(ReplayedPbs pbs) {
        var settings = pbs.settings("");
        var usual = new CommandLineSite.Defaults(ZoneOffset.UTC, Duration.ofSeconds(1));
        var site = CommandLineSite.from(new SiteId("pbs"), settings, ReplayedPbs.CLOCK, usual);
        return new PbsCommands(site, PbsSettings.from(settings));
    }

    private static BookingRequest booking() {
        var slot = TimeSlot.of(NINE, Duration.ofHours(1));
        var key = new RequestKey("k5");
        return new BookingRequest(key, "metasched-k5", List.of(), Optional.empty(), new Need.Nodes(1), slot);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 | R5.head1 CONFIRMED | | CONFIRMED",
                "0 | R5.head1 UNCONFIRMED | | UNCONFIRMED",
                "0 | R5.head1 DENIED | | DENIED",
                "0 | R5.head1 delete, wait period expired | | delete, wait period expired",
                "0 | S5.head1 CONFIRMED | | CONFIRMED",
                "0 | Welcome to head1 | | Unreadable",
                "0 | | | Unreadable",
                "238 | | pbs_rsub: Bad time specification(s) | Refused",
                "187 | | pbs_rsub: Unknown resource: bigmen | Refused",
                "171 | | pbs_rsub: Unknown node | Refused",
                "223 | | pbs_rsub: Invalid request | Refused",
                "247 | | pbs_rsub: Bad effective UID for reservation | Misconfigured",
                "159 | | pbs_rsub: Unauthorized Request | Misconfigured",
                "2 | | pbs_rsub: illegal -R time value | Misconfigured",
                "162 | | pbs_rsub: cannot connect to server head1 (errno=15010) | Unreachable",
                "1 | | pbs_rsub: Connection refused | Unreachable",
                "255 | | | Unreachable",
                "1 | | sh: 1: cannot fork | Unreachable"
            })
    void pbs_rsub(int exit, String out, String err, String meaning) {
        var pbs = new ReplayedPbs(folder);
        pbs.answer("pbs_rsub", line(out), line(err), exit);
        assertThat(meaning(() -> commands(pbs).reserve(booking()).verdict())).isEqualTo(meaning);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 | | gone",
                "236 | pbs_rdel: Unknown Reservation Id R5.head1 | gone",
                "159 | pbs_rdel: Unauthorized Request  R5.head1 | Misconfigured",
                "162 | pbs_rdel: cannot connect to server head1 (errno=15010) | Unreachable",
                "223 | pbs_rdel: Invalid request R5.head1 | Unreachable",
                "2 | usage: pbs_rdel resv_identifier... | Misconfigured"
            })
    void pbs_rdel(int exit, String err, String meaning) {
        var pbs = new ReplayedPbs(folder);
        pbs.answer("pbs_rdel", "", line(err), exit);
        assertThat(meaning(() -> {
                    commands(pbs).delete("R5.head1");
                    return "gone";
                }))
                .isEqualTo(meaning);
    }

    @Test
    void anIdThatPbsDoesNotKnowComesWithExitZero() throws Exception {
        var pbs = new ReplayedPbs(folder);
        pbs.answer("pbs_rstat", "", "pbs_rstat: Unknown Reservation Id\n", 0);
        assertThat(commands(pbs).reservation("R5.head1")).isEmpty();

        pbs.answer("pbs_rstat", shown("RESV_CONFIRMED"), "", 0);
        assertThat(commands(pbs).reservation("R5.head1").orElseThrow().state()).isEqualTo("RESV_CONFIRMED");
        assertThatThrownBy(() -> commands(pbs).reservation("R6.head1"))
                .isInstanceOf(Unreachable.class)
                .hasMessageContaining("asked for reservation R6.head1");

        pbs.answer("pbs_rstat", shown("RESV_CONFIRMED"), "pbs_rstat: End of file\n", 0);
        assertThatThrownBy(() -> commands(pbs).reservations()).isInstanceOf(Unreachable.class);
    }

    /** An object without jobs comes with a server that is down too: its exit counts. */
    @Test
    void aServerThatIsDownHasNoEmptyListing() {
        var pbs = new ReplayedPbs(folder);
        String empty = "{\n\t\"timestamp\":\t1795246876,\n\t\"pbs_server\":\t\"head1\"\n}\n";
        pbs.answer("qstat", empty, "", 0);
        assertThat(meaning(() -> commands(pbs).jobs().toString())).isEqualTo("[]");

        pbs.answer("qstat", empty, "qstat: cannot connect to server head1 (errno=15010)\n", 255);
        assertThat(meaning(() -> commands(pbs).jobs().toString())).isEqualTo("Unreachable");
    }

    /** {@code pbs_ralter}, {@code pbs_rstat} of other forms, {@code qsub} and {@code pbsnodes} of other forms print these. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "pbs_ralter: R5.head1 CONFIRMED\n",
                "pbs_ralter: R5.head1 DENIED\n",
                "pbs_ralter: Reservation not empty\n",
                "57.head1\n",
                "Resv ID: R5.head1\n",
                "Resv ID      Queue    User     State             Start / Duration / End\n---\nR5.head1 R5 g CO Sat 09:00 / 3600 / Sat 10:00\n",
                "Name=n0|state=free|resources_available.ncpus=4\n",
                "vnode state OS hardware host\n----- ----- -- -------- ----\nn0 free -- -- n0\n",
                "Job id            Name             User              Time Use S Queue\n57.head1          run              alice             00:00:00 R workq\n",
                "create queue workq\nset queue workq enabled = True\n"
            })
    void noOtherOutputIsTakenForOneOfOurs(String out) {
        var output = new PbsOutput(new SiteClock(ZoneOffset.UTC));
        assertThatThrownBy(() -> output.submitted(out)).isInstanceOf(OutputFormatException.class);
        assertThatThrownBy(() -> output.reservations(out)).isInstanceOf(OutputFormatException.class);
        assertThatThrownBy(() -> output.nodesFromText(out)).isInstanceOf(OutputFormatException.class);
        assertThatThrownBy(() -> output.jobsFromText(out)).isInstanceOf(OutputFormatException.class);
    }

    private ScriptedCommands scripted() {
        var commands =
                new ScriptedCommands(folder.resolve("bin"), "pbs_rsub", "pbs_rstat", "pbs_rdel", "pbsnodes", "qstat");
        commands.answer("pbsnodes *", 0, NODES, "");
        commands.answer("qstat *", 0, "{\"timestamp\": 1}", "");
        commands.answerOnce("pbs_rstat -f", 0, "", "");
        commands.answerOnce("pbs_rstat -f", 0, "", "");
        commands.answer("pbs_rstat -f", 0, shown("RESV_CONFIRMED"), "");
        commands.answer("pbs_rsub *", 0, "R5.head1 UNCONFIRMED\n", "");
        commands.answer("pbs_rdel *", 0, "", "");
        return commands;
    }

    private static PbsScheduler site(ScriptedCommands commands, String more) {
        var settings = org.metasched.adapter.settings.YamlSettings.parse(
                "site.yaml", "type: pbs\nrun: {path: ['" + commands.folder() + "']}\n" + more);
        return (PbsScheduler) new PbsFactory().open(new SiteId("pbs"), settings, ReplayedPbs.CLOCK);
    }

    @Test
    void whatIsConfirmedLaterIsWaitedFor() throws Exception {
        var commands = scripted();
        commands.answerOnce("pbs_rstat -f R5.head1", 0, shown("RESV_UNCONFIRMED"), "");
        commands.answer("pbs_rstat -f R5.head1", 0, shown("RESV_CONFIRMED"), "");

        var held =
                site(commands, "").reserve(new RequestKey("k5"), ResourceRequest.nodes(1, Duration.ofHours(1)), NINE);

        assertThat(held.id()).isEqualTo(new ReservationId("R5.head1"));
        assertThat(held.nodeNames()).containsExactly("n0");
        assertThat(commands.calls()).noneMatch(call -> call.startsWith("pbs_rdel"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"bigmem", "bigmem=True", "bigmem bigmem=True"})
    void aPropertyIsHeldInTheFormInWhichItIsAsked(String properties) throws Exception {
        var commands = scripted();
        commands.answer("pbs_rstat -f R5.head1", 0, shown("RESV_CONFIRMED"), "");
        var need = new Need.Nodes(1, 1, new TreeSet<>(List.of(properties.split(" "))));

        site(commands, "")
                .reserve(new RequestKey("k5"), new ResourceRequest(need, Duration.ofHours(1), Optional.empty()), NINE);

        assertThat(commands.calls()).noneMatch(call -> call.startsWith("pbs_rdel"));
        assertThat(commands.calls()).anyMatch(call -> call.contains("-l select=1:ncpus=1:bigmem=True -l place="));
    }

    @ParameterizedTest
    @CsvSource({"RESV_UNCONFIRMED, within PT1S", "RESV_BEING_DELETED, took it back", "gone, took it back"})
    void whatIsNeverConfirmedIsGivenBackAndRefused(String state, String words) {
        var commands =
                new ScriptedCommands(folder.resolve("bin"), "pbs_rsub", "pbs_rstat", "pbs_rdel", "pbsnodes", "qstat");
        commands.answer("pbsnodes *", 0, NODES, "");
        commands.answer("qstat *", 0, "{\"timestamp\": 1}", "");
        commands.answer("pbs_rstat -f", 0, "", "");
        commands.answer("pbs_rsub *", 0, "R5.head1 UNCONFIRMED\n", "");
        commands.answer("pbs_rdel *", 0, "", "");
        boolean gone = state.equals("gone");
        commands.answer(
                "pbs_rstat -f R5.head1",
                0,
                gone ? "" : shown(state),
                gone ? "pbs_rstat: Unknown Reservation Id\n" : "");

        assertThatThrownBy(() -> site(commands, "confirm-within: 1s\n")
                        .reserve(new RequestKey("k5"), ResourceRequest.nodes(1, Duration.ofHours(1)), NINE))
                .isInstanceOf(Refused.class)
                .hasMessageContaining(words);
        assertThat(commands.calls().stream()
                        .filter(call -> call.equals("pbs_rdel R5.head1"))
                        .count())
                .isEqualTo(state.equals("RESV_UNCONFIRMED") ? 1 : 0);
    }

    private static String line(String text) {
        return text == null ? "" : text + "\n";
    }

    private interface Asking {
        String ask() throws LocalSchedulerException;
    }

    private static String meaning(Asking asking) {
        try {
            return asking.ask();
        } catch (LocalSchedulerException e) {
            return e.getClass().getSimpleName();
        }
    }
}
