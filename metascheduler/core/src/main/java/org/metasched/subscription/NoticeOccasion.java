package org.metasched.subscription;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.metasched.adapter.ReservationState;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.SiteCommitment;

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
    /** A reservation took the place of another. */
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
        if (before.commitments().size() == after.commitments().size()) {
            IntStream.range(0, after.commitments().size())
                    .forEach(i -> part(
                            before.commitments().get(i), after.commitments().get(i), all));
        }
        if (before.commitments().stream().anyMatch(part -> part.state() == ReservationState.ACTIVE)) {
            all.remove(STARTED);
        }
        return all;
    }

    private static void part(SiteCommitment before, SiteCommitment after, Set<NoticeOccasion> all) {
        if (after.state() == ReservationState.ACTIVE) {
            all.add(STARTED);
        }
        if (!before.lostNodes().containsAll(after.lostNodes())) {
            all.add(DEGRADED);
        }
        if (!before.reservation().key().equals(after.reservation().key())) {
            all.add(MOVED);
        }
    }
}
