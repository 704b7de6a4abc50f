package org.metasched.leases;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Value;
import org.metasched.durable.AppendLog;
import org.metasched.durable.SharedLog;
import org.metasched.leases.Lease.Claimant;

/**
 * Leases in a file, for machines without a server. Thread-safe, and safe between processes of one machine (a file lock). Each call compares
 * the file with its earlier content and reads the new lines; a long file is rewritten when more than half of it is history.
 *
 * <p>{@link #counted} adds the file's matches to {@code CurMatches} of a site's ad, unless the ad was made from this file and counts them
 * already. If the ad counts jobs, {@code CurMatches} is {@code RunningJobs} and the leases taken since the ad was made. An ad without
 * {@code MaxMatches} stays as it is.
 */
public final class FileLeases implements LeaseStore {

    /** The attribute, in an ad that was made from a ledger, for the {@link #whereOf address} of the ledger. */
    public static final String SOURCE = "CurMatchesLedger";

    /** The number of lines up to which the file is not rewritten. */
    private static final int SMALL = 256;

    private final SharedLog file;

    /** The {@link #whereOf address} of the ledger. */
    private final String where;

    private final Clock clock;
    private final HolderEvidence evidence;

    /** The lines of the file that were applied to {@code sum}. */
    private List<String> known = List.of();

    private Book sum = new Book();

    /**
     * Leases in the ledger of a directory.
     *
     * @param directory the ledger, created if it is missing
     * @param clock the clock by which leases end
     * @param evidence the evidence of the holder of an uncommitted lease
     */
    public FileLeases(Path directory, Clock clock, HolderEvidence evidence) {
        this.file = new SharedLog(directory, "matches", "match ledger");
        this.where = whereOf(directory);
        this.clock = clock;
        this.evidence = evidence;
    }

    /** The address of a ledger, a folder of leases, as notes of matches and ads name it: a {@code file:} URI that ends in a slash. */
    public static String whereOf(Path directory) {
        String where = directory.toAbsolutePath().normalize().toUri().toString();
        // A URI made from a path has the slash only if the directory is there.
        return where.endsWith("/") ? where : where + "/";
    }

    /**
     * The folder of the leases that all DAG binders with the same ads use: the one that the first ad with a
     * ledger names, else one for this file.
     *
     * @param ads the ads of the file
     * @param file the file from which the ads were read
     * @param folders the folder in which the folders for files of ads are made
     * @throws IOException if no ad names a folder, and the file is not there
     * @throws IllegalArgumentException if the ads name an invalid address of a ledger
     */
    public static Path placeFor(List<ClassAd> ads, Path file, Path folders) throws IOException {
        for (ClassAd ad : ads) {
            if (ad.evaluate(SOURCE) instanceof Value.Text source
                    && source.text().startsWith("file:")) {
                return Path.of(URI.create(source.text()));
            }
        }
        String real = file.toRealPath().toString();
        String name = file.getFileName().toString().replaceAll("[^A-Za-z0-9._-]", "_");
        return folders.resolve(name + "-" + UUID.nameUUIDFromBytes(real.getBytes(StandardCharsets.UTF_8)));
    }

    /** Counts the matches without writing. Leases that would {@linkplain Lease#fate end} now are not counted, but remain in the file. */
    @Override
    public synchronized List<ClassAd> counted(List<ClassAd> siteAds) {
        Book book = withoutEnded();
        return siteAds.stream().map(ad -> counted(ad, book)).toList();
    }

    private ClassAd counted(ClassAd siteAd, Book book) {
        if (!siteAd.has("MaxMatches")) {
            return siteAd;
        }
        String site = siteAd.evaluate("Name") instanceof Value.Text name ? name.text() : "";
        boolean isOurs = siteAd.evaluate(SOURCE) instanceof Value.Text source
                && source.text().equals(where);
        long others = isOurs ? 0 : MatchRoom.ofOthers(siteAd);
        return siteAd.with("CurMatches", others + MatchRoom.current(siteAd, site, book.matches(site), book::all))
                .with(MatchRoom.OTHERS, others);
    }

