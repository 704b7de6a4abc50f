package org.metasched.durable;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What holds for everything that keeps a small file: what it acknowledged is there after a restart, and nothing half is, whichever
 * byte the disk fills at, whichever operation the process dies in, and when the machine loses power then.
 */
public abstract class FullDiskContract {

    @TempDir
    private Path temporary;

    private int tries;

    /** What keeps files, opened. */
    public interface Keeper extends AutoCloseable {

        /** Makes the change with this number; returns when it is durable, and throws when it was not made. */
        void change(int number) throws Exception;

        /** What is kept, by the numbers of its changes. */
        List<Integer> changes() throws Exception;

        @Override
        default void close() throws Exception {}
    }

    /** Opens what the folder holds; an empty one at first. */
    protected abstract Keeper open(Path folder) throws Exception;

    /** What is kept after these changes: all of them, unless a change replaces the one before. */
    protected List<Integer> kept(List<Integer> acknowledged) {
        return acknowledged;
    }

    /** How many changes are tried. */
    protected int changes() {
        return 3;
    }

    /** For a change that replaces the one before it. */
    protected static List<Integer> last(List<Integer> acknowledged) {
        return acknowledged.isEmpty() ? List.of() : acknowledged.subList(acknowledged.size() - 1, acknowledged.size());
    }

    @Test
    void keepsWhatWasAcknowledgedWhereverTheDiskFillsUp() throws Exception {
        long room = -1;
        List<Integer> acknowledged;
        do {
            room++;
            assertThat(room).isLessThan(20_000);
            var disk = disk();
            disk.fillsAt(room);

            acknowledged = change(disk);
            // Opened on the disk that is still full, it may fail and must not lose anything.
            found(disk);
            disk.restart();

            assertThat(found(disk)).as("room for %d bytes", room).isEqualTo(kept(acknowledged));
            assertThat(temporaries(disk)).as("room for %d bytes", room).isEmpty();
        } while (acknowledged.size() < changes());
    }

    @Test
    void keepsWhatWasAcknowledgedWhereverTheProcessIsKilled() throws Exception {
        killedAtEachOperation(false);
    }

    @Test
    void keepsWhatWasAcknowledgedWhereverTheMachineLosesPower() throws Exception {
        killedAtEachOperation(true);
    }

    private void killedAtEachOperation(boolean losesPower) throws Exception {
        int operation = 0;
        boolean isKilled = true;
        while (isKilled) {
            var disk = disk();
            disk.killAt(operation);

            List<Integer> acknowledged = change(disk);
            isKilled = disk.isKilled();
            if (losesPower) {
                disk.losePower();
            }
            disk.restart();

            List<Integer> alsoUnanswered = new ArrayList<>(acknowledged);
            alsoUnanswered.add(acknowledged.size());
            assertThat(found(disk))
                    .as("killed at operation %d", operation)
                    .isIn(kept(acknowledged), kept(alsoUnanswered));
            operation++;
        }
        assertThat(operation).isGreaterThan(changes());
    }

    private FaultyDisk disk() throws IOException {
        return FaultyDisk.over(Files.createDirectory(temporary.resolve("disk-" + tries++)));
    }

    /** Tries all changes; the numbers of those that were acknowledged. */
    private List<Integer> change(FaultyDisk disk) throws Exception {
        List<Integer> acknowledged = new ArrayList<>();
        try (var keeper = open(disk.folder())) {
            for (int number = 0; number < changes() && !disk.isKilled(); number++) {
                if (isMade(disk, keeper, number)) {
                    acknowledged.add(number);
                }
            }
        } catch (IOException | RuntimeException e) {
            // It could not be opened, or not be closed.
            failed(disk, e);
        }
        return acknowledged;
    }

    private static boolean isMade(FaultyDisk disk, Keeper keeper, int number) throws Exception {
        try {
            keeper.change(number);
            return true;
        } catch (IOException | RuntimeException e) {
            failed(disk, e);
            return false;
        }
    }

    private static void failed(FaultyDisk disk, Exception e) throws Exception {
        if (!disk.isFull() && !disk.isKilled()) {
            throw e;
        }
    }

    private List<Integer> found(FaultyDisk disk) throws Exception {
        try (var keeper = open(disk.folder())) {
            return List.copyOf(keeper.changes());
        } catch (IOException | RuntimeException e) {
            failed(disk, e);
            return List.of();
        }
    }

    private static List<Path> temporaries(FaultyDisk disk) throws IOException {
        try (var files = Files.walk(disk.folder())) {
            return files.filter(file -> file.toString().endsWith(".next")).toList();
        }
    }
}
