package org.metasched.adapter.jobs;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metasched.adapter.LocalSchedulerException.Misconfigured;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.command.CommandRunner;
import org.metasched.adapter.command.RunSettings;
import org.metasched.adapter.settings.YamlSettings;

class JobFoldersTest {

    @TempDir
    Path folder;

    private JobFolders folders(String... become) {
        return new JobFolders(
                new CommandRunner(new SiteId("here"), RunSettings.local()),
                new JobSettings(folder.toString(), List.of(become), List.of(), Set.of(), true));
    }

    /** As {@code id} prints it: for an account without a name its number. */
    private static String me() throws IOException {
        var id = new ProcessBuilder("sh", "-c", "id -un 2>/dev/null").start();
        return new String(id.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    }

    /** The user of the programs is to be the user of the reservation. */
    @Test
    void whatBecomesAnotherUserIsSaidWithTheOffer() throws Exception {
        String me = me();

        folders("env", "FOR={user}").findPrograms(Optional.of(me), List.of("sh", "/bin/cat"));
        assertThatThrownBy(() -> folders("env", "FOR={user}").findPrograms(Optional.of("alice"), List.of("sh")))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("leads to the user (" + me + "), not to alice");
    }

    /** As {@code sudo -i}: a login shell reads the words, in which all is quoted but the dollar. */
    @Test
    void whatGivesTheScriptToAnotherShellIsToldFromAMissingProgram() throws Exception {
        var login = Files.writeString(folder.resolve("login"), """
                #!/bin/sh
                shift
                line=
                for word; do line="$line $(printf %s "$word" | sed 's/[^A-Za-z0-9_$-]/\\\\&/g')"; done
                exec sh -c "$line"
                """);
        Files.setPosixFilePermissions(login, PosixFilePermissions.fromString("rwxr-xr-x"));
        var folders = folders(login.toString(), "{user}");
        var me = Optional.of(me());

        assertThatThrownBy(() -> folders.findPrograms(me, List.of("sh")))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("hand each word on");
        assertThatThrownBy(() -> folders.read(me, List.of("metajob-k1")))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("hand each word on");
        assertThatThrownBy(() -> folders.write(me, "metajob-k1", Map.of("a", "b")))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("hand each word on");
    }

    /** {@code ssh}, {@code oarsh} and OAR's server give a line to a shell, which would split such a path. */
    @ParameterizedTest
    @ValueSource(strings = {"/home/our jobs", "$HOME/jobs", "jobs;id", "-p"})
    void aFolderThatALauncherWouldReadAsOtherWordsIsRefused(String name) {
        var settings = YamlSettings.parse("site.yaml", "folder: '" + name + "'\n");

        assertThatThrownBy(() -> JobSettings.from(settings))
                .hasMessageContaining("site.yaml:1:")
                .hasMessageContaining("as some launchers split words again");
    }

    @Test
    void aHomeWithABlankIsRefusedBeforeAnythingRuns() {
        var settings = new JobSettings(folder + "/our jobs", List.of(), List.of(), Set.of(), true);
        var folders = new JobFolders(new CommandRunner(new SiteId("here"), RunSettings.local()), settings);

        assertThatThrownBy(() -> folders.write(Optional.empty(), "metajob-k1", Map.of("a", "b")))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("must be a path of letters");
    }

    /** As {@code sudo -n} without a rule for the user. */
    @Test
    void aUserWhoCannotBeBecomeIsNoMissingProgram() {
        assertThatThrownBy(() -> folders("false", "{user}").findPrograms(Optional.of("alice"), List.of("sh")))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("false exited with 1")
                .hasMessageContaining("programs: become:");
    }

    @Test
    void theProgramThatIsMissingIsNamed() {
        assertThatThrownBy(() -> folders().findPrograms(Optional.empty(), List.of("sh", "/bin/no-such", "cat")))
                .isInstanceOf(Refused.class)
                .hasMessageContaining("/bin/no-such");
    }
}
