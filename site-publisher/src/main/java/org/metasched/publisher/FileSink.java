package org.metasched.publisher;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Syntax;
import org.metasched.classad.collector.AdKey;

/** The newest ad in a file, in the long form; readers see the old one or the new one, never half of it. */
public final class FileSink implements AdSink {

    private final Path file;

    public FileSink(Path file) {
        this.file = file.toAbsolutePath();
    }

    @Override
    public void advertise(ClassAd ad) throws IOException {
        Path next = file.resolveSibling("." + file.getFileName() + ".next");
        Files.writeString(next, ad.print(Syntax.OLD).stripTrailing() + "\n", StandardCharsets.UTF_8);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void invalidate(AdKey key) throws IOException {
        Files.deleteIfExists(file);
    }
}
