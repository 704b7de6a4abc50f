package org.metasched.cli.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metasched.adapter.settings.YamlSettings;
import org.metasched.cli.install.ConfigurationChecks.Finding;
import org.metasched.http.LoopbackAddress;
import org.metasched.trust.DemoAuthority;

class ConfigurationChecksTest {

    private static final String SITES = "sites: [{site: lab, scheduler: {type: simulated, nodes: 2}}]\n";
    private static final String HEALTH =
            "{\"status\":\"UP\",\"database\":\"UP\",\"offersUnderWay\":0,\"clockOffsetSeconds\":0}";

    @TempDir
    private Path folder;

    @Test
    void unknownFreeSpaceIsNoMistake() {
        var finding = ConfigurationChecks.space(folder, 0, 0);

        assertThat(finding.outcome()).isEqualTo("good");
        assertThat(finding.detail()).contains("free space unknown");
    }

    @Test
    void littleSpaceIsDoubtful() {
        assertThat(ConfigurationChecks.space(folder, 1L << 40, 1 << 20).outcome())
                .isEqualTo("doubtful");
        assertThat(ConfigurationChecks.space(folder, 1L << 40, 1L << 32).outcome())
                .isEqualTo("good");
    }

    @Tag("full")
    @Test
    void aSiteThatServesKnownUsersOnlyIsWell() throws Exception {
        Path map = file("map", "rw-r--r--", "\"/CN=alice\" alice\n");
        var mapping = find(
                "site lab",
                null,
                "sites: [{site: lab, scheduler: {type: oar}, identity: {grid-mapfile: '" + map + "'}}]\n");
        assertThat(mapping.outcome()).as(mapping.toString()).isEqualTo("good");
        assertThat(mapping.detail()).startsWith("answers");
        assertThat(mapping.advice()).contains("--try SUBJECT");

        String ruled = """
                sites:
                  - site: lab
                    scheduler: {type: simulated, nodes: 2, programs: {folder: '%s'}}
                    policy: {rules: [{name: alice, require: 'Subject == "/CN=alice"'}]}
                """.formatted(folder.resolve("jobs"));
        assertThat(find("site lab", null, ruled).outcome()).isEqualTo("good");
        assertThat(find("site lab", "", ruled).outcome()).isEqualTo("good");
        assertThat(find("job at lab", "", ruled).outcome()).isEqualTo("doubtful");
        assertThat(find("job at lab", "", ruled).detail()).startsWith("not tried");
        assertThat(find("site lab", "/CN=alice", ruled).detail()).startsWith("one node is free");
        assertThat(find("site lab", "/CN=eve", ruled).outcome()).isEqualTo("wrong");
        assertThat(find("job at lab", "/CN=eve", ruled).outcome()).isEqualTo("wrong");
    }

    @Test
    void aCertificateIsReadAsTheServerReadsIt() throws Exception {
        Path password = file("password", "rw-------", "changeit\n");
        Path store = store();

        var inStore = findings(null, tls(store, password) + SITES);
        assertThat(named(inStore, "certificate").outcome())
                .as(inStore.toString())
                .isEqualTo("good");

        var authority = new DemoAuthority(folder.resolve("authority"), Clock.systemUTC());
        var host = authority.member("host");
        assertThat(find("certificate", null, tls(host.certificate(), host.key()) + SITES)
                        .detail())
                .startsWith("valid until");
        Path other = authority.member("other").key();
        assertThat(find("certificate", null, tls(host.certificate(), other) + SITES)
                        .outcome())
                .isEqualTo("wrong");
    }

    @Test
    void authoritiesAreReadAsTheServerReadsThem() throws Exception {
        var authority = new DemoAuthority(folder.resolve("authority"), Clock.systemUTC());
        var old = new DemoAuthority(folder.resolve("old"), Clock.fixed(Instant.EPOCH, ZoneOffset.UTC));
        var host = authority.member("host");
        Path directory = authority.directory();
        String name = onlyName(directory, ".0");
        String yaml =
                tls(host.certificate(), host.key()).replace("}\n", ", authorities: '" + directory + "'}\n") + SITES;
        assertThat(find("authorities", null, yaml).outcome()).isEqualTo("good");

        for (String ending : List.of(".0", ".r0", ".signing_policy")) {
            String file = name.replace(".0", ending);
            Files.copy(old.directory().resolve(file), directory.resolve(file), StandardCopyOption.REPLACE_EXISTING);
        }
        assertThat(find("authorities", null, yaml).outcome()).isEqualTo("doubtful");
        assertThat(find("authorities", null, yaml).detail()).contains("expired: CN=Throw-Away Authority", " at 19");
        Files.delete(directory.resolve(name));
        assertThat(find("authorities", null, yaml).outcome()).isEqualTo("wrong");
    }

    private static String onlyName(Path directory, String ending) throws IOException {
        try (var files = Files.newDirectoryStream(directory, "*" + ending)) {
            return files.iterator().next().getFileName().toString();
        }
    }

