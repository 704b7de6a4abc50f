package org.metasched.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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

        var report = AuditLog.verify(folder);
        assertThat(report.problem()).isEmpty();
        assertThat(report.lines()).isEqualTo(3);
        assertThat(Files.readAllLines(file).get(2)).startsWith("{\"n\":3,\"time\":\"2026-11-22T03:00:00Z\"");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
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

    @Test
    void aReceiverThatIsAwayHoldsNothingUp() throws Exception {
        writeTo(URI.create("unix:" + folder.resolve("nobody")), 20_000);

        assertThat(AuditLog.verify(folder).lines()).isEqualTo(20_000);
    }

    private void writeTo(URI syslog, int lines) throws Exception {
        try (var log = AuditLog.in(file.getParent(), Optional.of(syslog), CLOCK)) {
            for (int i = 0; i < lines; i++) {
                log.write(new Call(Subject.ANONYMOUS, "x", ""), "", "", new Decision(false, "usual"));
            }
        }
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

            assertThat(AuditLog.verify(folder).problem())
                    .as("%s", harm.indexOf(change))
                    .isPresent();
        }
    }

    @Test
    void aTornLineIsCutOffAndWrittenDown() throws Exception {
        write(2);
        Files.writeString(file, Files.readString(file) + "{\"n\":3,\"ti");
        assertThat(AuditLog.verify(folder).problem()).isPresent();

        write(1);

        assertThat(AuditLog.verify(folder).problem()).isEmpty();
        assertThat(Files.readAllLines(file).get(2)).contains("\"event\":\"torn\",\"bytes\":10");
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
        assertThat(AuditLog.verify(folder).lines()).isEqualTo(1);
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
