package org.metasched.classad.cycle;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.metasched.durable.AtomicFile;

/**
 * Standings in a text file, replaced atomically. A line has 8 words: submitter (URL-encoded), usage, factor, in use, reckoned (ISO
 * instant), ceiling, floor, accumulated. One process at a time.
 */
public final class FileAccountantStore implements AccountantStore {

    private final Path file;

    /** @param file file that each save replaces as a whole */
    public FileAccountantStore(Path file) {
        this.file = file.toAbsolutePath();
    }

    @Override
    public List<SubmitterStanding> load() {
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
     * @param where name of the text's source, for messages
     * @throws IllegalArgumentException if a line is not a standing
     */
    public static List<SubmitterStanding> read(String where, String text) {
        var standings = new ArrayList<SubmitterStanding>();
        for (String line : text.lines().toList()) {
            standings.add(read(where, line, standings.size() + 1));
        }
        return standings;
    }

    /** The text of standings, one submitter a line. */
    public static String written(Collection<SubmitterStanding> standings) {
        return standings.stream().map(FileAccountantStore::line).collect(Collectors.joining());
    }

    private static String line(SubmitterStanding standing) {
        return Stream.of(
                        URLEncoder.encode(standing.submitter(), StandardCharsets.UTF_8),
                        standing.usage(),
                        standing.factor(),
                        standing.inUse(),
                        standing.reckoned(),
                        standing.ceiling(),
                        standing.floor(),
                        standing.accumulated())
                .map(String::valueOf)
                .collect(Collectors.joining(" ", "", "\n"));
    }

    @Override
    public void save(Collection<SubmitterStanding> standings) {
        try {
            AtomicFile.replace(file, written(standings));
        } catch (IOException e) {
            throw new UncheckedIOException("The accountant's file (" + file + ") cannot be written.", e);
        }
    }

    private static SubmitterStanding read(String where, String line, int number) {
        String[] words = line.split(" ", -1);
        try {
            if (words.length != 8) {
                throw new IllegalArgumentException("expected 8 words, found " + words.length);
            }
            return new SubmitterStanding(
                    URLDecoder.decode(words[0], StandardCharsets.UTF_8),
                    Double.parseDouble(words[1]),
                    Double.parseDouble(words[2]),
                    Long.parseLong(words[5]),
                    Long.parseLong(words[6]),
                    Double.parseDouble(words[3]),
                    Double.parseDouble(words[7]),
                    Instant.parse(words[4]));
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(
                    where + ":" + number + ":1: not a standing (" + line + "): " + e.getMessage(), e);
        }
    }
}
