package org.metasched.subscription;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.ReservationState;
import org.metasched.agreement.Agreement;

/** An occasion of a notice about an agreement. */
public enum NoticeOccasion {
    /** The agreement is observed. */
    MADE("was made"),
    /** The slot begins within the lead time of the subscription. */
    SOON("begins soon"),
    /** The first of its reservations is active. */
    STARTED("has started"),
    /** A reservation has lost nodes. */
    DEGRADED("has lost nodes"),
    /** A reservation took the place of another one. */
    MOVED("has another reservation"),
    /** The agreement is complete or terminated. */
    ENDED("has ended"),
    /** The offer was refused. */
    REFUSED("was refused");

    private final String words;

    NoticeOccasion(String words) {
        this.words = words;
    }

    /** The words that follow the agreement's name in a notice. */
    public String words() {
        return words;
    }

    /** The word by which subscriptions name it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The occasion of a {@link #word()}; empty if there is none. */
    public static Optional<NoticeOccasion> of(String word) {
        return Arrays.stream(values()).filter(o -> o.word().equals(word)).findFirst();
    }

    /** Occasions between two versions of an agreement, except {@link #SOON}, which depends on the clock. */
    public static Set<NoticeOccasion> between(Agreement before, Agreement after) {
        var all = EnumSet.noneOf(NoticeOccasion.class);
        if (before.state() != after.state()) {
            switch (after.state()) {
                case OBSERVED -> all.add(MADE);
                case COMPLETE, TERMINATED -> all.add(ENDED);
                case REJECTED -> all.add(REFUSED);
                default -> {}
            }
        }
        if (isAny(after, ReservationState.ACTIVE)
                && !isAny(before, ReservationState.ACTIVE)
                && !isAny(before, ReservationState.FINISHED)) {
            all.add(STARTED);
        }
        if (!lostNodes(before).containsAll(lostNodes(after))) {
            all.add(DEGRADED);
        }
        if (!before.commitments().isEmpty() && !before.keys().containsAll(after.keys())) {
            all.add(MOVED);
        }
        return all;
    }

    /** Whether a reservation is in a state. */
    private static boolean isAny(Agreement agreement, ReservationState state) {
        return agreement.commitments().stream().anyMatch(part -> part.state() == state);
    }

    /** The lost nodes, each with the key of its reservation. */
    private static Set<Map.Entry<RequestKey, String>> lostNodes(Agreement agreement) {
        return agreement.commitments().stream()
                .flatMap(part -> part.lostNodes().stream()
                        .map(node -> Map.entry(part.reservation().key(), node)))
                .collect(Collectors.toSet());
    }
}
