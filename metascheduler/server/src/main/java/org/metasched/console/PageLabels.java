package org.metasched.console;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.metasched.adapter.Need;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.AgreementState;
import org.metasched.agreement.GuaranteeState;
import org.metasched.negotiation.NegotiationEffort;

/** What the pages call things. */
final class PageLabels {

    static final String NONE = "–";

    private PageLabels() {}

    static String amount(Need need) {
        return need.fold(
                nodes -> counted(nodes.count(), "node"),
                bandwidth -> bandwidth.megabitsPerSecond() + " Mbit/s",
                licences -> licences.count() + " × " + licences.feature());
    }

    static String counted(int count, String thing) {
        return count + " " + thing + (count == 1 ? "" : "s");
    }

    /** The first of them, and how many there are beside. */
    static String joined(List<String> names, int most) {
        int more = names.size() - most;
        return String.join(", ", names.subList(0, Math.min(most, names.size())))
                + (more > 0 ? " and " + more + " more" : "");
    }

    static String number(double value) {
        return Double.isNaN(value)
                ? NONE
                : String.format(Locale.ROOT, value == Math.rint(value) ? "%.0f" : "%.2f", value);
    }

    static String measured(Optional<Double> value, boolean isTime) {
        return orNone(value.map(v -> isTime ? String.format(Locale.ROOT, "%.1f ms", v * 1000) : number(v)));
    }

    static String effort(NegotiationEffort effort) {
        return counted(effort.rounds(), "round") + ", " + counted(effort.calls(), "call") + ", "
                + counted(effort.attempts(), "attempt") + ", " + effort.took().toMillis() + " ms";
    }

    /** How long the longest part of a request runs. */
    static String longest(AgreementRequest request) {
        var longest =
                request.parts().stream().map(part -> part.request().duration()).max(Duration::compareTo);
        return longest.map(TimeLabels::length).orElse("");
    }

    /** Picks the colour of a state. */
    static String kind(AgreementState state) {
        return switch (state) {
            case OBSERVED -> "good";
            case PENDING -> "wait";
            case PENDING_AND_TERMINATING, OBSERVED_AND_TERMINATING -> "warn";
            case REJECTED, TERMINATED -> "bad";
            case COMPLETE -> "done";
        };
    }

    static String kind(GuaranteeState state) {
        return switch (state) {
            case FULFILLED -> "good";
            case VIOLATED -> "bad";
            case NOT_DETERMINED -> "wait";
        };
    }

    static String orNone(Optional<?> value) {
        return value.map(Object::toString).orElse(NONE);
    }
}
