package org.metasched.dag.binding;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.metasched.leases.HolderEvidence;
import org.metasched.leases.Lease;
import org.slf4j.LoggerFactory;

/**
 * Evidence that a DAG holds a match: the note in its directory names the match. So a binder that is killed after it has moved the
 * directory into place, but before it has committed the match, has bound the DAG.
 */
public final class BindingEvidence implements HolderEvidence {

    private static final long LONGEST_NOTE = 1L << 20;

    @Override
    public Sight of(Lease lease) {
        try {
            Path directory = Path.of(lease.holder());
            Path note = directory.resolve(MatchNote.FILE);
            try {
                if (Files.size(note) <= LONGEST_NOTE
                        && Files.readString(note, StandardCharsets.UTF_8)
                                .contains(lease.id().toString())) {
                    return Sight.HOLDS;
                }
            } catch (NoSuchFileException e) {
                Path parent = directory.getParent();
                if (parent == null || !Files.isDirectory(parent)) {
                    return Sight.UNSEEN;
                }
            }
            return lease.isOfThisHost() ? Sight.MISSING : Sight.UNSEEN;
        } catch (IOException | InvalidPathException e) {
            LoggerFactory.getLogger(BindingEvidence.class)
                    .debug("Whether {} is bound cannot be told", lease.holder(), e);
            return Sight.UNSEEN;
        }
    }
}
