package org.metasched.console;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.metasched.adapter.DisplayText;
import org.metasched.adapter.Need;
import org.metasched.adapter.ReservationState;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.AgreementState;
import org.metasched.agreement.GuaranteeState;
import org.metasched.agreement.SiteCommitment;

/** Texts and style classes that the pages show. */
final class PageLabels {

    static final String NONE = "–";
    /** Addresses and names of the pages in the navigation. */
    static final List<Map.Entry<String, String>> PAGES = List.of(
            Map.entry("", "Home"),
            Map.entry("/find", "Find a time"),
            Map.entry("/agreements", "Agreements"),
            Map.entry("/picture", "Grid picture"),
            Map.entry("/sites", "Sites"),
            Map.entry("/matches", "DAGs"),
            Map.entry("/ads", "Ads"),
            Map.entry("/operations", "Operations"));

    private static final Pattern COMMON_NAME = Pattern.compile("CN=([^,/]+)");

    private PageLabels() {}

    static String amount(Need need) {
        return need.fold(
                nodes -> DisplayText.count(nodes.count(), "node"),
                bandwidth -> bandwidth.megabitsPerSecond() + " Mbit/s",
                licences -> licences.count() + " × " + licences.feature());
    }

    /** The first {@code most} names, and the number of the others. */
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

    /** The run time of the longest part of a request. */
    static String longest(AgreementRequest request) {
        var longest =
                request.parts().stream().map(part -> part.request().duration()).max(Duration::compareTo);
        return longest.map(TimeLabels::length).orElse("");
    }

    /** The state in one word for people. */
    static String word(Agreement agreement, Instant now) {
        return switch (agreement.state()) {
            case PENDING -> "asked";
            case PENDING_AND_TERMINATING, OBSERVED_AND_TERMINATING -> "ending";
            case REJECTED -> "refused";
            case TERMINATED -> "ended";
            case COMPLETE -> "done";
            case OBSERVED -> observed(agreement, now);
        };
    }

    private static String observed(Agreement agreement, Instant now) {
        var words = agreement.commitments().stream().map(PageLabels::word).toList();
        return Stream.of("lost", "degraded", "running")
                .filter(words::contains)
                .findFirst()
                .orElse(
                        agreement
                                        .slot()
                                        .filter(slot -> !slot.start().isAfter(now))
                                        .isPresent()
                                ? "running"
                                : "reserved");
    }

    static String word(SiteCommitment part) {
        if (part.isDegraded() && part.state().isHeld()) {
            return "degraded";
        }
        return switch (part.state()) {
            case RESERVED -> "reserved";
            case ACTIVE -> "running";
            case FINISHED -> "done";
            case CANCELLED -> "lost";
        };
    }

    /** The state of a part in words; a part of an agreement that was ended is given back, not lost. */
    static String word(SiteCommitment part, Agreement agreement) {
        boolean isEnded = agreement.state() == AgreementState.TERMINATED;
        return isEnded && part.state() == ReservationState.CANCELLED ? "given back" : word(part);
    }

    /** The style class that colours the word for a state. */
    static String kind(String word) {
        return switch (word) {
            case "running" -> "good";
            case "asked", "reserved" -> "wait";
            case "ending", "degraded" -> "warn";
            case "refused", "lost" -> "bad";
            default -> "done";
        };
    }

    /** The name by which people know the initiator: the common name of a certificate, or the name that an issuer gave. */
    static String owner(Agreement agreement) {
        return owner(agreement.offer().key().initiator());
    }

    static String owner(String initiator) {
        var common = COMMON_NAME.matcher(initiator);
        String name = common.find() ? common.group(1) : initiator.substring(initiator.lastIndexOf(',') + 1);
        return name.isEmpty() || name.equals("?") ? "not known" : name;
    }

    /** The amounts and sites of an agreement, as one line. */
    static String places(Agreement agreement) {
        return agreement.commitments().stream()
                .map(part -> amount(part.reservation().granted()) + " at " + part.site())
                .collect(Collectors.joining(", "));
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

    /** The fields as parameters of an address. */
    static String query(Map<String, String> fields) {
        return fields.entrySet().stream()
                .filter(f -> !f.getValue().isEmpty())
                .map(f -> f.getKey() + "=" + URLEncoder.encode(f.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
    }
}
