package org.metasched.trust;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.metasched.adapter.Sha256Digest;
import org.metasched.durable.AtomicFile;
import org.metasched.trust.AccessPolicy.Decision;
import org.metasched.trust.Authorizer.Call;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The record of decisions, one line of JSON each. A line carries the SHA-256 of the line before it, also across files: {@link #verify}
 * finds a line that was changed, taken out, put in or moved, and {@link AuditCheckpoints} sign lines. A reader who kept number and hash of
 * a line elsewhere finds a cut-off end; both are logged each hour and at a stop. Files are readable by their owner alone, begin anew at 64
 * MiB, and are never deleted here. Thread-safe; one process per folder.
 *
 * <p>A decision that cannot be recorded is refused: {@link #write} throws. When there is room again, the next line has the number of
 * operations that were refused meanwhile.
 */
public final class AuditLog implements AutoCloseable {

    /** Writes nothing. */
    public static final AuditLog NONE =
            new AuditLog(Optional.empty(), Optional.empty(), Clock.fixed(Instant.EPOCH, ZoneOffset.UTC));

    private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);
    static final String GENESIS = "0".repeat(64);
    static final String FIRST_FILE = "audit-000001.jsonl";
    private static final String LINK = ",\"prev\":\"";
    /** Bytes after which another file begins; a property, so that a soak test sees many. */
    private static final long LONGEST_FILE = Long.getLong("metasched.audit.file-bytes", 64L << 20);

    private static final int LONGEST_LINE = 1 << 16;
    private static final int LONGEST_TEXT = 1_000;
    private static final Duration SEAL_EVERY = Duration.ofHours(1);

    /**
     * Result of a check.
     *
     * @param lines number of valid lines
     * @param number number of the last valid line
     * @param newest hash of the last valid line
     * @param problem first problem, with file and line; empty if there is none
     * @param notProven sentences about changes that the check cannot find
     */
    public record Report(long lines, long number, String newest, Optional<String> problem, List<String> notProven) {

        public Report {
            notProven = List.copyOf(notProven);
        }
    }

    /** Number and hash of a line that are kept elsewhere, to prove that the log contains it. */
    public record Anchor(long number, String hash) {

        /**
         * @param text number, colon, hash
         * @throws IllegalArgumentException when it is something else
         */
        public static Anchor of(String text) {
            if (!text.matches("\\d{1,18}:[0-9a-f]{64}")) {
                throw new IllegalArgumentException("The anchor (" + text
                        + ") must be a line's number, a colon and its hash in 64 hexadecimal digits.");
            }
            int colon = text.indexOf(':');
            return new Anchor(Long.parseLong(text.substring(0, colon)), text.substring(colon + 1));
        }
    }

    private final Optional<Path> folder;
    private final Optional<Syslog> syslog;
    private final Clock clock;
    private Optional<AuditCheckpoints> checkpoints = Optional.empty();
    private Optional<RandomAccessFile> open = Optional.empty();
    private Anchor last = new Anchor(0, GENESIS);

    /** Bytes of the open file up to the end of its last whole line. */
    private long length;

    /** Number of the open file. */
    private int file;

    private Instant sealedAt;
    private volatile boolean failing;

    /** Operations that were refused since the last line was written. */
    private long unwritten;

    /** Whether a thread of {@link #takesLines} is trying to write. */
    private final AtomicBoolean asking = new AtomicBoolean();

    private AuditLog(Optional<Path> folder, Optional<Syslog> syslog, Clock clock) {
        this.folder = folder;
        this.syslog = syslog;
        this.clock = clock;
        this.sealedAt = clock.instant();
    }

    /**
     * Continues the log of a folder after its last line. A line torn by a crash is cut off, which is recorded.
     *
     * @param syslog receives a copy of each line: {@code udp://host:port}, {@code tcp://host:port} or {@code unix:/path}
     * @throws IOException when the folder cannot be used
     */
    public static AuditLog in(Path folder, Optional<URI> syslog, Clock clock) throws IOException {
        Files.createDirectories(folder);
        var log = new AuditLog(Optional.of(folder), syslog.map(Syslog::new), clock);
        log.checkpoints = Optional.of(new AuditCheckpoints(folder));
        var files = new ArrayDeque<>(files(folder));
        while (!files.isEmpty() && !hasLine(files.getLast())) {
            Files.delete(files.removeLast());
        }
        if (files.isEmpty()) {
            log.beginFile(1);
        } else {
            log.continueFile(files.getLast());
        }
        return log;
    }

    /** Whether a file has a line; a crash may leave one without. */
    private static boolean hasLine(Path file) throws IOException {
        try (var in = Files.newInputStream(file)) {
            return new String(in.readNBytes(LONGEST_LINE), StandardCharsets.ISO_8859_1).indexOf('\n') >= 0;
        }
    }

    static List<Path> files(Path folder) throws IOException {
        try (var there = Files.list(folder)) {
            return there.filter(f -> f.getFileName().toString().matches("audit-\\d{6}\\.jsonl"))
                    .sorted()
                    .toList();
        }
    }

    private void beginFile(int next) throws IOException {
        Path path = folder.orElseThrow().resolve(String.format(Locale.ROOT, "audit-%06d.jsonl", next));
        if (!Files.exists(path)) {
            AtomicFile.replace(path, new byte[0], PosixFilePermissions.fromString("rw-------"));
        }
        // Not a channel: an interrupted request would close it.
        open = Optional.of(new RandomAccessFile(path.toFile(), "rw"));
        file = next;
        length = 0;
    }

    private void continueFile(Path last) throws IOException {
        file = Integer.parseInt(last.getFileName().toString().substring(6, 12));
        long torn;
        try (var in = new RandomAccessFile(last.toFile(), "rw")) {
            torn = in.length();
            String text = cutTornLine(in, LONGEST_LINE * 2);
            torn -= in.length();
            int end = text.length() - 1;
            String line = text.substring(text.lastIndexOf('\n', end - 1) + 1, end);
            setLast(numberOf(line), line);
            length = in.length();
        }
        open = Optional.of(new RandomAccessFile(last.toFile(), "rw"));
        if (torn > 0) {
            LOG.warn("The audit file {} ended in a torn line of {} bytes, which is cut off", last, torn);
            append(",\"event\":\"torn\",\"bytes\":" + torn);
        }
    }

    /** Cuts off the bytes after the last line of a file. Returns the end of the rest: whole lines, except perhaps the first. */
    static String cutTornLine(RandomAccessFile file, int most) throws IOException {
        byte[] tail = new byte[(int) Math.min(file.length(), most)];
        file.seek(file.length() - tail.length);
        file.readFully(tail);
        String text = new String(tail, StandardCharsets.ISO_8859_1);
        int end = text.lastIndexOf('\n') + 1;
        file.setLength(file.length() - text.length() + end);
        return text.substring(0, end);
    }

    /**
     * Records a decision.
     *
     * @throws NotAllowedException when it cannot be recorded
     */
    void write(Call call, String object, String behalf, Decision decision) {
        if (folder.isEmpty()) {
            return;
        }
        var subject = call.subject();
        var rest = new StringBuilder();
        field(rest, "who", subject.toString());
        field(rest, "kind", subject.kind().name().toLowerCase(Locale.ROOT));
        if (!behalf.isEmpty()) {
            field(rest, "behalf", behalf);
        }
        field(rest, "what", call.operation());
        if (!object.isEmpty()) {
            field(rest, "object", object);
        }
        field(rest, "from", call.from());
        field(rest, "outcome", decision.isAllowed() ? "allowed" : "denied");
        field(rest, "rule", decision.rule());
        synchronized (this) {
            if (!tryResume() || !append(rest.toString())) {
                throw unrecorded();
            }
        }
    }

    /**
     * Refuses an operation before its decision is made.
     *
     * @throws NotAllowedException if the last line could not be written, and none can be now
     */
    void check() {
        if (failing) {
            synchronized (this) {
                if (!tryResume()) {
                    throw unrecorded();
                }
            }
        }
    }

    private NotAllowedException unrecorded() {
        unwritten++;
        return NotAllowedException.unrecorded();
    }

    /** Whether decisions can be recorded. Tries it after a failure; while one thread tries, others get the previous result. */
    public boolean takesLines() {
        if (failing && asking.compareAndSet(false, true)) {
            try {
                tryResume();
            } finally {
                asking.set(false);
            }
        }
        return !failing;
    }

    /** After a failure tries to write again; returns whether the log can be written. */
    private synchronized boolean tryResume() {
        if (failing && append(",\"event\":\"resumed\",\"unwritten\":" + unwritten)) {
            LOG.warn("The audit log is written again; {} operations were refused meanwhile", unwritten);
            unwritten = 0;
        }
        return !failing;
    }

    private void setLast(long number, String line) {
        last = new Anchor(number, hash(line));
    }

    Instant time() {
        return clock.instant();
    }

    private String now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS).toString();
    }

    /**
     * Appends a line.
     *
     * @param rest its fields beside number, time and link, as JSON
     * @return whether it is written
     */
    private synchronized boolean append(String rest) {
        String line =
                "{\"n\":" + (last.number() + 1) + ",\"time\":\"" + now() + '"' + rest + LINK + last.hash() + "\"}";
        byte[] bytes = (line + "\n").getBytes(StandardCharsets.US_ASCII);
        try {
            if (length + bytes.length > LONGEST_FILE) {
                var full = opened();
                checkpoint();
                beginFile(file + 1);
                full.close();
            }
            // Cuts off the part of a line that a full disk left.
            opened().setLength(length);
            opened().seek(length);
            opened().write(bytes);
            length += bytes.length;
            setLast(last.number() + 1, line);
            syslog.ifPresent(copy -> copy.send(now(), line.contains(",\"outcome\":\"denied\""), line));
            failing = false;
            if (last.number() % AuditCheckpoints.EVERY == 0) {
                checkpoint();
            }
            if (clock.instant().isAfter(sealedAt.plus(SEAL_EVERY))) {
                seal();
            }
            return true;
        } catch (IOException e) {
            if (!failing) {
                LOG.error("THE AUDIT LOG CANNOT BE WRITTEN, and nothing is done until it can: {}", e.toString());
            }
            failing = true;
            return false;
        }
    }

    private RandomAccessFile opened() throws IOException {
        return open.orElseThrow(() -> new IOException("it is closed"));
    }

    private void seal() {
        sealedAt = clock.instant();
        checkpoint();
        LOG.info("The audit log is at {}:{}", last.number(), last.hash());
    }

    private void checkpoint() {
        if (checkpoints.isPresent()) {
            try {
                checkpoints.get().add(last.number(), last.hash());
            } catch (IOException e) {
                LOG.warn("Audit line {} has no checkpoint: {}", last.number(), e.toString());
            }
        }
    }

    @Override
    public synchronized void close() {
        if (open.isPresent()) {
            seal();
            try {
                open.get().close();
            } catch (IOException e) {
                LOG.warn("The audit log was not closed in order: {}", e.toString());
            }
            open = Optional.empty();
            syslog.ifPresent(Syslog::close);
        }
    }

    /** Adds a JSON field in printable ASCII alone, so that no caller forges or hides a line. */
    private static void field(StringBuilder line, String name, String text) {
        line.append(",\"").append(name).append("\":\"");
        text.chars().limit(LONGEST_TEXT).forEach(c -> {
            if (c < 0x20 || c > 0x7E || c == '"' || c == '\\') {
                line.append(String.format(Locale.ROOT, "\\u%04x", c));
            } else {
                line.append((char) c);
            }
        });
        line.append('"');
    }

    /**
     * Reads all files of a folder. {@code O(bytes)}.
     *
     * @param since a line that was kept elsewhere, if any
     */
    public static Report verify(Path folder, Optional<Anchor> since) throws IOException {
        return new AuditVerification(folder, since).run();
    }

    static String linkOf(String line) {
        int at = line.length() - GENESIS.length() - 2;
        boolean sound = at > LINK.length() && line.endsWith("\"}") && line.startsWith(LINK, at - LINK.length());
        return sound ? line.substring(at, at + GENESIS.length()) : "";
    }

    static long numberOf(String line) {
        var digits = line.replaceFirst("^\\{\"n\":(\\d{1,18}),.*", "$1");
        return digits.matches("\\d{1,18}") ? Long.parseLong(digits) : 0;
    }

    static String hash(String line) {
        return HexFormat.of().formatHex(Sha256Digest.of(line.getBytes(StandardCharsets.ISO_8859_1)));
    }
}
