package org.metasched.dag.binding;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.metasched.leases.HolderEvidence;
import org.metasched.leases.Lease;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for the directory of a bound DAG: the note that the binder leaves in it names the match. A binder that is killed after its
 * directory was moved into place and before it could confirm has bound the DAG.
 */
public final class BindingEvidence implements HolderEvidence {

    private static final Logger LOG = LoggerFactory.getLogger(BindingEvidence.class);
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
            LOG.debug("Whether {} is bound cannot be told", lease.holder(), e);
            return Sight.UNSEEN;
        }
    }
}
