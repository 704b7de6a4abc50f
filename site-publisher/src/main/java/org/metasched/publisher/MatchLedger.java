package org.metasched.publisher;

import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.metasched.publisher.HeldMatch.ProcessMark;

/**
 * The count of claims in a file, for machines without a server. Thread-safe, and safe between processes of one machine (a file
 * lock). Each call costs {@code O(lines)}; the file is rewritten when more than half of it is history.
 */
public final class MatchLedger implements Claims {

    private static final int SMALL = 256;

    private final LedgerFile file;
    private final Clock clock;
    private final Evidence evidence;

    /**
     * @param directory of the ledger, made if it is not there
     * @param evidence looks for the holder of an unconfirmed match
     */
    public MatchLedger(Path directory, Clock clock, Evidence evidence) throws IOException {
        this.file = new LedgerFile(directory);
        this.clock = clock;
        this.evidence = evidence;
    }

    @Override
    public Optional<HeldMatch> take(Want want, int maxMatches) {
        return file.exclusively(lines -> {
            Book book = settle(lines);
            if (book.held.containsKey(want.id())) {
                throw Claims.isTaken(want.id());
            }
            long current = book.held.values().stream()
                    .filter(match -> match.site().equalsIgnoreCase(want.site()))
                    .mapToLong(HeldMatch::matches)
                    .sum();
            if (current + want.matches() > maxMatches) {
                return Optional.empty();
            }
            var match = HeldMatch.taken(want, book.lastToken + 1, clock.instant());
            file.append(written(match));
            return Optional.of(match);
        });
    }

    @Override
    public boolean renew(UUID id) {
        return change(
                id, match -> "renewed " + id + " " + clock.instant().plus(LEASE).toEpochMilli());
    }

    @Override
    public boolean confirm(UUID id) {
        return change(id, match -> written(match.asConfirmed()));
    }

    @Override
    public boolean release(UUID id) {
        return change(id, match -> "released " + id);
    }

    private boolean change(UUID id, Function<HeldMatch, String> line) {
        return file.exclusively(lines -> {
            HeldMatch match = settle(lines).held.get(id);
            if (match != null) {
                file.append(line.apply(match));
            }
            return match != null;
        });
    }

    @Override
    public List<HeldMatch> held() {
        return file.exclusively(lines -> List.copyOf(settle(lines).held.values()));
    }

    /** What the lines add up to. */
    private static final class Book {
        private final Map<UUID, HeldMatch> held = new LinkedHashMap<>();
        private long lastToken;
    }

    /** Reads the lines, settles what dead processes left open, and rewrites the file when it is mostly history. */
    private Book settle(List<String> lines) throws IOException {
        var book = new Book();
        for (String line : lines) {
            apply(line, book);
        }
        Instant now = clock.instant();
        for (var match : List.copyOf(book.held.values())) {
            switch (match.fate(now, evidence)) {
                case CONFIRMED -> {
                    book.held.put(match.id(), match.asConfirmed());
                    file.append(written(match.asConfirmed()));
                }
                case ENDS -> {
                    book.held.remove(match.id());
                    file.append("released " + match.id());
                }
                case STAYS -> {}
            }
        }
        if (lines.size() > SMALL && lines.size() > 2 * book.held.size()) {
            var rest = new ArrayList<String>(List.of("token " + book.lastToken));
            book.held.values().forEach(match -> rest.add(written(match)));
            file.replace(rest);
        }
        return book;
    }

    private static void apply(String line, Book book) throws IOException {
        String[] words = line.split(" ", -1);
        switch (words[0] + words.length) {
            case "token2" -> book.lastToken = Math.max(book.lastToken, Long.parseLong(words[1]));
            case "released2" -> book.held.remove(UUID.fromString(words[1]));
            case "renewed3" ->
                book.held.computeIfPresent(
                        UUID.fromString(words[1]),
                        (id, match) -> match.renewedTo(Instant.ofEpochMilli(Long.parseLong(words[2]))));
            // Earlier versions wrote eight words, without owner and token, and then eleven, without the number of
            // matches.
            case "taken8", "confirmed8", "taken11", "confirmed11", "taken12", "confirmed12" -> {
                HeldMatch match = read(words);
                book.lastToken = Math.max(book.lastToken, match.token());
                book.held.put(match.id(), match);
            }
            default ->
                throw new IOException("a line begins with " + words[0] + " and has " + words.length
                        + " words, expected taken or confirmed with 12: " + line);
        }
    }

    private static HeldMatch read(String[] words) {
        var process = new ProcessMark(plain(words[5]), Long.parseLong(words[6]), Long.parseLong(words[7]));
        Instant taken = Instant.ofEpochMilli(Long.parseLong(words[4]));
        boolean early = words.length == 8;
        return new HeldMatch(
                UUID.fromString(words[1]),
                plain(words[2]),
                plain(words[3]),
                early ? "?" : plain(words[8]),
                early ? 0 : Long.parseLong(words[9]),
                taken,
                early ? taken.plus(LEASE) : Instant.ofEpochMilli(Long.parseLong(words[10])),
                process,
                words[0].equals("confirmed"),
                words.length < 12 ? 1 : Integer.parseInt(words[11]));
    }

    private static String written(HeldMatch match) {
        return String.join(
                " ",
                match.confirmed() ? "confirmed" : "taken",
                match.id().toString(),
                coded(match.site()),
                coded(match.holder()),
                Long.toString(match.taken().toEpochMilli()),
                coded(match.process().host()),
                Long.toString(match.process().pid()),
                Long.toString(match.process().began()),
                coded(match.owner()),
                Long.toString(match.token()),
                Long.toString(match.leaseEnd().toEpochMilli()),
                Integer.toString(match.matches()));
    }

    private static String coded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static String plain(String coded) {
        return URLDecoder.decode(coded, StandardCharsets.UTF_8);
    }
}
