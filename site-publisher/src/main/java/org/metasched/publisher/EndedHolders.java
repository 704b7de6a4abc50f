package org.metasched.publisher;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells that the holder of a match needs it no longer: its directory is gone or holds another match, or condor_dagman has left its
 * metrics there with exit code 0. Where holders may be on other machines, a directory whose surroundings are not here either is not over.
 */
public final class EndedHolders implements Predicate<HeldMatch> {

    private static final Logger LOG = LoggerFactory.getLogger(EndedHolders.class);
    private static final Pattern DONE = Pattern.compile("\"exitcode\"\\s*:\\s*0\\b");
    private static final long LONGEST = 16L << 20;

    private final boolean all;

    private EndedHolders(boolean all) {
        this.all = all;
    }

    /** All holders are directories of this machine: one that is not there has ended. */
    public static EndedHolders ofThisMachine() {
        return new EndedHolders(true);
    }

    /** Holders may be directories of other machines. */
    public static EndedHolders ofManyMachines() {
        return new EndedHolders(false);
    }

    @Override
    public boolean test(HeldMatch match) {
        try {
            Path directory = Path.of(match.holder());
            Path parent = directory.getParent();
            // While a DAG is being bound elsewhere it holds two matches, and its directory is away for a moment.
            // To be asked first: afterwards the directory is there, with the note of the new match.
            boolean isOnItsWay = Files.exists(directory.resolveSibling("." + directory.getFileName() + ".rebinding"));
            if (!Files.isDirectory(directory)) {
                return !isOnItsWay && parent != null && (all || Files.isDirectory(parent));
            }
            return !isOnItsWay && holdsAnother(directory, match)
                    || Files.exists(directory.resolve("metasched-finished"))
                    || hasMetricsOfAnEnd(directory);
        } catch (IOException | InvalidPathException e) {
            LOG.debug("Whether {} is over cannot be told", match.holder(), e);
            return false;
        }
    }

    /** A binder that is killed after it bound the directory anew and before it gave the earlier match back leaves that one. */
    private static boolean holdsAnother(Path directory, HeldMatch match) throws IOException {
        Path note = directory.resolve(BindingEvidence.NOTE);
        return Files.isRegularFile(note)
                && Files.size(note) <= LONGEST
                && !Files.readString(note, StandardCharsets.UTF_8)
                        .contains(match.id().toString());
    }

    private static boolean hasMetricsOfAnEnd(Path directory) throws IOException {
        try (DirectoryStream<Path> metrics = Files.newDirectoryStream(directory, "*.metrics")) {
            for (Path file : metrics) {
                if (Files.size(file) <= LONGEST
                        && DONE.matcher(Files.readString(file, StandardCharsets.UTF_8))
                                .find()) {
                    return true;
                }
            }
            return false;
        }
    }
}
