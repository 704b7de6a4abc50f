package org.metasched.dag.binding;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.ReadOptions;
import org.metasched.classad.Syntax;
import org.metasched.classad.Value;

/**
 * The note of the match that a bound DAG holds, in {@value #FILE} beside the record. It comes and goes with the directory: a binder that is
 * killed has either bound the DAG, which then holds the match, or done neither.
 *
 * @param match id of the lease of the match
 * @param site the site's name
 * @param where the address of the ledger with the lease
 * @param keepFailed time for which the DAG keeps its match after it has stopped with failures, so that it can resume there
 * @param limits attributes of the site's ad that bound its matches, for a match that is released and acquired again
 */
public record MatchNote(String match, String site, String where, Duration keepFailed, ClassAd limits) {

    /** The default of {@link #keepFailed}. */
    public static final Duration KEEP_FAILED = Duration.ofDays(1);

    /** The note's name while the DAG holds the match. */
    public static final String FILE = "metasched-match.json";

    /** The note's name once the match is released. */
    public static final String RELEASED = "metasched-released.json";

    private static final Pattern LIMITS =
            Pattern.compile("Name|MaxMatches|MatchUnit|CurMatches.*", Pattern.CASE_INSENSITIVE);
    private static final String POLICY = "KeepFailed";
    private static final ReadOptions JSON = ReadOptions.NEW.with(Syntax.JSON);
    private static final long MOST_BYTES = 1 << 20;

    /** The note of a directory, if it holds a match. */
    public static Optional<MatchNote> find(Path directory) throws IOException {
        return read(directory.resolve(FILE));
    }

    /** The note of the match that a DAG has released, if it holds none. */
    public static Optional<MatchNote> findReleased(Path directory) throws IOException {
        return find(directory).isPresent() ? Optional.empty() : read(directory.resolve(RELEASED));
    }

    static Optional<MatchNote> read(Path file) throws IOException {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        try {
            if (Files.size(file) > MOST_BYTES) {
                throw new IOException("The note of the match (" + file + ") is longer than " + MOST_BYTES + " bytes.");
            }
            ClassAd ad = ClassAd.parse(Files.readString(file), JSON);
            return Optional.of(new MatchNote(
                    text(ad, "Match", file),
                    text(ad, "Site", file),
                    text(ad, "Where", file),
                    ad.evaluate(POLICY) instanceof Value.Int seconds && seconds.value() >= 0
                            ? Duration.ofSeconds(seconds.value())
                            : KEEP_FAILED,
                    limits(ad)));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (ClassAdSyntaxException e) {
            throw new IOException(
                    file + ":" + e.line() + ":" + e.column() + ": the note of the match cannot be read: "
                            + e.getMessage(),
                    e);
        }
    }

    /**
     * The id of the lease.
     *
     * @throws IllegalArgumentException if {@link #match} is no such id
     */
    public UUID lease() {
        try {
            return UUID.fromString(match);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "The match (" + match + ") in the DAG's note must be the id of a lease.", e);
        }
    }

    private static String text(ClassAd ad, String name, Path file) throws IOException {
        if (ad.evaluate(name) instanceof Value.Text text) {
            return text.text();
        }
        throw new IOException(file + ":1:1: the note of the match lacks the text " + name + ".");
    }

    /** The attributes of a site's ad that say how many matches it gives. */
    static ClassAd limits(ClassAd siteAd) {
        ClassAd limits = ClassAd.EMPTY;
        for (String name : siteAd.names()) {
            if (LIMITS.matcher(name).matches()) {
                limits = limits.with(name, siteAd.evaluate(name));
            }
        }
        return limits;
    }

    byte[] toBytes() {
        ClassAd ad = limits.with("Match", match)
                .with("Site", site)
                .with("Where", where)
                .with(POLICY, keepFailed.toSeconds());
        return (ad.print(Syntax.JSON) + "\n").getBytes(StandardCharsets.UTF_8);
    }
}
