package org.metasched.adapter.jobs;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.adapter.LocalSchedulerException.Misconfigured;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.command.CommandRunner;
import org.metasched.adapter.command.RunSettings;

class JobFoldersTest {

    @TempDir
    Path folder;

    private JobFolders folders(String... become) {
        return new JobFolders(
                new CommandRunner(new SiteId("here"), RunSettings.local()),
                new JobSettings(folder.toString(), List.of(become), List.of(), Set.of(), true));
    }

    /** The user of the programs is to be the user of the reservation. */
    @Test
    void whatBecomesAnotherUserIsSaidWithTheOffer() throws Exception {
        String me = System.getProperty("user.name");

        folders("env", "FOR={user}").findPrograms(Optional.of(me), List.of("sh", "/bin/cat"));
        assertThatThrownBy(() -> folders("env", "FOR={user}").findPrograms(Optional.of("alice"), List.of("sh")))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("leads to the user (" + me + "), not to alice");
    }

    @Test
    void theProgramThatIsMissingIsNamed() {
        assertThatThrownBy(() -> folders().findPrograms(Optional.empty(), List.of("sh", "/bin/no-such", "cat")))
                .isInstanceOf(Refused.class)
                .hasMessageContaining("/bin/no-such");
    }
}
