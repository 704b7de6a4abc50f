package org.metasched.durable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.Reference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file that is read again when it changes: whole or not at all, and told where it cannot be. */
class ReloadedFileTest {

    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void written() throws IOException {
        file = Files.writeString(folder.resolve("roles"), "1 one");
    }

    @Test
    void newContentIsInUseWhenItIsAskedFor() throws IOException {
        var followed = new ReloadedFile<>(file, ReloadedFileTest::number);
        replace(file, "2 two");
        assertEquals(2, followed.get());
        assertEquals(2, followed.get(), "and stays");
    }

    @Test
    void contentThatCannotBeUsedLeavesTheOneBefore() throws IOException {
        var followed = new ReloadedFile<>(file, ReloadedFileTest::number);
        replace(file, "two");
        assertEquals(1, followed.get());
        assertEquals(true, status(file).failed());
        replace(file, "2 two");
        ReloadedFile.lookAtAll();
        assertEquals(2, followed.get());
        assertEquals(false, status(file).failed());
    }

    @Test
    void contentThatIsNestedTooDeeplyLeavesTheOneBefore() throws IOException {
        var followed = new ReloadedFile<>(file, path -> {
            if (number(path) == 2) {
                throw new StackOverflowError();
            }
            return number(path);
        });
        replace(file, "2 two");
        ReloadedFile.lookAtAll();
        assertEquals(1, followed.get());
        assertEquals(true, status(file).failed());
    }

    @Test
    void anErrorOfOneReaderLeavesItsContentAndHindersNoOther() {
        boolean[] broken = {true};
        var followed = new ReloadedFile<>(file, path -> {
            if (broken[0] && number(path) == 2) {
                throw new NoClassDefFoundError("org/example/Missing");
            }
            return number(path);
        });
        replace(file, "2 two");
        ReloadedFile.lookAtAll();
        assertEquals(true, status(file).failed());
        assertEquals(1, followed.get());
        broken[0] = false;
        ReloadedFile.lookAtAll();
        assertEquals(2, followed.get());
    }

    @Test
    void whatFailedIsTriedAgainThoughTheFileStandsStill() {
        boolean[] broken = {false};
        var followed = new ReloadedFile<>(file, path -> {
            if (broken[0]) {
                throw new IllegalArgumentException(path + ": half written");
            }
            return number(path);
        });
        broken[0] = true;
        replace(file, "2 two");
        followed.get();
        broken[0] = false;
        assertEquals(1, followed.get(), "one who asks does not try again");
        ReloadedFile.lookAtAll();
        assertEquals(2, followed.get());
    }

    /** A self-signed certificate may be both a key with an expiry and a trust anchor without one. */
    @Test
    void aFileOfSeveralContentsHasOneStatusOfAll() {
        var expires = Instant.ofEpochSecond(7);
        var once = ReloadedFile.untilRestart(file);
        var numbers = new ReloadedFile<>(List.of(file), ReloadedFileTest::number, number -> Optional.of(expires));
        var plain = new ReloadedFile<>(file, path -> "any");
        replace(file, "none");
        ReloadedFile.lookAtAll();
        assertEquals(new ReloadedFile.Status(file, true, true, Optional.of(expires)), status(file));
        Reference.reachabilityFence(List.of(once, numbers, plain));
    }

    @Test
    void aFileThatGoesAwayLeavesItsContent() throws IOException {
        var followed = new ReloadedFile<>(file, ReloadedFileTest::number);
        Files.delete(file);
        assertEquals(1, followed.get());
        assertEquals(true, status(file).failed());
    }

    @Test
    void aFileThatCannotBeReadAtFirstIsRefused() {
        replace(file, "none");
        assertThrows(IllegalArgumentException.class, () -> new ReloadedFile<>(file, ReloadedFileTest::number));
    }

    @Test
    void oneOfSeveralFilesThatChangesIsEnough() {
        Path key = folder.resolve("key");
        replace(key, "5");
        var followed = new ReloadedFile<>(
                List.of(file, key),
                path -> number(path) * 10 + number(key),
                sum -> Optional.of(Instant.ofEpochSecond(sum)));
        assertEquals(Optional.of(Instant.ofEpochSecond(15)), status(file).expires());
        replace(key, "7");
        assertEquals(17, followed.get());
        assertEquals(Optional.of(Instant.ofEpochSecond(17)), status(file).expires());
    }

    @Test
    void aFolderIsLookedAtByTheProcessNotByItsReaders() {
        var followed = new ReloadedFile<>(folder, inside -> {
            try (var files = Files.list(inside)) {
                return files.count();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        replace(folder.resolve("another"), "3");
        ReloadedFile.lookAtAll();
        assertEquals(2, followed.get());
    }

    @Test
    void whatTakesEffectAfterARestartIsTold() {
        var followed = ReloadedFile.inPart(file, ReloadedFileTest::number, number -> number / 10);
        replace(file, "2 two");
        assertEquals(2, followed.get());
        assertEquals(false, status(file).restart());
        replace(file, "20 two");
        assertEquals(20, followed.get());
        assertEquals(true, status(file).restart());
        replace(file, "3 three, as it began");
        followed.get();
        assertEquals(false, status(file).restart());
    }

    @Test
    void aFileThatIsReadAtTheStartOnlyNeedsARestart() {
        var followed = ReloadedFile.untilRestart(file);
        assertEquals(false, status(file).restart());
        replace(file, "another length");
        followed.get();
        assertEquals(true, status(file).restart());
    }

    private static ReloadedFile.Status status(Path file) {
        return ReloadedFile.statuses().stream()
                .filter(one -> one.file().equals(file))
                .findFirst()
                .orElseThrow();
    }

    /** As tools do it: another file under the same name. */
    private static void replace(Path file, String content) {
        try {
            Path beside = Files.writeString(file.resolveSibling(file.getFileName() + ".new"), content);
            Files.move(beside, file, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int number(Path file) {
        try {
            return Integer.parseInt(Files.readString(file).split(" ")[0]);
        } catch (IOException | NumberFormatException e) {
            throw new IllegalArgumentException(file + ":1: expected a number", e);
        }
    }
}
