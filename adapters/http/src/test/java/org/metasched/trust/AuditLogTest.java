package org.metasched.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.DatagramChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metasched.trust.AccessPolicy.Decision;
import org.metasched.trust.Authorizer.Call;

class AuditLogTest {

    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-11-22T03:00:00Z"), ZoneOffset.UTC);

    @TempDir
    private Path folder;

    private Path file;

    @BeforeEach
    void name() {
        file = folder.resolve("audit-000001.jsonl");
    }

    @Test
    void linesAreChainedAcrossStartsAndReadableByTheirOwnerAlone() throws Exception {
        write(2);
        write(1);

        var report = AuditLog.verify(folder, Optional.empty());
        assertThat(report.problem()).isEmpty();
        assertThat(report.lines()).isEqualTo(3);
        assertThat(Files.readAllLines(file).get(2)).startsWith("{\"n\":3,\"time\":\"2026-11-22T03:00:00Z\"");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    /** The next file cannot be made, since a directory has its name. */
    @Test
    void whenItIsWrittenAgainTheRecordHasTheNumberOfAllRefusedOperations() throws Exception {
        write(1);
        String line = Files.readString(file);
        try (var full = new RandomAccessFile(file.toFile(), "rw")) {
            full.seek(64L << 20);
            full.write(("\n" + line).getBytes(StandardCharsets.US_ASCII));
        }
        try (var log = AuditLog.in(folder, Optional.empty(), CLOCK)) {
            var next = Files.createDirectory(folder.resolve("audit-000002.jsonl"));
            var call = new Call(Subject.ANONYMOUS, "POST /services", "192.0.2.1:1");
            assertThatThrownBy(() -> log.write(call, "", "", new Decision(true, "any")))
                    .isInstanceOf(NotAllowedException.class);
            assertThatThrownBy(log::check).isInstanceOf(NotAllowedException.class);
            assertThatThrownBy(log::check).isInstanceOf(NotAllowedException.class);

            Files.delete(next);

            log.check();
            assertThat(Files.readString(next)).contains("\"event\":\"resumed\",\"unwritten\":3,");
        }
    }

    @Test
    void denialsOfStrangersDoNotFillTheRecord() throws Exception {
        try (var log = AuditLog.in(folder, Optional.empty(), CLOCK)) {
            var guard = new Authorizer(new AccessPolicy(AccessPolicy.People.CLOSED, List.of()), Quotas.NONE, log);
            for (int port = 1; port <= 500; port++) {
                var stranger = new Call(Subject.ANONYMOUS, "GET /metrics", "[2001:db8::" + port + "]:" + port);
                assertThatThrownBy(() -> guard.enter(stranger)).isInstanceOf(NotAllowedException.class);
                guard.refused("password", "POST /services", "[2001:db8:0:1::" + port + "]:" + port, "wrong");
            }
            var eve = new Call(Subject.ofCertificate("/CN=Eve"), "GET /metrics", "[2001:db8::1]:1");
            assertThatThrownBy(() -> guard.enter(eve)).isInstanceOf(NotAllowedException.class);
        }

        var lines = Files.readAllLines(file);
        assertThat(lines).hasSize(201);
        assertThat(lines.get(200)).contains("/CN=Eve");
    }

    @Test
    void refusedCredentialsAreDenialsAndDoNotFillTheRecord() throws Exception {
        try (var log = AuditLog.in(folder, Optional.empty(), CLOCK)) {
            var guard = new Authorizer(AccessPolicy.OPEN, Quotas.NONE, log);
            for (int port = 0; port < 1_000; port++) {
                guard.refused("password", "POST /services", "192.0.2.1:" + port, "wrong");
            }
            guard.refused("token", "POST /services", "192.0.2.2:1", "forged");
        }

        var lines = Files.readAllLines(file);
        assertThat(lines).hasSize(101);
        assertThat(lines.get(100))
                .contains("\"from\":\"192.0.2.2:1\",\"outcome\":\"denied\","
                        + "\"rule\":\"the credential (token) is refused: forged\"");
    }

    @Test
    void eachLineGoesToSyslogOverUdp() throws Exception {
        try (var receiver = DatagramChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            int port = ((InetSocketAddress) receiver.getLocalAddress()).getPort();
            writeTo(URI.create("udp://127.0.0.1:" + port), 1);

            var packet = ByteBuffer.allocate(10_000);
            receiver.receive(packet);
            assertThat(new String(packet.array(), 0, packet.position(), StandardCharsets.US_ASCII))
                    .matches("<109>1 2026-11-22T03:00:00Z - metasched \\d+ audit - \\{\"n\":1,.*")
                    .endsWith(Files.readAllLines(file).get(0));
        }
    }

    @Test
    void eachLineGoesToSyslogOverStreamsWithItsLength() throws Exception {
        Path socket = folder.resolve("log.sock");
        for (var at : List.of(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), UnixDomainSocketAddress.of(socket))) {
            boolean tcp = at instanceof InetSocketAddress;
            Path own = Files.createDirectory(folder.resolve(tcp ? "tcp" : "unix"));
            file = own.resolve("audit-000001.jsonl");
            try (var door = ServerSocketChannel.open(tcp ? StandardProtocolFamily.INET : StandardProtocolFamily.UNIX)) {
                door.bind(at);
                var receiver = tcp
                        ? URI.create("tcp://127.0.0.1:" + ((InetSocketAddress) door.getLocalAddress()).getPort())
                        : URI.create("unix:" + socket);
                writeTo(receiver, 3);

                String all;
                try (var caller = door.accept()) {
                    all = new String(Channels.newInputStream(caller).readAllBytes(), StandardCharsets.US_ASCII);
                }
                for (String line : Files.readAllLines(file)) {
                    int space = all.indexOf(' ');
                    int length = Integer.parseInt(all.substring(0, space));
                    assertThat(all.substring(space + 1, space + 1 + length)).endsWith(line);
                    all = all.substring(space + 1 + length);
                }
                assertThat(all).isEmpty();
            }
        }
    }

