package org.metasched.adapter.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.adapter.Job;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.LocalSchedulerException.UnknownReservation;
import org.metasched.adapter.Program;
import org.metasched.adapter.Program.Transfer;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.command.CommandRunner;
import org.metasched.adapter.command.OncePerKey;
import org.metasched.adapter.command.RunSettings;
import org.metasched.adapter.identity.LocalUsers;

class SiteJobsTest {

    private static final SiteId SITE = new SiteId("here");
    private static final Optional<URI> HTTPS = Optional.of(URI.create("https://example.org/f"));
    private static final Optional<URI> SCP = Optional.of(URI.create("scp://example.org/f"));

    @TempDir
    private Path folder;

    private final List<Integer> asked = new ArrayList<>();
    private final JobQueue none = new JobQueue() {
        @Override
        public String submit(Submission job) {
            throw new IllegalStateException("No job is submitted here.");
        }

        @Override
        public Map<String, String> living(Collection<String> names) {
            asked.add(names.size());
            return Map.of();
        }
    };

    private SiteJobs jobs;

    @BeforeEach
    void open() {
        jobs = new SiteJobs(
                new JobFolders(
                        new CommandRunner(SITE, RunSettings.local()),
                        new JobSettings(folder.toString(), List.of(), List.of(), Set.of("https", "scp"), true)),
                LocalUsers.from(SITE, Optional.empty()),
                none,
                id -> {
                    throw new UnknownReservation(SITE, id);
                },
                new OncePerKey<>());
    }

    @Test
    void aFileMayComeAndGoByDifferentKindsOfAddress() {
        var brought = shell(new Transfer("f", HTTPS, SCP, false, false, false));
        var taken = shell(new Transfer("f", SCP, HTTPS, false, false, false));

        assertThatCode(() -> jobs.check(brought, Optional.empty())).doesNotThrowAnyException();
        assertThatThrownBy(() -> jobs.check(taken, Optional.empty()))
                .isInstanceOf(Refused.class)
                .hasMessageContaining("does not stage the file f out to https://example.org/f");
    }

    @Test
    void aProgramIsLookedForUnlessAFileOfItsNameIsBrought() {
        var program = Program.of("no-such-program", List.of());
        var other = program.with(Optional.empty(), List.of(brought("bin/my-no-such-program")));
        var same = program.with(Optional.empty(), List.of(brought("bin/no-such-program")));

        assertThatThrownBy(() -> jobs.check(other, Optional.empty()))
                .isInstanceOf(Refused.class)
                .hasMessageContaining("has no program (no-such-program)");
        assertThatCode(() -> jobs.check(same, Optional.empty())).doesNotThrowAnyException();
    }

    /** Linux takes no argument of more than 128 KiB. */
    @Test
    void manyJobsAreAskedForInSeveralCommands() throws Exception {
        var names = IntStream.range(0, 1200)
                .mapToObj(i -> new Job.Name(new RequestKey("k" + i), new ReservationId("R" + i), Optional.empty()))
                .toList();

        assertThat(jobs.jobs(names)).isEmpty();

        assertThat(asked).containsExactly(500, 500, 200);
    }

    private static Transfer brought(String name) {
        return new Transfer(name, SCP, Optional.empty(), false, false, false);
    }

    private static Program shell(Transfer transfer) {
        return Program.of("/bin/sh", List.of()).with(Optional.empty(), List.of(transfer));
    }
}
