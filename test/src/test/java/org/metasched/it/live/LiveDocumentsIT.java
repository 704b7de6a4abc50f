package org.metasched.it.live;

import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.metasched.it.docs.DocumentsIT;

/** The page for a reader who has a Slurm, at a live one. */
@ResourceLock("slurm")
class LiveDocumentsIT {

    @TempDir
    private Path folder;

    @TestFactory
    Stream<DynamicContainer> everyCommandOverASlurm() throws IOException {
        LiveSite.named("slurm");
        return DocumentsIT.everyCommand("docs/own-slurm.md", folder);
    }
}
