package org.metasched.classad.cycle;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Standings in a text file, one submitter a line, replaced atomically. One process at a time. */
public final class FileAccountantStore implements AccountantStore {

    private final Path file;

    /** @param file replaced as a whole by each save */
    public FileAccountantStore(Path file) {
        this.file = file.toAbsolutePath();
    }

    @Override
    public List<Standing> load() {
        if (!Files.exists(file)) {
            return List.of();
        }
        try {
            return read(file.toString(), Files.readString(file, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("The accountant's file (" + file + ") cannot be read.", e);
        }
    }

    /**
     * Reads what {@link #written} wrote.
     *
     * @param where it stood, for the message of a mistake
     */
    public static List<Standing> read(String where, String text) {
        var standings = new ArrayList<Standing>();
        for (String line : text.lines().toList()) {
            standings.add(read(where, line, standings.size() + 1));
        }
        return standings;
    }

    /** One submitter a line. */
    public static String written(Collection<Standing> standings) {
        var text = new StringBuilder();
        for (var standing : standings) {
            text.append(URLEncoder.encode(standing.submitter(), StandardCharsets.UTF_8))
                    .append(' ')
                    .append(standing.usage())
                    .append(' ')
                    .append(standing.factor())
                    .append(' ')
                    .append(standing.inUse())
                    .append(' ')
                    .append(standing.reckoned())
                    .append(' ')
                    .append(standing.ceiling())
                    .append(' ')
                    .append(standing.floor())
                    .append(' ')
                    .append(standing.accumulated())
                    .append('\n');
        }
        return text.toString();
    }

    @Override
    public void save(Collection<Standing> standings) {
        Path next = file.resolveSibling(file.getFileName() + ".next");
        try {
            try (var channel = FileChannel.open(
                    next, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
                channel.write(ByteBuffer.wrap(written(standings).getBytes(StandardCharsets.UTF_8)));
                channel.force(true);
            }
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException("The accountant's file (" + file + ") cannot be written.", e);
        }
    }

    private static Standing read(String where, String line, int number) {
        String[] words = line.split(" ", -1);
        try {
            // A line of five words is of an earlier version, in which a factor of 1 stood for none.
            boolean early = words.length == 5;
            if (!early && words.length != 8) {
                throw new IllegalArgumentException("expected 8 words, found " + words.length);
            }
            double factor = Double.parseDouble(words[2]);
            return new Standing(
                    URLDecoder.decode(words[0], StandardCharsets.UTF_8),
                    Double.parseDouble(words[1]),
                    early ? Math.max(1, factor * Accountant.USUAL_FACTOR) : factor,
                    early ? -1 : Long.parseLong(words[5]),
                    early ? 0 : Long.parseLong(words[6]),
                    Double.parseDouble(words[3]),
                    early ? 0 : Double.parseDouble(words[7]),
                    Instant.parse(words[4]));
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(
                    where + ":" + number + ":1: not a standing (" + line + "): " + e.getMessage(), e);
        }
    }
}
