package org.metasched.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.classad.ClassAd;
import org.metasched.classad.collector.AdKey;
import org.metasched.classad.collector.CollectorQuery;
import org.metasched.classad.collector.InMemoryCollector;
import org.metasched.dag.binding.BindingEvidence;
import org.metasched.dag.binding.BindingRecord;
import org.metasched.dag.binding.DagBinder;
import org.metasched.dag.binding.DagJobAd;
import org.metasched.dag.binding.LeaseLocator;
import org.metasched.dag.binding.LeasingBinder;
import org.metasched.dag.binding.MatchNote;
import org.metasched.dag.binding.NestedDag;
import org.metasched.dag.binding.RebindPolicy;
import org.metasched.leases.FileLeases;
import org.metasched.leases.Lease;
import org.metasched.publisher.MatchmakerMonitor;
import org.slf4j.LoggerFactory;

class AutomaticRebindTest {

    @TempDir
    private Path folder;

    private final Clock clock = Clock.systemUTC();
    private FileLeases claims;
    private MatchmakerMonitor monitor;

    @BeforeEach
    void advertise() throws Exception {
        folder = folder.toRealPath();
        claims = new FileLeases(folder.resolve("ledger"), clock, new BindingEvidence());
        monitor = new MatchmakerMonitor(new InMemoryCollector(clock), claims);
        for (String site : List.of("a", "b")) {
            monitor.advertise(ClassAd.parse(("[MyType=\"Machine\"; Name=\"%1$s\"; MaxMatches=1; CurMatches=0;"
                            + " Requirements=CurMatches < MaxMatches; SiteEnvironment=\"Area=/%1$s\"]")
                    .formatted(site)));
        }
        Path own = Files.createDirectories(folder.resolve("dags"));
        Files.writeString(own.resolve("run.sh"), "");
        Files.writeString(own.resolve("step.sub"), "executable = run.sh\narguments = $ENV(Area)\nqueue\n");
        Files.writeString(own.resolve("group.dag"), "JOB A step.sub\n");
    }

    private String bound(Path directory) throws Exception {
        NestedDag dag = NestedDag.read(folder.resolve("dags/group.dag"));
        var binder = new LeasingBinder(
                new DagBinder(DagBinder.Options.of(Map.of())),
                "http://here",
                new LeaseLocator(clock, server -> monitor));
        var job = DagJobAd.of(dag.file(), Optional.empty(), List.of(), Map.of());
        return binder.bind(dag, job, monitor.query(CollectorQuery.all()), directory)
                .orElseThrow()
                .record()
                .site();
    }

    private void look(Path below) throws Exception {
        rebinds(below).rebindDue();
    }

    private AutomaticRebind rebinds(Path below) throws Exception {
        var when = RebindPolicy.parse("Progress == \"bound\" && !SiteAdvertised");
        return new AutomaticRebind(
                new Configuration.Rebinds(when, below, Duration.ofMinutes(1)), claims, monitor, clock);
    }

    private static String site(Path directory) throws Exception {
        return BindingRecord.find(directory).orElseThrow().site();
    }

    @Test
    void aDagWhoseSiteIsSilentGoesToAnotherWithItsMatchAndOthersStay() throws Exception {
        Path group = folder.resolve("out/group");
        String before = bound(group);
        look(folder.resolve("out"));
        assertThat(site(group)).isEqualTo(before);
        monitor.invalidate(new AdKey("Machine", before));

        look(folder.resolve("out"));

        String after = before.equals("a") ? "b" : "a";
        assertThat(site(group)).isEqualTo(after);
        assertThat(group.resolve("step.sub")).content().contains("arguments = /" + after);
        assertThat(claims.held()).extracting(Lease::site).containsExactly(after);
    }

    @Test
    void aDirectoryThatIsNotBelowTheFolderIsNotTouched() throws Exception {
        Path group = folder.resolve("out/group");
        String before = bound(group);
        monitor.invalidate(new AdKey("Machine", before));
        Path other = Files.createDirectory(folder.resolve("other"));

        look(other);
        Files.move(group, other.resolve("real"));
        Files.createSymbolicLink(group, other.resolve("real"));
        look(folder.resolve("out"));

        assertThat(site(other.resolve("real"))).isEqualTo(before);
    }

    @Test
    void whoAsksForAMoveIsToldWhyTheDagMayNotBeMoved() throws Exception {
        Path group = folder.resolve("out/group");
        bound(group);
        Lease match = claims.held().get(0);
        Path other = Files.createDirectory(folder.resolve("other"));

        assertThatThrownBy(() -> rebinds(other).move(match))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the directory (" + group + ") is not below " + other + ", or not of the same owner.");
        Path away = Files.move(group, other.resolve("away"));
        assertThatThrownBy(() -> rebinds(folder.resolve("out")).move(match))
                .hasMessage("the directory (" + group + ") is not there.");
        Files.move(away, group);
        Files.delete(group.resolve(MatchNote.FILE));
        assertThatThrownBy(() -> rebinds(folder.resolve("out")).move(match))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the directory (" + group + ") has no binding with this match.");
    }

    @Test
    void aMoveThatWasCutOffBetweenItsTwoRenamesIsEnded() throws Exception {
        Path group = folder.resolve("out/group");
        String before = bound(group);
        Path next = Files.move(group, group.resolveSibling(".group.rebinding"));
        Files.writeString(next.resolve("metasched-rebinding"), "group.at-c\n");
        Files.createDirectory(group.resolveSibling("group.at-c"));

        look(folder.resolve("out"));

        assertThat(site(group)).isEqualTo(before);
        assertThat(next).doesNotExist();
    }

    @Test
    void anUnexpectedErrorAboutADagIsLoggedWithItsStack() throws Exception {
        bound(folder.resolve("out/group"));
        var log = (Logger) LoggerFactory.getLogger(AutomaticRebind.class);
        var lines = new ListAppender<ILoggingEvent>();
        lines.start();
        log.addAppender(lines);

        new AutomaticRebind(
                        new Configuration.Rebinds(null, folder.resolve("out"), Duration.ofMinutes(1)),
                        claims,
                        monitor,
                        clock)
                .rebindDue();

        log.detachAppender(lines);
        assertThat(lines.list).singleElement().satisfies(line -> {
            assertThat(line.getFormattedMessage()).contains("out/group stays where it is");
            assertThat(line.getThrowableProxy().getStackTraceElementProxyArray())
                    .isNotEmpty();
        });
    }
}