    @Override
    public Optional<UUID> acquire(LeaseRequest request) {
        return file.exclusively((log, lines) -> onSettled(log, lines, book -> {
            if (book.held.containsKey(request.id())) {
                throw request.refusalOfTakenId();
            }
            if (!request.fits(book.matches(request.site()), book::all)) {
                return Optional.empty();
            }
            log.append(written(Lease.of(request, book.lastToken + 1, clock.instant())));
            return Optional.of(request.id());
        }));
    }

    @Override
    public boolean renew(UUID lease) {
        return change(lease, held -> written(held.renewedTo(clock.instant().plus(LEASE_TIME))));
    }

    @Override
    public boolean commit(UUID lease) {
        return change(lease, held -> written(held.asCommitted()));
    }

    @Override
    public boolean release(UUID lease) {
        return change(lease, held -> "released " + lease);
    }

    /** Appends a line about a lease, if the lease is held; returns whether it is. */
    private boolean change(UUID id, Function<Lease, String> line) {
        return file.exclusively((log, lines) -> onSettled(log, lines, book -> {
            Lease lease = book.held.get(id);
            if (lease != null) {
                log.append(line.apply(lease));
            }
            return lease != null;
        }));
    }

    @Override
    public List<Lease> held() {
        return file.exclusively((log, lines) -> onSettled(log, lines, Book::all));
    }

    /** The state that the lines of the file add up to. */
    private static final class Book {
        private final Map<UUID, Lease> held = new LinkedHashMap<>();

        /** The held leases that are not committed: the only ones that may have to be settled. */
        private final Map<UUID, Lease> open = new LinkedHashMap<>();

        /** The number of matches at each site. */
        private final Map<String, Long> matches = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

        private long lastToken;

        /** Adds a lease, or replaces the one of its id. */
        void put(Lease lease) {
            Lease before = held.put(lease.id(), lease);
            count(before, -1);
            count(lease, 1);
            open.remove(lease.id());
            if (!lease.committed()) {
                open.put(lease.id(), lease);
            }
        }

        void remove(UUID id) {
            count(held.remove(id), -1);
            open.remove(id);
        }

        private void count(@Nullable Lease lease, long sign) {
            if (lease != null) {
                matches.merge(lease.site(), sign * lease.matches(), Long::sum);
            }
        }

        long matches(String site) {
            return matches.getOrDefault(site, 0L);
        }

        List<Lease> all() {
            return List.copyOf(held.values());
        }
    }

    /** The state of the file without the leases whose {@linkplain Lease#fate fate} is to end now. */
    private Book withoutEnded() {
        try {
            Instant now = clock.instant();
            Book book = read(file.peek());
            List<Lease> ended = book.open.values().stream()
                    .filter(lease -> lease.fate(now, evidence) == Lease.Fate.ENDS)
                    .toList();
            if (ended.isEmpty()) {
                return book;
            }
            var rest = new Book();
            book.held.values().stream().filter(lease -> !ended.contains(lease)).forEach(rest::put);
            return rest;
        } catch (IOException e) {
            throw new UncheckedIOException("The match ledger (" + where + ") cannot be used: " + e.getMessage(), e);
        }
    }

    /** The state of all lines: only the new ones are applied, unless the file was rewritten. */
    private synchronized Book read(List<String> lines) throws IOException {
        boolean isContinued =
                lines.size() >= known.size() && lines.subList(0, known.size()).equals(known);
        if (!isContinued) {
            known = List.of();
            sum = new Book();
        }
        // After a line that cannot be read, the lines before it remain applied; to apply them again changes nothing.
        for (String line : lines.subList(known.size(), lines.size())) {
            apply(line, sum);
        }
        known = lines;
        return sum;
    }

