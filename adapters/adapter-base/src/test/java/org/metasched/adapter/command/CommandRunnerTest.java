package org.metasched.adapter.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.adapter.LocalSchedulerException.Misconfigured;
import org.metasched.adapter.LocalSchedulerException.Unreachable;
import org.metasched.adapter.SiteId;

@Timeout(60)
class CommandRunnerTest {

    private static final SiteId SITE = new SiteId("fzj");

    @TempDir
    private Path bin;

    private Path pidFile;

    @BeforeEach
    void nameAFileForPids() {
        pidFile = bin.resolve("child.pid");
    }

    @Test
    void handsArgumentsOverAsTheyAre() throws Exception {
        program("show", "printf '[%s]' \"$@\"");

        var result = local().run(List.of("show", "-N", "a b", "$(id)", ";ls", "'"));

        assertThat(result.out()).isEqualTo("[-N][a b][$(id)][;ls][']");
        assertThat(result.ok()).isTrue();
    }

    @Test
    void setsTheEnvironmentAndLocale() throws Exception {
        program("show", "env");

        var result = new CommandRunner(SITE, settings(Map.of("PBS_SERVER", "pbs1"), Duration.ofSeconds(20), 1 << 20))
                .run(List.of("show"));

        assertThat(result.out().lines()).contains("LC_ALL=C", "LANG=C", "PBS_SERVER=pbs1");
        assertThat(result.out()).doesNotContain("MAVEN").doesNotContain("JAVA_HOME=");
    }

    @Test
    void givesExitCodeAndBothOutputs() throws Exception {
        program("fail", "echo fine; echo 'Reservation denied' >&2; exit 7");

        var result = local().run(List.of("fail"));

        assertThat(result.exit()).isEqualTo(7);
        assertThat(result.out()).isEqualTo("fine\n");
        assertThat(result.words()).isEqualTo("fail exited with 7, \"Reservation denied\"");
    }

    @Test
    void feedsStandardInput() throws Exception {
        assertThat(local().run(List.of("cat"), "hello").out()).isEqualTo("hello");
    }

    @Test
    void saysThatACommandIsMissing() {
        assertThatThrownBy(() -> local().run(List.of("pbs_rsub_nowhere")))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("Site fzj: the command (pbs_rsub_nowhere) was not found in")
                .hasMessageContaining("\nMaybe ");
    }

    @Test
    void saysThatACommandBehindAPrefixIsMissing() {
        var behindEnv = new CommandRunner(
                SITE,
                new RunSettings(
                        List.of(), Map.of(), List.of("env"), Duration.ofSeconds(20), 1 << 20, Optional.empty()));

        assertThatThrownBy(() -> behindEnv.run(List.of("pbs_rsub_nowhere"))).isInstanceOf(Misconfigured.class);
    }

    @Test
    void killsTheWholeTreeWhenTimeIsUp() throws Exception {
        program("slow", "sleep 300 & echo $! > " + pidFile + "; wait");
        var impatient = new CommandRunner(SITE, settings(Map.of(), Duration.ofSeconds(1), 1 << 20));

        assertThatThrownBy(() -> impatient.run(List.of("slow")))
                .isInstanceOf(Unreachable.class)
                .hasMessageContaining("did not end within PT1S");

        assertChildIsGone();
    }

    /** More than a pipe holds. */
    @Test
    void killsACommandThatReadsNoInputWhenTimeIsUp() {
        var impatient = new CommandRunner(SITE, settings(Map.of(), Duration.ofSeconds(1), 1 << 20));

        assertThatThrownBy(() -> impatient.run(List.of("sleep", "20"), "x".repeat(1 << 20)))
                .isInstanceOf(Unreachable.class)
                .hasMessageContaining("did not end within PT1S");
    }

    @Test
    void stopsACommandThatPrintsTooMuch() throws Exception {
        program("flood", "exec yes");
        var narrow = new CommandRunner(SITE, settings(Map.of(), Duration.ofSeconds(30), 100_000));

        assertThatThrownBy(() -> narrow.run(List.of("flood")))
                .isInstanceOf(Unreachable.class)
                .hasMessageContaining("printed more than 100000 bytes");
    }

