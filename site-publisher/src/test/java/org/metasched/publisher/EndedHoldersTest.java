package org.metasched.publisher;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EndedHoldersTest {

    private final EndedHolders ended = EndedHolders.ofThisMachine();

    @TempDir
    private Path folder;

    @Test
    void aDirectoryThatIsGoneHasEndedUnlessItIsOnItsWay() throws Exception {
        assertThat(ended.test(match("a"))).isTrue();

        Files.createDirectory(folder.resolve(".a.rebinding"));

        assertThat(ended.test(match("a"))).isFalse();
    }

    @Test
    void onManyMachinesAPathWhoseSurroundingsAreElsewhereGoesOn() throws Exception {
        assertThat(EndedHolders.ofManyMachines().test(match("elsewhere/a"))).isFalse();
        assertThat(EndedHolders.ofManyMachines().test(match("a"))).isTrue();
    }

    @Test
    void theNoteSaysWhichMatchTheDirectoryHolds() throws Exception {
        HeldMatch match = match("a");
        Files.createDirectory(folder.resolve("a"));
        assertThat(ended.test(match)).isFalse();

        Files.writeString(folder.resolve("a").resolve(BindingEvidence.NOTE), "{\"Match\":\"" + match.id() + "\"}");
        assertThat(ended.test(match)).isFalse();

        Files.writeString(folder.resolve("a").resolve(BindingEvidence.NOTE), "{\"Match\":\"another\"}");
        assertThat(ended.test(match)).isTrue();

        Files.createDirectory(folder.resolve(".a.rebinding"));
        assertThat(ended.test(match)).isFalse();
    }

    @Test
    void metricsWithExitCodeZeroOrAMarkSayThatItIsOver() throws Exception {
        Path directory = Files.createDirectory(folder.resolve("a"));
        Files.writeString(directory.resolve("x.dag.metrics"), "{\"exitcode\": 1}");
        assertThat(ended.test(match("a"))).isFalse();

        Files.writeString(directory.resolve("x.dag.metrics"), "{\"exitcode\": 0}");
        assertThat(ended.test(match("a"))).isTrue();

        Files.delete(directory.resolve("x.dag.metrics"));
        Files.createFile(directory.resolve("metasched-finished"));
        assertThat(ended.test(match("a"))).isTrue();
    }

    private HeldMatch match(String holder) {
        return new HeldMatch(
                UUID.randomUUID(),
                "site",
                folder.resolve(holder).toString(),
                Instant.EPOCH,
                HeldMatch.ProcessMark.current(),
                true);
    }
}
