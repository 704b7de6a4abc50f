package org.metasched.cli.agreement;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.Expr;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.client.OfferWriter.Part;
import org.metasched.negotiation.CoAllocationRequest;
import org.metasched.negotiation.SplitRequest;

/**
 * Reads a need without a site: {@code cpu:nodes=16,Rank=Memory,Requirements=Arch == "X86_64"},
 * {@code licence:feature=matlab,count=2} or {@code network:bandwidth=1000}.
 */
final class NeedPart {

    private static final Pattern REQUIREMENTS = Pattern.compile("(?i),?\\s*requirements=");
    private static final Pattern RANK = Pattern.compile("(?i),?\\s*rank=");
    private static final Set<String> SPLIT_KEYS = Set.of("min-part", "max-parts", "multiple", "overhead");

    private NeedPart() {}

    /**
     * The parts for which a need stands: one for each site that it asks for.
     *
     * @throws ExitCodeException if the text has another form
     */
    static List<Part> read(String text) {
        int colon = text.indexOf(':');
        String kind = colon < 1 ? "" : text.substring(0, colon).strip().toLowerCase(Locale.ROOT);
        String keys = keysOf(kind, text);
        // An expression may have commas, so the requirements extend to the end, and the rank to the requirements.
        String[] requirements = REQUIREMENTS.split(text.substring(colon + 1), 2);
        String[] rank = RANK.split(requirements[0], 2);
        var constraint = expressionOf(requirements, text).orElse("true");
        var rankExpression = expressionOf(rank, text);
        try {
            var values = SitePart.values(text, rank[0], Set.of(keys.split(" ")));
            if (kind.startsWith("licen")) {
                renameCount(text, values);
            }
            int places = taken(text, values, "sites", 1);
            if (places < 1 || places > CoAllocationRequest.MOST_PARTS) {
                throw SitePart.bad(text, "must be for 1 to " + CoAllocationRequest.MOST_PARTS + " sites");
            }
            var split = split(text, values);
            var need = SitePart.need(text, values);
            var part = new Part(Optional.empty(), Optional.of(constraint), rankExpression, need, split);
            return Collections.nCopies(places, part);
        } catch (IllegalArgumentException e) {
            throw SitePart.bad(text, "cannot be asked for: " + e.getMessage());
        }
    }

    private static String keysOf(String kind, String text) {
        return switch (kind) {
            case "cpu" -> "nodes cores properties sites total " + String.join(" ", SPLIT_KEYS);
            case "licence", "license" -> "feature count licences sites";
            case "network" -> "bandwidth sites";
            default -> throw SitePart.bad(text, "must begin with cpu:, licence: or network:");
        };
    }

    /** The split of a total; moves the value of {@code total} to {@code nodes}. */
    private static Optional<SplitRequest> split(String text, Map<String, String> values) {
        if (!values.containsKey("total")) {
            values.keySet().stream().filter(SPLIT_KEYS::contains).findFirst().ifPresent(key -> {
                throw SitePart.bad(text, "says " + key + ", which goes with total only");
            });
            return Optional.empty();
        }
        int least = taken(text, values, "min-part", 1);
        int most = taken(text, values, "max-parts", SplitRequest.USUAL_PIECES);
        int multiple = taken(text, values, "multiple", 1);
        var split = new SplitRequest(least, most, multiple, taken(text, values, "overhead", 0));
        split.check(SitePart.number(text, values, "total"));
        if (values.put("nodes", String.valueOf(values.remove("total"))) != null) {
            throw SitePart.bad(text, "says both nodes, of one site, and total, of all");
        }
        return Optional.of(split);
    }

    /** Removes a number from the values, and returns it; the usual one if there is none. */
    private static int taken(String text, Map<String, String> values, String key, int usual) {
        int value = values.containsKey(key) ? SitePart.number(text, values, key) : usual;
        values.remove(key);
        return value;
    }

    /** Moves the {@code count} of a licence to {@code licences}, 1 by default. */
    private static void renameCount(String text, Map<String, String> values) {
        String count = values.remove("count");
        if (count != null && values.put("licences", count) != null) {
            throw SitePart.bad(text, "says both count and licences");
        }
        values.putIfAbsent("licences", "1");
    }

    /** The expression after {@code Requirements=} or {@code Rank=}; empty if the text was not split there. */
    private static Optional<String> expressionOf(String[] halves, String text) {
        try {
            var expression = Arrays.stream(halves).skip(1).findFirst();
            expression.ifPresent(Expr::parse);
            return expression;
        } catch (ClassAdSyntaxException e) {
            throw SitePart.bad(text, "has Requirements or a Rank that are no ClassAd expression: " + e.getMessage());
        }
    }
}
