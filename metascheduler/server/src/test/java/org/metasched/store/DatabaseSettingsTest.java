package org.metasched.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class DatabaseSettingsTest {

    /** The home is below the root, so this names the same file by two URLs. */
    @Test
    void aFileBelowTheHomeIsTreatedAsAnyOther(@TempDir Path folder) throws Exception {
        Path empty = Files.createFile(folder.resolve("server.mv.db"));
        String file = empty.toString().replace(".mv.db", "");
        String up = "/..".repeat(Path.of(System.getProperty("user.home")).getNameCount());

        var settings = new DatabaseSettings("jdbc:h2:~" + up + file, "", "", 2);

        assertThat(settings.isEmptied()).isTrue();
        assertThat(settings.durableUrl()).startsWith("jdbc:h2:async:~");
        assertThat(new DatabaseSettings("jdbc:h2:mem:x", "", "", 2).isEmptied()).isFalse();
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void theFileIsReadableByItsOwnerAloneHoweverItWasMade(@TempDir Path folder) throws Exception {
        var settings = new DatabaseSettings("jdbc:h2:file:" + folder.resolve("server"), "", "", 2);
        Path file = folder.resolve("server.mv.db");

        Database.open(settings).close();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");

        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        try (var again = Database.open(settings)) {
            assertThat(again.node().answers()).isTrue();
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
        }
    }
}
