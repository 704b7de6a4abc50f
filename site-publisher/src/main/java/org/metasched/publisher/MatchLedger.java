package org.metasched.publisher;

import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import org.metasched.publisher.HeldMatch.ProcessMark;

/**
 * The one count of matches per site: {@code CurMatches} is what this ledger says, whoever asks, from whichever process, and
 * after any restart. So {@code CurMatches < MaxMatches} holds under any number of concurrent binders.
 *
 * <p>A match is first <em>taken</em> (room is checked and the line is on the disk in one step), then <em>confirmed</em> when its
 * holder exists, and <em>released</em> in the end. A match that was never confirmed, because its process was killed or ten
 * minutes have passed, is settled by the {@code evidence}: kept if its holder exists after all, given back if not. No match is
 * lost and none is held for ever.
 *
 * <p>Thread-safe, and safe between processes of one machine (a file lock). Each call costs {@code O(lines)}; the file is
 * rewritten when more than half of it is history.
 */
public final class MatchLedger {

    /** How long a match may stay unconfirmed while its process lives: the process may be taking it for somebody far away. */
    public static final Duration LEASE = Duration.ofMinutes(10);

    private static final int SMALL = 256;

    private final LedgerFile file;
    private final Clock clock;
    private final Predicate<HeldMatch> evidence;

    /**
     * @param directory of the ledger, made if it is not there
     * @param evidence tells whether the holder of an unconfirmed match exists
     */
    public MatchLedger(Path directory, Clock clock, Predicate<HeldMatch> evidence) throws IOException {
        this.file = new LedgerFile(directory);
        this.clock = clock;
        this.evidence = evidence;
    }

    /** Takes a match of the site if fewer than {@code maxMatches} are held. */
    public Optional<HeldMatch> take(String site, int maxMatches, String holder) {
        return file.exclusively(lines -> {
            var held = settle(lines);
            long current = held.values().stream()
                    .filter(match -> match.site().equalsIgnoreCase(site))
                    .count();
            if (current >= maxMatches) {
                return Optional.empty();
            }
            var match = new HeldMatch(UUID.randomUUID(), site, holder, clock.instant(), ProcessMark.current(), false);
            file.append(written(match));
            return Optional.of(match);
        });
    }

    /** The holder exists: from now on only {@link #release} ends the match. */
    public void confirm(HeldMatch match) {
        file.exclusively(lines -> {
            if (!settle(lines).containsKey(match.id())) {
                throw new IllegalStateException("The match (" + match.id() + ") of site " + match.site()
                        + " is not in the ledger, so it cannot be confirmed.");
            }
            file.append(written(match.asConfirmed()));
            return match;
        });
    }

    /** Gives a match back. Whether it was held: giving it back twice is not an error. */
    public boolean release(UUID id) {
        return file.exclusively(lines -> {
            boolean held = settle(lines).containsKey(id);
            if (held) {
                file.append("released " + id);
            }
            return held;
        });
    }

    /** Gives back every confirmed match whose holder has come to its end; how many. */
    public int releaseEnded(Predicate<HeldMatch> ended) {
        // Looking at holders may take a while: it happens outside the lock.
        List<HeldMatch> over =
                held().stream().filter(HeldMatch::confirmed).filter(ended).toList();
        over.forEach(match -> release(match.id()));
        return over.size();
    }

    /** {@code CurMatches} of a site. */
    public int count(String site) {
        return (int) held().stream()
                .filter(match -> match.site().equalsIgnoreCase(site))
                .count();
    }

    /** All matches that are held, oldest first. */
    public List<HeldMatch> held() {
        return file.exclusively(lines -> List.copyOf(settle(lines).values()));
    }

    public Optional<HeldMatch> find(UUID id) {
        return held().stream().filter(match -> match.id().equals(id)).findFirst();
    }

    /** Reads the lines, settles what dead processes left open, and rewrites the file when it is mostly history. */
    private Map<UUID, HeldMatch> settle(List<String> lines) throws IOException {
        var held = new LinkedHashMap<UUID, HeldMatch>();
        for (String line : lines) {
            apply(line, held);
        }
        for (var match : List.copyOf(held.values())) {
            if (!match.confirmed() && isAbandoned(match)) {
                if (evidence.test(match)) {
                    held.put(match.id(), match.asConfirmed());
                    file.append(written(match.asConfirmed()));
                } else {
                    held.remove(match.id());
                    file.append("released " + match.id());
                }
            }
        }
        if (lines.size() > SMALL && lines.size() > 2 * held.size()) {
            var rest = new ArrayList<String>();
            held.values().forEach(match -> rest.add(written(match)));
            file.replace(rest);
        }
        return held;
    }

    private boolean isAbandoned(HeldMatch match) {
        return match.process().isGone() || match.taken().plus(LEASE).isBefore(clock.instant());
    }

    private static void apply(String line, Map<UUID, HeldMatch> held) throws IOException {
        String[] words = line.split(" ", -1);
        if (words.length == 2 && words[0].equals("released")) {
            held.remove(UUID.fromString(words[1]));
            return;
        }
        if (words.length != 8) {
            throw new IOException("a line has " + words.length + " words, expected 8: " + line);
        }
        var process = new ProcessMark(plain(words[5]), Long.parseLong(words[6]), Long.parseLong(words[7]));
        var match = new HeldMatch(
                UUID.fromString(words[1]),
                plain(words[2]),
                plain(words[3]),
                Instant.ofEpochMilli(Long.parseLong(words[4])),
                process,
                words[0].equals("confirmed"));
        held.put(match.id(), match);
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
                Long.toString(match.process().began()));
    }

    private static String coded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static String plain(String coded) {
        return URLDecoder.decode(coded, StandardCharsets.UTF_8);
    }
}
