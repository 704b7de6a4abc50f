package org.metasched.adapter.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.metasched.adapter.InvalidSettingException;
import org.metasched.adapter.command.OutputFormatException;
import org.metasched.adapter.command.SiteClock;
import org.metasched.adapter.queue.ListedRequest.Stage;
import org.metasched.adapter.settings.YamlSettings;

/** Listings by configuration: what is read, and what is refused. */
class QueueOutputTest {

    private static final int ROUNDS = Integer.getInteger("metasched.fuzz", 3_000);

    private static final String DIALECT = """
            submit: [make, '{name}', '{nodes}', '{start}']
            submitted: '^made (?<id>\\d+)'
            refused: 'no'
            no-right: 'never'
            unknown: 'who'
            remove: [unmake, '{id}']
            list: [show]
            skip-lines: 1
            columns: [id, name, '-', state, start, start+, length, hosts, '*']
            states: {WAIT: waiting, PLAN: planned, RUN: running, END: finished}
            time-written: 'HH:mm dd.MM.yyyy'
            time-listed: 'HH:mm dd.MM.yyyy'
            length: '(?:(?<d>\\d+)d)?(?<h>\\d+):(?<m>\\d\\d)'
            nodes: 'rset=(?:(?<n>\\d+):)?'
            node-list: [nodes]
            node-columns: [name, state]
            nodes-up: [up, busy]
            """;

    private static final String LISTING = """
            id name user state start length hosts more
            12 meta-1 alice PLAN 09:00 21.11.2026 02:30 n0,n1 87% rset=2:ncpus=4
            13 -rf bob RUN 08:00 21.11.2026 1d00:00 n2 rset=ncpus=4
            14 x bob WAIT - - 02:30 - rset=8:ncpus=1
            """;

    private final QueueOutput output = output(DIALECT);

    private static QueueOutput output(String dialect) {
        return new QueueOutput(
                QueueDialect.from(YamlSettings.parse("site.yaml", dialect)), new SiteClock(ZoneId.of("Europe/Berlin")));
    }

    @Test
    void readsTheConfiguredColumns() {
        List<ListedRequest> requests = output.requests(LISTING);

        assertThat(requests)
                .extracting(ListedRequest::stage)
                .containsExactly(Stage.PLANNED, Stage.RUNNING, Stage.WAITING);
        assertThat(requests.get(0).start()).contains(Instant.parse("2026-11-21T08:00:00Z"));
        assertThat(requests.get(0).length()).contains(Duration.ofMinutes(150));
        assertThat(requests.get(0).hosts()).containsExactly("n0", "n1");
        assertThat(requests.get(1).length()).contains(Duration.ofDays(1));
        assertThat(requests).extracting(ListedRequest::nodes).containsExactly(2, 1, 8);
        assertThat(requests.get(1).name()).isEqualTo("-rf");
    }

    @Test
    void refusesEverythingThatDoesNotFit() {
        for (String bad : List.of(
                LISTING.replace("PLAN", "GEPLANT"),
                LISTING.replace("PLAN 09:00 21.11.2026", "PLAN - -"),
                LISTING.replace("09:00 21.11.2026", "09:00 21.Nov.2026"),
                LISTING.replace("09:00 21.11.2026", "02:30 29.03.2026"),
                LISTING.replace("02:30 n0", "2h30 n0"),
                LISTING.replace("02:30 n0", "00:00 n0"),
                LISTING.replace("n0,n1", "n0,;ls"),
                LISTING.replace("rset=8", "set=8"),
                LISTING.replace("rset=8:", "rset=0:"),
                LISTING.replace("rset=8:", "rset=99999999999:"),
                LISTING.replace("13 -rf", "12 -rf"),
                LISTING.replace("13 -rf", "--all -rf"),
                LISTING.replace("meta-1", "meta 1"),
                LISTING.replace("meta-1", "meta\u001b[2J"),
                LISTING.replace("meta-1", "rset=" + "a".repeat(20)).replace("rset=2:ncpus=4", "x".repeat(600)),
                LISTING.strip())) {
            assertThatThrownBy(() -> output.requests(bad)).as(bad).isInstanceOf(OutputFormatException.class);
        }
    }