    /** A key pair in a PKCS#12 store with the password changeit. */
    private Path store() throws Exception {
        Path store = folder.resolve("host.p12");
        var made = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=host",
                        "-alias",
                        "host",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        "changeit")
                .redirectErrorStream(true)
                .start();
        made.getInputStream().readAllBytes();
        assertThat(made.waitFor()).isZero();
        return store;
    }

    @Test
    @Timeout(60)
    void othersMayReadNoFileOfASecret() throws Exception {
        var authority = new DemoAuthority(folder.resolve("authority"), Clock.systemUTC());
        var host = authority.member("host");
        var secrets = new ArrayList<>(List.of(protect(host.key(), "rw-r--r--"), protect(store(), "rw-r--r--")));
        for (String name : List.of(
                "database", "mail", "people", "openid", "token", "store-password", "site-key", "rest", "slurmrestd")) {
            secrets.add(file(name, "rw-r--r--", name.equals("store-password") ? "changeit" : name));
        }
        file("keys", "rw-r--r--", "{\"keys\": []}");
        String yaml = """
                database: {user: x, password-file: FOLDER/database}
                mail: {server: 'localhost:25', from: a@example.org, password-file: FOLDER/mail}
                client: {token-file: FOLDER/token}
                security:
                  certificate: CERTIFICATE
                  key: KEY
                  passwords: FOLDER/people
                  audiences: [here]
                  issuers: [{url: 'https://example.org', keys: FOLDER/keys}]
                  openid: {client: a, secret: FOLDER/openid, authorize: 'https://example.org/a', token: 'https://example.org/t'}
                sites:
                  - {site: far, url: 'http://127.0.0.1:1/', client: {certificate: FOLDER/host.p12, key: FOLDER/store-password}}
                  - {site: ssh, scheduler: {type: slurm, partition: a, run: {ssh: {client: /bin/false, host: x, key: FOLDER/site-key}}}}
                  - {site: rest, scheduler: {type: http, url: 'http://127.0.0.1:1/', token-file: FOLDER/rest}}
                  - {site: slurm, scheduler: {type: slurm-rest, partition: a, url: 'http://127.0.0.1:1/', token-file: FOLDER/slurmrestd}}
                """.replace("CERTIFICATE", host.certificate().toString())
                .replace("KEY", host.key().toString())
                .replace("FOLDER", folder.toString());

        assertThat(findings(null, yaml))
                .filteredOn(finding -> finding.what().equals("rights"))
                .extracting(finding -> finding.detail().replaceAll(" is a secret .*", ""))
                .containsExactlyInAnyOrderElementsOf(
                        secrets.stream().map(Path::toString).toList());

        for (Path secret : secrets) {
            protect(secret, "rw-r-----");
        }
        assertThat(findings(null, yaml)).extracting(Finding::what).doesNotContain("rights");
    }

    @Test
    void theFileThatHoldsASecretIsTheOneThatOthersMayNotRead() throws Exception {
        Path password = file("password", "rw-------", "geheim");
        String yaml = "database: {user: x, password-file: '" + password + "'}\n" + SITES;
        assertThat(findings(null, yaml)).extracting(Finding::what).doesNotContain("rights");

        protect(password, "rw-r--r--");
        assertThat(find("rights", null, yaml).outcome()).isEqualTo("wrong");
        assertThat(find("rights", null, yaml).detail()).startsWith(password.toString());
        assertThat(findings(null, "database: {user: x, password: geheim}\n" + SITES))
                .filteredOn(finding -> finding.what().equals("rights"))
                .singleElement()
                .satisfies(finding -> assertThat(finding.detail()).contains("server.yaml"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "//HOST:1,HOST:PORT/x",
                "//HOST:PORT/x",
                "//HOST:PORT/x?user=a b",
                "//no_such.invalid,HOST:PORT/x"
            })
    @Timeout(60)
    void aDatabaseIsWellIfItLetsTheServerIn(String url) throws Exception {
        var calls = new AtomicInteger();
        try (var noDatabase = new ServerSocket(0, 50, LoopbackAddress.get())) {
            var ending = new Thread(() -> {
                while (!noDatabase.isClosed()) {
                    try (var caller = noDatabase.accept()) {
                        calls.incrementAndGet();
                    } catch (IOException e) {
                        // the caller is gone, or the test is over
                    }
                }
            });
            ending.start();
            String at = url.replace("HOST", LoopbackAddress.host())
                    .replace("PORT", String.valueOf(noDatabase.getLocalPort()));

            var finding = find("database", null, "database: {url: 'jdbc:postgresql:" + at + "', user: x}\n" + SITES);

            assertThat(finding.outcome()).as(finding.toString()).isEqualTo("wrong");
            assertThat(finding.detail()).contains(at).doesNotContain("Exception");
            assertThat(calls).hasPositiveValue();
        }
    }

    @Tag("full")
    @Test
    @Timeout(60)
    void aDatabaseThatNeverAnswersIsNotWaitedForLong() throws Exception {
        try (var silent = new ServerSocket(0, 50, LoopbackAddress.get())) {
            long before = System.nanoTime();
            var finding = find(
                    "database",
                    null,
                    "database: {url: 'jdbc:postgresql://" + LoopbackAddress.host() + ":" + silent.getLocalPort()
                            + "/x', user: x}\n" + SITES);

            assertThat(finding.outcome()).isEqualTo("wrong");
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(40));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1", "::"})
    void theServerItselfMayHaveThePort(String listen) throws Exception {
        assumeThat(canListenAt(listen)).isTrue();
        var server = healthy(listen);
        try {
            var finding = find(
                    "port",
                    null,
                    "listen: '" + listen + "'\nport: " + server.getAddress().getPort() + "\n" + SITES);

            assertThat(finding.outcome()).as(finding.toString()).isEqualTo("good");
            assertThat(finding.detail()).contains("the server answers");
        } finally {
            server.stop(0);
        }
    }

    @Test
    void thePortOfTheOperatorsIsFreeOrThatOfTheServer() throws Exception {
        try (var taken = new ServerSocket(0, 50, LoopbackAddress.get())) {
            var answering = new Thread(() -> closeAll(taken));
            answering.start();
            String at = LoopbackAddress.host() + ":" + taken.getLocalPort();

            var finding = find("operators", null, "operators: '" + at + "'\n" + SITES);

            assertThat(finding.outcome()).as(finding.toString()).isEqualTo("wrong");
            assertThat(finding.advice()).startsWith("End what listens there").contains("operators:");
        }
        assertThat(find("operators", null, "operators: '" + LoopbackAddress.host() + ":0'\n" + SITES)
                        .outcome())
                .isEqualTo("good");
        assertThat(findings(null, SITES)).extracting(Finding::what).doesNotContain("operators");
    }

    @Test
    void noRedirectIsFollowed() throws Exception {
        var server = healthy("127.0.0.1");
        var other = HttpServer.create(new InetSocketAddress(LoopbackAddress.get(), 0), 50);
        other.createContext("/", exchange -> {
            exchange.getResponseHeaders()
                    .set("Location", "http://127.0.0.1:" + server.getAddress().getPort() + "/health");
            exchange.sendResponseHeaders(302, -1);
            exchange.close();
        });
        other.start();
        try {
            var finding = find("port", null, "port: " + other.getAddress().getPort() + "\n" + SITES);

            assertThat(finding.outcome()).as(finding.toString()).isEqualTo("wrong");
        } finally {
            other.stop(0);
            server.stop(0);
        }
    }

    /** Nothing can be ended there; the address is of another machine. */
    @Test
    @Timeout(60)
    void anAddressThatIsNotOfThisMachineIsNotInUse() throws Exception {
        var finding = find("port", null, "listen: 192.0.2.1\nport: 80\n" + SITES);

        assertThat(finding.outcome()).as(finding.toString()).isEqualTo("wrong");
        assertThat(finding.advice()).startsWith("Set listen:");
    }

    private static HttpServer healthy(String listen) throws IOException {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getByName(listen), 0), 50);
        server.createContext("/health", exchange -> {
            byte[] body = HEALTH.getBytes(StandardCharsets.US_ASCII);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        return server;
    }

    private static void closeAll(ServerSocket at) {
        while (!at.isClosed()) {
            try (var caller = at.accept()) {
                caller.getInputStream().read(new byte[1 << 16]);
            } catch (IOException e) {
                // the caller is gone, or the test is over
            }
        }
    }

    private static boolean canListenAt(String address) {
        try (var socket = new ServerSocket(0, 1, InetAddress.getByName(address))) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    private static String tls(Path certificate, Path key) {
        return "security: {certificate: '" + certificate + "', key: '" + key + "'}\n";
    }

    private Path file(String name, String rights, String text) throws IOException {
        return protect(Files.writeString(folder.resolve(name), text), rights);
    }

    private static Path protect(Path file, String rights) throws IOException {
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(rights));
    }

    private Finding find(String what, @Nullable String trial, String yaml) throws Exception {
        return named(findings(trial, yaml), what);
    }

    private static Finding named(List<Finding> findings, String what) {
        return findings.stream()
                .filter(finding -> finding.what().equals(what))
                .findFirst()
                .orElseThrow(
                        () -> new AssertionError("There is no finding on the " + what + " among " + findings + "."));
    }

    private List<Finding> findings(@Nullable String trial, String yaml) throws Exception {
        String port = yaml.contains("port: ") ? "" : "port: 0\n";
        Path server = file("server.yaml", "rw-r--r--", port + "data: " + folder + "\n" + yaml);
        return new ConfigurationChecks(YamlSettings.read(server), server, trial, Clock.systemUTC()).all();
    }
}
