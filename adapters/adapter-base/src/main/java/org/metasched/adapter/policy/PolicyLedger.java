package org.metasched.adapter.policy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.metasched.adapter.InvalidSettingException;
import org.metasched.adapter.TimeSlot;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a site has granted, in a file: a line for each grant and a line for each one given up, appended and forced to the
 * disk before the scheduler is asked. Read again at the start; what ended 70 days ago is left out then. Thread-safe; one
 * process at a time, which a lock on the file sees to.
 */
final class PolicyLedger implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(PolicyLedger.class);
    /** Long enough for the month before the last one. */
    private static final Duration KEPT = Duration.ofDays(70);

    private final Map<String, Usage.Grant> grants = new LinkedHashMap<>();
    private final @Nullable FileChannel file;
    private final @Nullable FileChannel lock;
    private @Nullable Usage usage;
    private long version;

    private PolicyLedger(@Nullable FileChannel file, @Nullable FileChannel lock) {
        this.file = file;
        this.lock = lock;
    }

    /** Without a file it counts nothing beyond the life of the process. */
    static PolicyLedger open(Optional<Path> path, Instant now) {
        if (path.isEmpty()) {
            return new PolicyLedger(null, null);
        }
        try {
            return openFile(path.get(), now);
        } catch (IOException | UncheckedIOException e) {
            throw new InvalidSettingException(
                    "The ledger of the policy (" + path.get() + ") cannot be used: " + e.getMessage());
        }
    }

    private static PolicyLedger openFile(Path path, Instant now) throws IOException {
        FileChannel lock = locked(path);
        var old = new PolicyLedger(null, null);
        if (Files.exists(path)) {
            for (String line : Files.readString(path).split("\n", -1)) {
                old.replay(line);
            }
        }
        old.grants.values().removeIf(grant -> grant.slot().end().isBefore(now.minus(KEPT)));
        Path half = path.resolveSibling(path.getFileName() + ".half");
        var lines = new StringBuilder();
        old.grants.values().forEach(grant -> lines.append(line(grant)));
        Files.writeString(half, lines);
        Files.move(half, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        var file = FileChannel.open(path, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
        var ledger = new PolicyLedger(file, lock);
        ledger.grants.putAll(old.grants);
        return ledger;
    }

    /** On a file beside it, as the ledger itself is replaced when it is opened. */
    private static FileChannel locked(Path path) throws IOException {
        var lock = FileChannel.open(
                path.resolveSibling(path.getFileName() + ".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            if (lock.tryLock() != null) {
                return lock;
            }
        } catch (OverlappingFileLockException usedHere) {
            LOG.debug("The ledger {} is in use in this process", path, usedHere);
        }
        lock.close();
        throw new IOException("it is in use");
    }

    /** A line that was cut off by a crash was never answered for, and is skipped. */
    private void replay(String line) {
        String[] words = line.split("\t", -1);
        try {
            // a ledger of an earlier release does not say which server asked
            if ((words.length == 8 || words.length == 9) && words[words.length - 1].equals(".")) {
                var slot = new TimeSlot(Instant.parse(words[4]), Instant.parse(words[5]));
                String subject = URLDecoder.decode(words[2], StandardCharsets.UTF_8);
                grants.put(
                        words[0],
                        new Usage.Grant(
                                words[0],
                                URLDecoder.decode(words[1], StandardCharsets.UTF_8),
                                subject,
                                words.length == 8 ? "" : URLDecoder.decode(words[7], StandardCharsets.UTF_8),
                                Integer.parseInt(words[3]),
                                slot,
                                words[6].equals("over")));
            } else if (words.length == 3 && words[1].equals("dropped") && words[2].equals(".")) {
                grants.remove(words[0]);
            }
        } catch (DateTimeException | IllegalArgumentException cutOff) {
            // Not a line of ours.
        }
    }

    private static String line(Usage.Grant grant) {
        return String.join(
                        "\t",
                        grant.key(),
                        URLEncoder.encode(grant.id(), StandardCharsets.UTF_8),
                        URLEncoder.encode(grant.subject(), StandardCharsets.UTF_8),
                        String.valueOf(grant.nodes()),
                        grant.slot().start().toString(),
                        grant.slot().end().toString(),
                        grant.over() ? "over" : "held",
                        URLEncoder.encode(grant.server(), StandardCharsets.UTF_8),
                        ".")
                + "\n";
    }

    synchronized Usage usage() {
        var known = usage;
        if (known == null) {
            known = new Usage(new ArrayList<>(grants.values()));
            usage = known;
        }
        return known;
    }

    /** Changes with every grant and every one given up. */
    synchronized long version() {
        return version;
    }

    synchronized boolean has(String key) {
        Usage.Grant grant = grants.get(key);
        return grant != null && !grant.over();
    }

    /** Enters a grant unless there is a reason against it; of two at once the second is judged with the first in. */
    synchronized Optional<String> putUnless(Function<Usage, Optional<String>> refusal, Usage.Grant grant) {
        Optional<String> why = refusal.apply(usage());
        if (why.isEmpty()) {
            put(grant);
        }
        return why;
    }

    synchronized void put(Usage.Grant grant) {
        append(line(grant));
        grants.put(grant.key(), grant);
        changed();
    }

    /** What was never made counts for nothing. */
    synchronized void drop(String key) {
        if (grants.remove(key) != null) {
            append(key + "\tdropped\t.\n");
            changed();
        }
    }

    /** What is given up counts until then, and not at all when it had not begun. */
    synchronized void endById(String id, Instant now) {
        for (Usage.Grant grant : new ArrayList<>(grants.values())) {
            if (grant.id().equals(id) && !grant.over()) {
                end(grant, now);
            }
        }
    }

    private void end(Usage.Grant grant, Instant now) {
        TimeSlot slot = grant.slot();
        if (!slot.start().isBefore(now)) {
            drop(grant.key());
        } else if (slot.end().isAfter(now)) {
            put(new Usage.Grant(
                    grant.key(),
                    grant.id(),
                    grant.subject(),
                    grant.server(),
                    grant.nodes(),
                    new TimeSlot(slot.start(), now),
                    true));
        }
    }

    private void append(String line) {
        if (file != null) {
            try {
                file.write(ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8)));
                file.force(false);
            } catch (IOException e) {
                throw new UncheckedIOException("The ledger of the policy cannot be written.", e);
            }
        }
    }

    private void changed() {
        usage = null;
        version++;
    }

    @Override
    public synchronized void close() {
        if (file != null && lock != null) {
            try {
                file.close();
                lock.close();
            } catch (IOException e) {
                throw new UncheckedIOException("The ledger of the policy cannot be closed.", e);
            }
        }
    }
}
