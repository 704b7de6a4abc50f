package org.metasched.console;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.metasched.adapter.TimeSlot;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.RefusedOffer;

/**
 * The page of one person: what the person holds, what needs a look, and what is left of the quotas.
 *
 * @param living agreements that have not come to their end
 * @param past the newest of the others
 * @param refused the newest offers of the last days that were refused
 */
record HomeModel(List<Agreement> living, List<Agreement> past, List<RefusedOffer> refused, List<Quota> quotas) {

    private static final Set<String> TROUBLE = Set.of("lost", "degraded");

    /**
     * Use of a bound.
     *
     * @param vo VO whose bound it is; empty for the person's own
     * @param what name of the bounded quantity, such as Node-hours
     * @param limit the bound; {@link Integer#MAX_VALUE} or more if there is none
     */
    record Quota(String vo, String what, double used, double limit) {

        boolean isBounded() {
            return limit < Integer.MAX_VALUE;
        }

        long percent() {
            return Math.round(Math.min(100, 100 * used / limit));
        }

        String words() {
            String owner = vo.isEmpty() ? "" : " of VO " + vo;
            return what + owner + ": " + PageLabels.number(used)
                    + (isBounded() ? " of " + PageLabels.number(limit) : ", no bound");
        }
    }

    private static Instant start(Agreement agreement) {
        return agreement.slot().map(TimeSlot::start).orElse(agreement.created());
    }

    /** The agreements that have begun. */
    List<Agreement> begun(Instant now) {
        return living.stream().filter(agreement -> !isToCome(agreement, now)).toList();
    }

    /** The agreements to come, the first to begin first; one without a slot counts as beginning when it was made. */
    List<Agreement> toCome(Instant now) {
        return living.stream()
                .filter(agreement -> isToCome(agreement, now))
                .sorted(Comparator.comparing(HomeModel::start))
                .toList();
    }

    private static boolean isToCome(Agreement agreement, Instant now) {
        return agreement.slot().isEmpty() || start(agreement).isAfter(now);
    }

    /** The agreements that a site lost, or of which nodes are down. */
    List<Agreement> troubled(Instant now) {
        return living.stream()
                .filter(agreement -> TROUBLE.contains(PageLabels.word(agreement, now)))
                .toList();
    }

    /** Time until an agreement begins or ends, in words; empty after its end. */
    static String until(Agreement agreement, Instant now) {
        Optional<TimeSlot> slot = agreement.slot();
        return slot.map(time -> time.start().isAfter(now)
                        ? "starts in " + TimeLabels.length(Duration.between(now, time.start()))
                        : time.end().isAfter(now)
                                ? "ends in " + TimeLabels.length(Duration.between(now, time.end()))
                                : "")
                .orElse("waits for an answer");
    }
}
