package org.metasched.dag.binding;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import org.metasched.durable.AtomicFile;

/**
 * Mark in a bound directory: its match note and the ledger may differ. It is set before either changes and cleared when both agree, so a
 * process or server that is killed between leaves it. It holds the note of a match to be released, or {@code {}}.
 */
final class PendingMatch {

    static final String FILE = "metasched-pending.json";

    private PendingMatch() {}

    static byte[] bytesOf(Optional<MatchNote> earlier) {
        return earlier.map(MatchNote::toBytes).orElse("{}\n".getBytes(StandardCharsets.UTF_8));
    }

    static boolean isIn(Path directory) {
        return Files.exists(directory.resolve(FILE), LinkOption.NOFOLLOW_LINKS);
    }

    static void mark(Path directory, Optional<MatchNote> earlier) throws IOException {
        AtomicFile.replace(directory.resolve(FILE), bytesOf(earlier));
    }

    static void clear(Path directory) throws IOException {
        Files.deleteIfExists(directory.resolve(FILE));
    }

    /**
     * Makes note and ledger agree: releases the match noted in the mark and commits that of the directory. Does nothing without a mark.
     *
     * @return false if the directory's match was released, or had lapsed, which makes its note a released one
     */
    static boolean settle(Path directory, LeaseLocator locator) throws IOException {
        Path mark = directory.resolve(FILE);
        Optional<MatchNote> earlier;
        try {
            earlier = Files.size(mark) > bytesOf(Optional.empty()).length ? MatchNote.read(mark) : Optional.empty();
        } catch (NoSuchFileException e) {
            // Nothing is pending, or a process that repairs what killed ones left has just settled it.
            return MatchNote.findReleased(directory).isEmpty();
        }
        Optional<MatchNote> held = MatchNote.find(directory);
        boolean isKept = held.isPresent()
                && locator.at(held.get().where()).commit(held.get().lease());
        if (earlier.isPresent() && !earlier.map(MatchNote::match).equals(held.map(MatchNote::match))) {
            locator.at(earlier.get().where()).release(earlier.get().lease());
        }
        if (held.isPresent() && !isKept) {
            AtomicFile.move(directory.resolve(MatchNote.FILE), directory.resolve(MatchNote.RELEASED));
        }
        clear(directory);
        return isKept;
    }
}
