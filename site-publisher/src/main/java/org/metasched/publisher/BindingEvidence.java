package org.metasched.publisher;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells whether the holder of a match, the directory of a bound DAG, exists: the note that the binder leaves in it names the
 * match. A binder that is killed after its directory was moved into place and before it could confirm has bound the DAG.
 */
public final class BindingEvidence implements Predicate<HeldMatch> {

    /** The note in the directory of a bound DAG. */
    public static final String NOTE = "metasched-match.json";

    private static final Logger LOG = LoggerFactory.getLogger(BindingEvidence.class);
    private static final long LONGEST_NOTE = 1L << 20;

    @Override
    public boolean test(HeldMatch match) {
        try {
            Path note = Path.of(match.holder()).resolve(NOTE);
            return Files.isRegularFile(note)
                    && Files.size(note) <= LONGEST_NOTE
                    && Files.readString(note, StandardCharsets.UTF_8)
                            .contains(match.id().toString());
        } catch (IOException | InvalidPathException e) {
            LOG.warn(
                    "Match {} is kept: whether {} is bound cannot be told: {}",
                    match.id(),
                    match.holder(),
                    e.toString());
            return true;
        }
    }
}
