package org.metasched.adapter.policy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
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
import org.metasched.adapter.LocalSchedulerException.Misconfigured;
import org.metasched.adapter.TimeSlot;
import org.metasched.durable.AppendLog;
import org.metasched.durable.ProcessLock;

/**
 * Ledger of a site's grants in an append log: a record for each grant and one for each that is given up, on the disk before the
 * scheduler is asked. Grants that ended 70 days before it is opened are dropped. Thread-safe; one process at a time.
 */
final class PolicyLedger implements AutoCloseable {

    /** Time for which ended grants are kept: long enough for the whole previous month. */
    private static final Duration KEPT = Duration.ofDays(70);

    private final Map<String, GrantedUsage.Grant> grants = new LinkedHashMap<>();
    private final @Nullable AppendLog log;
    private final @Nullable ProcessLock lock;
    private @Nullable GrantedUsage usage;
    private long version;

    private PolicyLedger(@Nullable AppendLog log, @Nullable ProcessLock lock) {
        this.log = log;
        this.lock = lock;
    }

    /** Opens the ledger. Without a file it is in memory only, and ends with the process. */
    static PolicyLedger open(Optional<Path> path, Instant now) {
        if (path.isEmpty()) {
            return new PolicyLedger(null, null);
        }
        try {
            return openFile(path.get(), now);
        } catch (IOException e) {
            throw new InvalidSettingException(
                    "The ledger of the policy (" + path.get() + ") cannot be used: " + e.getMessage());
        }
    }

    private static PolicyLedger openFile(Path path, Instant now) throws IOException {
        var lock = ProcessLock.tryAcquire(path.resolveSibling(path.getFileName() + ".lock"))
                .orElseThrow(() -> new IOException("it is in use by another process"));
        boolean isOpen = false;
        try {
            var log = new AppendLog(path);
            var ledger = new PolicyLedger(log, lock);
            log.read().forEach(ledger::replay);
            ledger.grants.values().removeIf(grant -> grant.slot().end().isBefore(now.minus(KEPT)));
            log.rewrite(
                    ledger.grants.values().stream().map(PolicyLedger::recordOf).toList());
            isOpen = true;
            return ledger;
        } catch (DateTimeException | IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
            throw new IOException("it holds a record that is not a grant: " + e.getMessage(), e);
        } finally {
            if (!isOpen) {
                lock.close();
            }
        }
    }

    private void replay(String text) {
        String[] words = text.split("\t", -1);
        if (words.length == 2) { // KEY dropped
            grants.remove(words[0]);
            return;
        }
        grants.put(
                words[0],
                new GrantedUsage.Grant(
                        words[0],
                        decoded(words[1]),
                        decoded(words[2]),
                        decoded(words[7]),
                        decoded(words[8]),
                        Integer.parseInt(words[3]),
                        new TimeSlot(Instant.parse(words[4]), Instant.parse(words[5])),
                        words[6].equals("over")));
    }

    private static String recordOf(GrantedUsage.Grant grant) {
        return String.join(
                "\t",
                grant.key(),
                encoded(grant.id()),
                encoded(grant.subject()),
                String.valueOf(grant.nodes()),
                grant.slot().start().toString(),
                grant.slot().end().toString(),
                grant.over() ? "over" : "held",
                encoded(grant.server()),
                encoded(grant.project()));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    /** The usage by all grants; the same object until the next change. */
    synchronized GrantedUsage usage() {
        var known = usage;
        if (known == null) {
            known = new GrantedUsage(new ArrayList<>(grants.values()));
            usage = known;
        }
        return known;
    }

    /** A number that grows with each change. */
    synchronized long version() {
        return version;
    }

    /** Whether there is a grant of the key that is not given up. */
    synchronized boolean has(String key) {
        GrantedUsage.Grant grant = grants.get(key);
        return grant != null && !grant.over();
    }

    /**
     * Enters a grant unless the function gives a reason to refuse it, which is returned. Concurrent grants are judged one by one; a
     * grant that its key has already is not judged again.
     *
     * @throws Misconfigured when the ledger cannot be written; then nothing is granted
     */
    synchronized Optional<String> putUnless(Function<GrantedUsage, Optional<String>> refusal, GrantedUsage.Grant grant)
            throws Misconfigured {
        if (has(grant.key())) {
            return Optional.empty();
        }
        Optional<String> why = refusal.apply(usage());
        if (why.isEmpty()) {
            try {
                put(grant);
            } catch (UncheckedIOException e) {
                throw new Misconfigured(e.getMessage() + " " + e.getCause(), e);
            }
        }
        return why;
    }

    /** Enters a grant, in place of an earlier one of the key. */
    synchronized void put(GrantedUsage.Grant grant) {
        append(recordOf(grant));
        grants.put(grant.key(), grant);
        noteChange();
    }

    /** Enters the reservation id of a grant that has none yet, as its answer was lost. */
    synchronized void complete(String key, String id) {
        GrantedUsage.Grant grant = grants.get(key);
        if (grant != null && grant.id().isEmpty()) {
            put(grant.withId(id));
        }
    }

    /** Removes a grant whose reservation was never made. */
    synchronized void drop(String key) {
        if (grants.containsKey(key)) {
            append(key + "\tdropped");
            grants.remove(key);
            noteChange();
        }
    }

    /** Ends the grant of a reservation: it counts up to now, and not at all when its slot has not begun. */
    synchronized void endById(String id, Instant now) {
        for (GrantedUsage.Grant grant : new ArrayList<>(grants.values())) {
            if (grant.id().equals(id) && !grant.over()) {
                end(grant, now);
            }
        }
    }

    private void end(GrantedUsage.Grant grant, Instant now) {
        TimeSlot slot = grant.slot();
        if (!slot.start().isBefore(now)) {
            drop(grant.key());
        } else if (slot.end().isAfter(now)) {
            put(grant.givenUp(now));
        }
    }

    private void append(String text) {
        if (log != null) {
            try {
                log.append(text);
            } catch (IOException e) {
                throw new UncheckedIOException("The ledger of the policy cannot be written.", e);
            }
        }
    }

    private void noteChange() {
        usage = null;
        version++;
    }

    @Override
    public synchronized void close() {
        if (lock != null) {
            try {
                lock.close();
            } catch (IOException e) {
                throw new UncheckedIOException("The ledger of the policy cannot be closed.", e);
            }
        }
    }
}