    @Test
    void takesOneIdFromAnAnswerOrNone() {
        assertThat(output.submitted("hello\nmade 12 at noon\n")).contains("12");
        assertThat(output.submitted("made 12\nmade 13\n")).isEmpty();
        assertThat(output.submitted("not made\n")).isEmpty();
        assertThat(output.submitted("")).isEmpty();
    }

    @Test
    void readsNodesAndWhetherTheyWork() {
        assertThat(output.nodeStates("n0 up\nn1 down\n"))
                .containsEntry("n0", true)
                .containsEntry("n1", false);
        assertThatThrownBy(() -> output.nodeStates("n0 up\nn0 down\n")).isInstanceOf(OutputFormatException.class);
        assertThatThrownBy(() -> output.nodeStates("n0 up\nn1 do")).isInstanceOf(OutputFormatException.class);
    }

    @Test
    void damageThrowsNothingButAFormatException() {
        long seed = Long.getLong("metasched.seed", 20261121L);
        var random = new Random(seed);
        int refused = 0;
        for (int round = 0; round < ROUNDS; round++) {
            var damaged = new StringBuilder(LISTING);
            for (int n = 1 + random.nextInt(3); n > 0; n--) {
                int at = random.nextInt(damaged.length());
                switch (random.nextInt(4)) {
                    case 0 -> damaged.setCharAt(at, (char) random.nextInt(256));
                    case 1 -> damaged.delete(at, Math.min(damaged.length() - 1, at + random.nextInt(30)));
                    case 2 ->
                        damaged.insert(at, damaged.substring(at, Math.min(damaged.length(), at + random.nextInt(80))));
                    default -> damaged.insert(at, "9".repeat(random.nextInt(30)));
                }
            }
            try {
                for (ListedRequest request : output.requests(damaged.toString())) {
                    assertThat(request.nodes()).as("seed %d", seed).isBetween(1, 10_000_000);
                }
            } catch (OutputFormatException e) {
                refused++;
            }
        }
        assertThat(refused).as("seed %d", seed).isGreaterThan(ROUNDS / 4);
    }

    @Test
    void aValueNeverBecomesAnotherArgument() {
        var template = new CommandTemplate(List.of("make", "--name={name}", "{start}"));

        assertThat(template.filled(java.util.Map.of("name", "$1 \\ --force", "start", "09:00 21.11.2026")))
                .containsExactly("make", "--name=$1 \\ --force", "09:00 21.11.2026");
    }

    @Test
    void namesWhatIsWrongInADialectAndWhere() {
        assertInvalid(DIALECT.replace("'{name}'", "'{nmae}'"), "site.yaml:1:9: submit: there is no placeholder {nmae}");
        assertInvalid(DIALECT.replace("'no'", "'('"), "site.yaml:3:10: refused: this is not a regular expression");
        assertInvalid(DIALECT.replace("(?<id>", "("), "submitted: expected a pattern with the group (?<id>");
        assertInvalid(DIALECT.replace("PLAN: planned, ", ""), "states: expected a word for planned");
        assertInvalid(DIALECT.replace("running", "runs"), "RUN: expected waiting, planned, running");
        assertInvalid(
                DIALECT.replace("time-listed: 'HH:mm", "time-listed: 'HH:bb"),
                "time-listed: this is not a date pattern");
        assertInvalid(DIALECT.replace("[id, name", "[name"), "the column (id) is missing");
        assertInvalid(DIALECT.replace("hosts,", "host,"), "there is no column (host)");
        assertInvalid(DIALECT.replace("hosts, '*'", "hosts"), "the column (nodes) or (*)");
        assertInvalid(DIALECT.replace("skip-lines: 1", "skip-lines: -1"), "skip-lines: expected 0 to ");
        assertInvalid(DIALECT.replace("remove: [unmake, '{id}']", "remove: []"), "expected a command");
    }

    private static void assertInvalid(String dialect, String message) {
        assertThatThrownBy(() -> output(dialect))
                .isInstanceOf(InvalidSettingException.class)
                .hasMessageContaining(message);
    }

    @Test
    void findsTheIdBesideALineThatIsTooLongForThePattern() {
        assertThat(output.submitted("made 12\n" + "made 13 ".repeat(80) + "\n")).contains("12");
    }
}
