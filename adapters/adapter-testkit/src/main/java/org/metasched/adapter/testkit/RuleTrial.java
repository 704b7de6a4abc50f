package org.metasched.adapter.testkit;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.metasched.adapter.FreeWindows;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.TimeSlot;
import org.metasched.adapter.testkit.RuleCheck.Broken;
import org.metasched.adapter.testkit.RuleCheck.Skipped;

/**
 * One run of a rule at a site. Notes each key before the site is asked, so that {@link #cleanUp} finds each reservation even after a lost
 * answer.
 */
final class RuleTrial {

    private static final int ATTEMPTS = 3;
    private static final int LOOKS = 100;
    private static final long MILLIS_BETWEEN_LOOKS = 200;

    /** An effect that can be observed at a site. */
    interface Sight {
        boolean isSeen() throws LocalSchedulerException;
    }

    final LocalScheduler site;
    final KitSettings settings;
    private final Map<RequestKey, List<ReservationId>> made = new LinkedHashMap<>();
    /** For each failed try twice the time that it took, so that the next start does not pass before the site has answered. */
    private Duration slack = Duration.ZERO;

    RuleTrial(LocalScheduler site, KitSettings settings) {
        this.site = site;
        this.settings = settings;
    }

    ResourceRequest request() {
        return settings.request();
    }

    /** The first start of interest, on a whole second. */
    Instant from() {
        return Instant.ofEpochSecond(now().plus(settings.lead()).plus(slack).getEpochSecond() + 1);
    }

    Instant now() {
        return settings.clock().instant();
    }

    /** Adds to the slack for a failed try. */
    private void allowFor(Instant begun) {
        slack = slack.plus(Duration.between(begun, now()).multipliedBy(2));
    }

    synchronized RequestKey newKey() {
        var key = new RequestKey(
                "kit" + UUID.randomUUID().toString().replace("-", "").substring(0, 16));
        made.put(key, new ArrayList<>());
        return key;
    }

    /** Makes a reservation that {@link #cleanUp} will cancel. */
    Reservation reserve(RequestKey key, ResourceRequest request, Instant start) throws LocalSchedulerException {
        var reservation = site.reserve(key, request, start);
        synchronized (this) {
            made.computeIfAbsent(key, k -> new ArrayList<>()).add(reservation.id());
        }
        return reservation;
    }

    Instant earliestStart() throws LocalSchedulerException, Skipped {
        return start(request(), from()).orElseThrow(this::noRoom);
    }

    /** The earliest start; a refusal means none. */
    Optional<Instant> start(ResourceRequest request, Instant notBefore) throws LocalSchedulerException {
        try {
            return site.earliestStart(request, notBefore);
        } catch (Refused refusal) {
            return Optional.empty();
        }
    }

    /** The free windows; a refusal means none. */
    FreeWindows windows(ResourceRequest request, TimeSlot within) throws LocalSchedulerException, Skipped {
        var listing = Skipped.without(site.windowListing(), "The site does not list its free windows.");
        try {
            return listing.freeWindows(request, within);
        } catch (Refused refusal) {
            return new FreeWindows("", List.of());
        }
    }

    Skipped noRoom() {
        return new Skipped("The site has no start for " + request().need().words() + " for "
                + request().duration() + " between " + from() + " and the end of its look-ahead ("
                + site.previewWindow().lookAhead() + ").");
    }

    /** Makes a reservation at the earliest start. Another user may take it first, so a refused start is asked for anew. */
    Reservation reserveSomewhere() throws LocalSchedulerException, Skipped, Broken {
        return reserveSomewhere(newKey());
    }

    Reservation reserveSomewhere(RequestKey key) throws LocalSchedulerException, Skipped, Broken {
        var refusals = new ArrayList<String>();
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            var begun = now();
            var start = earliestStart();
            try {
                return reserve(key, request(), start);
            } catch (Refused refused) {
                refusals.add(start + " at " + now() + ": " + refused.getMessage());
                allowFor(begun);
            }
        }
        throw new Broken("Every start that was answered was refused: " + String.join("; ", refusals));
    }

    /**
     * Runs a check, up to three times while it fails: on a live site the plan may change, or a start pass, between two questions. If a
     * repetition is skipped, the last failure counts.
     */
    String stable(RuleCheck check) throws LocalSchedulerException, InterruptedException, Broken, Skipped {
        var failures = new ArrayList<Broken>();
        while (failures.size() < ATTEMPTS) {
            var begun = now();
            try {
                return check.run(this);
            } catch (Broken failure) {
                failures.add(failure);
                allowFor(begun);
            } catch (Skipped skipped) {
                if (failures.isEmpty()) {
                    throw skipped;
                }
                break;
            }
        }
        throw failures.get(failures.size() - 1);
    }

    /** Waits until an effect is seen, as the site's listings may be old: at most 20 s, or 1,000 s where time can be moved. */
    boolean becomes(Sight sight) throws LocalSchedulerException, InterruptedException {
        for (int look = 0; look < LOOKS; look++) {
            if (sight.isSeen()) {
                return true;
            } else if (settings.timeTravel().isPresent()) {
                settings.timeTravel().get().advance(Duration.ofSeconds(10));
            } else {
                Thread.sleep(MILLIS_BETWEEN_LOOKS);
            }
        }
        return false;
    }

    /** Cancels all reservations made; returns a sentence for each that could not be cancelled. */
    synchronized List<String> cleanUp() {
        var left = new ArrayList<String>();
        made.forEach((key, ids) -> {
            for (var id : ids) {
                giveUp(key, Optional.of(id)).ifPresent(left::add);
            }
            giveUp(key, Optional.empty()).ifPresent(left::add);
        });
        return left;
    }

    private Optional<String> giveUp(RequestKey key, Optional<ReservationId> id) {
        try {
            if (id.isPresent()) {
                site.cancel(id.get());
                return Optional.empty();
            }
            var found = site.find(key);
            if (found.isPresent() && found.get().state().isHeld()) {
                site.cancel(found.get().reservation().id());
            }
            return Optional.empty();
        } catch (LocalSchedulerException | RuntimeException e) {
            return Optional.of("Reservation " + id.map(ReservationId::value).orElse("under key " + key)
                    + " could not be cancelled: " + e.getMessage());
        }
    }
}
