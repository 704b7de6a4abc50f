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
 * Tells that the holder of a match needs it no longer: its directory is gone, or condor_dagman has left its metrics there with
 * exit code 0. Where holders may be on other machines, a directory whose surroundings are not here either is not over.
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
            if (!Files.isDirectory(directory)) {
                // While a DAG is being bound elsewhere its directory is away for a moment.
                return parent != null
                        && (all || Files.isDirectory(parent))
                        && !Files.exists(directory.resolveSibling("." + directory.getFileName() + ".rebinding"));
            }
            return Files.exists(directory.resolve("metasched-finished")) || hasMetricsOfAnEnd(directory);
        } catch (IOException | InvalidPathException e) {
            LOG.debug("Whether {} is over cannot be told", match.holder(), e);
            return false;
        }
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
