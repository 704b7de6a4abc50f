package org.metasched.dag.binding;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReferenceScannerTest {

    @TempDir
    private Path folder;

    @Test
    void allNamesAreFound() throws Exception {
        Path file = Files.writeString(
                folder.resolve("a.sub"),
                "$ENV(A) $$(B) $ENV( C :c) # $ENV(D)\n$ENV($ENV(E)) $$ENV(F)$ENV(G:$ENV(H)) $ENV(open");

        assertThat(ReferenceScanner.variablesOf(file))
                .containsExactlyInAnyOrder("A", "C", "D", "$ENV", "E", "F", "G", "H");
    }

    /** One at each offset, so that each part of a reference is once at the end of what is read at once. */
    @Test
    void aNameIsWholeWhereverItStands() throws Exception {
        var text = new StringBuilder(4 << 20);
        for (int i = 0; text.length() < 4 << 20; i++) {
            text.append("x".repeat(i % 13)).append("$ENV(HOME)").append(" ".repeat(i % 7));
        }
        Path file = Files.writeString(folder.resolve("a.dag"), text, StandardCharsets.ISO_8859_1);

        assertThat(ReferenceScanner.variablesOf(file)).containsExactly("HOME");
    }

    /** As a text in one piece it would take the whole heap of the tests. */
    @Test
    @Tag("full")
    void aLargeFileIsReadInParts() throws Exception {
        Path file = folder.resolve("large.dag");
        try (var sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(512 << 20);
            sparse.seek(sparse.length());
            sparse.write("$ENV(LAST)".getBytes(StandardCharsets.US_ASCII));
        }

        assertThat(ReferenceScanner.variablesOf(file)).containsExactly("LAST");
    }
}
