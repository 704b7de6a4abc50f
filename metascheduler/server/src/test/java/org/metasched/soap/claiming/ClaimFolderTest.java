package org.metasched.soap.claiming;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.classad.ClassAd;
import org.metasched.classad.claim.ClaimId;
import org.metasched.durable.FullDiskContract;

class ClaimFolderTest extends FullDiskContract {

    @Test
    void aFileThatNamesNoClaimIsNamed(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("copy of mine.claim"), "");

        assertThatThrownBy(new ClaimFolder(folder)::open).hasMessageContaining("copy of mine.claim");
    }

    @Override
    protected Keeper open(Path folder) throws IOException {
        var journal = new ClaimFolder(folder);
        return new Keeper() {
            @Override
            public void change(int number) throws Exception {
                journal.begin(
                        new ClaimId(new UUID(0, number)),
                        List.of(ClassAd.parse("[ Name = \"a\" ]"), ClassAd.parse("[ Name = \"b\" ]")));
            }

            @Override
            public List<Integer> changes() {
                return journal.open().stream()
                        .filter(open -> open.members().size() == 2)
                        .map(open -> (int) open.claim().value().getLeastSignificantBits())
                        .sorted()
                        .toList();
            }
        };
    }
}