    @Tag("full")
    @Test
    void aReceiverThatIsAwayHoldsNothingUp() throws Exception {
        writeTo(URI.create("unix:" + folder.resolve("nobody")), 20_000);

        assertThat(AuditLog.verify(folder, Optional.empty()).lines()).isEqualTo(20_000);
    }

    private void writeTo(URI syslog, int lines) throws Exception {
        try (var log = AuditLog.in(file.getParent(), Optional.of(syslog), CLOCK)) {
            for (int i = 0; i < lines; i++) {
                log.write(new Call(Subject.ANONYMOUS, "x", ""), "", "", new Decision(false, "usual"));
            }
        }
    }

    @Test
    void randomTampersAreFoundOrNamedAsNotProven() throws Exception {
        write(Integer.getInteger("metasched.audit.lines", 230));
        var sound = Files.readAllLines(file);
        var end = AuditLog.verify(folder, Optional.empty());
        assertThat(end.problem()).isEmpty();
        assertThat(end.notProven()).singleElement().asString().contains("--since");
        var anchor = Optional.of(AuditLog.Anchor.of(end.number() + ":" + end.newest()));
        assertThat(AuditLog.verify(folder, anchor).notProven()).isEmpty();
        var random = new Random(31);
        for (int turn = 0; turn < Integer.getInteger("metasched.audit.tampers", 1_000); turn++) {
            var lines = new ArrayList<>(sound);
            String harm = harm(lines, random);
            Files.write(file, lines);

            assertThat(AuditLog.verify(folder, anchor).problem()).as("%s", harm).isPresent();
            assertThat(AuditLog.verify(folder, Optional.empty()).problem())
                    .as("%s", harm)
                    .isPresent();
        }
    }

    @Test
    void anOlderCopyIsFoundByItsAnchorAndElseNamedAsNotProven(@TempDir Path copy) throws Exception {
        write(130);
        try (var files = Files.list(folder)) {
            for (Path one : files.toList()) {
                Files.copy(one, copy.resolve(one.getFileName()));
            }
        }
        write(120);
        var end = AuditLog.verify(folder, Optional.empty());

        var anchored = AuditLog.verify(copy, Optional.of(AuditLog.Anchor.of(end.number() + ":" + end.newest())));

        assertThat(anchored.problem()).hasValueSatisfying(p -> assertThat(p).contains("an older copy stands here"));
        assertThat(AuditLog.verify(copy, Optional.empty()).notProven())
                .anyMatch(open -> open.contains("an older copy"));
    }

    private static String harm(List<String> lines, Random random) {
        int at = random.nextInt(lines.size());
        int kind = random.nextInt(7);
        switch (kind) {
            case 0 -> lines.remove(at);
            case 1 -> lines.add(at, lines.get(random.nextInt(lines.size())));
            case 2 -> lines.set(at, lines.get(at).replace("denied", "allowed"));
            case 3 -> Collections.swap(lines, at, (at + 1 + random.nextInt(lines.size() - 1)) % lines.size());
            case 4 -> lines.subList(at, lines.size()).clear();
            case 5 -> lines.subList(0, at + 1).clear();
            default -> chainAgain(lines, at);
        }
        return kind + " at " + at;
    }

    /** As who knows how the chain is made. */
    private static void chainAgain(List<String> lines, int at) {
        lines.set(at, lines.get(at).replace("denied", "allowed"));
        for (int i = at + 1; i < lines.size(); i++) {
            lines.set(
                    i,
                    lines.get(i)
                            .replaceFirst("\"prev\":\"[0-9a-f]{64}", "\"prev\":\"" + AuditLog.hash(lines.get(i - 1))));
        }
    }

