package org.metasched.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerFactory;
import org.metasched.adapter.Settings;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.simulated.SimulatedSchedulerFactory;
import org.metasched.classad.ClassAd;
import org.metasched.classad.LookupMode;
import org.metasched.classad.Scope;
import org.metasched.server.ConfigurationFile;
import org.metasched.server.ServerAssembly;
import org.metasched.trust.DemoAuthority;

/** One ad of a site: its number, and what it says without being told. */
class PublishCommandTest {

    private static final String SEQUENCE = "UpdateSequenceNumber";

    @TempDir
    private static Path home;

    private static ServerAssembly server;

    @TempDir
    private Path folder;

    private StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeAll
    static void serve() throws Exception {
        var config = Files.writeString(
                home.resolve("server.yaml"),
                "port: 0\ndata: " + home + "\nsites: [{site: other, scheduler: {type: simulated, nodes: 4}}]\n");
        server = ServerAssembly.start(ConfigurationFile.read(config), Clock.systemUTC());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void aSite() throws Exception {
        Files.writeString(
                folder.resolve("site.yaml"),
                "site: toy\nscheduler: {type: simulated, nodes: 4}\npublish: {max-matches: 2}\n");
    }

    private int run(String line) {
        out = new StringWriter();
        return Main.execute(
                new PrintWriter(out, true),
                new PrintWriter(err, true),
                line.replace("@", folder.toString())
                        .replace("SERVER", server.base().toString())
                        .split(" "));
    }

    private ClassAd published(String to) throws Exception {
        assertThat(run("publish --site-config @/site.yaml --state @/state --once " + to))
                .as(err.toString())
                .isZero();
        return ClassAd.parseOld(out.toString());
    }

    @Test
    void aRunUsesOneNumber() throws Exception {
        long first = published("--file @/ad").getLong(SEQUENCE);
        long state = Long.parseLong(
                Files.readString(folder.resolve("state/sequence-toy")).strip());
        long second = published("--file @/ad").getLong(SEQUENCE);

        assertThat(state).isEqualTo(first);
        assertThat(second)
                .isBetween(
                        first + 1,
                        Math.max(first + 1, Clock.systemUTC().instant().getEpochSecond()));
    }

    @Test
    void lostNumbersGoOnAfterThatOfTheCollector() throws Exception {
        long ahead = Clock.systemUTC().instant().getEpochSecond() + 1_000_000;
        Files.writeString(
                folder.resolve("ads"),
                "[ MyType = \"Machine\"; Name = \"toy\"; MaxMatches = 2; UpdateSequenceNumber = " + ahead + " ]\n");
        assertThat(run("advertise --server SERVER @/ads")).as(err.toString()).isZero();

        assertThat(published("--server SERVER").getLong(SEQUENCE)).isEqualTo(ahead + 1);
        assertThat(published("--server SERVER").getLong(SEQUENCE)).isEqualTo(ahead + 2);

        // Another publisher under this name is no lost state.
        Files.writeString(folder.resolve("state/sequence-toy"), "5\n");
        assertThat(run("publish --site-config @/site.yaml --state @/state --once --server SERVER"))
                .isEqualTo(3);
        assertThat(err.toString()).contains("Maybe two publishers send ads under this name");
    }

    /** A token goes to no other machine over plain HTTP, which shows that it would be sent. */
    @Test
    void optionsCountMoreThanTheFileAndTakeNothingElseFromIt() throws Exception {
        Files.createFile(
                folder.resolve("token"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(folder.resolve("token"), "abc");
        Files.writeString(folder.resolve("other"), "no token");
        Files.writeString(
                folder.resolve("site.yaml"),
                Files.readString(folder.resolve("site.yaml")) + "client: {token-file: " + folder + "/token}\n");
        var authorities = new DemoAuthority(folder.resolve("pki"), Clock.systemUTC()).authorities();
        String publish = "publish --site-config @/site.yaml --state @/state --once --server http://192.0.2.1:9 ";

        assertThat(run(publish + "--ca " + authorities)).as(err.toString()).isNotZero();
        assertThat(err.toString()).contains("The token is not sent to http://192.0.2.1:9");
        assertThat(run(publish + "--token-file @/other")).isEqualTo(2);
        assertThat(err.toString()).contains("/other) must hold one bearer token");
    }

    @Test
    void aCollectorThatCannotBeReachedIsNamedInTheLog() throws Exception {
        PrintStream before = System.err;
        var log = new ByteArrayOutputStream();
        var publisher =
                new Thread(() -> run("publish --site-config @/site.yaml --state @/state --server http://127.0.0.1:1"));
        System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
        try {
            publisher.start();
            await().untilAsserted(() -> assertThat(log.toString(StandardCharsets.UTF_8))
                    .contains("No new ad of site toy is known to have arrived: No answer from the collector")
                    .contains("connection refused"));
        } finally {
            System.setErr(before);
            publisher.interrupt();
            publisher.join();
        }
    }

    @Test
    void anAdIsForDagsUnlessToldOtherwise() throws Exception {
        ClassAd ad = published("--file @/ad");

        assertThat(ad.getString("StartdIpAddr")).isEqualTo("<127.0.0.1:9>");
        assertThat(ad.evaluate("CurrentRank").rank()).isZero();
        assertThat(ad.has("CurrentRank")).isTrue();
        assertThat(admits(ad, "[WANT_USCMS_MATCHMAKER = true]")).isTrue();
        assertThat(admits(ad, "[Owner = \"ann\"]")).isFalse();

        Files.writeString(
                folder.resolve("site.yaml"),
                "site: toy\nscheduler: {type: simulated, nodes: 4}\n"
                        + "publish: {max-matches: 2, requirements: CurMatches < MaxMatches}\n");
        assertThat(admits(published("--file @/ad"), "[Owner = \"ann\"]")).isTrue();
    }

    /** A kind of scheduler that is found by the service file of a jar only. */
    public static final class OddFactory implements LocalSchedulerFactory {
        @Override
        public String type() {
            return "odd";
        }

        @Override
        public LocalScheduler open(SiteId site, Settings settings, Clock clock) {
            return new SimulatedSchedulerFactory().open(site, settings, clock);
        }
    }

    @Test
    void theSchedulerMayBeThatOfAJar() throws Exception {
        var adapters = Files.createDirectory(folder.resolve("adapters.d"));
        try (var jar = new JarOutputStream(Files.newOutputStream(adapters.resolve("odd.jar")))) {
            jar.putNextEntry(new JarEntry("META-INF/services/" + LocalSchedulerFactory.class.getName()));
            jar.write(OddFactory.class.getName().getBytes(StandardCharsets.UTF_8));
        }
        Files.writeString(
                folder.resolve("site.yaml"),
                "site: toy\nadapters: " + adapters + "\nscheduler: {type: odd, nodes: 4}\npublish: {max-matches: 2}\n");

        assertThat(published("--file @/ad").getLong("TotalNodes")).isEqualTo(4);
    }

    private static boolean admits(ClassAd site, String job) throws Exception {
        return site.evaluate("Requirements", Scope.matching(site, ClassAd.parse(job), LookupMode.OLD))
                .satisfies();
    }
}