    @Test
    void stopsWhenItsThreadIsInterrupted() throws Exception {
        program("slow", "sleep 300 & echo $! > " + pidFile + "; wait");
        var flagKept = new CompletableFuture<Boolean>();
        var thread = new Thread(() -> {
            try {
                local().run(List.of("slow"));
                flagKept.complete(false);
            } catch (Unreachable e) {
                flagKept.complete(Thread.currentThread().isInterrupted());
            } catch (Exception e) {
                flagKept.completeExceptionally(e);
            }
        });

        thread.start();
        while (!Files.exists(pidFile) || Files.size(pidFile) == 0) {
            Thread.onSpinWait();
        }
        thread.interrupt();

        assertThat(flagKept.get(20, TimeUnit.SECONDS)).isTrue();
        assertChildIsGone();
    }

    @Test
    void refusesControlCharactersInArguments() {
        assertThatThrownBy(() -> local().run(List.of("echo", "a\u0000b"))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void turnsOutputThatCannotBeReadIntoUnreachable() {
        assertThatThrownBy(() -> local().ask(List.of("echo", "x"), result -> {
                    throw new OutputFormatException("line 1: expected a number");
                }))
                .isInstanceOf(Unreachable.class)
                .hasMessageContaining("echo: line 1: expected a number");
    }

    @Test
    void handsArgumentsThroughSshAsTheyAre() throws Exception {
        program("show", "printf '[%s]' \"$@\"; echo; env");
        program("fakessh", "while [ \"$1\" != -- ]; do shift; done; shift 2; exec env -i sh -c \"$*\"");

        var result = overSsh("fakessh").run(List.of("show", "a b", "'; rm -rf ~; '", "!x", "\\", "$HOME", ""));

        assertThat(result.out()).startsWith("[a b]['; rm -rf ~; '][!x][\\][$HOME][]");
        assertThat(result.out().lines()).contains("LC_ALL=C", "PBS_SERVER=pbs 1");
    }

    @Test
    void asksForNoPasswordAndNoHostKey() throws Exception {
        program("fakessh", "printf '%s ' \"$@\"");

        var words = overSsh("fakessh").run(List.of("qstat")).out();

        assertThat(words)
                .contains(
                        "-o BatchMode=yes",
                        "-o StrictHostKeyChecking=yes",
                        "-p 2222",
                        "-l gridadm",
                        "-- login.fzj.de ");
    }

    @Test
    void tellsARefusedLoginFromABrokenConnection() throws Exception {
        program("denied", "echo 'gridadm@login: Permission denied (publickey).' >&2; exit 255");
        program("down", "echo 'ssh: connect to host login port 22: Connection refused' >&2; exit 255");

        assertThatThrownBy(() -> overSsh("denied").run(List.of("qstat"))).isInstanceOf(Misconfigured.class);
        assertThatThrownBy(() -> overSsh("down").run(List.of("qstat"))).isInstanceOf(Unreachable.class);
    }

    private void assertChildIsGone() throws Exception {
        long pid = Long.parseLong(Files.readString(pidFile).strip());
        var child = ProcessHandle.of(pid);
        if (child.isPresent()) {
            child.get().onExit().get(20, TimeUnit.SECONDS);
        }
    }

    private void program(String name, String body) throws Exception {
        Path file = bin.resolve(name);
        Files.writeString(file, "#!/bin/sh\n" + body + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private CommandRunner local() {
        return new CommandRunner(SITE, settings(Map.of(), Duration.ofSeconds(30), 1 << 20));
    }

    private RunSettings settings(Map<String, String> environment, Duration timeout, int limit) {
        return new RunSettings(List.of(bin.toString()), environment, List.of(), timeout, limit, Optional.empty());
    }

    private CommandRunner overSsh(String client) {
        var target = new SshTarget(
                bin.resolve(client).toString(),
                "login.fzj.de",
                Optional.of("gridadm"),
                Optional.of(2222),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        return new CommandRunner(
                SITE,
                new RunSettings(
                        List.of(bin.toString()),
                        Map.of("PBS_SERVER", "pbs 1"),
                        List.of(),
                        Duration.ofSeconds(30),
                        1 << 20,
                        Optional.of(target)));
    }
}