    @Test
    void whatIsNotSignedYetIsNamed() throws Exception {
        try (var log = AuditLog.in(folder, Optional.empty(), CLOCK)) {
            for (int i = 0; i < 101; i++) {
                log.write(new Call(Subject.ANONYMOUS, "x", ""), "", "", new Decision(false, "usual"));
            }
            assertThat(AuditLog.verify(folder, Optional.empty()).notProven())
                    .anyMatch(s -> s.startsWith("Lines 101 to 101 have no checkpoint yet"));
        }
        Files.move(file, folder.resolve("audit-000002.jsonl"));
        var lines = Files.readAllLines(folder.resolve("audit-000002.jsonl"));
        Files.write(folder.resolve("audit-000002.jsonl"), lines.subList(50, 101));

        assertThat(AuditLog.verify(folder, Optional.empty()).notProven())
                .anyMatch(s -> s.startsWith("Lines 1 to 50 are not here"));
    }

    @Test
    void aLineThatWasTouchedIsFound() throws Exception {
        List<UnaryOperator<List<String>>> harm = List.of(
                lines -> with(lines, l -> l.set(1, l.get(1).replace("denied", "allowed"))),
                lines -> with(lines, l -> l.remove(1)),
                lines -> with(lines, l -> l.add(2, l.get(1))),
                lines -> with(lines, l -> l.add(1, l.remove(2))),
                lines -> with(lines, l -> l.set(1, "not a line")));
        write(4);
        var sound = Files.readAllLines(file);
        for (var change : harm) {
            Files.write(file, change.apply(sound));

            assertThat(AuditLog.verify(folder, Optional.empty()).problem())
                    .as("%s", harm.indexOf(change))
                    .isPresent();
        }
    }

    @Test
    void aTornLineIsCutOffAndWrittenDown() throws Exception {
        write(2);
        var whole = AuditLog.verify(folder, Optional.empty());
        Files.writeString(file, Files.readString(file) + "{\"n\":3,\"ti");
        var torn = AuditLog.verify(folder, Optional.empty());
        assertThat(torn.problem()).contains(file + ":3: the last line is torn.");
        assertThat(torn.lines()).isEqualTo(2);
        assertThat(torn.newest()).isEqualTo(whole.newest());

        write(1);

        assertThat(AuditLog.verify(folder, Optional.empty()).problem()).isEmpty();
        assertThat(Files.readAllLines(file).get(2)).contains("\"event\":\"torn\",\"bytes\":10");
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 40, 90})
    void aTornCheckpointIsNoTamperAndTakesNoOther(int bytes) throws Exception {
        write(2);
        Path checkpoints = folder.resolve("checkpoints");
        Files.writeString(checkpoints, Files.readString(checkpoints).substring(0, bytes));
        var torn = AuditLog.verify(folder, Optional.empty());
        write(2);
        var whole = AuditLog.verify(folder, Optional.empty());

        assertThat(torn.problem()).isEmpty();
        assertThat(torn.notProven()).anyMatch(s -> s.startsWith("Lines 1 to 2 have no checkpoint yet"));
        assertThat(whole.problem()).isEmpty();
        assertThat(whole.notProven()).noneMatch(s -> s.contains("have no checkpoint yet"));
    }

    @Test
    void whatCannotBeWrittenDownIsNotDone() throws Exception {
        var log = AuditLog.in(folder, Optional.empty(), CLOCK);
        var guard = new Authorizer(AccessPolicy.OPEN, Quotas.NONE, log);
        var atDoor = new Call(Subject.ANONYMOUS, "Collector/Query", "");
        var atObject = new Call(Subject.ANONYMOUS, "Agreement/Terminate", "");
        guard.enter(atDoor);
        log.close();

        for (Runnable asked : List.<Runnable>of(
                () -> guard.enter(atDoor),
                () -> guard.enter(atObject),
                () -> guard.permits(atObject, ProtectedResource.agreement("a", "")),
                () -> guard.note(atDoor, "2 ads"))) {
            assertThatThrownBy(asked::run)
                    .isInstanceOfSatisfying(
                            NotAllowedException.class,
                            e -> assertThat(e.isBusy() && e.isUnrecorded()).isTrue());
        }
        assertThat(log.takesLines()).isFalse();
        assertThat(AuditLog.verify(folder, Optional.empty()).lines()).isEqualTo(1);
    }

    @Test
    void noCallerForgesALine() throws Exception {
        try (var log = AuditLog.in(folder, Optional.empty(), CLOCK)) {
            log.write(
                    new Call(Subject.ofCertificate("/CN=\"}\n{\"n\":2,\u202Eevil\\"), "x", "y"),
                    "",
                    "",
                    new Decision(false, "no"));
        }

        assertThat(Files.readAllLines(file))
                .singleElement()
                .asString()
                .contains("/CN=\\u0022}\\u000a{\\u0022n\\u0022:2,\\u202eevil\\u005c\"");
    }

    private void write(int lines) throws Exception {
        try (var log = AuditLog.in(folder, Optional.empty(), CLOCK)) {
            for (int i = 0; i < lines; i++) {
                log.write(
                        new Call(Subject.ofCertificate("/CN=Alice"), "Agreement/Terminate", "127.0.0.1:1"),
                        "Agreement " + i,
                        "",
                        new Decision(false, "no rule allows it to user"));
            }
        }
    }

    private static List<String> with(List<String> lines, java.util.function.Consumer<List<String>> change) {
        var copy = new ArrayList<>(lines);
        change.accept(copy);
        return copy;
    }
}
