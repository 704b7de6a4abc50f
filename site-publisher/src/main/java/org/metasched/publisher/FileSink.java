package org.metasched.publisher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Syntax;
import org.metasched.classad.collector.AdKey;
import org.metasched.durable.AtomicFile;

/** Keeps the newest ad in a file, in the old ClassAd syntax. Readers see the old ad or the new one, never half of one. */
public final class FileSink implements AdSink {

    private final Path file;

    public FileSink(Path file) {
        this.file = file.toAbsolutePath();
    }

    @Override
    public Optional<String> advertise(ClassAd ad) throws IOException {
        AtomicFile.replace(file, ad.print(Syntax.OLD).stripTrailing() + "\n");
        return Optional.empty();
    }

    @Override
    public void invalidate(AdKey key) throws IOException {
        Files.deleteIfExists(file);
    }
}