    /**
     * Runs work on the leases after the open ones are settled. A failure may have changed the state, which is then read anew.
     */
    private synchronized <T> T onSettled(AppendLog log, List<String> lines, Work<T> work) throws IOException {
        boolean isDone = false;
        try {
            T result = work.with(settle(log, lines));
            isDone = true;
            return result;
        } finally {
            if (!isDone) {
                known = List.of();
                sum = new Book();
            }
        }
    }

    /** Work on the state of the file. */
    private interface Work<T> {
        T with(Book book) throws IOException;
    }

    /**
     * Reads the lines, commits or ends open leases as their {@linkplain Lease#fate fate} says, and rewrites a file of more than
     * {@value #SMALL} lines when more than half of it is history.
     */
    private Book settle(AppendLog log, List<String> lines) throws IOException {
        Book book = read(lines);
        Instant now = clock.instant();
        for (Lease lease : List.copyOf(book.open.values())) {
            switch (lease.fate(now, evidence)) {
                case COMMITTED -> {
                    book.put(lease.asCommitted());
                    log.append(written(lease.asCommitted()));
                }
                case ENDS -> {
                    book.remove(lease.id());
                    log.append("released " + lease.id());
                }
                case STAYS -> {}
            }
        }
        if (lines.size() > SMALL && lines.size() > 2 * book.held.size()) {
            var rest = new ArrayList<String>(List.of("token " + book.lastToken));
            book.held.values().forEach(lease -> rest.add(written(lease)));
            try {
                log.rewrite(rest);
            } catch (FileSystemException e) {
                // Where users may replace only their own files, a process of the file's owner rewrites it later.
            }
        }
        return book;
    }

    /** Applies a line: its first word and the number of its words tell its kind. */
    private static void apply(String line, Book book) throws IOException {
        String[] words = line.split(" ", -1);
        switch (words[0] + words.length) {
            case "token2" -> book.lastToken = Math.max(book.lastToken, Long.parseLong(words[1]));
            case "released2" -> book.remove(UUID.fromString(words[1]));
            case "lease13" -> {
                Lease lease = read(words);
                book.lastToken = Math.max(book.lastToken, lease.token());
                book.put(lease);
            }
            default ->
                throw new IOException("a line begins with " + words[0] + " and has " + words.length
                        + " words, expected lease with 13: " + line
                        + "\nMaybe a release before this one wrote the file: give its matches back with that release,"
                        + " or move the file away to begin with an empty one.");
        }
    }

    private static Lease read(String[] words) {
        return new Lease(
                UUID.fromString(words[1]),
                decode(words[2]),
                decode(words[3]),
                new Claimant(
                        decode(words[4]),
                        new ProcessMark(decode(words[5]), Long.parseLong(words[6]), Long.parseLong(words[7]))),
                Long.parseLong(words[8]),
                time(words[9]),
                time(words[10]),
                Boolean.parseBoolean(words[11]),
                Integer.parseInt(words[12]));
    }

    private static Instant time(String milliseconds) {
        return Instant.ofEpochMilli(Long.parseLong(milliseconds));
    }

    /** The line of a lease, whose texts are URL-encoded so that they have no blanks. */
    private static String written(Lease lease) {
        ProcessMark process = lease.claimant().process();
        return Stream.of(
                        "lease",
                        lease.id(),
                        encode(lease.site()),
                        encode(lease.holder()),
                        encode(lease.owner()),
                        encode(process.host()),
                        process.pid(),
                        process.began(),
                        lease.token(),
                        lease.taken().toEpochMilli(),
                        lease.leaseEnd().toEpochMilli(),
                        lease.committed(),
                        lease.matches())
                .map(String::valueOf)
                .collect(Collectors.joining(" "));
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static String decode(String coded) {
        return URLDecoder.decode(coded, StandardCharsets.UTF_8);
    }
}
