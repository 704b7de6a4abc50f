package org.metasched.adapter.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metasched.adapter.JobStarter;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.Requester;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SettableClock;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.command.CommandRunner;
import org.metasched.adapter.command.OncePerKey;
import org.metasched.adapter.command.RunSettings;
import org.metasched.adapter.identity.LocalUsers;
import org.metasched.adapter.jobs.JobFolders;
import org.metasched.adapter.jobs.JobQueue;
import org.metasched.adapter.jobs.JobSettings;
import org.metasched.adapter.jobs.SiteJobs;
import org.metasched.adapter.settings.YamlSettings;
import org.metasched.adapter.testkit.RuleReport.Outcome;

/** The kit's rules of programs where {@code adapter-base} becomes another user, by each of the words that admins write. */
@Tag("full")
class BecomeVariantsTest {

    private static final String USER = "daemon";
    private static final List<AdapterRule> RULES =
            List.of(AdapterRule.J1, AdapterRule.J4, AdapterRule.J5, AdapterRule.J6, AdapterRule.J7, AdapterRule.J8);

    /** The environment of another user only, as {@code sudo} has it without {@code env_keep}. */
    private static final String SUDO = """
            #!/bin/sh
            [ "$1 $2 $4" = '-n -u --' ] || exit 1
            user=$3; shift 4
            home=$(getent passwd "$user" | cut -d: -f6)
            exec env -i PATH="$PATH" HOME="$home" USER="$user" LOGNAME="$user" setpriv --reuid "$user" --clear-groups "$@"
            """;
    /** A login shell reads the words, in which all is quoted but the dollar. */
    private static final String SUDO_I = """
            #!/bin/sh
            shift 3
            line=
            for word; do line="$line $(printf %s "$word" | sed 's/[^A-Za-z0-9_$-]/\\\\&/g')"; done
            exec setpriv --reuid daemon --clear-groups sh -c "$line"
            """;

    private final SettableClock clock = SettableClock.at("2026-01-05T08:00:07Z");

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sudo -n -u {user} --",
                "runuser -u {user} --",
                "setpriv --reuid {user} --clear-groups",
                "setpriv --reuid {user} --clear-groups env OWN=1"
            })
    void programsRunAsTheirUser(String become) throws Exception {
        for (var rule : RULES) {
            var report = kit(become).run(rule);

            assertThat(report.outcome()).as(rule + ": " + report.detail()).isEqualTo(Outcome.PASSED);
        }
        try (var owners = Files.list(folder.resolve("jobs"))) {
            assertThat(owners).isNotEmpty().allMatch(job -> ownerOf(job).equals(USER));
        }
    }

    /** The one that is known to fail says why at the first rule that runs a program. */
    @Test
    void aLoginShellThatReadsTheWordsAgainIsNamed() throws Exception {
        for (var rule : RULES) {
            var report = kit("sudo-i -i -u {user}").run(rule);

            assertThat(report.outcome()).as(rule + ": " + report.detail()).isEqualTo(Outcome.FAILED);
            assertThat(report.detail()).contains("hand each word on");
        }
    }

    private static String ownerOf(Path path) {
        try {
            return Files.getOwner(path).getName();
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private AdapterKit kit(String become) throws Exception {
        assumeTrue(System.getProperty("user.name").equals("root"), "only root becomes another user");
        Path bin = Files.createDirectories(folder.resolve("bin"));
        for (var tool : Map.of("sudo", SUDO, "sudo-i", SUDO_I).entrySet()) {
            Files.writeString(bin.resolve(tool.getKey()), tool.getValue());
            Files.setPosixFilePermissions(bin.resolve(tool.getKey()), PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        Files.createDirectories(folder.resolve("jobs"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.setPosixFilePermissions(folder.resolve("jobs"), PosixFilePermissions.fromString("rwxrwxrwx"));
        var me = new Requester("/O=Grid/CN=me");
        var request = new ResourceRequest(
                ResourceRequest.nodes(2, Duration.ofMinutes(10)).need(), Duration.ofMinutes(10), Optional.of(me));
        return new AdapterKit(
                site(List.of(become.split(" "))),
                new KitSettings(request, Duration.ofMinutes(5), clock, Optional.of(clock::advance)));
    }

    private LocalScheduler site(List<String> become) {
        var shelf = new ShelfScheduler(Set.of(), clock);
        var id = new SiteId("here");
        var runner = new CommandRunner(
                id, RunSettings.from(Optional.of(YamlSettings.parse("site.yaml", "path: [" + folder + "/bin]\n"))));
        var settings = new JobSettings(folder + "/jobs", become, List.of(), Set.of(), true);
        var users = LocalUsers.from(id, Optional.of(YamlSettings.parse("site.yaml", "default: " + USER + "\n")));
        JobStarter jobs = new SiteJobs(
                new JobFolders(runner, settings),
                users,
                new SlotQueue(runner, clock),
                shelf::state,
                new OncePerKey<>());
        return (LocalScheduler) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {LocalScheduler.class}, (self, method, arguments) -> {
                    try {
                        return method.getName().equals("jobStarter")
                                ? Optional.of(jobs)
                                : method.invoke(shelf, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** Jobs that run to their end when they are looked at in their slot. */
    private record SlotQueue(CommandRunner runner, Clock clock, Map<String, Submission> waiting) implements JobQueue {

        SlotQueue(CommandRunner runner, Clock clock) {
            this(runner, clock, new HashMap<>());
        }

        @Override
        public String submit(Submission job) {
            waiting.put(job.name(), job);
            return job.name();
        }

        @Override
        public Map<String, String> living(Collection<String> names) throws LocalSchedulerException {
            var living = new HashMap<String, String>();
            for (String name : names) {
                var job = waiting.get(name);
                if (job != null && begins(job).isAfter(clock.instant())) {
                    living.put(name, name);
                } else if (waiting.remove(name) != null) {
                    runner.run(runner.as(job.become(), job.user(), job.command()));
                }
            }
            return living;
        }

        private static Instant begins(Submission job) {
            return job.reservation().slot().start();
        }
    }
}
